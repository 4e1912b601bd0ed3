"""The built-in players, and the ladder that orders them by strength."""

from typing import Final, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from wts_fast.core.matrix import solve
from wts_fast.features import capture_cells, cell_scores, top_cells, value_matrix, winning_cells
from wts_fast.notation import to_mask
from wts_fast.players.protocol import SamplingPlayer, sample
from wts_fast.randomness import Randomness
from wts_fast.search import Search, SearchResult
from wts_fast.types import BLACK, CELLS, MAX_COUNT, WHITE, AnyPosition, check_float, check_int

LEVELS: Final[tuple[str, ...]] = (
    "random",
    "scores:power=0.5",
    "scores",
    "tactical",
    "best",
    "nash",
    "mixed:simulations=1000",
    "mixed:simulations=10000",
)
"""The ladder: the spec of the player of each level, from the weakest."""


def _scaled(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return weights scaled to add up to 1; zeros stay as they are."""
    return weights / (weights.sum() or 1.0)


def _among(cells: list[int]) -> npt.NDArray[np.float64]:
    """Return the uniform distribution over these cells."""
    return _scaled(to_mask(cells).astype(np.float64))


class RandomPlayer(SamplingPlayer):
    """Picks any empty cell, all with the same probability."""

    name = "random"

    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """Return the uniform distribution over the legal picks; `player` makes no difference."""
        return _among(position.legal_moves())


class ScorePlayer(SamplingPlayer):
    """Picks cells with a probability in proportion to a power of `features.cell_scores`.

    `power` is 0 to 8. Raises `ValueError` where it is outside, `TypeError` where it is no
    number.
    """

    def __init__(self, power: SupportsFloat | SupportsIndex = 1.0) -> None:
        self._power = check_float("power", power, 0, 8)

    @property
    def name(self) -> str:
        return f"scores {self._power:g}"

    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """Return the scores to the power, scaled; 0 where a pick is not legal."""
        scores = cell_scores(position, player).astype(np.float64)
        return _scaled(np.where(scores > 0, scores**self._power, 0.0))


class TacticalPlayer(SamplingPlayer):
    """Completes a five, else takes a cell where the other would, else captures, else is random."""

    name = "tactical"

    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """Return the uniform distribution over the first of these sets that is not empty."""
        return _among(
            winning_cells(position, player)
            or winning_cells(position, BLACK + WHITE - player)
            or capture_cells(position, player)
            or position.legal_moves()
        )


class BestPlayer(SamplingPlayer):
    """Picks the cell with the highest score, one of them at random where several have it."""

    name = "best"

    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """Return the uniform distribution over the cells with the highest score."""
        scores = cell_scores(position, player)
        return _among(np.flatnonzero((scores > 0) & (scores == scores.max())).tolist())


class NashPlayer(SamplingPlayer):
    """Plays the mixed strategy that solves the turn, by the evaluation of what comes after it.

    The matrix has the `k` cells with the highest scores of each player, 1 to 81. Raises
    `ValueError` where `k` is outside, `TypeError` where it is no integer.
    """

    def __init__(self, k: SupportsIndex = 20) -> None:
        self._k = check_int("k", k, 1, CELLS)

    @property
    def name(self) -> str:
        return f"nash {self._k}"

    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """Return the player's strategy in the solved matrix."""
        policy = np.zeros(CELLS)
        if not position.is_over:
            cells = [top_cells(position, side, self._k) for side in (BLACK, WHITE)]
            solution = solve(value_matrix(position, *cells))
            policy[cells[player - BLACK]] = solution.row if player == BLACK else solution.column
        return _scaled(policy)


class _Searching:
    """What players share that search by a number of simulations.

    `simulations` is 1 to 2**63 - 1. Raises `ValueError` where it is outside, `TypeError` where
    it is no integer.
    """

    _kind = "puct"

    def __init__(self, simulations: SupportsIndex = 1000) -> None:
        self._simulations = check_int("simulations", simulations, 1, MAX_COUNT)

    @property
    def name(self) -> str:
        return f"{self._kind} {self._simulations}"

    def _search(self, position: AnyPosition, rng: Randomness) -> SearchResult:
        return Search(position, rng=rng).run(self._simulations)


class PuctPlayer(_Searching):
    """Picks the most visited cell of a PUCT search: strong, but can be predicted."""

    def choose(self, position: AnyPosition, player: int, rng: np.random.Generator) -> int:
        """Return the most visited cell; the seed of the search comes from `rng`."""
        return self._search(position, rng).picks[player - BLACK]


class UctPlayer(PuctPlayer):
    """Picks the most visited cell of a UCT search over all cells, with random games at leaves."""

    _kind = "uct"

    def _search(self, position: AnyPosition, rng: Randomness) -> SearchResult:
        search = Search(position, method="uct", k=CELLS, prior=False, leaves="rollouts", rng=rng)
        return search.run(self._simulations)


class MixedPlayer(_Searching):
    """Plays the mixed strategy of a PUCT search: weaker than `PuctPlayer`, hard to predict."""

    _kind = "mixed"

    def choose(self, position: AnyPosition, player: int, rng: np.random.Generator) -> int:
        """Return a cell drawn from the strategy; the seed of the search comes from `rng`."""
        return sample(self._search(position, rng).policies[player - BLACK], rng)

    def policy(self, position: AnyPosition, player: int) -> npt.NDArray[np.float64]:
        """Return the strategy that a search with the seed 0 finds, all zero in a finished game."""
        if position.is_over:
            return np.zeros(CELLS)
        found: npt.NDArray[np.float64] = self._search(position, 0).policies[player - BLACK]
        return found
