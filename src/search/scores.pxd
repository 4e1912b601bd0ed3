"""How good a pick each cell looks: scores for both sides, and the best cells by them."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from search.threats cimport capture_cells_of
from search.windows cimport BITS, Codes, read_codes, windows
from wts_fast.core.bitboard cimport Bitboard, is_empty, pop_lowest
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    DOWN,
    DOWN_LEFT,
    DOWN_RIGHT,
    RIGHT,
    WHITE_SIDE,
    empty_cells,
    position_t,
)


cdef enum:
    ROOM = 48  # more than the four steps of a window
    EVEN = 0x00010001  # the score 1 for both sides

cdef enum:
    # What makes a cell worth more than windows do: capturing there, or keeping the enemy off.
    CAPTURE = 60
    ESCAPE = 40


ctypedef struct Scores:
    uint32_t of[BITS]  # by bit: Black's in the low half, White's in the high


ctypedef struct Ranking:
    # The best cells of one side, best first.
    int count
    uint8_t bits[81]
    float scores[81]


cdef inline void price_windows(
    uint32_t *worth, const uint8_t *codes, int rows, int first, int columns
) noexcept nogil:
    cdef int row, column
    for row in range(rows):
        for column in range(first, first + columns):
            worth[10 * row + column] = windows[codes[10 * row + column]].scores


cdef inline void score_along(
    Scores *scores, const uint8_t *codes, int step, int rows, int first, int columns
) noexcept nogil:
    """Add to each cell what the windows through it are worth."""
    cdef uint32_t padded[ROOM + BITS]
    cdef uint32_t *worth = padded + ROOM
    cdef int i
    memset(padded, 0, sizeof(padded))
    price_windows(worth, codes, rows, first, columns)
    for i in range(BITS):
        scores.of[i] += (
            worth[i]
            + worth[i - step]
            + worth[i - 2 * step]
            + worth[i - 3 * step]
            + worth[i - 4 * step]
        )


cdef inline void add_to_scores(Scores *scores, Bitboard cells, uint32_t worth) noexcept nogil:
    while not is_empty(cells):
        scores.of[pop_lowest(&cells)] += worth


cdef inline void score_evenly(Scores *scores) noexcept nogil:
    cdef int i
    for i in range(BITS):
        scores.of[i] = EVEN


cdef inline void score_cells(const position_t *p, Scores *scores) noexcept nogil:
    """Score all cells for both sides; 20 windows through a cell can't fill a half."""
    cdef Codes codes
    read_codes(p, &codes)
    score_evenly(scores)
    score_along(scores, codes.of[0], RIGHT, 9, 0, 5)
    score_along(scores, codes.of[1], DOWN, 5, 0, 9)
    score_along(scores, codes.of[2], DOWN_RIGHT, 5, 0, 5)
    score_along(scores, codes.of[3], DOWN_LEFT, 5, 4, 5)
    add_to_scores(scores, capture_cells_of(p, BLACK_SIDE), CAPTURE | ESCAPE << 16)
    add_to_scores(scores, capture_cells_of(p, WHITE_SIDE), CAPTURE << 16 | ESCAPE)


cdef inline void rank_cells(
    const position_t *p, const Scores *scores, int side, int k, uint64_t seed, Ranking *best
) noexcept nogil:
    """The k best empty cells; equal scores in an order drawn from an odd seed, by cell from 0."""
    cdef Bitboard empty = empty_cells(p)
    cdef uint32_t top[82]
    cdef uint32_t candidate, score
    cdef int bit, i, count = 0
    while not is_empty(empty):
        bit = pop_lowest(&empty)
        seed *= <uint64_t>0x5851F42D4C957F2D
        score = scores.of[bit] >> 16 * side & 0xFFFF
        candidate = score << 16 | <uint32_t>(seed >> 55) << 7 | <uint32_t>(127 - bit)
        i = count
        while i > 0 and top[i - 1] < candidate:
            top[i] = top[i - 1]
            i -= 1
        top[i] = candidate
        count = min(count + 1, k)
    best.count = count
    for i in range(count):
        best.bits[i] = 127 - (top[i] & 0x7F)
        best.scores[i] = <float>(top[i] >> 16)
