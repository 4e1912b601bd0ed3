"""A board as 52 lines, on which the effects of an arriving turtle take few steps to find.

The lines are the 9 rows, the 9 columns and the 17 diagonals of either slant. For each kind of
piece a line is a word with a bit for every cell, by its column in a row and by its row in any
other line. Each of the four directions has its own lane of 16 bits, so that the lines
through a cell make one word, and one shift applies to all of them:
the seven bits above a line of nine stay 0 and keep the lanes apart.
"""

from libc.stdint cimport uint8_t, uint64_t

from wts_fast.core.bitboard cimport Bitboard, is_empty, pop_lowest
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    DOWN,
    DOWN_LEFT,
    DOWN_RIGHT,
    RIGHT,
    WHITE_SIDE,
    position_t,
)


cdef extern from * nogil:
    """
    /* The place of a cell in the four lines through it. */
    typedef struct {
        uint64_t bit[4]; /* its bit in each line, in the lane of that direction */
        uint64_t here;   /* all four */
        uint8_t line[4]; /* the numbers of the lines */
    } wts_cell_lines;

    /* Cython headers cannot define tables: each module that includes this fills its own. */
    static wts_cell_lines wts_lines_of[90];
    """
    ctypedef struct CellLines "wts_cell_lines":
        uint64_t bit[4]
        uint64_t here
        uint8_t line[4]
    CellLines lines_of "wts_lines_of" [90]


cdef enum:
    # Kinds of pieces, besides BLACK_SIDE and WHITE_SIDE.
    EGGS = 2
    KINDS = 3

cdef enum:
    DIRECTIONS = 4
    LANE = 16


ctypedef struct Lines:
    uint64_t words[3][52]


# --- the table --------------------------------------------------------------------------


cdef inline void set_line(int bit, int direction, int line, int place) noexcept nogil:
    lines_of[bit].bit[direction] = <uint64_t>1 << (LANE * direction + place)
    lines_of[bit].here |= lines_of[bit].bit[direction]
    lines_of[bit].line[direction] = <uint8_t>line


cdef inline void fill_tables() noexcept nogil:
    """Fill the table of this module; call it once, at import."""
    cdef int row, column, bit
    for row in range(9):
        for column in range(9):
            bit = 10 * row + column
            set_line(bit, 0, row, column)
            set_line(bit, 1, 9 + column, row)
            set_line(bit, 2, 26 + row - column, row)
            set_line(bit, 3, 35 + row + column, row)


cdef inline int step_of(int direction) noexcept nogil:
    """The step along a line of this direction, in bits of the board."""
    if direction < 2:
        return RIGHT if direction == 0 else DOWN
    return DOWN_RIGHT if direction == 2 else DOWN_LEFT


# --- pieces -----------------------------------------------------------------------------


cdef inline uint64_t put(Lines *lines, int bit, int kind) noexcept nogil:
    """Put a piece on an empty cell; returns the result of lines_through after it."""
    cdef const CellLines *at = &lines_of[bit]
    cdef uint64_t line, through = 0
    cdef int i
    for i in range(DIRECTIONS):
        line = lines.words[kind][at.line[i]] | at.bit[i]
        lines.words[kind][at.line[i]] = line
        through |= line
    return through


cdef inline void clear(Lines *lines, int bit) noexcept nogil:
    """Take a piece off its cell."""
    cdef const CellLines *at = &lines_of[bit]
    cdef int i, kind
    for kind in range(KINDS):
        for i in range(DIRECTIONS):
            lines.words[kind][at.line[i]] &= ~at.here


cdef inline void clear_all(Lines *lines, Bitboard board) noexcept nogil:
    while not is_empty(board):
        clear(lines, pop_lowest(&board))


cdef inline void put_all(Lines *lines, Bitboard board, int kind) noexcept nogil:
    while not is_empty(board):
        put(lines, pop_lowest(&board), kind)


cdef inline void draw_lines(Lines *lines, const position_t *p) noexcept nogil:
    """Set the lines to a position."""
    cdef int kind, i
    for kind in range(KINDS):
        for i in range(52):
            lines.words[kind][i] = 0
    put_all(lines, p.turtles[BLACK_SIDE], BLACK_SIDE)
    put_all(lines, p.turtles[WHITE_SIDE], WHITE_SIDE)
    put_all(lines, p.eggs, EGGS)


cdef inline Bitboard board_of(const Lines *lines, int kind) noexcept nogil:
    """All pieces of a kind: the rows, which are the first lines."""
    cdef const uint64_t *rows = lines.words[kind]
    cdef Bitboard b
    b.lo = rows[0] | rows[1] << 10 | rows[2] << 20 | rows[3] << 30 | rows[4] << 40 | rows[5] << 50
    b.lo |= rows[6] << 60
    b.hi = rows[6] >> 4 | rows[7] << 6 | rows[8] << 16
    return b


# --- the effects of a turtle --------------------------------------------------------------


ctypedef struct Around:
    # The lines through a cell: in each lane the own turtles, and those and eggs of the enemy.
    uint64_t here
    uint64_t own
    uint64_t enemy


cdef inline uint64_t lines_through(const Lines *lines, int kind, int bit) noexcept nogil:
    cdef const CellLines *at = &lines_of[bit]
    return (
        lines.words[kind][at.line[0]]
        | lines.words[kind][at.line[1]]
        | lines.words[kind][at.line[2]]
        | lines.words[kind][at.line[3]]
    )


cdef inline Around look(
    const Lines *lines, int side, int bit, uint64_t own, bint eggs
) noexcept nogil:
    """C2: read the lines through a cell on which `side` has put a turtle."""
    cdef Around a
    a.here = lines_of[bit].here
    a.own = own
    a.enemy = lines_through(lines, 1 - side, bit)
    if eggs:
        a.enemy |= lines_through(lines, EGGS, bit)
    return a


cdef inline uint64_t traps_ahead(const Around *a) noexcept nogil:
    """C1, C3: the lanes in which two enemy pieces, then an own turtle, follow the cell."""
    return a.here & a.enemy >> 1 & a.enemy >> 2 & a.own >> 3


cdef inline uint64_t traps_behind(const Around *a) noexcept nogil:
    """C1, C3: the lanes in which they precede it."""
    return a.here & a.enemy << 1 & a.enemy << 2 & a.own << 3


cdef inline uint64_t fives(const Around *a) noexcept nogil:
    """W1: the starts of fives on the lines through the cell."""
    cdef uint64_t twos = a.own & a.own >> 1
    return twos & twos >> 2 & a.own >> 4
