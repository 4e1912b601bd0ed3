"""The CPU levels, and the choice of the kernel at import."""

import os

from wts_fast.core import kernel_baseline


cdef extern from * nogil:
    """
    #ifdef WTS_AVX2
    static int wts_has_avx2(void)
    {
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
            && __builtin_cpu_supports("bmi2");
    }
    #else
    static int wts_has_avx2(void) { return 0; }
    #endif
    #ifdef WTS_AVX512
    static int wts_has_avx512(void)
    {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
            && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    }
    #else
    static int wts_has_avx512(void) { return 0; }
    #endif
    """
    bint has_avx2 "wts_has_avx2" ()
    bint has_avx512 "wts_has_avx512" ()


VARIABLE = "WTS_FAST_CPU_LEVEL"


def cpu_levels():
    """Return the names of the CPU levels that are built and that this machine can run.

    The lowest comes first.
    """
    levels = ["baseline"]
    if has_avx2():
        levels.append("avx2")
    if has_avx512():
        levels.append("avx512")
    return tuple(levels)


def cpu_level():
    """Return the name of the CPU level that runs: `"baseline"`, `"avx2"` or `"avx512"`.

    It is the highest that the machine supports, or the value of the environment variable
    `WTS_FAST_CPU_LEVEL` at import. Results are the same at all levels.

    A level is missing where the package was built by a C compiler that does not know its
    instructions; the build log says so. Wheels have all levels of their platform.
    """
    return _level


def _chosen():
    wanted = os.environ.get(VARIABLE, "")
    levels = cpu_levels()
    if not wanted:
        return levels[len(levels) - 1]
    if wanted not in levels:
        raise ImportError(f"{VARIABLE} is {wanted!r}: this machine has {', '.join(levels)}")
    return wanted


_level = _chosen()
if _level == "avx512":
    from wts_fast.core import kernel_avx512 as _module
elif _level == "avx2":
    from wts_fast.core import kernel_avx2 as _module
else:
    _module = kernel_baseline

kernel = _module.kernel
