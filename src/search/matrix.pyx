"""Zero-sum matrix games, solved."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int64_t

from position.arrays cimport array_for, memory_of, opened
from search.regrets cimport (
    MAX_ACTIONS,
    MatrixGame,
    first_not_finite,
    improve,
    memory_needed,
    open_game,
)

import numpy as np

from wts_fast.types import Solution, check_int, shown

cdef enum:
    # Payoffs met, in iterations, between two looks for Ctrl-C: some 10 ms.
    PAYOFFS_A_LOOK = 1 << 25

cdef object FLOAT64 = np.dtype(np.float64)


cdef object payoffs_of(matrix):
    """Return a copy of a matrix in float64, C-contiguous; raises what `solve` does."""
    given = np.asarray(matrix)
    if given.dtype.kind not in "biuf":
        raise TypeError(f"matrix is of {given.dtype}: expected real numbers")
    if given.ndim != 2 or not all(1 <= side <= MAX_ACTIONS for side in given.shape):
        raise ValueError(
            f"matrix is of shape {given.shape}: expected 2 dimensions of 1..{MAX_ACTIONS}"
        )
    payoffs = np.array(given, dtype=FLOAT64, order="C")
    rows, columns = payoffs.shape
    view = opened(payoffs, FLOAT64, (rows, columns))
    wrong = first_not_finite(<const double *>memory_of(view), rows * columns)
    if wrong >= 0:
        row, column = divmod(wrong, columns)
        raise ValueError(
            f"matrix[{row}, {column}] is {payoffs[row, column]}: expected a finite number"
        )
    return payoffs


cdef double gap_of(gap) except -1:
    """Return the gap as a double; raises what `solve` does."""
    cdef double wanted
    try:
        wanted = gap
    except TypeError:
        raise TypeError(f"gap must be a number, not {type(gap).__name__}") from None
    except OverflowError:
        raise ValueError(f"gap is {shown(gap)}: expected a double") from None
    if not wanted >= 0:
        raise ValueError(f"gap is {shown(gap)}: expected at least 0")
    return wanted


cdef int work_on(MatrixGame *game) except -1:
    """Improve a game to the end, without the GIL but for looks for Ctrl-C."""
    cdef int64_t size = <int64_t>game.row_player.width * game.column_player.width
    cdef bint ended = game.ended
    while not ended:
        with nogil:
            ended = improve(game, PAYOFFS_A_LOOK // size)
        PyErr_CheckSignals()
    return 0


def solve(matrix, *, gap=1e-3, max_iterations=100_000):
    """Return the value of a zero-sum matrix game, and a strategy for each player.

    The row player picks `i` and wants `matrix[i, j]` high, the column player picks `j` and
    wants it low, at the same moment. The matrix is anything that NumPy makes a real array
    of, of 1..4096 rows and columns, all finite. Work ends when the gap of the `Solution` is
    at most `gap`, or after `max_iterations`: its gap then says how far it came. Where two
    pure strategies are best against each other, these are returned, with a gap of 0.

    The method is predictive regret matching+ (src/regrets.pxd); the same matrix gives the
    same result. Raises `ValueError` where the shape is another, a number is NaN or infinite,
    `gap` is below 0 or NaN, or `max_iterations` is outside 1..2**31 - 1; `TypeError` for
    complex numbers, objects and other non-numbers. Runs without the GIL, and stops on Ctrl-C.
    """
    cdef MatrixGame game
    cdef double wanted = gap_of(gap)
    cdef int most = check_int("max_iterations", max_iterations, 1, 2**31 - 1)
    cdef double *memory
    cdef const double *numbers
    cdef double *row_memory
    cdef double *column_memory
    cdef int rows, columns
    payoffs = payoffs_of(matrix)
    rows, columns = payoffs.shape
    row = array_for(None, FLOAT64, (rows,))
    column = array_for(None, FLOAT64, (columns,))
    views = [opened(array, FLOAT64, array.shape) for array in (payoffs, row, column)]
    numbers = <const double *>memory_of(views[0])
    row_memory, column_memory = <double *>memory_of(views[1]), <double *>memory_of(views[2])
    memory = <double *>PyMem_RawMalloc(memory_needed(rows, columns) * sizeof(double))
    if memory == NULL:
        raise MemoryError
    try:
        with nogil:
            open_game(
                &game, numbers, rows, columns, wanted, most, memory, row_memory, column_memory
            )
        work_on(&game)
    finally:
        PyMem_RawFree(memory)
    return Solution(game.value, row, column, game.gap, game.iterations)
