"""Strength from scores between players: intervals and Elo ratings. Independent of the game.

A score counts a win as 1, and as 1/2 whatever nobody won.
"""

from collections.abc import Sequence
from math import log, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

Z: Final = 1.959963984540054
"""The standard normal's quantile of 97.5 %: so many standard errors either side make 95 %."""

ELO: Final = 400 / log(10)
"""Elo points a unit of natural log odds."""

PRIOR: Final = 1.0
"""The drawn games that `elo` adds to each pair."""


def interval(score: float, games: int) -> tuple[float, float]:
    """Return a 95 % interval, inside 0..1, of the mean score that `score` in `games` estimates.

    It is Wilson's score interval (E. B. Wilson, "Probable inference, the law of succession,
    and statistical inference", JASA 22, 1927), which has some width even where all games were
    won. It takes a game's score to vary as a win or loss of the same mean would; halves make
    it vary less, so the interval is then too wide rather than too narrow.
    """
    mean = score / games
    shrinkage = 1 + Z * Z / games
    center = (mean + Z * Z / (2 * games)) / shrinkage
    reach = Z * sqrt(mean * (1 - mean) / games + (Z / (2 * games)) ** 2) / shrinkage
    return max(0.0, center - reach), min(1.0, center + reach)


PRIOR_PAIRS: Final = (1, 0, 0, 0, 1)
"""The pairs of games, by score, that are added before a variance is estimated."""


def pair_interval(counts: Sequence[int]) -> tuple[float, float]:
    """Return a 95 % interval, inside 0..1, of the mean score of a game, by pairs of games.

    `counts` are five numbers: how many pairs scored 0, 1/2, 1, 3/2 and 2. The two games of a
    pair start from the same position with colors swapped, so they are not independent, while
    the pairs are: the variance is that of the scores of pairs.

    The interval is mean ± `Z` standard errors after `PRIOR_PAIRS`, a pair lost and one won, are
    added, cut at 0 and 1. For independent games without draws these are the two wins and
    two losses of A. Agresti and B. A. Coull ("Approximate is better than 'exact' for interval
    estimation of binomial proportions", The American Statistician 52, 1998); without them the
    interval would have no width where all pairs score the same.
    """
    padded = np.add(counts, PRIOR_PAIRS)
    scores = np.arange(5) / 4
    mean = float(padded @ scores / padded.sum())
    variance = float(padded @ (scores - mean) ** 2 / padded.sum())
    reach = Z * sqrt(variance / padded.sum())
    return max(0.0, mean - reach), min(1.0, mean + reach)


def elo(
    scores: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the Elo ratings of players, the first's being 0, and their standard errors.

    `scores[i, j]` is what player i scored against player j, of shape (n, n) with zeros on the
    diagonal; each pair has played. Both results have shape (n,).

    The ratings are the most likely ones in the model of R. A. Bradley and M. E. Terry ("Rank
    analysis of incomplete block designs", Biometrika 39, 1952), where i beats j with the odds
    10**((rating i - rating j) / 400), after `PRIOR` drawn games are added to each pair: so a
    player who won all games has a finite rating, and with two players the log odds lose most
    of their bias (J. B. S. Haldane, "The estimation and significance of the logarithm of a
    ratio of frequencies", Annals of Human Genetics 20, 1956).

    The errors are from the Fisher information of those games; the first player's is 0, for
    the others are rated against that one. Halves make them too wide rather than too narrow.
    """
    points = scores + PRIOR / 2 * (1 - np.eye(len(scores)))
    games = points + points.T
    strengths = np.zeros(len(scores))
    for _ in range(1000):
        expected = games / (1 + np.exp(strengths - strengths[:, np.newaxis]))
        step = np.zeros(len(scores))
        step[1:] = np.linalg.solve(
            _information(games, strengths)[1:, 1:], (points - expected).sum(axis=1)[1:]
        )
        # Newton's step goes uphill for sure as long as no difference moves by more than 1.
        step /= max(1.0, np.ptp(step))
        strengths += step
        if np.ptp(step) < 1e-10:
            break
    errors = np.zeros(len(scores))
    errors[1:] = np.sqrt(np.diag(np.linalg.inv(_information(games, strengths)[1:, 1:])))
    return ELO * strengths, ELO * errors


def _information(
    games: npt.NDArray[np.float64], strengths: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the Fisher information of games, of shape (n, n), in natural log odds."""
    chance = 1 / (1 + np.exp(strengths - strengths[:, np.newaxis]))
    weights = games * chance * chance.T
    information: npt.NDArray[np.float64] = np.diag(weights.sum(axis=1)) - weights
    return information
