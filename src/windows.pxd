"""A board as 52 lines, on which one look-up tells what an arriving turtle brings about.

The lines are the 9 rows, the 9 columns and the 17 diagonals of either slant. A line is a
word with two bits a cell, by its column in a row and by its row in any other line: 0 empty,
1 black, 2 white, 3 egg, above a margin of four empty cells. So the nine cells around any
cell of a line are 18 bits of its word, in which cells outside the board are empty, and a
table of all such windows knows the traps that the turtle in the middle closes, and whether
it is in a five.
"""

from libc.stdint cimport uint8_t, uint32_t

from wts_fast.bitboard cimport Bitboard, is_empty, pop_lowest
from wts_fast.rules cimport BLACK_SIDE, DOWN, DOWN_LEFT, DOWN_RIGHT, RIGHT, WHITE_SIDE, position_t


cdef extern from * nogil:
    """
    /* Where a cell stands in each of the four lines through it. */
    typedef struct {
        uint32_t piece[4]; /* the low bit of the cell in the line's word */
        uint8_t line[4];   /* the number of the line */
        uint8_t shift[4];  /* what brings the window around the cell to the low bits */
    } wts_cell_lines;

    /* Cython headers cannot define tables: each module that includes this fills its own. */
    static wts_cell_lines wts_lines_of[90];
    static uint8_t wts_window_events[1 << 18];
    """
    ctypedef struct CellLines "wts_cell_lines":
        uint32_t piece[4]
        uint8_t line[4]
        uint8_t shift[4]
    CellLines lines_of "wts_lines_of" [90]
    uint8_t window_events "wts_window_events" [262144]


cdef enum:
    MARGIN = 8  # bits: four cells
    WINDOW = 0x3FFFF
    DIRECTIONS = 4

cdef enum:
    # What the turtle in the middle of a window brings about. The four windows around a cell
    # make a word of twelve events, three for each direction.
    TRAP_AHEAD = 1
    TRAP_BEHIND = 2
    FIVE = 4
    EVENTS = 3
    FIVES = 0o4444
    TRAPS = 0o3333


ctypedef struct Lines:
    uint32_t words[52]


# --- the tables -------------------------------------------------------------------------


cdef inline int content_at(int window, int place) noexcept nogil:
    """The content of one of the nine cells of a window; the middle is place 4."""
    return window >> (2 * place) & 3


cdef inline bint closes_trap(int window, int own, int step) noexcept nogil:
    """C1, C2, C3: whether two enemy pieces, then an own turtle, follow the middle."""
    cdef int first = content_at(window, 4 + step), second = content_at(window, 4 + 2 * step)
    return (
        first != 0
        and first != own
        and second != 0
        and second != own
        and content_at(window, 4 + 3 * step) == own
    )


cdef inline int events_in(int window) noexcept nogil:
    """What the turtle in the middle of a window brings about; 0 where there is none."""
    cdef int own = content_at(window, 4)
    cdef int events = 0, run = 0, place
    if own != 1 and own != 2:
        return 0
    if closes_trap(window, own, 1):
        events |= TRAP_AHEAD
    if closes_trap(window, own, -1):
        events |= TRAP_BEHIND
    for place in range(9):
        run = run + 1 if content_at(window, place) == own else 0
        if run == 5:
            events |= FIVE
    return events


cdef inline void set_line(int bit, int direction, int line, int place) noexcept nogil:
    lines_of[bit].piece[direction] = <uint32_t>1 << (2 * place + MARGIN)
    lines_of[bit].line[direction] = <uint8_t>line
    lines_of[bit].shift[direction] = <uint8_t>(2 * place)


cdef inline void fill_tables() noexcept nogil:
    """Fill the tables of this module; call it once, at import."""
    cdef int window, row, column, bit
    for window in range(WINDOW + 1):
        window_events[window] = <uint8_t>events_in(window)
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


cdef inline void put(Lines *lines, int bit, uint32_t content) noexcept nogil:
    """Put a piece on an empty cell."""
    cdef const CellLines *at = &lines_of[bit]
    cdef int i
    for i in range(DIRECTIONS):
        lines.words[at.line[i]] |= content * at.piece[i]


cdef inline void clear(Lines *lines, int bit) noexcept nogil:
    """Take a piece off its cell."""
    cdef const CellLines *at = &lines_of[bit]
    cdef int i
    for i in range(DIRECTIONS):
        lines.words[at.line[i]] &= ~(3 * at.piece[i])


cdef inline void clear_all(Lines *lines, Bitboard board) noexcept nogil:
    while not is_empty(board):
        clear(lines, pop_lowest(&board))


cdef inline void put_all(Lines *lines, Bitboard board, uint32_t content) noexcept nogil:
    while not is_empty(board):
        put(lines, pop_lowest(&board), content)


cdef inline void draw_lines(Lines *lines, const position_t *p) noexcept nogil:
    """Set the lines to a position."""
    cdef int i
    for i in range(52):
        lines.words[i] = 0
    put_all(lines, p.turtles[BLACK_SIDE], 1)
    put_all(lines, p.turtles[WHITE_SIDE], 2)
    put_all(lines, p.eggs, 3)


# --- events -----------------------------------------------------------------------------


cdef inline unsigned events_along(const Lines *lines, int bit, int i) noexcept nogil:
    cdef const CellLines *at = &lines_of[bit]
    return window_events[lines.words[at.line[i]] >> at.shift[i] & WINDOW]


cdef inline unsigned events_around(const Lines *lines, int bit) noexcept nogil:
    """What the turtle on a cell brings about in all four directions."""
    return (
        events_along(lines, bit, 0)
        | events_along(lines, bit, 1) << EVENTS
        | events_along(lines, bit, 2) << 2 * EVENTS
        | events_along(lines, bit, 3) << 3 * EVENTS
    )
