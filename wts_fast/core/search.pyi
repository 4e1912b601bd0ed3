# Search for both players' picks at once.

from typing import Literal, SupportsFloat, SupportsIndex, final

import numpy.typing as npt

from wts_fast.core.position import Position
from wts_fast.randomness import Randomness
from wts_fast.types import AnyPosition, Cell, SearchResult

@final
class Search:
    def __new__(
        cls,
        position: AnyPosition,
        *,
        method: Literal["puct", "uct", "regret"] = "puct",
        k: SupportsIndex = 20,
        exploration: SupportsFloat | SupportsIndex | None = None,  # None: by method
        prior: bool = True,
        leaves: Literal["evaluation", "rollouts"] = "evaluation",
        weights: npt.ArrayLike | None = None,
        rng: Randomness = None,
        memory: SupportsIndex = 1073741824,  # bytes
    ) -> Search: ...

    # The root; positions in the tree; bytes that it takes.
    @property
    def position(self) -> Position: ...
    @property
    def nodes(self) -> int: ...
    @property
    def memory(self) -> int: ...

    # Ends at the limit that is reached first; one at least must be given.
    def run(
        self,
        simulations: SupportsIndex | None = None,
        *,
        seconds: SupportsFloat | SupportsIndex | None = None,
    ) -> SearchResult: ...
    # The root becomes the position after the turn.
    def advance(self, black: Cell, white: Cell) -> None: ...
