# Zero-sum matrix games, solved.

from typing import SupportsFloat, SupportsIndex

import numpy.typing as npt

from wts_fast.types import Solution

# The value for the row player, who wants matrix[i, j] high, and both strategies.
def solve(
    matrix: npt.ArrayLike,
    *,
    gap: SupportsFloat | SupportsIndex = 1e-3,
    max_iterations: SupportsIndex = 100_000,
) -> Solution: ...
