"""The compiled core: which modules, from what, with which flags.

Environment variables change the build:

WTS_FAST_DEBUG=1            bounds checks, C assertions, no optimisation, debug symbols
WTS_FAST_SANITIZE=LIST      instrument with -fsanitize=LIST (gcc, clang)
WTS_FAST_WERROR=1           warnings of Cython and of the C compiler are errors
WTS_FAST_PLAIN=1            kernels on plain words of 64 bits, as for compilers without vectors
"""

import os
import subprocess
import sys
import sysconfig

from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup

DEBUG = os.environ.get("WTS_FAST_DEBUG") == "1"
SANITIZE = os.environ.get("WTS_FAST_SANITIZE", "")
WERROR = os.environ.get("WTS_FAST_WERROR") == "1"
PLAIN = os.environ.get("WTS_FAST_PLAIN") == "1"
MSVC = sys.platform == "win32"

# A folder for each kind of build: what is up to date in one is not in another.
BUILD = os.path.join(
    "build", "debug" if DEBUG else "release", "werror" * WERROR, "plain" * PLAIN, SANITIZE
)

MODULES = {
    "wts_fast.core.batch": "src/batch/batch.pyx",
    "wts_fast.core.kernel_baseline": "src/batch/kernel/baseline.pyx",
    "wts_fast.core.levels": "src/batch/kernel/levels.pyx",
    "wts_fast.core.matrix": "src/search/matrix.pyx",
    "wts_fast.core.outcomes": "src/position/outcomes.pyx",
    "wts_fast.core.position": "src/position/position.pyx",
    "wts_fast.core.rollout": "src/batch/rollout.pyx",
}

# What each CPU level adds to the flags: the width of its vectors, and its instructions.
LEVELS = {"wts_fast.core.kernel_baseline": ["-DWTS_VECTOR_BYTES=16"]}
X86_LEVELS = {
    "wts_fast.core.kernel_avx2": ["-DWTS_VECTOR_BYTES=32", "-mavx2", "-mbmi", "-mbmi2"],
    "wts_fast.core.kernel_avx512": [
        "-DWTS_VECTOR_BYTES=64",
        "-mavx512f",
        "-mbmi",
        "-mbmi2",
        "-mavx512bw",
        "-mavx512dq",
        "-mavx512vl",
    ],
}
MACROS = []
if sysconfig.get_platform().endswith("x86_64") and not PLAIN:
    LEVELS |= X86_LEVELS
    MODULES |= {name: f"src/batch/kernel/{name.rpartition('_')[2]}.pyx" for name in X86_LEVELS}
    MACROS = [("WTS_X86_LEVELS", "1")]

DIRECTIVES = {
    "language_level": 3,
    "binding": False,  # cheaper calls; signatures come from embedsignature
    "embedsignature": True,
    "embedsignature.format": "clinic",
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": True,
    "freethreading_compatible": True,
}


def is_gcc():
    """Whether the C compiler is GCC; clang answers to its name on some systems."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or ""
    try:
        answer = subprocess.run([*command.split(), "--version"], capture_output=True, text=True)
    except OSError:
        return False
    return "Free Software Foundation" in answer.stdout


def kernel_flags(name):
    """Flags of a CPU level; GCC otherwise makes long loops over planes spill registers."""
    if MSVC or PLAIN or name not in LEVELS:
        return []
    spare_registers = ["-fno-predictive-commoning", "--param=tree-reassoc-width=1"]
    return LEVELS[name] + (spare_registers if is_gcc() else [])


def compile_flags():
    if MSVC:
        return (["/Od", "/Zi"] if DEBUG else ["/O2"]) + ["/W3", "/WX"] * WERROR
    flags = ["-O0", "-g", "-UNDEBUG"] if DEBUG else ["-O3"]
    if SANITIZE:
        flags += ["-g", "-fno-omit-frame-pointer", f"-fsanitize={SANITIZE}"]
    elif not DEBUG and "CFLAGS" not in os.environ:
        flags += ["-g0"]  # the flags that Python was built with may ask for debug symbols
    if WERROR:
        flags += ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    return flags


Options.warning_errors = WERROR

setup(
    ext_modules=cythonize(
        [
            Extension(
                name,
                [source],
                define_macros=MACROS,
                extra_compile_args=compile_flags() + kernel_flags(name),
                extra_link_args=[f"-fsanitize={SANITIZE}"] if SANITIZE else [],
            )
            for name, source in MODULES.items()
        ],
        include_path=[".", "src"],
        build_dir=BUILD,
        compiler_directives=DIRECTIVES,
    ),
    options={"build": {"build_base": BUILD}, "build_ext": {"parallel": os.cpu_count()}},
)
