"""The whole game in numba, tuned with its documented options.

The board is a mailbox: 9 x 9 cells within a wide margin, so that no step leaves it. Only lines
through new turtles are tested, captures only around new turtles, nothing is allocated in the
loop, and a list of the empty cells makes a pick one load. Rules and rulings are named by the
ids of docs/rules.md. The core is not used, and nothing here is shared with it.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit, uint64

from wts_fast.types import CELLS, SIZE, Outcome

UNDECIDED, BLACK_WINS, WHITE_WINS, DRAW = map(int, Outcome)

STRIDE = 12
MARGIN = 3
EMPTY, BLACK, WHITE, EGG = 0, 1, 2, 4
FOES = 7  # of either side: all pieces but its own

PLACES = np.array(
    [STRIDE * (cell // SIZE + MARGIN) + cell % SIZE + MARGIN for cell in range(CELLS)], np.uint8
)
"""The places of the cells on the board."""

STEPS = (1, STRIDE - 1, STRIDE, STRIDE + 1)
DIRECTIONS = (*STEPS, *(-step for step in STEPS))


class Board(NamedTuple):
    """The arrays of a game; how much of `empty` and `eggs` counts is passed separately."""

    content: Any
    empty: Any
    """The places of the empty cells, in any order."""
    eggs: Any
    """The places of the eggs, oldest first."""
    captured: Any
    hatched: Any
    """The places of what was captured, and of what hatched, in this turn."""


def new_board() -> Board:
    """Return the arrays for a game, with nothing in them."""
    return Board(
        content=np.zeros(STRIDE * (SIZE + 2 * MARGIN) + MARGIN + 1, np.uint8),
        empty=np.zeros(CELLS, np.uint8),
        eggs=np.zeros(CELLS + 1, np.uint8),
        captured=np.zeros(40, np.uint8),
        hatched=np.zeros(CELLS, np.uint8),
    )


# --- the effects of a turtle --------------------------------------------------------------


@njit(error_model="numpy")
def trap(board, at, own, count):
    """C1, C5: append what the turtle captures; return how much is captured."""
    content, captured = board.content, board.captured
    for step in DIRECTIONS:
        if (
            content[at + step] & FOES - own
            and content[at + 2 * step] & FOES - own
            and content[at + 3 * step] == own
        ):
            captured[count] = at + step
            captured[count + 1] = at + 2 * step
            count += 2
    return count


@njit(error_model="numpy")
def makes_line(board, at, own):
    """W1: return whether the turtle is in a line of five or more."""
    content = board.content
    for step in STEPS:
        run = 1
        there = at + step
        while content[there] == own:
            run += 1
            there += step
        there = at - step
        while content[there] == own:
            run += 1
            there -= step
        if run >= 5:
            return True
    return False


@njit(error_model="numpy")
def winning_turtles(board, own):
    """W2: return the number of turtles in lines of five or more."""
    count = 0
    for at in PLACES:
        if board.content[at] == own and makes_line(board, at, own):
            count += 1
    return count


# --- turns ------------------------------------------------------------------------------


@njit(error_model="numpy")
def drop_egg(board, eggs, which):
    """Take an egg out of the list; return how many are left."""
    for i in range(which + 1, eggs):
        board.eggs[i - 1] = board.eggs[i]
    return eggs - 1


@njit(error_model="numpy")
def remove_captured(board, empty, eggs, first, last):
    """T3: take what was captured off the board; C6: where both captured it, it has left."""
    for i in range(first, last):
        at = board.captured[i]
        if board.content[at] == EGG:
            which = 0
            while board.eggs[which] != at:
                which += 1
            eggs = drop_egg(board, eggs, which)
        if board.content[at] != EMPTY:
            board.content[at] = EMPTY
            board.empty[empty] = at
            empty += 1
    return empty, eggs


@njit(error_model="numpy")
def hatch(board, empty, eggs, by_black, by_white):
    """H1 to H5, R1 to R3: hatch eggs; return whether one made a line."""
    both = min(by_black, by_white)
    for _ in range(min(both, eggs)):
        board.content[board.eggs[0]] = EMPTY
        board.empty[empty] = board.eggs[0]
        empty += 1
        eggs = drop_egg(board, eggs, 0)
    own = BLACK if by_black > by_white else WHITE
    captures = max(by_black, by_white) - both
    hatched = 0
    while captures > 0 and eggs > 0:
        at = board.eggs[0]
        eggs = drop_egg(board, eggs, 0)
        board.content[at] = own
        board.hatched[hatched] = at
        hatched += 1
        more = trap(board, at, own, 0)
        empty, eggs = remove_captured(board, empty, eggs, 0, more)
        captures += more // 2 - 1
    made = False
    for i in range(hatched):
        if makes_line(board, board.hatched[i], own):
            made = True
    return empty, eggs, made


@njit(error_model="numpy")
def land(board, empty, eggs, black, white):
    """C6, H1: place both turtles, capture and hatch; return whether one made a line."""
    board.content[black] = BLACK
    board.content[white] = WHITE
    by_black = trap(board, black, BLACK, 0)
    by_both = trap(board, white, WHITE, by_black)
    made = False
    if by_both:
        empty, eggs = remove_captured(board, empty, eggs, 0, by_both)
        if eggs:
            by_white = by_both - by_black
            empty, eggs, made = hatch(board, empty, eggs, by_black // 2, by_white // 2)
    if board.content[black] == BLACK and makes_line(board, black, BLACK):
        made = True
    if board.content[white] == WHITE and makes_line(board, white, WHITE):
        made = True
    return empty, eggs, made


@njit(error_model="numpy")
def turn(board, empty, eggs, stands, i, j):
    """T2: play the picks at two places of the list of empty cells.

    `empty` and `eggs` are how many there are, `stands` is whether both sides have a line.
    Returns them as they are after the turn, and the outcome.
    """
    black, white = board.empty[i], board.empty[j]
    empty -= 1
    board.empty[max(i, j)] = board.empty[empty]
    made = stands
    if i == j:
        board.content[black] = EGG
        board.eggs[eggs] = black
        eggs += 1
    else:
        empty -= 1
        board.empty[min(i, j)] = board.empty[empty]
        empty, eggs, made = land(board, empty, eggs, black, white)
        made = made or stands
    outcome = DRAW if empty == 0 else UNDECIDED
    if made:
        by_black, by_white = winning_turtles(board, BLACK), winning_turtles(board, WHITE)
        stands = by_black > 0
        if by_black != by_white:
            outcome = BLACK_WINS if by_black > by_white else WHITE_WINS
    return empty, eggs, stands, outcome


# --- games ------------------------------------------------------------------------------


@njit(error_model="numpy")
def list_empty(board):
    """List the empty cells; return how many there are."""
    empty = 0
    for at in PLACES:
        if board.content[at] == EMPTY:
            board.empty[empty] = at
            empty += 1
    return empty


@njit(error_model="numpy")
def play_games(board, games, state, tally):
    """Play random games by xorshift64, add them to `tally` by outcome, return their turns."""
    turns = 0
    for _ in range(games):
        board.content[:] = EMPTY
        empty, eggs, stands, outcome = list_empty(board), 0, False, UNDECIDED
        while outcome == UNDECIDED:
            state ^= state << uint64(13)
            state ^= state >> uint64(7)
            state ^= state << uint64(17)
            i = np.int64((state >> uint64(32)) * uint64(empty) >> uint64(32))
            j = np.int64((state & uint64(0xFFFFFFFF)) * uint64(empty) >> uint64(32))
            empty, eggs, stands, outcome = turn(board, empty, eggs, stands, i, j)
            turns += 1
        tally[outcome] += 1
    return turns


def random_games(n: int, seed: int) -> tuple[int, int, int, int]:
    """Return wins of Black's and of White's, draws, and all turns of random games."""
    tally = np.zeros(4, np.int64)
    state = np.uint64((seed + 1) * 0x9E3779B97F4A7C15 & 2**64 - 1 | 1)
    turns = play_games(new_board(), n, state, tally)
    return int(tally[BLACK_WINS]), int(tally[WHITE_WINS]), int(tally[DRAW]), int(turns)
