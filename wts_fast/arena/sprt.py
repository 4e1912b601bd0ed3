"""A sequential test of two Elo differences, by pairs of games. Independent of the game."""

from math import isfinite, log
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from wts_fast.arena.ratings import ELO, PRIOR_PAIRS

ERROR: Final = 0.05
"""The probability of accepting either hypothesis where the other one is true."""

BOUND: Final = log((1 - ERROR) / ERROR)
"""H0 is accepted at a log-likelihood ratio of at most `-BOUND`, H1 at `BOUND` or more."""

MAX_ELO: Final = 1000.0
"""The greatest Elo difference of a hypothesis, in either direction."""


class Sprt(NamedTuple):
    """The state of a sequential test."""

    elo0: float
    """The first hypothesis, H0: the Elo difference of the first player to the second."""
    elo1: float
    """The second hypothesis, H1, which is above `elo0`."""
    llr: float
    """The log-likelihood ratio of H1 to H0."""
    accepted: int | None
    """0 where H0 is accepted, 1 where H1 is, `None` where more games are needed."""


def check_hypotheses(hypotheses: object) -> tuple[float, float]:
    """Return two Elo differences.

    Raises `TypeError` where they are not two numbers, `ValueError` where one is not finite or
    outside -1000..1000, or the first is not less than the second.
    """
    try:
        elo0, elo1 = (float(elo) for elo in hypotheses)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise TypeError(f"sprt must be two Elo differences, not {hypotheses!r}") from None
    if not (isfinite(elo0) and isfinite(elo1) and -MAX_ELO <= elo0 < elo1 <= MAX_ELO):
        raise ValueError(
            f"sprt is ({elo0:g}, {elo1:g}): expected the lower Elo difference first, "
            f"both {-MAX_ELO:g}..{MAX_ELO:g}"
        )
    return elo0, elo1


def log_likelihood_ratio(
    counts: npt.NDArray[np.int64], elo0: float, elo1: float
) -> npt.NDArray[np.float64]:
    """Return the log-likelihood ratio of two Elo differences, H1 to H0.

    `counts` has shape (..., 5): how many pairs of games scored 0, 1/2, 1, 3/2 and 2. The
    result has shape (...).

    This is the normal approximation of the generalised likelihood ratio: for n pairs with a
    mean score m and a variance v a game, and the scores s0 and s1 that the differences stand
    for, n (s1 - s0) (2 m - s0 - s1) / (2 v). See Michel Van den Bergh, "A practical
    introduction to the GSPRT". The variance is estimated with `ratings.PRIOR_PAIRS` added:
    otherwise the first few pairs, which are often alike, would decide.
    """
    scores = np.arange(5) / 4
    pairs = counts.sum(axis=-1)
    mean = counts @ scores / np.maximum(pairs, 1)
    padded = counts + PRIOR_PAIRS
    total = padded.sum(axis=-1)
    variance = padded @ scores**2 / total - (padded @ scores / total) ** 2
    score0, score1 = (1 / (1 + np.exp(-elo / ELO)) for elo in (elo0, elo1))
    ratio: npt.NDArray[np.float64] = (
        pairs * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    )
    return ratio


def sprt(counts: npt.NDArray[np.int64], elo0: float, elo1: float) -> Sprt:
    """Return the state of the test after pairs of games, `counts` of shape (5,)."""
    ratio = float(log_likelihood_ratio(counts, elo0, elo1))
    accepted = 0 if ratio <= -BOUND else 1 if ratio >= BOUND else None
    return Sprt(elo0, elo1, ratio, accepted)
