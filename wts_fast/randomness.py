"""The argument `rng=` of all functions that draw random numbers."""

from typing import SupportsIndex

import numpy as np

from wts_fast.types import check_int

Randomness = SupportsIndex | np.random.Generator | None
"""A seed 0..2**64 - 1, a generator from which a seed is drawn, or `None` for a fresh seed."""


def seed_of(rng: Randomness) -> int:
    """Return a 64-bit seed: `rng` itself if it is a seed, or a drawn or a fresh one.

    Raises `ValueError` for a seed outside 0..2**64 - 1, `TypeError` for anything else.
    """
    if rng is None:
        rng = np.random.default_rng()
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**64, dtype=np.uint64))
    if not hasattr(rng, "__index__"):
        kind = type(rng).__name__
        raise TypeError(f"rng must be an int, a numpy Generator or None, not {kind}")
    return check_int("seed", rng, 0, 2**64 - 1)
