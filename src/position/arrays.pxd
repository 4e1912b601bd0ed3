"""Arrays for results, which callers may pass as `out=`."""

from cpython.memoryview cimport PyMemoryView_GET_BUFFER


cdef inline object array_for(out, dtype, tuple shape):
    """Return `out`, or a new array of this dtype and shape if it is None."""
    if out is None:
        import numpy  # a header has no names of its own

        out = numpy.empty(shape, dtype=dtype)
    return out


cdef inline str unfit(out, view, dtype, tuple shape):
    """Return what is wrong with an array, or None."""
    if view is None:
        return f"a {type(out).__name__}"
    if view.format != dtype.char:
        return f"of {getattr(out, 'dtype', view.format)}"
    if view.shape != shape:
        return f"of shape {view.shape}"
    if not view.c_contiguous:
        return "not C-contiguous"
    return "read-only" if view.readonly else None


cdef inline object opened(out, dtype, tuple shape):
    """Return a memoryview of `out`: while it exists, NumPy refuses to resize the array.

    Raises ValueError if `out` is not a writable, C-contiguous array of this NumPy dtype
    and shape.
    """
    try:
        view = memoryview(out)
    except (BufferError, TypeError, ValueError):
        view = None
    wrong = unfit(out, view, dtype, shape)
    if wrong is not None:
        raise ValueError(
            f"out is {wrong}: expected a writable, C-contiguous {dtype} array of shape {shape}"
        )
    return view


cdef inline void *memory_of(view) noexcept:
    return PyMemoryView_GET_BUFFER(view).buf
