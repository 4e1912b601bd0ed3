"""The whole game in numba, tuned for speed, with an undocumented option of numba.

The board is its 52 lines: 9 rows, 9 columns and 17 diagonals of either slant. For each kind of
piece a line is one 64-bit word, with a bit a cell: a row in the lowest 16 bits, a column in the
next, then the two slants. So the four lines through a cell fit in one word, and a few shifts
find the traps and the fives of all of them at once. Only lines through new turtles are tested;
turtles are counted only where both sides have a line. Rules and rulings are named by the ids
of docs/rules.md.

The core is not used, and nothing here is shared with it.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numba import njit, uint64

from wts_fast.types import BLACK, CELLS, EGG, EMPTY, SIZE, WHITE, Outcome

# numba counts the references to an array that is passed on, even to an inlined function, and
# its atomic counters would take two thirds of the time. Without its runtime (_nrt) it does not
# count; it then cannot make arrays either, which `new_board` does.
compiled = partial(njit, _nrt=False)
inlined = partial(njit, _nrt=False, inline="always")

UNDECIDED, BLACK_WINS, WHITE_WINS, DRAW = map(int, Outcome)

LINES = 52

STEPS = np.array([1, 9, 10, 8])
"""The steps from cell to cell along a row, a column, and a diagonal of either slant."""

# An unsigned and a signed number would make a float in numba.
ONE, TWO, THREE, FOUR = map(uint64, (1, 2, 3, 4))
ROW, ROW_AND_COLUMN, ALL_BUT_ONE_SLANT = (uint64((1 << bits) - 1) for bits in (16, 32, 48))


def _lines_through(cell: int) -> tuple[tuple[int, int], ...]:
    """Return the four lines through a cell: each its number, and the place of the cell in it."""
    row, column = divmod(cell, SIZE)
    return (row, column), (9 + column, row), (26 + row - column, row), (35 + row + column, row)


LINES_OF = np.array(
    [[line for line, _ in _lines_through(cell)] for cell in range(CELLS)], dtype=np.uint8
)
BITS_OF = np.array(
    [[1 << 16 * i + at for i, (_, at) in enumerate(_lines_through(c))] for c in range(CELLS)],
    dtype=np.uint64,
)
"""The bit of a cell in each of the four lines through it."""

HERE = np.bitwise_or.reduce(BITS_OF, axis=1)
"""The four bits of a cell."""


class Board(NamedTuple):
    """The arrays of a game; how much of `empty` and `eggs` counts is passed separately."""

    content: Any
    lines: Any
    """For each line four words, by content; that of empty cells is not used."""
    empty: Any
    """The empty cells, in any order."""
    eggs: Any
    """The cells of the eggs, oldest first."""
    hatched: Any
    """The cells of the turtles that hatched in this turn."""


def new_board() -> Board:
    """Return the arrays for a game, with nothing in them."""
    return Board(
        content=np.zeros(CELLS, np.uint8),
        lines=np.zeros((LINES, 4), np.uint64),
        empty=np.zeros(CELLS, np.uint64),
        eggs=np.zeros(CELLS, np.uint8),
        hatched=np.zeros(CELLS, np.uint8),
    )


# --- lines ------------------------------------------------------------------------------


@inlined
def toggle(board, cell, piece):
    """Put a piece into the four lines through its cell, or take it out of them."""
    for i in range(4):
        board.lines[LINES_OF[cell, i], piece] ^= BITS_OF[cell, i]


@inlined
def around(board, cell, piece):
    """Return the pieces of one kind on the four lines through a cell, as one word."""
    row, column = LINES_OF[cell, 0], LINES_OF[cell, 1]
    down, up = LINES_OF[cell, 2], LINES_OF[cell, 3]
    lines = board.lines
    return lines[row, piece] | lines[column, piece] | lines[down, piece] | lines[up, piece]


@inlined
def traps_ahead(own, enemies, here):
    """C1, C3: return the bits of a cell in the lines along which its turtle captures."""
    return here & enemies >> ONE & enemies >> TWO & own >> THREE


@inlined
def traps_behind(own, enemies, here):
    """C1, C3: return the same for captures against the direction of the line."""
    return here & enemies << ONE & enemies << TWO & own << THREE


@inlined
def fives(own):
    """Return the bits at which a five begins; 0 where there is none."""
    pairs = own & own >> ONE
    return pairs & pairs >> TWO & own >> FOUR


@compiled
def winning_turtles(board, player):
    """W2: return the number of turtles in lines of five or more."""
    count = 0
    for cell in range(CELLS):
        if board.content[cell] == player:
            found = fives(around(board, cell, player))
            found |= found << ONE
            found |= found << TWO | found << THREE
            if found & HERE[cell]:
                count += 1
    return count


# --- captures ---------------------------------------------------------------------------


@inlined
def drop_egg(board, eggs, cell):
    """Take a cell out of the list of eggs; return how many are left."""
    at = 0
    while board.eggs[at] != cell:
        at += 1
    for i in range(at + 1, eggs):
        board.eggs[i - 1] = board.eggs[i]
    return eggs - 1


@inlined
def lift(board, empty, eggs, cell):
    """T3: take a piece off the board; C6: where both captured it, it has left already."""
    piece = board.content[cell]
    if piece != EMPTY:
        if piece == EGG:
            eggs = drop_egg(board, eggs, cell)
        toggle(board, cell, piece)
        board.content[cell] = EMPTY
        board.empty[empty] = cell
        empty += ONE
    return empty, eggs


@inlined
def capture_along(board, empty, eggs, cell, traps, sign):
    """C5: take what each of these traps holds off the board, and count the traps."""
    count = 0
    while traps:
        rest = traps & traps - ONE
        trap = traps ^ rest
        step = sign * STEPS[(trap > ROW) + (trap > ROW_AND_COLUMN) + (trap > ALL_BUT_ONE_SLANT)]
        empty, eggs = lift(board, empty, eggs, uint64(cell + step))
        empty, eggs = lift(board, empty, eggs, uint64(cell + 2 * step))
        count += 1
        traps = rest
    return empty, eggs, count


@inlined
def capture(board, empty, eggs, cell, ahead, behind):
    """C5: take what these traps hold off the board, and count the traps."""
    empty, eggs, count = capture_along(board, empty, eggs, cell, ahead, 1)
    empty, eggs, more = capture_along(board, empty, eggs, cell, behind, -1)
    return empty, eggs, count + more


# --- turns ------------------------------------------------------------------------------


@compiled
def hatch(board, empty, eggs, by_black, by_white):
    """H1 to H5, R1 to R3: hatch eggs; return the side that made a line by it, or 0."""
    both = min(by_black, by_white)
    for _ in range(min(both, eggs)):
        empty, eggs = lift(board, empty, eggs, board.eggs[0])
    player = BLACK if by_black > by_white else WHITE
    captures = max(by_black, by_white) - both
    hatched = 0
    while captures > 0 and eggs > 0:
        cell = board.eggs[0]
        eggs = drop_egg(board, eggs, cell)
        toggle(board, cell, EGG)
        toggle(board, cell, player)
        board.content[cell] = player
        board.hatched[hatched] = cell
        hatched += 1
        own = around(board, cell, player)
        enemies = around(board, cell, BLACK + WHITE - player) | around(board, cell, EGG)
        ahead = traps_ahead(own, enemies, HERE[cell])
        behind = traps_behind(own, enemies, HERE[cell])
        empty, eggs, more = capture(board, empty, eggs, cell, ahead, behind)
        captures += more - 1
    made = 0
    for i in range(hatched):
        if fives(around(board, board.hatched[i], player)):
            made = player
    return empty, eggs, made


@inlined
def land(board, empty, eggs, black, white):
    """C6, H1: place both turtles, capture and hatch; return the sides that made lines.

    They are a sum of `BLACK` and `WHITE`.
    """
    board.content[black] = BLACK
    board.content[white] = WHITE
    toggle(board, black, BLACK)
    toggle(board, white, WHITE)
    own_black, own_white = around(board, black, BLACK), around(board, white, WHITE)
    to_black, to_white = around(board, black, WHITE), around(board, white, BLACK)
    if eggs:
        to_black |= around(board, black, EGG)
        to_white |= around(board, white, EGG)
    black_ahead = traps_ahead(own_black, to_black, HERE[black])
    black_behind = traps_behind(own_black, to_black, HERE[black])
    white_ahead = traps_ahead(own_white, to_white, HERE[white])
    white_behind = traps_behind(own_white, to_white, HERE[white])
    made = 0
    if black_ahead | black_behind | white_ahead | white_behind:
        empty, eggs, by_black = capture(board, empty, eggs, black, black_ahead, black_behind)
        empty, eggs, by_white = capture(board, empty, eggs, white, white_ahead, white_behind)
        if eggs:
            empty, eggs, made = hatch(board, empty, eggs, by_black, by_white)
        own_black, own_white = around(board, black, BLACK), around(board, white, WHITE)
    if fives(own_black):
        made |= BLACK
    if fives(own_white):
        made |= WHITE
    return empty, eggs, made


@inlined
def turn(board, empty, eggs, stands, i, j):
    """T2: play the picks at two places of the list of empty cells.

    `empty` and `eggs` are how many there are, `stands` is whether both sides have a line.
    Returns them as they are after the turn, and the outcome.
    """
    black, white = board.empty[i], board.empty[j]
    empty -= ONE
    board.empty[max(i, j)] = board.empty[empty]
    made = 0
    if i == j:
        board.content[black] = EGG
        toggle(board, black, EGG)
        board.eggs[eggs] = black
        eggs += 1
    else:
        empty -= ONE
        board.empty[min(i, j)] = board.empty[empty]
        empty, eggs, made = land(board, empty, eggs, black, white)
    # Where no line stood, all lines are new, and a side that alone has one has won.
    by_black, by_white = made & BLACK, made & WHITE
    if stands or made == BLACK + WHITE:
        by_black, by_white = winning_turtles(board, BLACK), winning_turtles(board, WHITE)
        stands = by_black > 0
    if by_black > by_white:
        outcome = BLACK_WINS
    elif by_white > by_black:
        outcome = WHITE_WINS
    elif empty:
        outcome = UNDECIDED
    else:
        outcome = DRAW
    return empty, eggs, stands, outcome


# --- given positions and picks ----------------------------------------------------------


@compiled
def set_up(board):
    """Set the lines and the list of empty cells to `board.content`; return how many are empty."""
    board.lines[:] = 0
    empty = uint64(0)
    for cell in range(CELLS):
        piece = board.content[cell]
        if piece == EMPTY:
            board.empty[empty] = cell
            empty += ONE
        else:
            toggle(board, cell, piece)
    return empty


@compiled
def place_of(board, cell):
    """Return the place of an empty cell in the list of them."""
    place = uint64(0)
    while board.empty[place] != cell:
        place += ONE
    return place


@compiled
def play_turn(board, empty, eggs, stands, black, white):
    """Return what `turn` does, for picks that are cells."""
    i, j = place_of(board, black), place_of(board, white)
    return turn(board, uint64(empty), eggs, stands, i, j)


# --- games ------------------------------------------------------------------------------


@compiled
def play_games(board, games, state, tally):
    """Play random games by xorshift64, add them to `tally` by outcome, return their turns."""
    turns = 0
    for _ in range(games):
        board.content[:] = EMPTY
        board.lines[:] = 0
        for cell in range(CELLS):
            board.empty[cell] = cell
        empty, eggs, stands, outcome = uint64(CELLS), 0, False, UNDECIDED
        while outcome == UNDECIDED:
            state ^= state << uint64(13)
            state ^= state >> uint64(7)
            state ^= state << uint64(17)
            i = (state >> uint64(32)) * empty >> uint64(32)
            j = (state & uint64(0xFFFFFFFF)) * empty >> uint64(32)
            empty, eggs, stands, outcome = turn(board, empty, eggs, stands, i, j)
            turns += 1
        tally[outcome] += 1
    return turns


class Counts(NamedTuple):
    """The results of random games, and how many turns they had in all."""

    black: int
    white: int
    draws: int
    turns: int


def random_games(n: int, seed: int) -> Counts:
    """Return the counted results of `n` random games from the empty board."""
    tally = np.zeros(4, np.int64)
    state = np.uint64((seed + 1) * 0x9E3779B97F4A7C15 & 2**64 - 1 | 1)
    turns = play_games(new_board(), n, state, tally)
    return Counts(int(tally[BLACK_WINS]), int(tally[WHITE_WINS]), int(tally[DRAW]), int(turns))
