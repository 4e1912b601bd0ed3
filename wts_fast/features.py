"""What a position offers each player: threats, windows, scores of cells, a value."""

from wts_fast.core.features import (
    FEATURE_NAMES,
    WEIGHTS,
    capture_cells,
    cell_scores,
    evaluate,
    feature_vector,
    open_windows,
    top_cells,
    value_matrix,
    winning_cells,
)

__all__ = [
    "FEATURE_NAMES",
    "WEIGHTS",
    "capture_cells",
    "cell_scores",
    "evaluate",
    "feature_vector",
    "open_windows",
    "top_cells",
    "value_matrix",
    "winning_cells",
]
