"""What `rng=` may be, for everything that draws random numbers."""

from operator import index
from typing import SupportsIndex

import numpy as np

RandomState = SupportsIndex | np.random.Generator | None
"""A seed 0..2**64 - 1, a generator to draw a seed from, or `None` for a fresh seed."""


def seed_of(rng: RandomState) -> int:
    """Return a 64-bit seed: `rng` itself where it is one, else a drawn or a fresh one.

    Raises `ValueError` for a seed outside 0..2**64 - 1, `TypeError` for anything else.
    """
    if rng is None:
        rng = np.random.default_rng()
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**64, dtype=np.uint64))
    try:
        seed = index(rng)
    except TypeError:
        kind = type(rng).__name__
        raise TypeError(f"rng must be an int, a numpy Generator or None, not {kind}") from None
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed is {seed}: expected 0..{2**64 - 1}")
    return seed
