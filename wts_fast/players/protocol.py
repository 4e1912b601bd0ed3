"""The interface of a player: a `name`, and `choose(position, player, rng)`.

Each side of each game gets its own random generator and its own copy of the player
(`copy.deepcopy`), so that state kept between turns is not shared with other games or with the
other side. To run in another process, a player is pickled.
"""

from abc import ABC, abstractmethod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from wts_fast.types import CELLS, AnyPosition


class Player(Protocol):
    """An object that picks cells."""

    @property
    def name(self) -> str:
        """The name in tables: one line, which should include the settings of the player.

        It may be missing: `name_of` then returns the name of the class.
        """
        ...

    def choose(self, position: AnyPosition, player: int, rng: np.random.Generator) -> int:
        """Return the cell 0..80 that `player`, `BLACK` or `WHITE`, picks in `position`.

        The position is of either engine, and the game is not over. All random numbers are
        drawn from `rng`.
        """
        ...


class PolicyPlayer(Player, Protocol):
    """A player that can return the probability of each pick."""

    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """Return a `float64` array of shape (81,): the probability of each cell.

        It is zero where a pick is not legal, and sums to 1.
        """
        ...


class SamplingPlayer(ABC):
    """A base class for players with a policy: `choose` samples from it."""

    @property
    @abstractmethod
    def name(self) -> str:
        """See `Player`."""

    @abstractmethod
    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """See `PolicyPlayer`."""

    def choose(self, position: AnyPosition, player: int, rng: np.random.Generator) -> int:
        """Return a cell sampled from the policy."""
        return sample(self.policy(position, player), rng)


def sample(policy: npt.ArrayLike, rng: np.random.Generator) -> int:
    """Return a cell sampled from a policy, never one of probability zero.

    `policy` has shape (81,); its sum need not be exactly 1. Draws one number from `rng`.
    Raises `ValueError` for another shape, a weight that is negative or not finite, or if all
    weights are zero.
    """
    weights = np.asarray(policy, dtype=np.float64)
    if weights.shape != (CELLS,):
        raise ValueError(f"policy has shape {weights.shape}: expected ({CELLS},)")
    with np.errstate(over="ignore", invalid="ignore"):  # checked below
        sums = weights.cumsum()
    total = sums[-1]
    if not (weights.min() >= 0 and 0 < total < np.inf):
        raise ValueError("policy has bad weights: expected 0 or more, finite, and one above 0")
    # Rounding may make the product equal to the total, which is after the last cell.
    drawn = min(rng.random() * total, np.nextafter(total, 0))
    return int(sums.searchsorted(drawn, side="right"))
