"""The windows of a board: five cells in a row, of which there are 140.

The code of a window says what stands in it: a black turtle counts 1, a white one 6, an egg 36.
A window is open for a side while it holds nothing of the enemy's (C2).
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from wts_fast.core.bitboard cimport Bitboard
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
    /* What the code of a window stands for. */
    typedef struct {
        uint64_t counts; /* 1 in the byte of its side and number of turtles, 1 to 4 */
        uint32_t scores; /* what it adds to its cells: for Black in the low half, for White high */
    } wts_window;

    /* Cython headers cannot define tables: each module that includes this fills its own. */
    static wts_window wts_windows[256];
    static uint64_t wts_bytes_of[256]; /* eight bits as eight bytes */
    """
    ctypedef struct Window "wts_window":
        uint64_t counts
        uint32_t scores
    Window windows "wts_windows" [256]
    uint64_t bytes_of "wts_bytes_of" [256]


cdef enum:
    BITS = 96  # of a board, and some more to fill vectors
    WHITE_DIGIT = 6
    EGG_DIGIT = 36
    FOURS = 3  # behind the counts of windows with 1 to 3 turtles


ctypedef struct Codes:
    uint64_t cells[18]  # a byte for each bit of the board, and room behind
    uint8_t of[4][96]  # the codes of windows, by direction and lowest bit


# --- tables -----------------------------------------------------------------------------


cdef inline void describe_window(int own, uint32_t attack, uint32_t defence) noexcept:
    """Describe the two windows that hold so many turtles of one side and nothing else."""
    cdef Window *of_black = &windows[own]
    cdef Window *of_white = &windows[own * WHITE_DIGIT]
    of_black.counts = <uint64_t>1 << 8 * (own - 1)
    of_white.counts = <uint64_t>1 << 8 * (own + 3)
    of_black.scores = attack | defence << 16
    of_white.scores = attack << 16 | defence


cdef inline void fill_windows() noexcept:
    """Fill the tables of this module; call it once, at import."""
    cdef uint8_t *bytes
    cdef int i, j
    memset(windows, 0, sizeof(windows))
    windows[0].scores = 1 | 1 << 16
    describe_window(1, 4, 3)
    describe_window(2, 15, 12)
    describe_window(3, 60, 50)
    describe_window(4, 1000, 700)
    for i in range(256):
        bytes = <uint8_t *>&bytes_of[i]
        for j in range(8):
            bytes[j] = i >> j & 1


# --- codes ------------------------------------------------------------------------------


cdef inline void spread_out(uint64_t *cells, Bitboard b, uint64_t digit) noexcept nogil:
    """Add a digit to the bytes of the cells of a board."""
    cdef int i
    for i in range(8):
        cells[i] += bytes_of[b.lo >> 8 * i & 0xFF] * digit
    for i in range(4):
        cells[8 + i] += bytes_of[b.hi >> 8 * i & 0xFF] * digit


cdef inline void sum_windows(uint8_t *codes, const uint8_t *cells, int step) noexcept nogil:
    cdef int i
    for i in range(BITS):
        codes[i] = <uint8_t>(
            cells[i]
            + cells[i + step]
            + cells[i + 2 * step]
            + cells[i + 3 * step]
            + cells[i + 4 * step]
        )


cdef inline void read_codes(const position_t *p, Codes *codes) noexcept nogil:
    cdef const uint8_t *cells = <const uint8_t *>codes.cells
    memset(codes.cells, 0, sizeof(codes.cells))
    spread_out(codes.cells, p.turtles[BLACK_SIDE], 1)
    spread_out(codes.cells, p.turtles[WHITE_SIDE], WHITE_DIGIT)
    spread_out(codes.cells, p.eggs, EGG_DIGIT)
    sum_windows(codes.of[0], cells, RIGHT)
    sum_windows(codes.of[1], cells, DOWN)
    sum_windows(codes.of[2], cells, DOWN_RIGHT)
    sum_windows(codes.of[3], cells, DOWN_LEFT)


# --- counts -----------------------------------------------------------------------------


cdef inline uint64_t counts_along(
    const uint8_t *codes, int rows, int first, int columns
) noexcept nogil:
    cdef uint64_t counts = 0
    cdef int row, column
    for row in range(rows):
        for column in range(first, first + columns):
            counts += windows[codes[10 * row + column]].counts
    return counts


cdef inline uint64_t count_windows(const Codes *codes) noexcept nogil:
    """The open windows of 1 to 4 turtles: eight numbers in a byte each, Black's the low four."""
    return (
        counts_along(codes.of[0], 9, 0, 5)
        + counts_along(codes.of[1], 5, 0, 9)
        + counts_along(codes.of[2], 5, 0, 5)
        + counts_along(codes.of[3], 5, 4, 5)
    )
