"""The rules, one short function each, in the order of docs/rules.md.

Ids such as C6 or R2 name the rules and the rulings. A board is a list of 81 contents, `EMPTY`,
`BLACK`, `WHITE` or `EGG`; eggs are a list of cells, oldest first. `play_turn` changes both,
in the order of rule T2: placement or a collision, captures, hatching. `decide` is the win check.
Each step returns its events, so `trace` describes exactly the turn that is played.

wts_fast/core/rules.pxd holds the same rules over bitboards, in the same order, under the same
names.
"""

from collections.abc import Iterable
from typing import Final

from wts_fast.reference.events import Captured, Event, Hatched, Laid, Placed, Vanished
from wts_fast.types import BLACK, CELLS, EGG, EMPTY, SIZE, WHITE, Outcome

# --- lines of cells ---------------------------------------------------------------------

DIRECTIONS: Final = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The eight directions as (rows down, columns right), clockwise from straight up."""

LINE_DIRECTIONS: Final = DIRECTIONS[1:5]
"""One of each pair of opposite directions."""


def ray(cell: int, direction: tuple[int, int], length: int) -> tuple[int, ...]:
    """Return the next `length` cells after `cell`, or none if the board ends before."""
    row, column = divmod(cell, SIZE)
    down, right = direction
    if not (0 <= row + length * down < SIZE and 0 <= column + length * right < SIZE):
        return ()
    return tuple(SIZE * (row + i * down) + column + i * right for i in range(1, length + 1))


TRAPS: Final = tuple(
    tuple(run for direction in DIRECTIONS if (run := ray(cell, direction, 3)))
    for cell in range(CELLS)
)
"""For each cell, the runs of three cells that form a trap closed from that cell."""

FIVES: Final = tuple(
    (cell, *run)
    for cell in range(CELLS)
    for direction in LINE_DIRECTIONS
    if (run := ray(cell, direction, 4))
)
"""All runs of five cells in a row, a column or a diagonal."""


# --- placement (T1, T2, E1) -------------------------------------------------------------


def empty_cells(board: Iterable[int]) -> list[int]:
    """T1: the cells that either player may pick while the game is not over, ascending."""
    return [cell for cell, content in enumerate(board) if content == EMPTY]


def place(board: list[int], black: int, white: int) -> list[Event]:
    """T2: both turtles land."""
    board[black] = BLACK
    board[white] = WHITE
    return [Placed(BLACK, black), Placed(WHITE, white)]


def lay_egg(board: list[int], eggs: list[int], cell: int) -> list[Event]:
    """E1: no turtle lands, an egg is laid as the newest."""
    board[cell] = EGG
    eggs.append(cell)
    return [Laid(cell)]


# --- captures (C1 to C6) ----------------------------------------------------------------


def opponent(player: int) -> int:
    """Return the other player."""
    return WHITE if player == BLACK else BLACK


def is_enemy(content: int, player: int) -> bool:
    """C2: turtles of the other color are enemy pieces, and so are eggs (B2)."""
    return content in (opponent(player), EGG)


def captures_of(board: list[int], player: int, cell: int) -> list[Captured]:
    """C1, C3, C5: the captures of `player`'s turtle that has just arrived on `cell`.

    Each direction is checked by itself: exactly two enemy pieces, then a turtle of its own.

    C4: called for arriving turtles only, so a turtle placed into a trap is safe.
    """
    return [
        Captured(player, cell, (first, second))
        for first, second, third in TRAPS[cell]
        if is_enemy(board[first], player)
        and is_enemy(board[second], player)
        and board[third] == player
    ]


def remove_captured(board: list[int], eggs: list[int], captures: list[Captured]) -> None:
    """T3: captured pieces leave the board; a captured egg will not hatch (H5).

    C6: a piece captured twice leaves once.
    """
    for cell in {cell for capture in captures for cell in capture.cells}:
        if board[cell] == EGG:
            eggs.remove(cell)
        board[cell] = EMPTY


def capture_together(
    board: list[int], eggs: list[int], black: int, white: int
) -> tuple[list[Captured], list[Captured]]:
    """C6: both players' captures are computed on one board, before anything is removed."""
    by_black = captures_of(board, BLACK, black)
    by_white = captures_of(board, WHITE, white)
    remove_captured(board, eggs, by_black + by_white)
    return by_black, by_white


# --- hatching (H1 to H5) ----------------------------------------------------------------


def vanish_together(board: list[int], eggs: list[int], claims: int) -> list[Event]:
    """H3, R1: one capture of each side is spent for each oldest egg, and it vanishes."""
    events: list[Event] = []
    for cell in eggs[:claims]:
        board[cell] = EMPTY
        events.append(Vanished(cell))
    del eggs[:claims]
    return events


def hatch_in_turn(board: list[int], eggs: list[int], player: int, captures: int) -> list[Event]:
    """H1, H2, R2: eggs hatch one after another, the oldest first.

    The captures of a hatched turtle are removed, and add to the captures left to spend,
    before the next egg hatches. H4, H5: it ends when captures or eggs run out, and what
    is left is lost. R3: only `player`'s turtles arrive now, so no piece is captured twice.
    """
    events: list[Event] = []
    while captures > 0 and eggs:
        captures -= 1
        cell = eggs.pop(0)
        board[cell] = player
        caught = captures_of(board, player, cell)
        remove_captured(board, eggs, caught)
        captures += len(caught)
        events += [Hatched(player, cell), *caught]
    return events


def hatch(board: list[int], eggs: list[int], by_black: int, by_white: int) -> list[Event]:
    """H3, R1: eggs vanish while both have captures to spend; then one side hatches."""
    both = min(by_black, by_white)
    events = vanish_together(board, eggs, both)
    player = BLACK if by_black > by_white else WHITE
    return events + hatch_in_turn(board, eggs, player, max(by_black, by_white) - both)


# --- winning and Sudden Death (W1 to W3, S1, S2, D1) ------------------------------------


def count_winning_turtles(board: Iterable[int], player: int) -> int:
    """W2: the turtles of `player` in lines of five or more, each counted once."""
    own = {cell for cell, content in enumerate(board) if content == player}
    return len({cell for five in FIVES if own.issuperset(five) for cell in five})


def decide(black_count: int, white_count: int, full: bool) -> Outcome:
    """W3, S1, S2, D1, R4, R5, R6: the outcome, from the counts and whether the board is full.

    Equal counts decide nothing, whether zero or not: play goes on, in Sudden Death where
    they are above zero (S1) and normally where they are zero (S2). A full board that
    nobody has won is a draw (D1), in Sudden Death too (R4), and however it filled (R5).
    """
    if black_count > white_count:
        return Outcome.BLACK_WINS
    if white_count > black_count:
        return Outcome.WHITE_WINS
    return Outcome.DRAW if full else Outcome.UNDECIDED


# --- a turn -----------------------------------------------------------------------------


def play_turn(board: list[int], eggs: list[int], black: int, white: int) -> list[Event]:
    """T1, T2: resolve one turn on `board` and `eggs`, in place, and return its events.

    E2: after a collision nothing is captured and nothing hatches.
    """
    if black == white:
        return lay_egg(board, eggs, black)
    placed = place(board, black, white)
    by_black, by_white = capture_together(board, eggs, black, white)
    return [*placed, *by_black, *by_white, *hatch(board, eggs, len(by_black), len(by_white))]
