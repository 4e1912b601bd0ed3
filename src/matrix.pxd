"""Matrices of all joint moves, in arrays that callers may bring."""

from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS,
    PyBUF_FORMAT,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.string cimport strcmp


cdef inline int open_matrix(object out, Py_buffer *view, const char *code, dtype) except -1:
    """Open an array of shape (81, 81) to write to; the caller is to release the view.

    Raises ValueError where `out` is no such array, or none of this type code.
    """
    cdef bint fits = False
    try:
        PyObject_GetBuffer(out, view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)
    except (BufferError, TypeError, ValueError):
        pass
    else:
        fits = (
            view.ndim == 2
            and view.shape[0] == 81
            and view.shape[1] == 81
            and strcmp(view.format, code) == 0
        )
        if not fits:
            PyBuffer_Release(view)
    if not fits:
        raise ValueError(f"out must be a writable, C-contiguous {dtype} array of shape (81, 81)")
    return 0
