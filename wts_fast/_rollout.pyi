# Random games by the million, counted.

from typing import SupportsIndex

from wts_fast._position import Position
from wts_fast.randomness import RandomState
from wts_fast.types import Rollouts

# Play n random games to their end, or for max_turns turns, and count the results.
def rollouts(
    position: Position,
    n: SupportsIndex,
    *,
    rng: RandomState = None,
    max_turns: SupportsIndex | None = None,
) -> Rollouts: ...
