"""Arrays that callers may bring for results."""

from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS,
    PyBUF_FORMAT,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.string cimport strcmp


cdef inline bint has_shape(const Py_buffer *view, tuple shape):
    cdef Py_ssize_t i
    if view.ndim != len(shape):
        return False
    for i in range(view.ndim):
        if view.shape[i] != <Py_ssize_t>shape[i]:
            return False
    return True


cdef inline int open_array(object out, Py_buffer *view, dtype, tuple shape) except -1:
    """Open an array to write to; the caller is to release the view.

    Raises ValueError where `out` is not a writable, C-contiguous array of this NumPy dtype
    and shape.
    """
    cdef bint fits = False
    try:
        PyObject_GetBuffer(out, view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)
    except (BufferError, TypeError, ValueError):
        pass
    else:
        fits = strcmp(view.format, dtype.char.encode()) == 0 and has_shape(view, shape)
        if not fits:
            PyBuffer_Release(view)
    if not fits:
        raise ValueError(f"out must be a writable, C-contiguous {dtype} array of shape {shape}")
    return 0
