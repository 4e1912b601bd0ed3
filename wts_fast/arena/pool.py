"""Games played by other processes."""

import pickle
import signal
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from multiprocessing.connection import Connection
from os import _exit
from threading import Thread
from typing import Any

from wts_fast.arena.match import Played, PlayerError, Task, in_one_line, play
from wts_fast.players import Player


def play_in_processes(
    found: tuple[Player, ...], tasks: list[Task], jobs: int
) -> Generator[Played, None, None]:
    """Yield the games of all tasks, in their order; however this ends, no process goes on.

    Each process holds the reading end of a pipe, and ends when the writing end is closed, be
    it because this process has died.
    """
    pickled = _pickled(found)
    context = get_context("spawn")
    reading, writing = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _start, (pickled, reading))
    try:
        under_way: deque[Future[Played]] = deque()
        for task in tasks:
            under_way.append(pool.submit(_play_sent, task))
            if len(under_way) == 16 * jobs:  # enough for all while one game lasts long
                yield _waited(under_way.popleft())
        while under_way:
            yield _waited(under_way.popleft())
        pool.shutdown()
    except BrokenProcessPool as error:
        raise PlayerError(f"a process that plays has ended before its time: {error}") from error
    finally:
        writing.close()
        pool.shutdown(cancel_futures=True)
        reading.close()


def _pickled(found: tuple[Player, ...]) -> bytes:
    try:
        return pickle.dumps(found)
    except Exception as error:
        raise PlayerError(
            f"a player cannot be sent to another process: {in_one_line(error)}; "
            "with jobs=1 that is not needed"
        ) from error


def _waited(future: "Future[Played]") -> Played:
    """Return a result; wait for it in short spells, for Ctrl-C to come through everywhere."""
    while not future.done():
        wait([future], timeout=0.05)
    return future.result()


class _Sent:
    """In a process that plays: the players, pickled, and unpickled once they are needed."""

    pickled = b""
    players: tuple[Player, ...] = ()


def _start(pickled: bytes, reading: "Connection[Any, Any]") -> None:
    """Get a process ready: its end is the other's business, Ctrl-C included."""
    _Sent.pickled = pickled
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(reading,), daemon=True).start()


def _end_with(reading: "Connection[Any, Any]") -> None:
    try:
        reading.recv()  # nothing is ever sent
    except (EOFError, OSError):
        _exit(1)


def _play_sent(task: Task) -> Played:
    """Return the game of a task between the players sent, whose errors go back from here."""
    if not _Sent.players:
        try:
            _Sent.players = pickle.loads(_Sent.pickled)
        except Exception as error:
            raise PlayerError(
                f"a player cannot come to another process: {in_one_line(error)}"
            ) from error
    return play(_Sent.players, task)
