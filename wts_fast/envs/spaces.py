"""Observations, action masks and turn limits, as the environments share them."""

from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box

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


def planes_space(dtype: npt.DTypeLike) -> Box:
    """Return the space of the planes that `Batch.observe` gives for one game.

    Its shape is (5, 9, 9), its range 0..1 in `float32` and 0..255 in `uint8`. Raises
    `ValueError` for another dtype, `TypeError` for what is no dtype.
    """
    planes = Batch(0).observe(BLACK, dtype=dtype)
    return Box(0, 255 if planes.dtype == np.uint8 else 1, planes.shape[1:], planes.dtype.type)


class Views(NamedTuple):
    """A position as Black and White see it, in new arrays."""

    planes: npt.NDArray[Any]
    """What each sees, as `Batch.observe` gives it: shape (2, 5, 9, 9)."""
    masks: npt.NDArray[np.int8]
    """1 where each may pick the cell, else 0: shape (2, 81)."""


def views(position: Position, dtype: npt.DTypeLike) -> Views:
    """Return a position as both players see it."""
    # What White sees is what Black sees with the colors swapped: one call for both is faster.
    games = Batch.from_positions((position, position.swap_colors()))
    return Views(games.observe(BLACK, dtype=dtype), games.legal_mask().view(np.int8))
