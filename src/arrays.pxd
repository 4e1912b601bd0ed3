"""Arrays for results, which callers may bring."""

from cpython.memoryview cimport PyMemoryView_GET_BUFFER


cdef inline object array_for(out, dtype, tuple shape):
    """Return `out`, or a new array of this dtype and shape where it is None."""
    if out is None:
        import numpy  # a header has no names of its own

        out = numpy.empty(shape, dtype=dtype)
    return out


cdef inline object opened(out, dtype, tuple shape):
    """Return a memoryview of `out`, whose memory stays where it is as long as the view lives.

    Raises ValueError where `out` is not a writable, C-contiguous array of this NumPy dtype
    and shape.
    """
    try:
        view = memoryview(out)
    except (BufferError, TypeError, ValueError):
        view = None
    if (
        view is None
        or view.readonly
        or not view.c_contiguous
        or view.format != dtype.char
        or view.shape != shape
    ):
        raise ValueError(f"out must be a writable, C-contiguous {dtype} array of shape {shape}")
    return view


cdef inline void *memory_of(view) noexcept:
    return PyMemoryView_GET_BUFFER(view).buf
