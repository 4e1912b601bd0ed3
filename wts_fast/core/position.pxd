"""The compiled Position, for Cython code that uses its struct."""

from wts_fast.core.rules cimport position_t


cdef class Position:
    cdef position_t state


cdef Position wrap(const position_t *state)
cdef Position of_this_engine(position)
cdef int pick_of(const position_t *p, int player, object cell) except -1
cdef void transform(position_t *p, int symmetry) noexcept nogil
