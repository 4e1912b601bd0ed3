"""Turn limits and views of positions, as the environments share them."""

from threading import local
from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt

from wts_fast.core.batch import Batch
from wts_fast.core.position import Position
from wts_fast.types import BLACK, MAX_TURN, check_int

MAX_TURNS: Final = 400
"""The turn limit where none is given."""

PLANES: Final = 5
"""The planes of an observation."""


def check_max_turns(max_turns: SupportsIndex) -> int:
    """Return a turn limit; `ValueError` outside 1..4294967295, `TypeError` for no integer."""
    return check_int("max_turns", max_turns, 1, MAX_TURN)


class Views(NamedTuple):
    """A position as Black and White see it, in new arrays."""

    planes: npt.NDArray[Any]
    """What each sees, as `Batch.observe` gives it: shape (2, 5, 9, 9)."""
    masks: npt.NDArray[np.int8]
    """1 where each may pick the cell, else 0: shape (2, 81)."""


class _Scratch(local):
    """Two games for each thread: a new batch for each position would take a fifth of a step."""

    def __init__(self) -> None:
        self.games = Batch(2)


_scratch = _Scratch()


def views(position: Position, dtype: npt.DTypeLike) -> Views:
    """Return a position as both players see it."""
    games = _scratch.games
    games[0] = position
    # What White sees is what Black sees with the colors swapped: one call for both is faster.
    games[1] = position.swap_colors()
    return Views(games.observe(BLACK, dtype=dtype), games.legal_mask().view(np.int8))
