"""Work in equal shares, one thread for each."""

from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event
from typing import Final, SupportsIndex, TypeVar

from wts_fast.types import check_int

MAX_THREADS: Final = 1024

Result = TypeVar("Result")


def in_shares(work: Callable[[int, int, Event], Result], threads: SupportsIndex) -> list[Result]:
    """Return the list of `work(share, shares, stopped)` for all shares 0..`threads` - 1.

    One share runs in this thread, several in a thread each. `stopped` is an event that is set
    on Ctrl-C or when a share fails, so that the others end soon.

    Raises `ValueError` if `threads` is outside 1..1024, `TypeError` if it is not an integer,
    and what `work` raises.
    """
    shares = check_int("threads", threads, 1, MAX_THREADS)
    stopped = Event()
    if shares == 1:
        return [work(0, 1, stopped)]
    with ThreadPoolExecutor(shares) as pool:
        try:
            futures = [pool.submit(work, share, shares, stopped) for share in range(shares)]
            # Another thread may receive Ctrl-C; this one must wake up to see it.
            pending = set(futures)
            while pending:
                done, pending = wait(pending, timeout=0.05, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
            return [future.result() for future in futures]
        finally:
            stopped.set()
