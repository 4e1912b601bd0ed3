"""The compiled core: which modules, from what, with which flags.

Three environment variables change the build:

WTS_FAST_DEBUG=1            bounds checks, C assertions, no optimisation, debug symbols
WTS_FAST_SANITIZE=LIST      instrument with -fsanitize=LIST (gcc, clang)
WTS_FAST_WERROR=1           warnings of Cython and of the C compiler are errors
"""

import os
import sys

from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup

DEBUG = os.environ.get("WTS_FAST_DEBUG") == "1"
SANITIZE = os.environ.get("WTS_FAST_SANITIZE", "")
WERROR = os.environ.get("WTS_FAST_WERROR") == "1"
MSVC = sys.platform == "win32"

# A folder for each kind of build: what is up to date in one is not in another.
BUILD = os.path.join("build", "debug" if DEBUG else "release", "werror" * WERROR, SANITIZE)

MODULES = {
    "wts_fast._outcomes": "src/outcomes.pyx",
    "wts_fast._position": "src/position.pyx",
    "wts_fast._rollout": "src/rollout.pyx",
}

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
                extra_compile_args=compile_flags(),
                extra_link_args=[f"-fsanitize={SANITIZE}"] if SANITIZE else [],
            )
            for name, source in MODULES.items()
        ],
        include_path=[".", "src"],
        build_dir=BUILD,
        compiler_directives=DIRECTIVES,
    ),
    options={"build": {"build_base": BUILD}},
)
