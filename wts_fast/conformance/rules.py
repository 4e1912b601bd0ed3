"""The rules and rulings that apply in a turn."""

from collections.abc import Iterator
from typing import Final

from wts_fast import reference
from wts_fast.conformance.kinds import kinds_of
from wts_fast.reference import DIRECTIONS, Captured, Hatched, Laid, Placed, Trace, Vanished, ray
from wts_fast.types import CELLS, EGG, EMPTY, Outcome

RULES: Final = tuple(
    (
        "B1 B2 T1 T2 T3 E1 E2 C1 C2 C3 C4 C5 C6 H1 H2 H3 H4 H5 W1 W2 W3 S1 S2 D1 "
        "R1 R2 R3 R4 R5 R6 R7 R8"
    ).split()
)
"""The ids of all rules and rulings, in the rulebook's order."""


def rules_of(before: reference.Position, black: int, white: int, traced: Trace | None) -> list[str]:
    """Return the ids of the rules and rulings that apply in a turn, in the order of `RULES`.

    `traced` is the turn traced by the reference engine, or `None` if a pick is not legal.
    """
    if traced is None:
        ids = set(_rules_of_refusal(before, black, white))
    else:
        ids = {kind.partition(" ")[0] for kind in kinds_of(before, black, white, traced)}
        ids.update(_rules_of_events(before, traced))
        ids.update(_rules_of_result(before, traced))
    return [rule for rule in RULES if rule in ids]


def _rules_of_refusal(before: reference.Position, black: int, white: int) -> Iterator[str]:
    yield "T1"
    board = before.to_array().ravel().tolist()
    for content in (board[black], board[white]):
        if content != EMPTY:
            yield "B2" if content == EGG else "B1"
    if before.is_over:
        yield "D1" if before.outcome == Outcome.DRAW else "W3"


def _rules_of_events(before: reference.Position, traced: Trace) -> Iterator[str]:
    if isinstance(traced.events[0], Laid):
        yield "E2"
        return
    yield "T2"
    if traced.winning_turtles != (0, 0) and any(isinstance(e, Captured) for e in traced.events):
        yield "W1"
    settled = traced.position.to_array().ravel().tolist()
    events = traced.events
    vanished = any(isinstance(event, Vanished) for event in events)
    for event in events:
        if isinstance(event, Captured):
            yield "T3"
        elif isinstance(event, Hatched):
            yield from ("B2", "H4") if len(before.eggs) > 1 else ("H4",)
            if vanished and any(isinstance(e, Captured) and e.by == event.cell for e in events):
                yield "R3"
    arrived = [event for event in events if isinstance(event, Placed | Hatched)]
    if sum(isinstance(event, Hatched) for event in events) > 1:
        yield "R2"
    if any(_is_near_trap(settled, event.player, event.cell) for event in arrived):
        yield "C3"


def _is_near_trap(board: list[int], player: int, cell: int) -> bool:
    """Return whether 1, or 3 or more, enemy pieces are between the turtle and one of its own."""
    if board[cell] != player:
        return False
    for direction in DIRECTIONS:
        for between in (1, 3, 4, 5, 6, 7):
            contents = [board[other] for other in ray(cell, direction, between + 1)]
            inside = contents[:-1]
            if contents and contents[-1] == player and not {EMPTY, player} & set(inside):
                return True
    return False


def _rules_of_result(before: reference.Position, traced: Trace) -> Iterator[str]:
    if traced.winning_turtles != (0, 0):
        yield "W2"
    if traced.outcome in (Outcome.BLACK_WINS, Outcome.WHITE_WINS):
        yield "W3"
    if before.sudden_death:
        yield "R6"
    if before.turn > 0:
        yield "R7"
    if before.turn >= CELLS:  # as many turns as cells: a limit would be noticed
        yield "R8"
