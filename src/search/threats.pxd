"""Cells on which a turtle completes a five, or captures."""

from wts_fast.core.bitboard cimport Bitboard, common, shifted_down, shifted_up, union_of
from wts_fast.core.rules cimport (
    DOWN,
    DOWN_LEFT,
    DOWN_RIGHT,
    RIGHT,
    empty_cells,
    position_t,
)


cdef inline Bitboard completing_along(Bitboard own, int step) noexcept nogil:
    """W2: where four others of a five along `step` stand, occupied cells too.

    No five wraps round an edge: of its five cells one would be on the padding column, where no
    turtle stands, and which is no empty cell either.
    """
    cdef Bitboard above = shifted_down(own, step)
    cdef Bitboard twos = common(own, above)
    cdef Bitboard threes = common(twos, shifted_down(own, 2 * step))
    cdef Bitboard fours = common(twos, shifted_down(twos, 2 * step))
    cdef Bitboard ends = union_of(shifted_down(fours, step), shifted_up(fours, 4 * step))
    cdef Bitboard second = common(shifted_down(threes, step), shifted_up(own, step))
    cdef Bitboard fourth = common(shifted_up(threes, 3 * step), above)
    cdef Bitboard middle = common(shifted_down(twos, step), shifted_up(twos, 2 * step))
    return union_of(ends, union_of(middle, union_of(second, fourth)))


cdef inline Bitboard winning_cells_of(const position_t *p, int side) noexcept nogil:
    """The empty cells on which a turtle of a side completes a five, if nothing is captured."""
    cdef Bitboard own = p.turtles[side]
    return common(
        empty_cells(p),
        union_of(
            union_of(completing_along(own, RIGHT), completing_along(own, DOWN_LEFT)),
            union_of(completing_along(own, DOWN), completing_along(own, DOWN_RIGHT)),
        ),
    )


cdef inline Bitboard trapping_along(Bitboard own, Bitboard enemy, int step) noexcept nogil:
    """C1, C3: where two enemy pieces, then an own turtle, follow at `step` or -`step`."""
    cdef Bitboard twos = common(enemy, shifted_down(enemy, step))
    cdef Bitboard ahead = common(shifted_down(twos, step), shifted_down(own, 3 * step))
    cdef Bitboard behind = common(shifted_up(twos, 2 * step), shifted_up(own, 3 * step))
    return union_of(ahead, behind)


cdef inline Bitboard capture_cells_of(const position_t *p, int side) noexcept nogil:
    """C1, C2: the empty cells on which a turtle of a side captures, whatever the other picks."""
    cdef Bitboard own = p.turtles[side], enemy = union_of(p.turtles[1 - side], p.eggs)
    return common(
        empty_cells(p),
        union_of(
            union_of(trapping_along(own, enemy, RIGHT), trapping_along(own, enemy, DOWN_LEFT)),
            union_of(trapping_along(own, enemy, DOWN), trapping_along(own, enemy, DOWN_RIGHT)),
        ),
    )
