"""Builds by C compilers that lack something.

They need Cython, a C compiler and some time, so they run only where they are named:

    pytest tests/core/check_build.py
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WITHOUT_HEADERS = """
import runpy, sys, sysconfig
sysconfig.get_path = lambda name, *rest: "/nowhere"
sys.argv = ["setup.py", "build_ext"]
runpy.run_path("setup.py", run_name="__main__")
"""


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A copy of what is built, as the current folder."""
    kept = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    for folder in ("src", "wts_fast"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=kept)
    for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def wrapper(folder, refused):
    """Return a C compiler that does not know the option."""
    path = folder / "cc"
    path.write_text(
        "#!/bin/sh\n"
        f'for option in "$@"; do test "$option" = "{refused}" && exit 1; done\n'
        f'exec {os.environ.get("CC") or sysconfig.get_config_var("CC")} "$@"\n'
    )
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(
    not sysconfig.get_platform().endswith("x86_64"), reason="other machines have one CPU level"
)
def test_a_level_whose_flags_the_compiler_refuses_is_left_out(source):
    build = run(
        "setup.py", "build_ext", "--inplace", CC=wrapper(source, "-mavx512bw"), CFLAGS="-O0"
    )
    assert build.returncode == 0, build.stderr
    assert "CPU level avx512 is left out: the C compiler refuses " in build.stdout
    assert "avx2 is left out" not in build.stdout
    built = {path.name.partition(".")[0] for path in source.glob("wts_fast/core/kernel_*.so")}
    assert built == {"kernel_baseline", "kernel_avx2"}
    levels = run("-c", "from wts_fast.core.levels import cpu_levels; print(*cpu_levels())")
    assert levels.stdout.split()[:1] == ["baseline"]
    assert "avx512" not in levels.stdout


def test_a_build_without_a_compiler_says_what_to_install(source):
    build = run("setup.py", "build_ext", CC=str(source / "missing"))
    assert build.returncode == 1
    assert "error: wts-fast needs a C compiler, and there is none: install one" in build.stderr
    assert "Traceback" not in build.stderr


def test_a_build_without_headers_says_what_to_install(source):
    build = run("-c", WITHOUT_HEADERS, CC=wrapper(source, "-c"))
    assert build.returncode == 1
    assert "wts-fast needs Python's headers, and /nowhere has no Python.h" in build.stderr
    assert "Traceback" not in build.stderr
