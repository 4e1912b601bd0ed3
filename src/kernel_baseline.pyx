include "kernel.pxi"
