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
import tempfile

from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("WTS_FAST_DEBUG") == "1"
SANITIZE = os.environ.get("WTS_FAST_SANITIZE", "")
WERROR = os.environ.get("WTS_FAST_WERROR") == "1"
PLAIN = os.environ.get("WTS_FAST_PLAIN") == "1"
MSVC = sys.platform == "win32"

MODULES = {
    "wts_fast.core.batch": "src/batch/batch.pyx",
    "wts_fast.core.features": "src/search/features.pyx",
    "wts_fast.core.kernel_baseline": "src/batch/kernel/baseline.pyx",
    "wts_fast.core.levels": "src/batch/kernel/levels.pyx",
    "wts_fast.core.matrix": "src/search/matrix.pyx",
    "wts_fast.core.outcomes": "src/position/outcomes.pyx",
    "wts_fast.core.position": "src/position/position.pyx",
    "wts_fast.core.rollout": "src/batch/rollout.pyx",
    "wts_fast.core.search": "src/search/search.pyx",
}

# What each CPU level adds to the flags: the width of its vectors, and its instructions.
LEVELS = {"wts_fast.core.kernel_baseline": ["-DWTS_VECTOR_BYTES=16"]}
X86_LEVELS = {
    "avx2": ["-DWTS_VECTOR_BYTES=32", "-mavx2", "-mbmi", "-mbmi2"],
    "avx512": [
        "-DWTS_VECTOR_BYTES=64",
        "-mavx512f",
        "-mbmi",
        "-mbmi2",
        "-mavx512bw",
        "-mavx512dq",
        "-mavx512vl",
    ],
}


def compiler(*arguments):
    """Run the C compiler; None where there is none."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    try:
        return subprocess.run([*command.split(), *arguments], capture_output=True, text=True)
    except OSError:
        return None


def is_gcc():
    """Whether the C compiler is GCC; clang answers to its name on some systems."""
    answer = compiler("--version")
    return answer is not None and "Free Software Foundation" in answer.stdout


def takes(flags):
    """Whether the C compiler knows these flags."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "empty.c")
        with open(source, "w") as file:
            file.write("typedef int empty;\n")
        answer = compiler(*flags, "-c", source, "-o", os.path.join(folder, "empty.o"))
    return answer is not None and answer.returncode == 0


MACROS = []
LEFT_OUT = []
if sysconfig.get_platform().endswith("x86_64") and not PLAIN:
    for level, flags in X86_LEVELS.items():
        if takes(flags):
            LEVELS[f"wts_fast.core.kernel_{level}"] = flags
            MODULES[f"wts_fast.core.kernel_{level}"] = f"src/batch/kernel/{level}.pyx"
            MACROS.append((f"WTS_{level.upper()}", "1"))
        else:
            LEFT_OUT.append(level)
            print(f"CPU level {level} is left out: the C compiler refuses {' '.join(flags)}")

# A folder for each kind of build: what is up to date in one is not in another.
BUILD = os.path.join(
    "build",
    "debug" if DEBUG else "release",
    "werror" * WERROR,
    "plain" * PLAIN,
    SANITIZE,
    *(f"without-{level}" for level in LEFT_OUT),
)

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


def what_to_install():
    """Return a sentence that says what the build lacks, or None."""
    include = sysconfig.get_path("include")
    if MSVC:
        return None  # setuptools says where to get Visual Studio's tools
    if compiler("--version") is None:
        return (
            "wts-fast needs a C compiler, and there is none: install one (Debian and Ubuntu: "
            "apt install build-essential; Fedora: dnf install gcc; macOS: xcode-select --install)"
        )
    if not os.path.exists(os.path.join(include, "Python.h")):
        return (
            f"wts-fast needs Python's headers, and {include} has no Python.h: install them "
            "(Debian and Ubuntu: apt install python3-dev; Fedora: dnf install python3-devel)"
        )
    return None


class BuildExt(build_ext):
    """Builds the core; a failure for lack of a tool says what to install."""

    def run(self):
        try:
            super().run()
        except Exception:
            advice = what_to_install()
            if advice is not None:
                raise SystemExit(f"error: {advice}") from None
            raise


def own_header_changed():
    """Whether position.pxd is newer than the C made with it: Cython looks beside the .pyx only."""
    made = os.path.join(BUILD, "src", "position", "position.c")
    header = os.path.join("wts_fast", "core", "position.pxd")
    return os.path.exists(made) and os.path.getmtime(made) < os.path.getmtime(header)


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
        force=own_header_changed(),
        compiler_directives=DIRECTIVES,
    ),
    cmdclass={"build_ext": BuildExt},
    options={"build": {"build_base": BUILD}, "build_ext": {"parallel": os.cpu_count()}},
)
