"""Fixtures for all tests: both engines, under the same names."""

import sys
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import wts_fast
from wts_fast import reference


class Engine(NamedTuple):
    """An engine, under the names that both engines share."""

    name: str
    Position: Any
    perft: Callable[[Any, int], int]


CORE = Engine("core", wts_fast.Position, wts_fast.perft)
REFERENCE = Engine("reference", reference.Position, reference.perft)


@pytest.fixture(params=(CORE, REFERENCE), ids=lambda engine: engine.name)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    return request.param


@pytest.fixture
def engines() -> tuple[Engine, Engine]:
    """Both engines at once: the core and the reference."""
    return CORE, REFERENCE


@pytest.fixture
def eight_at_once() -> Callable[[Callable[[int], Any]], list[Any]]:
    """Return a function that runs `work(number)` in eight threads, and returns their results.

    They start together and are switched as often as can be.
    """

    def run_all(work: Callable[[int], Any]) -> list[Any]:
        barrier = threading.Barrier(8)
        results: list[Any] = [None] * 8

        def run(number: int) -> None:
            barrier.wait()
            results[number] = work(number)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        return results

    return run_all
