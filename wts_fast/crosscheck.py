"""The core against the reference, turn by turn, on games that reach every rare event."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import thread_time
from typing import Any, Final, SupportsIndex

from wts_fast import reference
from wts_fast._position import Position
from wts_fast.notation import CELL_NAMES
from wts_fast.randomness import Randomness, seed_of
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
from wts_fast.types import (
    BLACK,
    CELLS,
    EGG,
    EMPTY,
    MAX_COUNT,
    WHITE,
    IllegalMoveError,
    Outcome,
    check_int,
)

Turn = tuple[int, int]


class EnginesDifferError(Exception):
    """The engines disagree on a turn; the message says on which, and in what."""


# --- what happened in a turn, by rare kind ----------------------------------------------

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
"""The kinds of event that a cross-check counts, each with the rule or ruling it is under."""


def kinds_of(before: reference.Position, black: int, white: int, told: Trace) -> Iterator[str]:
    """Yield the kinds of event, out of `KINDS`, that a turn of the reference engine holds."""
    board = before.to_array().ravel().tolist()
    if black == white:
        yield from _kinds_of_collision(board, black)
    else:
        board[black], board[white] = BLACK, WHITE
        yield from _kinds_of_placement(board, black, white)
        yield from _kinds_of_captures(board, black, white, told)
        yield from _kinds_of_hatching(before, told)
        yield from _kinds_of_lines(before, board, told)
    yield from _kinds_of_ending(before, told)


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
"""For each cell the traps that it is inside: one end, its fellow inside, the other end."""


def _kinds_of_placement(board: list[int], black: int, white: int) -> Iterator[str]:
    for player, cell, other in ((BLACK, black, white), (WHITE, white, black)):
        enemy = opponent(player)
        for end, fellow, far_end in _INSIDE[cell]:
            trap = board[end], board[fellow], board[far_end]
            if trap == (enemy, player, enemy) and other not in (end, far_end):
                yield "C4 turtle placed into a closed trap"


def _kinds_of_captures(board: list[int], black: int, white: int, told: Trace) -> Iterator[str]:
    captures = [event for event in told.events if isinstance(event, Captured)]
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
    """The trap's own turtle at its other end: one more step of the same length."""
    first, second = capture.cells
    return second + (second - first)


def _kinds_of_hatching(before: reference.Position, told: Trace) -> Iterator[str]:
    hatched: list[int] = []
    waiting = set(before.eggs)
    spent: Counter[int] = Counter()
    for event in told.events:
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
    if hatched and any(isinstance(event, Vanished) for event in told.events):
        yield "R1 both capture, not equally often, with an egg to spare"


def _kinds_of_lines(before: reference.Position, board: list[int], told: Trace) -> Iterator[str]:
    after = told.position.to_array().ravel().tolist()
    hatched = [event.cell for event in told.events if isinstance(event, Hatched)]
    captured = any(isinstance(event, Captured) for event in told.events)
    counts = zip((BLACK, WHITE), before.winning_turtles, told.winning_turtles, strict=True)
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


def _kinds_of_ending(before: reference.Position, told: Trace) -> Iterator[str]:
    black, white = told.winning_turtles
    full = EMPTY not in told.position.to_array()
    if told.outcome in (Outcome.BLACK_WINS, Outcome.WHITE_WINS):
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
    elif told.outcome == Outcome.DRAW:
        yield "R4 draw on a full board in Sudden Death" if black else "D1 draw on a full board"
    elif black:
        yield "S1 Sudden Death goes on" if before.sudden_death else "S1 Sudden Death begins"
    elif before.sudden_death:
        yield "S2 Sudden Death ends with both lines broken"


# --- positions that make the rare common ------------------------------------------------


def constructed_position(rng: random.Random) -> tuple[reference.Position, Turn]:
    """Return an undecided position rich in traps, eggs and lines, and a turn to play in it.

    The turn springs the traps more often than a random one would.
    """
    while True:
        board = _scattered(rng)
        turn = _set_traps(board, rng)
        if rng.random() < 0.5:
            _draw_lines(board, rng)
        for cell in turn:
            board[cell] = EMPTY
        if rng.random() < 0.2:  # captures without an egg take paths of their own in the core
            board = [rng.choice((BLACK, WHITE)) if piece == EGG else piece for piece in board]
        eggs = [cell for cell in range(CELLS) if board[cell] == EGG]
        rng.shuffle(eggs)
        position = reference.Position.from_cells(
            (cell for cell in range(CELLS) if board[cell] == BLACK),
            (cell for cell in range(CELLS) if board[cell] == WHITE),
            eggs,
        )
        if not position.is_over:
            return position, turn


def _scattered(rng: random.Random) -> list[int]:
    """Return a board filled at random: anything from sparse to one or two cells short of full."""
    empty = rng.choice((70, 50, 30, 15, 4, 1, 0, 0))
    egg_weight = rng.choice((0.05, 0.5, 2.0))
    pieces = rng.choices((BLACK, WHITE, EGG), (1, 1, egg_weight), k=CELLS - empty)
    board = pieces + [EMPTY] * empty
    rng.shuffle(board)
    return board


def _set_traps(board: list[int], rng: random.Random) -> Turn:
    """Set traps that a turn will close, some of them for turtles that are yet to hatch."""
    black, white = rng.randrange(CELLS), rng.randrange(CELLS)
    for player, cell in ((BLACK, black), (WHITE, white)):
        _set_traps_around(board, player, cell, rng)
        if rng.random() < 0.5:
            hatching = rng.randrange(CELLS)
            _set_traps_around(board, player, hatching, rng)
            board[hatching] = EGG
    return (black, black) if rng.random() < 0.1 else (black, white)


def _set_traps_around(board: list[int], player: int, cell: int, rng: random.Random) -> None:
    for first, second, third in rng.sample(TRAPS[cell], rng.choice((0, 1, 1, 2, 3))):
        board[first], board[second] = rng.choices((opponent(player), EGG), (3, 1), k=2)
        board[third] = player


def _draw_lines(board: list[int], rng: random.Random) -> None:
    """Draw a five for each player, or all but one cell of it, for the turn to complete."""
    for player in (BLACK, WHITE):
        five = rng.choice(FIVES)
        gap = rng.choice((*five, None, None))
        for cell in five:
            board[cell] = player
        if gap is not None:
            board[gap] = rng.choice((EMPTY, EGG))


# --- the check --------------------------------------------------------------------------

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
"""The members of a position that are compared after every turn, beside its legal moves."""


TIMED_TURNS: Final = 10_000
"""The turns that are kept and played once more by each engine, to measure its speed."""


@dataclass
class Report:
    """What a cross-check has compared, without finding a difference."""

    seed: int
    """The seed with which the same check can be repeated."""
    turns: int = 0
    games: int = 0
    kinds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    """How many of the turns held each of `KINDS`."""
    core_seconds: float = 0.0
    """CPU time of the core's `play`, a turn, over the first `TIMED_TURNS` turns or so."""
    reference_seconds: float = 0.0
    """CPU time of the reference's `play`, a turn, over the same turns."""


def crosscheck(
    turns: SupportsIndex = 100_000,
    *,
    engine: Any = Position,
    rng: Randomness = None,
    progress: Callable[[int], object] | None = None,
) -> Report:
    """Play at least `turns` turns through both engines, and compare every one.

    `engine` is what is held against the reference: the core's `Position`, or any class
    with its members.

    Games from the empty board and games from constructed positions take turns; the former
    go on to their end, the latter for up to 8 turns. `rng` is a seed 0..2**64 - 1, a
    `numpy.random.Generator`, from which a seed is drawn, or `None` for a fresh one.
    `progress` is called after each game with the number of turns it had.

    Raises `EnginesDifferError` at the first difference, naming the position, the picks and
    what differs; `ValueError` where `turns` is below 1 or the seed is out of range.
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
    """Return the CPU time a turn that an engine takes to play these games, start by start.

    They are played until that took long enough for a coarse clock.
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
    """Return the turns of a game that begins with `opening`, as the reference tells them."""
    game: list[tuple[Turn, Trace]] = []
    position = start
    while not position.is_over and len(game) != limit:
        if len(game) < len(opening):
            turn = opening[len(game)]
        else:
            moves = position.legal_moves()
            turn = rng.choice(moves), rng.choice(moves)
        told = reference.trace(position, *turn)
        game.append((turn, told))
        position = told.position
    return game


def _compare_game(
    engine: Any, start: reference.Position, game: list[tuple[Turn, Trace]], report: Report
) -> None:
    found = _replay(engine.from_bytes(start.to_bytes()), [turn for turn, _ in game])
    before = start
    for (turn, told), after in zip(game, found, strict=False):
        _compare_turn(before, turn, told, after)
        for kind in set(kinds_of(before, *turn, told)):
            report.kinds[kind] += 1
        before = told.position
    report.turns += len(game)
    report.games += 1


def _replay(position: Any, turns: list[Turn]) -> list[Any]:
    """Return the positions after each turn, up to the error of a turn that is refused."""
    positions: list[Any] = []
    try:
        for black, white in turns:
            position = position.play(black, white)
            positions.append(position)
    except IllegalMoveError as error:
        positions.append(error)
    return positions


def _compare_turn(before: reference.Position, turn: Turn, told: Trace, found: Any) -> None:
    black, white = (CELL_NAMES[cell] for cell in turn)
    if isinstance(found, IllegalMoveError):
        raise EnginesDifferError(
            f"the core refuses a legal turn\nposition:  {before}\npicks:     {black} {white}\n"
            f"core:      {found}\n{told}"
        )
    expected = told.position
    differing = [name for name in COMPARED if getattr(found, name) != getattr(expected, name)]
    if found.legal_moves() != expected.legal_moves():
        differing.append("legal_moves()")
    if differing:
        raise EnginesDifferError(
            f"the engines differ in {', '.join(differing)}\n"
            f"position:  {before}\n"
            f"picks:     {black} {white}\n"
            f"reference: {expected} {expected.outcome.name} {expected.winning_turtles}\n"
            f"core:      {found} {found.outcome.name} {found.winning_turtles}\n"
            f"{told}"
        )
