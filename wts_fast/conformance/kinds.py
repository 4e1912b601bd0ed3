"""The kinds of rare events, each with its rule or ruling."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from wts_fast import reference
from wts_fast.reference import (
    FIVES,
    TRAPS,
    Captured,
    Hatched,
    Trace,
    Vanished,
    captures_of,
    count_winning_turtles,
    opponent,
)
from wts_fast.types import BLACK, CELLS, EGG, EMPTY, WHITE, Outcome

KINDS: Final = (
    "E1 collision",
    "E2 collision on a cell that would have captured",
    "C1 capture",
    "C2 egg captured",
    "C2 turtle and egg captured together",
    "C4 turtle placed into a closed trap",
    "C5 capture in several directions at once",
    "C6 turtle captured in the turn in which it lands",
    "C6 two newcomers capture each other",
    "C6 piece captured by both sides",
    "C6 far end of a trap captured in the same turn",
    "H1 hatch",
    "H2 hatched turtle captures",
    "H2 chain of three hatches or more",
    "H3 egg vanishes",
    "H5 captures lost for want of eggs",
    "R1 both capture, not equally often, with an egg to spare",
    "R2 hatched turtle captures an egg still waiting",
    "R2 hatched turtle serves a later one as far end",
    "W1 line formed and broken within the turn",
    "W1 line completed by a hatched turtle",
    "W2 turtle shared by two lines",
    "W3 win with lines on both sides",
    "S1 Sudden Death begins",
    "S1 Sudden Death goes on",
    "S1 Sudden Death decided by a longer or a second line",
    "S1 Sudden Death decided by breaking a line",
    "S2 Sudden Death ends with both lines broken",
    "D1 draw on a full board",
    "R4 draw on a full board in Sudden Death",
    "R5 collision on the last empty cell",
    "W3 win on a full board",
)
"""The kinds of events that a cross-check counts, each with its rule or ruling."""


def kinds_of(before: reference.Position, black: int, white: int, traced: Trace) -> Iterator[str]:
    """Yield the kinds of events, from `KINDS`, in a turn of the reference engine."""
    board = before.to_array().ravel().tolist()
    if black == white:
        yield from _kinds_of_collision(board, black)
    else:
        board[black], board[white] = BLACK, WHITE
        yield from _kinds_of_placement(board, black, white)
        yield from _kinds_of_captures(board, black, white, traced)
        yield from _kinds_of_hatching(before, traced)
        yield from _kinds_of_lines(before, board, traced)
    yield from _kinds_of_ending(before, traced)


def _kinds_of_collision(board: list[int], cell: int) -> Iterator[str]:
    yield "E1 collision"
    if any(captures_of(board, player, cell) for player in (BLACK, WHITE)):
        yield "E2 collision on a cell that would have captured"
    if board.count(EMPTY) == 1:
        yield "R5 collision on the last empty cell"


_INSIDE: Final = tuple(
    tuple(
        (end, second, third)
        for end in range(CELLS)
        for first, second, third in TRAPS[end]
        if first == cell
    )
    for cell in range(CELLS)
)
"""For each cell, the traps that it is inside: one end, the other cell inside, the far end."""


def _kinds_of_placement(board: list[int], black: int, white: int) -> Iterator[str]:
    for player, cell, other in ((BLACK, black, white), (WHITE, white, black)):
        enemy = opponent(player)
        for end, inside, far_end in _INSIDE[cell]:
            trap = board[end], board[inside], board[far_end]
            if trap == (enemy, player, enemy) and other not in (end, far_end):
                yield "C4 turtle placed into a closed trap"


def _kinds_of_captures(board: list[int], black: int, white: int, traced: Trace) -> Iterator[str]:
    captures = [event for event in traced.events if isinstance(event, Captured)]
    first = [capture for capture in captures if capture.by in (black, white)]
    if captures:
        yield "C1 capture"
    for capture in first:
        contents = {board[cell] for cell in capture.cells}
        if EGG in contents:
            yield "C2 egg captured"
            if len(contents) == 2:
                yield "C2 turtle and egg captured together"
    if any(count > 1 for count in Counter(capture.by for capture in captures).values()):
        yield "C5 capture in several directions at once"
    taken = {
        player: {cell for capture in first if capture.player == player for cell in capture.cells}
        for player in (BLACK, WHITE)
    }
    if black in taken[WHITE] or white in taken[BLACK]:
        yield "C6 turtle captured in the turn in which it lands"
    if black in taken[WHITE] and white in taken[BLACK]:
        yield "C6 two newcomers capture each other"
    if taken[BLACK] & taken[WHITE]:
        yield "C6 piece captured by both sides"
    if any(_far_end(capture) in taken[opponent(capture.player)] for capture in first):
        yield "C6 far end of a trap captured in the same turn"


def _far_end(capture: Captured) -> int:
    """The cell of the turtle at the far end of a trap: one more step of the same length."""
    first, second = capture.cells
    return second + (second - first)


def _kinds_of_hatching(before: reference.Position, traced: Trace) -> Iterator[str]:
    hatched: list[int] = []
    waiting = set(before.eggs)
    spent: Counter[int] = Counter()
    for event in traced.events:
        if isinstance(event, Captured):
            spent[event.player] += 1
            if event.by in hatched:
                yield "H2 hatched turtle captures"
                if waiting.intersection(event.cells):
                    yield "R2 hatched turtle captures an egg still waiting"
                if _far_end(event) in hatched:
                    yield "R2 hatched turtle serves a later one as far end"
            waiting.difference_update(event.cells)
        elif isinstance(event, Hatched):
            yield "H1 hatch"
            hatched.append(event.cell)
            waiting.discard(event.cell)
            spent[event.player] -= 1
        elif isinstance(event, Vanished):
            yield "H3 egg vanishes"
            waiting.discard(event.cell)
            spent.subtract((BLACK, WHITE))
    if len(hatched) >= 3:
        yield "H2 chain of three hatches or more"
    if max(spent.values(), default=0) > 0:
        yield "H5 captures lost for want of eggs"
    if hatched and any(isinstance(event, Vanished) for event in traced.events):
        yield "R1 both capture, not equally often, with an egg to spare"


def _kinds_of_lines(before: reference.Position, board: list[int], traced: Trace) -> Iterator[str]:
    after = traced.position.to_array().ravel().tolist()
    hatched = [event.cell for event in traced.events if isinstance(event, Hatched)]
    captured = any(isinstance(event, Captured) for event in traced.events)
    counts = zip((BLACK, WHITE), before.winning_turtles, traced.winning_turtles, strict=True)
    for player, earlier, count in counts:
        if count == 0:
            if captured and earlier == 0 and count_winning_turtles(board, player):
                yield "W1 line formed and broken within the turn"
            continue
        own = {cell for cell in range(CELLS) if after[cell] == player}
        fives = [five for five in FIVES if own.issuperset(five)]
        if any(set(five).intersection(hatched) for five in fives):
            yield "W1 line completed by a hatched turtle"
        # Fives of one line share a turtle too, but step alike from cell to cell.
        if any(a[1] - a[0] != b[1] - b[0] and set(a) & set(b) for a in fives for b in fives):
            yield "W2 turtle shared by two lines"


def _kinds_of_ending(before: reference.Position, traced: Trace) -> Iterator[str]:
    black, white = traced.winning_turtles
    full = EMPTY not in traced.position.to_array()
    if traced.outcome in (Outcome.BLACK_WINS, Outcome.WHITE_WINS):
        if min(black, white) > 0:
            yield "W3 win with lines on both sides"
        if full:
            yield "W3 win on a full board"
        if before.sudden_death:
            grew = max(black, white) > before.winning_turtles[0]
            yield (
                "S1 Sudden Death decided by a longer or a second line"
                if grew
                else "S1 Sudden Death decided by breaking a line"
            )
    elif traced.outcome == Outcome.DRAW:
        yield "R4 draw on a full board in Sudden Death" if black else "D1 draw on a full board"
    elif black:
        yield "S1 Sudden Death goes on" if before.sudden_death else "S1 Sudden Death begins"
    elif before.sudden_death:
        yield "S2 Sudden Death ends with both lines broken"
