"""Random games on the position struct, and the random numbers that they take.

The generator is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
Generators, OOPSLA 2014). The state of game number i of a seed starts at
mix(mix(seed) + (i + 1) * 0x9E3779B97F4A7C15). Each turn takes one 64-bit word, whose high half
picks for Black and low half for White: place half * n >> 32 in a list of the n empty cells.
A word of which one half would favour some places is passed over (Lemire: Fast Random
Integer Generation in an Interval, 2019), so picks are exactly uniform.

The list starts in ascending order. A picked cell, the one at the higher place first, gives
its place to the last of the list; cells that the turn has emptied follow in ascending order.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from wts_fast.bitboard cimport Bitboard, is_empty, pop_lowest, single, union_of, without
from wts_fast.rules cimport UNDECIDED, empty_cells, mix, play_turn, position_t


cdef struct EmptyCells:
    # The bits of the empty cells in no order that matters, so that a pick is one load.
    int count
    uint8_t bits[81]


cdef inline uint64_t start_stream(uint64_t seed, uint64_t game) noexcept nogil:
    """The state of the generator at the start of a game."""
    return mix(mix(seed) + (game + 1) * <uint64_t>0x9E3779B97F4A7C15)


cdef inline uint64_t next_word(uint64_t *state) noexcept nogil:
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    return mix(state[0])


cdef inline bint favours(uint64_t product, uint32_t count) noexcept nogil:
    """Whether this product falls among those that would favour some of `count` values."""
    cdef uint32_t low = <uint32_t>product
    return low < count and low < (<uint32_t>0 - count) % count


cdef inline void random_pair(uint64_t *state, int count, int *black, int *white) noexcept nogil:
    """Two independent uniform numbers below `count`."""
    cdef uint64_t word, high, low
    while True:
        word = next_word(state)
        high = (word >> 32) * <uint64_t>count
        low = (word & <uint64_t>0xFFFFFFFF) * <uint64_t>count
        if not (favours(high, <uint32_t>count) or favours(low, <uint32_t>count)):
            break
    black[0] = <int>(high >> 32)
    white[0] = <int>(low >> 32)


cdef inline void list_cells(EmptyCells *cells, Bitboard board) noexcept nogil:
    """Append the cells of `board`."""
    while not is_empty(board):
        cells.bits[cells.count] = <uint8_t>pop_lowest(&board)
        cells.count += 1


cdef inline void unlist(EmptyCells *cells, int i) noexcept nogil:
    cells.count -= 1
    cells.bits[i] = cells.bits[cells.count]


cdef inline int playout(position_t *p, uint64_t *state, int max_turns) noexcept nogil:
    """Play random turns in place, to the end or `max_turns`; returns the turns played."""
    cdef EmptyCells cells
    cdef Bitboard were_empty, picked
    cdef int turns = 0, i, j, black, white
    cells.count = 0
    list_cells(&cells, empty_cells(p))
    while p.outcome == UNDECIDED and turns < max_turns:
        random_pair(state, cells.count, &i, &j)
        black, white = cells.bits[i], cells.bits[j]
        unlist(&cells, max(i, j))
        if i != j:
            unlist(&cells, min(i, j))
        were_empty = empty_cells(p)
        if play_turn(p, black, white):
            picked = union_of(single(black), single(white))
            list_cells(&cells, without(empty_cells(p), without(were_empty, picked)))
        turns += 1
    return turns
