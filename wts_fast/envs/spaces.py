"""The space of observations."""

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box

from wts_fast.core.batch import Batch
from wts_fast.types import BLACK


def planes_space(dtype: npt.DTypeLike) -> Box:
    """Return the space of the planes that `Batch.observe` gives for one game.

    Its shape is (5, 9, 9), its range 0..1 in `float32` and 0..255 in `uint8`. Raises
    `ValueError` for another dtype, `TypeError` for an invalid dtype.
    """
    planes = Batch(0).observe(BLACK, dtype=dtype)
    return Box(0, 255 if planes.dtype == np.uint8 else 1, planes.shape[1:], planes.dtype.type)
