"""Compares the core with the reference, turn by turn, on games with many rare events."""

from collections.abc import Callable
from time import thread_time
from typing import Any, Final, SupportsIndex

from wts_fast import reference
from wts_fast.conformance import OUTCOMES, Answer, Turn
from wts_fast.core.position import Position
from wts_fast.crosscheck.difference import answer_text, difference
from wts_fast.crosscheck.games import Report, compare_games
from wts_fast.crosscheck.shrink import shrink
from wts_fast.randomness import Randomness
from wts_fast.reference import Trace
from wts_fast.types import CELLS, IllegalMoveError

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
"""The members of a position that are compared after every turn, besides the legal picks."""


TIMED_TURNS: Final = 10_000
"""The number of turns that each engine plays again, to measure its speed."""


def crosscheck(
    turns: SupportsIndex = 100_000,
    *,
    engine: Any = Position,
    rng: Randomness = None,
    progress: Callable[[int], object] | None = None,
    seconds: float | None = None,
) -> Report:
    """Play at least `turns` turns through both engines, and compare every one.

    `engine` is compared with the reference: the core's `Position`, or any class with its
    members.

    Games from the empty board and games from constructed positions alternate; the former are
    played to their end, the latter for up to 8 turns. `rng` is a seed 0..2**64 - 1, a
    `numpy.random.Generator`, from which a seed is drawn, or `None` for a fresh one.
    `progress` is called after each game with its number of turns. With `seconds`, the check
    ends after the first game that ends later than that in wall time.

    Raises `EnginesDifferError` at the first difference, with the members that differ, and with
    the position, reduced to the pieces that matter, and the picks; `ValueError` if `turns` is
    outside 1..2**63 - 1 or the seed is out of range; `TypeError` if `turns` is not an integer,
    or `rng` of another type.
    """
    games: list[tuple[reference.Position, list[Turn]]] = []
    kept = 0

    def compare(start: reference.Position, game: list[tuple[Turn, Trace]]) -> None:
        nonlocal kept
        if kept < TIMED_TURNS:
            games.append((start, [turn for turn, _ in game]))
            kept += len(game)
        _compare_game(engine, start, game)

    report = compare_games(turns, rng, progress, compare, seconds)
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


def _compare_game(engine: Any, start: reference.Position, game: list[tuple[Turn, Trace]]) -> None:
    found = _replay(engine.from_bytes(start.to_bytes()), [turn for turn, _ in game])
    before = start
    for (turn, traced), after in zip(game, found, strict=False):
        if differing := _differing(after, traced.position):
            _raise_difference(engine, before, turn, after, differing)
        before = traced.position


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


def _differing(found: Any, expected: reference.Position) -> list[str]:
    """Return the members in which a position differs; `"legality"` for a refused turn."""
    if isinstance(found, IllegalMoveError):
        return ["legality"]
    names = [name for name in COMPARED if getattr(found, name) != getattr(expected, name)]
    if found.legal_moves() != expected.legal_moves():
        names.append("legal_moves()")
    cell = expected.key % CELLS  # an arbitrary cell, the same when the check is repeated
    if found.is_legal(cell, cell) != expected.is_legal(cell, cell):
        names.append(f"is_legal({cell}, {cell})")
    return names


def _raise_difference(
    engine: Any, before: reference.Position, turn: Turn, after: Any, differing: list[str]
) -> None:
    def single(position: reference.Position) -> Any:
        return _replay(engine.from_bytes(position.to_bytes()), [turn])[0]

    def differs(position: reference.Position) -> bool:
        return (
            position.is_legal(*turn)
            and _differing(single(position), position.play(*turn)) == differing
        )

    smallest = shrink(before, turn, differs)
    if smallest is not before:
        after = single(smallest)
        differing = _differing(after, smallest.play(*turn))
    what = f"the engines differ in {', '.join(differing)}"
    if isinstance(after, IllegalMoveError):
        what, got = "the core refuses a legal turn", str(after)
    else:
        got = answer_text(Answer(str(after), after.winning_turtles, OUTCOMES[after.outcome], None))
    raise difference(what, smallest, turn, "core", got, str(before))
