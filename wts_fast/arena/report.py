"""What an arena reports: results by pair, thinking time, counts of events, all games."""

from dataclasses import dataclass
from math import isnan, nan
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from wts_fast.arena import ratings
from wts_fast.arena.sprt import Sprt
from wts_fast.game import Game

VERSION: Final = 2
"""The version of what `Report.as_json` returns; it goes up when a reader would stumble."""

FORFEIT: Final = "forfeit: "
"""How the tag `Termination` of a forfeited game begins; what each player did follows."""


class Pair(NamedTuple):
    """The games of two players, as the first of them sees them."""

    first: int
    """The first player's number in the arena, from 0."""
    second: int
    wins: int
    losses: int
    draws: int
    """Draws, and games that both players forfeited in the same turn."""
    truncated: int
    """Games cut by the turn limit (R8): they score as draws, and are none."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.losses + self.draws + self.truncated

    @property
    def score(self) -> float:
        """The first player's score: 1 a win, 1/2 a draw or a truncated game."""
        return self.wins + (self.draws + self.truncated) / 2


class Timing(NamedTuple):
    """How long a player thought, in the games whose times are known.

    They are not known of games that were played before, or were lost with a process.
    """

    moves: int
    seconds: float
    """CPU time of the thread that called `choose`."""

    @property
    def milliseconds(self) -> float:
        """CPU time a move; NaN where no move counts."""
        return self.seconds * 1e3 / self.moves if self.moves else nan


class Failures(NamedTuple):
    """The games that a player forfeited."""

    games: int
    message: str
    """What it did first, in the order of the games; empty where it never failed."""


class Counts(NamedTuple):
    """What happened in games, both sides together."""

    eggs: int
    """Eggs laid (E1)."""
    hatches: int
    """Eggs that hatched (H1)."""
    captures: int
    """Captures, each direction on its own (C5)."""
    sudden_deaths: int
    """Times that Sudden Death began (S1)."""


@dataclass(frozen=True, eq=False)
class Report:
    """What an arena has found."""

    seed: int
    """The seed with which the same arena can be repeated."""
    max_turns: int
    openings: int
    """The number of random turns with which games began; 0 for the empty board."""
    names: tuple[str, ...]
    """The players' names, in the order given; one met before has ` #2` or so behind it."""
    pairs: tuple[Pair, ...]
    """Each two players' results, (0, 1) first, then (0, 2) and so on."""
    pentanomials: tuple[tuple[int, ...], ...]
    """For each of `pairs`, how many pairs of games scored 0, 1/2, 1, 3/2 and 2 together.

    Games 1 and 2 are such a pair, 3 and 4 and so on: from the same start, with colors swapped.
    """
    timings: tuple[Timing, ...]
    """How long each player thought."""
    failures: tuple[Failures, ...]
    """How often each player failed."""
    counts: Counts
    """What happened in all games."""
    sprt: Sprt | None
    """The state of the sequential test, where one was asked for."""
    games: tuple[Game, ...]
    """All games, those of the first pair first.

    Tags: `Event`, `Round` (the players' numbers from 1, and the game's), `Black`, `White`,
    `Seed`, `MaxTurns`, and `Termination` where the turn limit cut the game, whose result is
    `*` then, or where a player forfeited it.
    """

    @property
    def distinct(self) -> int:
        """The number of games that differ from each other in start or moves."""
        return len({(game.start, game.moves) for game in self.games})

    def scores(self) -> npt.NDArray[np.float64]:
        """Return the win matrix, of shape (n, n): row i holds i's mean score against each.

        The scores are 0..1, and NaN on the diagonal and where two have not met.
        """
        matrix = np.full((len(self.names), len(self.names)), np.nan)
        for pair in self._met():
            mean = pair.score / pair.games
            matrix[pair.first, pair.second] = mean
            matrix[pair.second, pair.first] = 1 - mean
        return matrix

    def intervals(self) -> npt.NDArray[np.float64]:
        """Return the 95 % intervals of `scores`, of shape (n, n, 2).

        They are those of `ratings.pair_interval` where games begin with random turns, and
        otherwise of `ratings.interval`, which takes games to be independent.
        """
        matrix = np.full((len(self.names), len(self.names), 2), np.nan)
        for pair, pentanomial in zip(self.pairs, self.pentanomials, strict=True):
            if pair.games:
                low, high = (
                    ratings.pair_interval(pentanomial)
                    if self.openings
                    else ratings.interval(pair.score, pair.games)
                )
                matrix[pair.first, pair.second] = low, high
                matrix[pair.second, pair.first] = 1 - high, 1 - low
        return matrix

    def _met(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair.games]

    def elo(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the players' Elo ratings, the first's being 0, and their standard errors.

        Both have shape (n,); `ratings.elo` says how they come about.
        """
        scores = np.zeros((len(self.names), len(self.names)))
        for pair in self.pairs:
            scores[pair.first, pair.second] = pair.score
            scores[pair.second, pair.first] = pair.games - pair.score
        return ratings.elo(scores)

    def as_json(self) -> dict[str, Any]:
        """Return all but the games as plain values that `json` writes; see `VERSION`.

        What is not known is `None`: the time of a move where no move counts, the score and
        the interval of players who have not met.
        """
        lengths = [len(game) for game in self.games]
        elo, errors = self.elo()
        scores, intervals = self.scores(), self.intervals()
        return {
            "version": VERSION,
            "seed": self.seed,
            "max_turns": self.max_turns,
            "openings": self.openings,
            "games": len(self.games),
            "distinct": self.distinct,
            "turns": {
                "mean": sum(lengths) / len(lengths),
                "min": min(lengths),
                "max": max(lengths),
            },
            "a_game": {
                name: count / len(self.games) for name, count in self.counts._asdict().items()
            },
            "players": [
                {
                    "name": name,
                    "elo": float(elo[number]),
                    "elo_error": float(errors[number]),
                    "moves": self.timings[number].moves,
                    "ms_a_move": _known(self.timings[number].milliseconds),
                    "failures": self.failures[number].games,
                    "first_failure": self.failures[number].message or None,
                }
                for number, name in enumerate(self.names)
            ],
            "pairs": [
                {
                    **pair._asdict(),
                    "score": _known(scores[pair.first, pair.second]),
                    "interval": [_known(end) for end in intervals[pair.first, pair.second]],
                    "pentanomial": list(pentanomial),
                }
                for pair, pentanomial in zip(self.pairs, self.pentanomials, strict=True)
            ],
            "sprt": self.sprt and self.sprt._asdict(),
        }


def _known(value: float) -> float | None:
    """Return a number as JSON can hold it: `None` for NaN."""
    return None if isnan(value) else float(value)
