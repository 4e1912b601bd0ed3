"""Sets of cells in 128 bits.

The cell at (row, column) is bit 10 * row + column: a column without pieces pads
every row, so a shift by one step of a line (1 right, 9 down left, 10 down, 11 down right)
never carries a piece round an edge to where it could be taken for a neighbour. Rows 0 to 8
end at bit 88; the bits above it, and those of the padding column, are always 0.

Two 64-bit words are faster here than a 128-bit integer, which not every compiler has.
"""

from libc.stdint cimport uint64_t


cdef extern from * nogil:
    """
    #include <stdint.h>

    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    #endif

    /* The index of the lowest set bit of a word other than 0: Cython has no name for it, and
     * every compiler another. */
    static inline int wts_lowest_bit(uint64_t word)
    {
    #if defined(__GNUC__) || defined(__clang__)
        return __builtin_ctzll(word);
    #elif defined(_M_X64) || defined(_M_ARM64)
        unsigned long bit;
        _BitScanForward64(&bit, word);
        return (int)bit;
    #else
        unsigned long bit;
        if (_BitScanForward(&bit, (unsigned long)word))
            return (int)bit;
        _BitScanForward(&bit, (unsigned long)(word >> 32));
        return (int)bit + 32;
    #endif
    }
    """
    int lowest_bit "wts_lowest_bit" (uint64_t word) noexcept


ctypedef struct Bitboard:
    uint64_t lo
    uint64_t hi


cdef inline int bit_of(int cell) noexcept nogil:
    """The bit of cell 0..80."""
    return cell + cell // 9


cdef inline int cell_of(int bit) noexcept nogil:
    """The cell of a bit."""
    return bit - bit // 10


cdef inline Bitboard full_board() noexcept nogil:
    """All 81 cells."""
    cdef Bitboard b
    b.lo = <uint64_t>0xF7FDFF7FDFF7FDFF
    b.hi = <uint64_t>0x1FF7FDF
    return b


cdef inline Bitboard padded(uint64_t low, uint64_t high) noexcept nogil:
    """The board of 81 bits, bit = cell, of which `high` holds the last 17."""
    cdef uint64_t last_rows = low >> 63 | high << 1
    cdef Bitboard b
    cdef int row
    b.lo = (low >> 54 & 0xF) << 60
    for row in range(6):
        b.lo |= (low >> 9 * row & 0x1FF) << 10 * row
    b.hi = low >> 58 & 0x1F | (last_rows & 0x1FF) << 6 | last_rows >> 9 << 16
    return b


cdef inline bint contains(Bitboard b, int bit) noexcept nogil:
    return ((b.hi if bit & 64 else b.lo) >> (bit & 63)) & 1


cdef inline bint is_empty(Bitboard b) noexcept nogil:
    return (b.lo | b.hi) == 0


cdef inline Bitboard single(int bit) noexcept nogil:
    """The board with one piece; without a branch, which random cells would mispredict."""
    cdef Bitboard b
    cdef uint64_t word = <uint64_t>1 << (bit & 63)
    cdef uint64_t in_hi = 0 - <uint64_t>(bit >> 6)
    b.lo = word & ~in_hi
    b.hi = word & in_hi
    return b


cdef inline void add(Bitboard *b, int bit) noexcept nogil:
    b[0] = union_of(b[0], single(bit))


cdef inline Bitboard union_of(Bitboard a, Bitboard b) noexcept nogil:
    a.lo |= b.lo
    a.hi |= b.hi
    return a


cdef inline Bitboard common(Bitboard a, Bitboard b) noexcept nogil:
    a.lo &= b.lo
    a.hi &= b.hi
    return a


cdef inline Bitboard without(Bitboard a, Bitboard b) noexcept nogil:
    a.lo &= ~b.lo
    a.hi &= ~b.hi
    return a


cdef inline Bitboard shifted_up(Bitboard b, int n) noexcept nogil:
    """Every piece n bits up, 0 < n < 64."""
    b.hi = b.hi << n | b.lo >> (64 - n)
    b.lo <<= n
    return b


cdef inline Bitboard shifted_down(Bitboard b, int n) noexcept nogil:
    """Every piece n bits down, 0 < n < 64."""
    b.lo = b.lo >> n | b.hi << (64 - n)
    b.hi >>= n
    return b


cdef inline uint64_t window_above(Bitboard b, int bit) noexcept nogil:
    """The 64 bits that follow `bit`: bit k - 1 of the result is bit + k."""
    cdef int n = bit & 63
    cdef uint64_t near = b.hi if bit & 64 else b.lo
    cdef uint64_t far = 0 if bit & 64 else b.hi
    return near >> n >> 1 | far << (63 - n)


cdef inline uint64_t window_below(Bitboard b, int bit) noexcept nogil:
    """The 64 bits that precede `bit`: bit 64 - k of the result is bit - k."""
    cdef int n = bit & 63
    cdef uint64_t near = b.hi if bit & 64 else b.lo
    cdef uint64_t far = b.lo if bit & 64 else 0
    return near << (63 - n) << 1 | far >> n


cdef inline int popcount64(uint64_t word) noexcept nogil:
    """Set bits, without the instruction that a generic build may not use."""
    word -= word >> 1 & <uint64_t>0x5555555555555555
    word = (word & <uint64_t>0x3333333333333333) + (word >> 2 & <uint64_t>0x3333333333333333)
    word = (word + (word >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return <int>(word * <uint64_t>0x0101010101010101 >> 56)


cdef inline int popcount(Bitboard b) noexcept nogil:
    return popcount64(b.lo) + popcount64(b.hi)


cdef inline int pop_lowest(Bitboard *b) noexcept nogil:
    """Remove the lowest bit and return it; the board must not be empty."""
    cdef int bit
    if b.lo:
        bit = lowest_bit(b.lo)
        b.lo &= b.lo - 1
        return bit
    bit = lowest_bit(b.hi)
    b.hi &= b.hi - 1
    return bit + 64
