"""What every test may use: both engines, under one set of names."""

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
