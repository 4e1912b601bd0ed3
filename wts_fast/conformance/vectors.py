"""The conformance vectors: types, lines of the file, and reading the file."""

import json
from importlib.resources import files
from typing import Any, Final, NamedTuple

from wts_fast import reference
from wts_fast.conformance.positions import Turn
from wts_fast.conformance.rules import rules_of
from wts_fast.notation import CELL_NAMES
from wts_fast.reference import Captured, Event, Hatched, Laid, Placed, Trace, Vanished
from wts_fast.types import PLAYER_NAMES, IllegalMoveError, Outcome

FORMAT: Final = "wts-fast conformance vectors"

VERSION: Final = 1
"""The version of the schema, which docs/conformance.md describes."""

FILE: Final = "vectors.jsonl"

OUTCOMES: Final = tuple(outcome.name.lower() for outcome in Outcome)
"""The names of outcomes in vectors and answers, by code."""


class Answer(NamedTuple):
    """The result of a turn; all members are `None` if a pick is not legal."""

    after: str | None
    """The position string after the turn."""
    winning: tuple[int, int] | None
    """Black's and White's winning turtles, 0..81 each."""
    outcome: str | None
    """One of `OUTCOMES`."""
    trace: tuple[tuple[str, ...], ...] | None
    """The events in order; also `None` from an engine without traces."""


class TurnVector(NamedTuple):
    """A turn, and its result in the reference engine."""

    id: str
    position: str
    """The position string before the turn."""
    black: str
    """The name of the cell that Black picks."""
    white: str
    """The name of the cell that White picks."""
    answer: Answer
    rules: tuple[str, ...]
    """The ids of the rules and rulings that apply, in the order of `RULES`."""


class PerftVector(NamedTuple):
    """A position, and its number of sequences of `depth` joint moves."""

    id: str
    position: str
    depth: int
    """The number of turns in a sequence, 1 or more."""
    sequences: int


Vector = TurnVector | PerftVector


def turn_vector(
    name: str, before: reference.Position, turn: Turn
) -> tuple[TurnVector, Trace | None]:
    """Return the vector of a turn with the id `name`, and its trace if the turn is legal.

    `turn` is a pair of cells 0..80, which need not be a legal turn.
    """
    traced = traced_turn(before, turn)
    black, white = (CELL_NAMES[cell] for cell in turn)
    rules = tuple(rules_of(before, *turn, traced))
    vector = TurnVector(name, str(before), black, white, expected_answer(traced), rules)
    return vector, traced


def traced_turn(before: reference.Position, turn: Turn) -> Trace | None:
    """Return the trace of a turn in the reference engine, or `None` if it is not legal."""
    try:
        return reference.trace(before, *turn)
    except IllegalMoveError:
        return None


def expected_answer(traced: Trace | None) -> Answer:
    """Return the right answer to a turn, from its trace; `None` for a turn that is not legal."""
    if traced is None:
        return Answer(None, None, None, None)
    return Answer(
        str(traced.position),
        traced.winning_turtles,
        OUTCOMES[traced.outcome],
        tuple(map(event_words, traced.events)),
    )


def event_words(event: Event) -> tuple[str, ...]:
    """Return an event as in vectors: its kind, the player if any, the cells."""
    match event:
        case Placed(player, cell):
            return "placed", _player(player), CELL_NAMES[cell]
        case Laid(cell):
            return "laid", CELL_NAMES[cell]
        case Captured(player, by, cells):
            names = (CELL_NAMES[cell] for cell in (by, *cells))
            return "captured", _player(player), *names
        case Hatched(player, cell):
            return "hatched", _player(player), CELL_NAMES[cell]
        case Vanished(cell):
            return "vanished", CELL_NAMES[cell]


def _player(player: int) -> str:
    return PLAYER_NAMES[player].lower()


# --- lines ------------------------------------------------------------------------------


def to_lines(vectors: list[Vector]) -> str:
    """Return the text of a file of vectors: the header, then one JSON object per line."""
    turns = sum(isinstance(vector, TurnVector) for vector in vectors)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "turns": turns,
        "perfts": len(vectors) - turns,
    }
    rows = [header, *map(_row, vectors)]
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


def _row(vector: Vector) -> dict[str, Any]:
    row = vector._asdict()
    if isinstance(vector, TurnVector):
        del row["answer"], row["rules"]
        row |= vector.answer._asdict() | {"rules": vector.rules}
    return row


def _vectors() -> tuple[Vector, ...]:
    text = (files("wts_fast.conformance") / FILE).read_text(encoding="utf-8")
    return tuple(_vector(json.loads(line)) for line in text.splitlines()[1:])


def _vector(row: dict[str, Any]) -> Vector:
    if "depth" in row:
        return PerftVector(**row)
    answer = Answer(row["after"], _tuple(row["winning"]), row["outcome"], _tuple(row["trace"]))
    turn = {key: row[key] for key in ("id", "position", "black", "white")}
    return TurnVector(**turn, answer=answer, rules=tuple(row["rules"]))


def _tuple(value: Any) -> Any:
    """Return nested lists as nested tuples."""
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


def turns() -> tuple[TurnVector, ...]:
    """Return the turns of the package's conformance vectors, in the order of the file."""
    return tuple(vector for vector in _vectors() if isinstance(vector, TurnVector))


def perfts() -> tuple[PerftVector, ...]:
    """Return the perft table of the package's conformance vectors."""
    return tuple(vector for vector in _vectors() if isinstance(vector, PerftVector))
