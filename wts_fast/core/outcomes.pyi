# The outcomes of all joint moves at once.

import numpy as np
import numpy.typing as npt

from wts_fast.types import AnyPosition

# [black, white]: the Outcome of that turn, -1 where it is not legal; `out` is written and returned.
def outcomes(
    position: AnyPosition, *, out: npt.NDArray[np.int8] | None = None
) -> npt.NDArray[np.int8]: ...
