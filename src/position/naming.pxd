"""Sets the name of a type, by whose module pickles find it."""


cdef extern from *:
    """
    static void wts_name_type(PyObject *type, const char *name)
    {
        ((PyTypeObject *)type)->tp_name = name;
    }
    """
    # Cython names types after their modules, which are private and may move.
    void name_type "wts_name_type" (object type, const char *name)
