"""A fast rules engine for What the Shell, and a readable reference engine."""

__version__ = "0.1.0"

try:
    from wts_fast.core.batch import Batch
    from wts_fast.core.levels import cpu_level
    from wts_fast.core.matrix import solve
    from wts_fast.core.outcomes import outcomes
    from wts_fast.core.position import Position, perft
    from wts_fast.core.rollout import rollout_matrix, rollouts
except ModuleNotFoundError as _error:
    if _error.name is None or not _error.name.startswith("wts_fast.core."):
        raise
    raise ImportError(
        f"the compiled core is not built in {__path__[0]}. "
        "Build and install it with 'pip install .' in the project's folder, and run from another "
        "folder, or build it in place with 'pip install --editable .'"
    ) from None

from wts_fast.game import Game, read_games, write_games
from wts_fast.notation import cell_index, cell_name
from wts_fast.reference import Captured, Hatched, Laid, Placed, Trace, Vanished, trace
from wts_fast.symmetry import Symmetry, transform_planes, transform_policy
from wts_fast.types import (
    BLACK,
    EGG,
    EMPTY,
    WHITE,
    IllegalMoveError,
    Outcome,
    Rollouts,
    Solution,
)

__all__ = [
    "BLACK",
    "EGG",
    "EMPTY",
    "WHITE",
    "Batch",
    "Captured",
    "Game",
    "Hatched",
    "IllegalMoveError",
    "Laid",
    "Outcome",
    "Placed",
    "Position",
    "Rollouts",
    "Solution",
    "Symmetry",
    "Trace",
    "Vanished",
    "cell_index",
    "cell_name",
    "cpu_level",
    "outcomes",
    "perft",
    "read_games",
    "rollout_matrix",
    "rollouts",
    "solve",
    "trace",
    "transform_planes",
    "transform_policy",
    "write_games",
]
