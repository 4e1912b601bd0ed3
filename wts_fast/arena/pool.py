"""Games played by other processes, one game at a time in each."""

import pickle
import signal
from collections.abc import Generator, Iterable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from os import _exit
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Final

from wts_fast.arena.match import (
    Played,
    PlayerError,
    Task,
    counts_of,
    forfeit,
    in_one_line,
    play,
    too_slow,
)
from wts_fast.arena.status import Status
from wts_fast.players import Player

_SPELL: Final = 0.05
"""How many seconds to wait in one go: Ctrl-C comes through everywhere in between."""


def play_in_processes(
    found: tuple[Player, ...], tasks: Iterable[Task], jobs: int
) -> Generator[tuple[Task, Played], None, None]:
    """Yield each task with its game as soon as that is over; however this ends, no process goes on.

    A process that dies in a game, or is killed for a pick that takes too long, is replaced.
    It plays one game at a time, and its status shows which player was choosing: that one has
    failed.
    """
    pickled = _pickled(found)
    waiting = iter(tasks)
    workers: list[_Worker] = []
    try:
        for task in waiting:
            workers.append(_Worker(pickled, task))
            if len(workers) == jobs:
                break
        while workers:
            wait([thing for worker in workers for thing in worker.signs()], timeout=_SPELL)
            for place, worker in reversed(list(enumerate(workers))):
                played = worker.played()
                if played is None:
                    continue
                yield worker.task, played
                following = next(waiting, None)
                if following is None:
                    worker.dismiss()
                    del workers[place]
                elif worker.alive:
                    worker.give(following)
                else:
                    workers[place] = _Worker(pickled, following)
    finally:
        for worker in workers:
            worker.kill()


def _pickled(found: tuple[Player, ...]) -> bytes:
    try:
        return pickle.dumps(found)
    except Exception as error:
        raise PlayerError(
            f"a player cannot be sent to another process: {in_one_line(error)}; "
            "with jobs=1 and no time limit that is not needed"
        ) from error


class _Worker:
    """A process that plays, as this process sees it.

    The process ends when this end of its pipe is closed, also because this process has died.
    """

    def __init__(self, pickled: bytes, task: Task) -> None:
        context = get_context("spawn")
        self._status = context.RawValue(Status)
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._status, pickled))
        self._process.start()
        theirs.close()
        self.alive = True
        self.give(task)

    def signs(self) -> tuple[Any, Any]:
        """Return what becomes ready when the game is over or the process has ended."""
        return self._pipe, self._process.sentinel

    def give(self, task: Task) -> None:
        """Let the process play a game."""
        self.task = task
        with suppress(OSError):  # if it has died, `played` finds out
            self._pipe.send(task)

    def played(self) -> Played | None:
        """Return the game once it is over, `None` before; `PlayerError` where it ends the arena."""
        color, since, limit = self._status.color, self._status.since, self.task.setting.seconds
        slow = limit is not None and color != 0 and monotonic() - since > limit
        ended = not self._process.is_alive()
        try:
            if self._pipe.poll():
                answer = self._pipe.recv()
                if isinstance(answer, PlayerError):
                    raise answer
                played: Played = answer
                return played
        except (EOFError, OSError):
            ended = True
        if not (slow or ended):
            return None
        if not slow:
            self._process.join(1)  # the pipe may close before the exit code is there
        self.kill()
        return self._lost(color if slow else self._status.color, slow)

    def _lost(self, color: int, slow: bool) -> Played:
        """Return the game that went with the process, forfeited by the player who was choosing."""
        if not color:
            raise PlayerError(
                f"a process that plays has ended before its time, in game {self.task.round}: "
                f"exit code {self._process.exitcode}"
            )
        game = self.task.game()
        for turn in self._status.moves():
            game.play(*turn)
        who = self.task.who(color)
        if slow and self.task.setting.seconds is not None:
            message = too_slow(who, self.task.setting.seconds, game.position)
        else:
            code = self._process.exitcode
            message = f"{who} ended its process (exit code {code}) at '{game.position}'"
        if not self.task.setting.forfeit:
            raise PlayerError(message)
        forfeit(game, {color: message})
        return Played(game, None, counts_of(game))

    def dismiss(self) -> None:
        """Let the process end as it would, and kill it where that takes long."""
        if self.alive:
            with suppress(OSError):
                self._pipe.send(None)
            self._process.join(5)
            self.kill()

    def kill(self) -> None:
        """End the process."""
        self.alive = False
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: "Connection[Any, Any]", status: Status, pickled: bytes) -> None:
    """Play the games that come in, in a process whose end is the other's business."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    tasks: SimpleQueue[Task | None] = SimpleQueue()
    Thread(target=_receive, args=(pipe, tasks), daemon=True).start()
    try:
        found = pickle.loads(pickled)
    except Exception as error:
        message = f"a player cannot come to another process: {in_one_line(error)}"
        pipe.send(PlayerError(message))
        return
    while (task := tasks.get()) is not None:
        try:
            answer: Played | PlayerError = play(found, task, status)
        except PlayerError as error:
            answer = error
        pipe.send(answer)


def _receive(pipe: "Connection[Any, Any]", tasks: "SimpleQueue[Task | None]") -> None:
    """Pass tasks on as they come, and end this process when the other has gone."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        _exit(1)
