"""The bytes of a position, which `Position.to_bytes` documents."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from wts_fast.core.bitboard cimport Bitboard, bit_of, common, contains, is_empty, padded
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    WHITE_SIDE,
    empty_cells,
    lay_egg,
    position_t,
    settle,
)


cdef enum:
    VERSION = 1
    HEADER_BYTES = 27  # what stands before the eggs


cdef inline void write_header(uint8_t *data, uint32_t turn) noexcept nogil:
    """Write what stands before the turtles."""
    cdef int i
    data[0] = VERSION
    for i in range(4):
        data[1 + i] = <uint8_t>(turn >> 8 * i)


cdef inline bint read_turtles(const uint8_t *mask, Bitboard *turtles) noexcept nogil:
    """Read a mask of 11 bytes, bit = cell; returns whether it has no other bits."""
    cdef uint64_t low = 0, high = 0
    cdef int i
    for i in range(8):
        low |= <uint64_t>mask[i] << 8 * i
    for i in range(3):
        high |= <uint64_t>mask[8 + i] << 8 * i
    turtles[0] = padded(low, high)
    return mask[10] >> 1 == 0


cdef inline bint read_eggs(const uint8_t *cells, Py_ssize_t count, position_t *p) noexcept nogil:
    """Read the cells of the eggs, oldest first; returns whether all were empty until then."""
    cdef Py_ssize_t i
    for i in range(count):
        if cells[i] > 80 or not contains(empty_cells(p), bit_of(cells[i])):
            return False
        lay_egg(p, bit_of(cells[i]))
    return True


cdef inline bint read_encoding(
    const uint8_t *data, Py_ssize_t egg_count, position_t *p
) noexcept nogil:
    """Read a position with so many eggs; returns whether it is well-formed."""
    memset(p, 0, sizeof(position_t))
    if (
        data[0] != VERSION
        or not read_turtles(data + 5, &p.turtles[BLACK_SIDE])
        or not read_turtles(data + 16, &p.turtles[WHITE_SIDE])
        or not is_empty(common(p.turtles[BLACK_SIDE], p.turtles[WHITE_SIDE]))
        or not read_eggs(data + HEADER_BYTES, egg_count, p)
    ):
        return False
    p.turn = data[1] | data[2] << 8 | data[3] << 16 | <uint32_t>data[4] << 24
    settle(p)
    return True
