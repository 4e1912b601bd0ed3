"""The games of a cross-check, and the report that counts them."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import SupportsIndex

from wts_fast import reference
from wts_fast.conformance import KINDS, Turn, constructed_position, kinds_of, late, pick
from wts_fast.randomness import Randomness, seed_of
from wts_fast.reference import Trace
from wts_fast.types import MAX_COUNT, check_int

Game = tuple[reference.Position, list[tuple[Turn, Trace]]]
"""A start, and the turns from there, traced by the reference."""


@dataclass
class Report:
    """The counts of a cross-check that found no difference."""

    seed: int
    """The seed that repeats the same check."""
    turns: int = 0
    games: int = 0
    kinds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    """The number of turns with each of `KINDS`."""
    core_seconds: float = 0.0
    """CPU time of the core's `play` per turn, over about the first `TIMED_TURNS` turns; 0.0 from
    `check_engine`."""
    reference_seconds: float = 0.0
    """CPU time of the reference's `play` per turn, over the same turns; 0.0 from `check_engine`."""
    vectors: int = 0
    """The number of turns of the conformance vectors compared, not counted in `turns`; 0 from
    `crosscheck`."""
    perfts: int = 0
    """The number of rows of the perft table compared; 0 from `crosscheck`."""

    def add(self, start: reference.Position, game: list[tuple[Turn, Trace]]) -> None:
        """Count a game, its turns, and their kinds of events."""
        before = start
        for turn, traced in game:
            for kind in set(kinds_of(before, *turn, traced)):
                self.kinds[kind] += 1
            before = traced.position
        self.turns += len(game)
        self.games += 1


def compare_games(
    turns: SupportsIndex,
    rng: Randomness,
    progress: Callable[[int], object] | None,
    compare: Callable[[reference.Position, list[tuple[Turn, Trace]]], object],
    seconds: float | None = None,
) -> Report:
    """Call `compare` for games with at least `turns` turns in total, and return the report.

    It ends earlier once `seconds` of wall time have passed. Raises what `compare` raises;
    `ValueError` if `turns` is outside 1..2**63 - 1 or the seed is out of range; `TypeError` if
    `turns` is not an integer, or `rng` of another type.
    """
    wanted = check_int("turns", turns, 1, MAX_COUNT)
    report = Report(seed=seed_of(rng))
    began = monotonic()
    for start, game in random_games(random.Random(report.seed)):
        compare(start, game)
        report.add(start, game)
        if progress is not None:
            progress(len(game))
        if report.turns >= wanted or (seconds is not None and monotonic() - began >= seconds):
            break
    return report


def random_games(rng: random.Random) -> Iterator[Game]:
    """Yield an endless series of games, from the empty board and from constructed positions.

    The two alternate; the former are played to their end, the latter for up to 8 turns.
    """
    while True:
        start = reference.Position()
        yield start, _random_game(start, (), rng, limit=None)
        start, first = constructed_position(rng)
        start = late(start, rng)
        yield start, _random_game(start, (first,), rng, limit=8)


def _random_game(
    start: reference.Position, opening: tuple[Turn, ...], rng: random.Random, limit: int | None
) -> list[tuple[Turn, Trace]]:
    """Return the turns of a game that begins with `opening`, traced by the reference."""
    game: list[tuple[Turn, Trace]] = []
    position = start
    while not position.is_over and len(game) != limit:
        if len(game) < len(opening):
            turn = opening[len(game)]
        else:
            moves = position.legal_moves()
            turn = pick(rng, moves), pick(rng, moves)
        traced = reference.trace(position, *turn)
        game.append((turn, traced))
        position = traced.position
    return game
