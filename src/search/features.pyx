"""What a position offers each player: threats, windows, scores of cells, a value."""

from libc.stdint cimport uint64_t

from position.arrays cimport array_for, memory_of, opened
from search.evaluation cimport FEATURES, Evaluation, read_features, read_weights, value_of
from search.scores cimport Ranking, Scores, rank_cells, score_cells
from search.threats cimport capture_cells_of, winning_cells_of
from search.windows cimport Codes, count_windows, fill_windows, read_codes
from wts_fast.core.bitboard cimport Bitboard, bit_of, cell_of, contains, is_empty, pop_lowest
from wts_fast.core.position cimport Position, of_this_engine, pick_of
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    UNDECIDED,
    WHITE_SIDE,
    empty_cells,
    play_turn,
    position_t,
)

import numpy as np

from wts_fast.types import BLACK, WHITE, check_int, check_player

FEATURE_NAMES = (
    "open windows with 1 turtle",
    "open windows with 2 turtles",
    "open windows with 3 turtles",
    "open windows with 4 turtles",
    "a winning cell",
    "two winning cells",
    "capture cells",
    "turtles",
    "eggs times capture cells",
)
WEIGHTS = (-0.002, 0.018, 0.107, 0.240, 0.356, 0.483, 0.368, 0.075, -0.023)

cdef object FLOAT32 = np.dtype(np.float32)

fill_windows()


cdef int side_of(player) except -1:
    return BLACK_SIDE if check_player(player) == BLACK else WHITE_SIDE


cdef list cells_of(Bitboard board):
    cdef list cells = []
    while not is_empty(board):
        cells.append(cell_of(pop_lowest(&board)))
    return cells


# --- threats and windows ----------------------------------------------------------------


def winning_cells(position, player):
    """Return the empty cells, ascending, on which a turtle of `player` completes a five (W2).

    Such a pick wins if no capture breaks the five in that turn (W1) and the other player does
    not get as many winning turtles (W3). The list is empty once the game is over. `position`
    may come from either engine, in all functions of this module.

    Raises `ValueError` where `player` is not `BLACK` or `WHITE`, `TypeError` for what is no
    position.
    """
    cdef Position source = of_this_engine(position)
    cdef int side = side_of(player)
    if source.state.outcome != UNDECIDED:
        return []
    return cells_of(winning_cells_of(&source.state, side))


def capture_cells(position, player):
    """Return the empty cells, ascending, on which a turtle of `player` captures (C1).

    It captures whatever the other player picks, unless that is the same cell (E1). The list
    is empty once the game is over. Raises what `winning_cells` raises.
    """
    cdef Position source = of_this_engine(position)
    cdef int side = side_of(player)
    if source.state.outcome != UNDECIDED:
        return []
    return cells_of(capture_cells_of(&source.state, side))


def open_windows(position, player):
    """Return the numbers of open windows with 1, 2, 3 and 4 turtles of `player`.

    A window is five cells in a row; the board has 140. It is open where all other cells in
    it are empty. The result is a tuple of four ints. Raises what `winning_cells` raises.
    """
    cdef Position source = of_this_engine(position)
    cdef int side = side_of(player), i
    cdef Codes codes
    cdef uint64_t counts
    read_codes(&source.state, &codes)
    counts = count_windows(&codes) >> 32 * side
    return tuple([<int>(counts >> 8 * i & 0xFF) for i in range(4)])


# --- scores of cells --------------------------------------------------------------------


def cell_scores(position, player, *, out=None):
    """Return how good a pick each cell looks for `player`: `float32` of shape (81,).

    An empty cell has 1; more for each window through it that holds turtles of one player
    only, by their number and owner, or nothing; and more where either player would capture.
    All scores are whole numbers, at most 65535. Occupied cells have 0, and so have all cells
    once the game is over. `out` is an array to write to and return: `float32`, of that shape,
    C-contiguous and writable.

    Raises what `winning_cells` raises, and `ValueError` where `out` is not such an array.
    """
    cdef Position source = of_this_engine(position)
    cdef int side = side_of(player), cell
    cdef Scores scores
    cdef float *values
    out = array_for(out, FLOAT32, (81,))
    view = opened(out, FLOAT32, (81,))
    values = <float *>memory_of(view)
    score_cells(&source.state, &scores)
    for cell in range(81):
        values[cell] = 0
        if source.state.outcome == UNDECIDED and contains(empty_cells(&source.state), bit_of(cell)):
            values[cell] = <float>(scores.of[bit_of(cell)] >> 16 * side & 0xFFFF)
    return out


def top_cells(position, player, k):
    """Return the `k` cells that score best for `player`, best first.

    Of equal scores the lower cell comes first. The list is shorter where fewer cells are
    empty, and empty once the game is over.

    Raises what `winning_cells` raises, `ValueError` where `k` is outside 1..81, and
    `TypeError` where it is no integer.
    """
    cdef Position source = of_this_engine(position)
    cdef int side = side_of(player), i
    cdef Scores scores
    cdef Ranking best
    cdef int wanted = check_int("k", k, 1, 81)
    if source.state.outcome != UNDECIDED:
        return []
    score_cells(&source.state, &scores)
    rank_cells(&source.state, &scores, side, wanted, 0, &best)
    return [cell_of(best.bits[i]) for i in range(best.count)]


# --- the value of a position ------------------------------------------------------------


def feature_vector(position):
    """Return the features of a position: `float32` of shape (9,), as `FEATURE_NAMES` lists them.

    Each is a whole number: what Black has of it minus what White has. Features 0 to 3 are the
    open windows with 1 to 4 turtles, 4 whether there is a winning cell, 5 whether there are
    two or more, 6 the capture cells, 7 the turtles, 8 the eggs times the capture cells. They
    follow from the board alone, so a finished game has them too.

    Raises `TypeError` for anything but a position.
    """
    cdef Position source = of_this_engine(position)
    vector = array_for(None, FLOAT32, (FEATURES,))
    view = opened(vector, FLOAT32, (FEATURES,))
    read_features(&source.state, <float *>memory_of(view))
    return vector


def evaluate(position, weights=None):
    """Return an estimate of the value of a position for Black: a `float` from -1 to 1.

    It is tanh(logit / 2), which equals 2 * sigmoid(logit) - 1, where the logit is the dot
    product of `weights` and `feature_vector(position)`. `weights` are nine real numbers of at
    most a million in size, by default `WEIGHTS`. A finished game has its exact value: 1 for a
    win of Black, -1 for one of White, 0 for a draw.

    Raises `ValueError` where `weights` have another shape, or hold a number outside that
    range; `TypeError` where they are not real numbers, and for anything but a position.
    """
    cdef Position source = of_this_engine(position)
    cdef Evaluation evaluation
    read_weights(weights, &evaluation)
    return value_of(&source.state, &evaluation)


cdef list bits_of_picks(int player, cells, Position source):
    """Return the bits of cells that a player may pick; IllegalMoveError for others."""
    cdef list bits = []
    for cell in cells:
        bits.append(pick_of(&source.state, player, cell))
    return bits


def value_matrix(position, rows, columns, weights=None, *, out=None):
    """Return the values for Black after joint moves: `float32` of shape (rows, columns).

    `[i, j]` is what `evaluate` returns for the position after Black picks `rows[i]` and White
    `columns[j]`. `rows` and `columns` are iterables of cells. `out` is an array to write to
    and return: `float32`, of that shape, C-contiguous and writable.

    Raises `IllegalMoveError` for a cell that is not on the board or may not be picked,
    `ValueError` where `out` is not such an array, and what `evaluate` raises.
    """
    cdef Position source = of_this_engine(position)
    cdef Evaluation evaluation
    cdef position_t after
    cdef float *values
    cdef int black, white
    read_weights(weights, &evaluation)
    blacks, whites = bits_of_picks(BLACK, rows, source), bits_of_picks(WHITE, columns, source)
    shape = (len(blacks), len(whites))
    out = array_for(out, FLOAT32, shape)
    view = opened(out, FLOAT32, shape)
    values = <float *>memory_of(view)
    for black in blacks:
        for white in whites:
            after = source.state
            play_turn(&after, black, white)
            values[0] = <float>value_of(&after, &evaluation)
            values += 1
    return out
