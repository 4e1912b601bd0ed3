# The results of random games, counted.

from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from wts_fast.randomness import Randomness
from wts_fast.types import AnyPosition, Rollouts

# Play n random games to their end, or for max_turns turns, and count the results.
def rollouts(
    position: AnyPosition,
    n: SupportsIndex,
    *,
    rng: Randomness = None,
    max_turns: SupportsIndex | None = None,
    threads: SupportsIndex = 1,
) -> Rollouts: ...

# [black, white]: Black's mean value of n random games after that turn, NaN where it is not legal.
def rollout_matrix(
    position: AnyPosition,
    n: SupportsIndex,
    *,
    rng: Randomness = None,
    max_turns: SupportsIndex | None = None,
    threads: SupportsIndex = 1,
    out: npt.NDArray[np.float32] | None = None,
) -> npt.NDArray[np.float32]: ...
