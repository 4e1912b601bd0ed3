# The CPU levels, and which of their kernels runs.

kernel: object

# "baseline", "avx2" or "avx512"; WTS_FAST_CPU_LEVEL chooses a lower one at import.
def cpu_level() -> str: ...

# The levels that this machine can run, the lowest first.
def cpu_levels() -> tuple[str, ...]: ...
