"""What a player is: a `name`, and `choose(position, player, rng)`.

Whoever runs a game gives each side of it a random generator of its own and a copy of the
player (`copy.deepcopy`), so that nothing a player keeps from turn to turn reaches another game
or the other side. A player that is to run in another process is pickled.
"""

from abc import ABC, abstractmethod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from wts_fast.types import CELLS, AnyPosition


class Player(Protocol):
    """Anything that picks cells."""

    @property
    def name(self) -> str:
        """What tables call it: one line, and best with the settings that tell it apart."""
        ...

    def choose(self, position: AnyPosition, player: int, rng: np.random.Generator) -> int:
        """Return the cell 0..80 that `player`, `BLACK` or `WHITE`, picks in `position`.

        The position is of either engine, and its game is not over. All chance comes from
        `rng`.
        """
        ...


class PolicyPlayer(Player, Protocol):
    """A player that can tell how likely it is to pick each cell."""

    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """Return a `float64` array of shape (81,): the probability of each cell.

        It is zero where a pick is not legal, and sums to 1.
        """
        ...


class SamplingPlayer(ABC):
    """A base for players with a policy: `choose` draws from it."""

    @property
    @abstractmethod
    def name(self) -> str:
        """As `Player` has it."""

    @abstractmethod
    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """As `PolicyPlayer` has it."""

    def choose(self, position: AnyPosition, player: int, rng: np.random.Generator) -> int:
        """Return a cell drawn from the policy."""
        return sample(self.policy(position, player), rng)


def sample(policy: npt.ArrayLike, rng: np.random.Generator) -> int:
    """Return a cell drawn from a policy, never one of probability zero.

    `policy` holds 81 weights, whose sum need not be exactly 1. Takes one number from `rng`.
    Raises `ValueError` for another shape, a weight that is negative or not finite, or
    weights that are all zero.
    """
    weights = np.asarray(policy, dtype=np.float64)
    if weights.shape != (CELLS,):
        raise ValueError(f"policy has shape {weights.shape}: expected ({CELLS},)")
    with np.errstate(over="ignore", invalid="ignore"):  # the check below tells of it
        sums = weights.cumsum()
    total = sums[-1]
    if not (weights.min() >= 0 and 0 < total < np.inf):
        raise ValueError("policy has bad weights: expected 0 or more, finite, and one above 0")
    # Rounding may take the product up to the total, where no cell is left.
    drawn = min(rng.random() * total, np.nextafter(total, 0))
    return int(sums.searchsorted(drawn, side="right"))
