"""Work in equal shares, each in a thread of its own."""

from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event
from typing import Final, SupportsIndex, TypeVar

from wts_fast.types import check_int

MAX_THREADS: Final = 1024

Result = TypeVar("Result")


def in_shares(work: Callable[[int, int, Event], Result], threads: SupportsIndex) -> list[Result]:
    """Return what `work(share, shares, stopped)` returns for every share of it.

    One share is done in this thread, several in as many of their own. `stopped` is an event
    that is set on Ctrl-C or when a share fails, for the others to end soon.

    Raises `ValueError` where `threads` is outside 1..1024, `TypeError` where it is no integer,
    and what `work` raises.
    """
    shares = check_int("threads", threads, 1, MAX_THREADS)
    stopped = Event()
    if shares == 1:
        return [work(0, 1, stopped)]
    with ThreadPoolExecutor(shares) as pool:
        try:
            futures = [pool.submit(work, share, shares, stopped) for share in range(shares)]
            # Ctrl-C may come to another thread; this one has to wake up to see it.
            pending = set(futures)
            while pending:
                done, pending = wait(pending, timeout=0.05, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
            return [future.result() for future in futures]
        finally:
            stopped.set()
