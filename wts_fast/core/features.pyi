# What a position offers each player: threats, windows, scores of cells, a value.

from collections.abc import Iterable
from typing import Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from wts_fast.types import AnyPosition, Cell

# What feature_vector holds, and what each of it is worth by default.
FEATURE_NAMES: Final[tuple[str, ...]]
WEIGHTS: Final[tuple[float, ...]]

# Cells, ascending.
def winning_cells(position: AnyPosition, player: int) -> list[int]: ...
def capture_cells(position: AnyPosition, player: int) -> list[int]: ...

# The windows of five cells with 1 to 4 turtles of the player, the other cells empty.
def open_windows(position: AnyPosition, player: int) -> tuple[int, int, int, int]: ...

# (81,): 0 for cells that are not empty.
def cell_scores(
    position: AnyPosition, player: int, *, out: npt.NDArray[np.float32] | None = None
) -> npt.NDArray[np.float32]: ...

# The best by these scores, best first.
def top_cells(position: AnyPosition, player: int, k: SupportsIndex) -> list[int]: ...

# (9,): what Black has more than White.
def feature_vector(position: AnyPosition) -> npt.NDArray[np.float32]: ...

# The value for Black, -1 to 1; None means WEIGHTS.
def evaluate(position: AnyPosition, weights: npt.ArrayLike | None = None) -> float: ...

# (rows, columns): the values after the joint moves.
def value_matrix(
    position: AnyPosition,
    rows: Iterable[Cell],
    columns: Iterable[Cell],
    weights: npt.ArrayLike | None = None,
    *,
    out: npt.NDArray[np.float32] | None = None,
) -> npt.NDArray[np.float32]: ...
