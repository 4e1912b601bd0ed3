"""Compares the core with the reference, turn by turn, on games with many rare events."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from time import thread_time
from typing import Any, Final, SupportsIndex

from wts_fast import reference
from wts_fast.core.position import Position
from wts_fast.crosscheck.kinds import KINDS, kinds_of
from wts_fast.crosscheck.positions import Turn, constructed_position
from wts_fast.notation import pick_names
from wts_fast.randomness import Randomness, seed_of
from wts_fast.reference import Trace
from wts_fast.types import MAX_COUNT, IllegalMoveError, check_int


class EnginesDifferError(Exception):
    """The engines differ on a turn; the message gives the position, the picks and the members."""


COMPARED: Final = (
    "black",
    "white",
    "empty",
    "eggs",
    "turn",
    "outcome",
    "is_over",
    "sudden_death",
    "winning_turtles",
    "key",
)
"""The members of a position that are compared after every turn, besides its legal moves."""


TIMED_TURNS: Final = 10_000
"""The number of turns that each engine plays again, to measure its speed."""


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
    """CPU time of the core's `play` per turn, over about the first `TIMED_TURNS` turns."""
    reference_seconds: float = 0.0
    """CPU time of the reference's `play` per turn, over the same turns."""


def crosscheck(
    turns: SupportsIndex = 100_000,
    *,
    engine: Any = Position,
    rng: Randomness = None,
    progress: Callable[[int], object] | None = None,
) -> Report:
    """Play at least `turns` turns through both engines, and compare every one.

    `engine` is compared with the reference: the core's `Position`, or any class with its
    members.

    Games from the empty board and games from constructed positions alternate; the former are
    played to their end, the latter for up to 8 turns. `rng` is a seed 0..2**64 - 1, a
    `numpy.random.Generator`, from which a seed is drawn, or `None` for a fresh one.
    `progress` is called after each game with its number of turns.

    Raises `EnginesDifferError` at the first difference, with the position, the picks and the
    members that differ; `ValueError` if `turns` is outside 1..2**63 - 1 or the seed is out of
    range; `TypeError` if `turns` is not an integer, or `rng` of another type.
    """
    wanted = check_int("turns", turns, 1, MAX_COUNT)
    report = Report(seed=seed_of(rng))
    source = random.Random(report.seed)
    games = []
    while report.turns < wanted:
        if report.games % 2 == 0:
            start = reference.Position()
            game = _random_game(start, (), source, limit=None)
        else:
            start, first = constructed_position(source)
            game = _random_game(start, (first,), source, limit=8)
        if report.turns < TIMED_TURNS:
            games.append((start, [turn for turn, _ in game]))
        _compare_game(engine, start, game, report)
        if progress is not None:
            progress(len(game))
    report.reference_seconds = seconds_a_turn(games)
    report.core_seconds = seconds_a_turn(
        [(engine.from_bytes(start.to_bytes()), played) for start, played in games]
    )
    return report


def seconds_a_turn(games: list[tuple[Any, list[Turn]]]) -> float:
    """Return the CPU time per turn that the engine of the starts takes to play these games.

    They are repeated until the time is long enough for a coarse clock.
    """
    turns = 0
    began = ended = thread_time()
    while ended - began < 0.1:
        for start, played in games:
            _replay(start, played)
            turns += len(played)
        ended = thread_time()
    return (ended - began) / turns


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
            turn = rng.choice(moves), rng.choice(moves)
        traced = reference.trace(position, *turn)
        game.append((turn, traced))
        position = traced.position
    return game


def _compare_game(
    engine: Any, start: reference.Position, game: list[tuple[Turn, Trace]], report: Report
) -> None:
    found = _replay(engine.from_bytes(start.to_bytes()), [turn for turn, _ in game])
    before = start
    for (turn, traced), after in zip(game, found, strict=False):
        _compare_turn(before, turn, traced, after)
        for kind in set(kinds_of(before, *turn, traced)):
            report.kinds[kind] += 1
        before = traced.position
    report.turns += len(game)
    report.games += 1


def _replay(position: Any, turns: list[Turn]) -> list[Any]:
    """Return the positions after each turn; the last item is the error if a turn is refused."""
    positions: list[Any] = []
    try:
        for black, white in turns:
            position = position.play(black, white)
            positions.append(position)
    except IllegalMoveError as error:
        positions.append(error)
    return positions


def _compare_turn(before: reference.Position, turn: Turn, traced: Trace, found: Any) -> None:
    if isinstance(found, IllegalMoveError):
        raise EnginesDifferError(
            f"the core refuses a legal turn\nposition:  {before}\npicks:     {pick_names(turn)}\n"
            f"core:      {found}\n{traced}"
        )
    expected = traced.position
    differing = [name for name in COMPARED if getattr(found, name) != getattr(expected, name)]
    if found.legal_moves() != expected.legal_moves():
        differing.append("legal_moves()")
    if differing:
        raise EnginesDifferError(
            f"the engines differ in {', '.join(differing)}\n"
            f"position:  {before}\n"
            f"picks:     {pick_names(turn)}\n"
            f"reference: {expected} {expected.outcome.name} {expected.winning_turtles}\n"
            f"core:      {found} {found.outcome.name} {found.winning_turtles}\n"
            f"{traced}"
        )
