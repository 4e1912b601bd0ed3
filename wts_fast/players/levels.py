"""The built-in players, and the ladder of levels, ordered by strength."""

from typing import Final

import numpy as np
import numpy.typing as npt

from wts_fast.notation import to_mask
from wts_fast.players.protocol import SamplingPlayer
from wts_fast.types import AnyPosition

LEVELS: Final[tuple[str, ...]] = ("random",)
"""The ladder: the spec of the player of each level, from the weakest."""


class RandomPlayer(SamplingPlayer):
    """Picks an empty cell uniformly at random."""

    name = "random"

    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """Return the uniform distribution over the legal picks; `player` is not used."""
        mask = to_mask(position.legal_moves()).astype(np.float64)
        mask /= max(1.0, mask.sum())
        return mask
