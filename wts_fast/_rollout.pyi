# Random games by the million, counted.

from typing import SupportsIndex

from wts_fast.randomness import Randomness
from wts_fast.types import AnyPosition, Rollouts

# Play n random games to their end, or for max_turns turns, and count the results.
def rollouts(
    position: AnyPosition,
    n: SupportsIndex,
    *,
    rng: Randomness = None,
    max_turns: SupportsIndex | None = None,
) -> Rollouts: ...
