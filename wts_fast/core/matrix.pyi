# Solves zero-sum matrix games.

from typing import SupportsFloat, SupportsIndex

import numpy.typing as npt

from wts_fast.types import Solution

# The value for the row player, who maximizes matrix[i, j], and both strategies.
def solve(
    matrix: npt.ArrayLike,
    *,
    gap: SupportsFloat | SupportsIndex = 1e-3,
    max_iterations: SupportsIndex = 100_000,
) -> Solution: ...
