"""The core's tables belong to one interpreter, so a second one is refused with an error message."""

import subprocess
import sys

MODULE = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"

SCRIPT = f"""
import {MODULE} as interpreters
import wts_fast

second = interpreters.create()
interpreters.run_string(second, '''
try:
    import wts_fast
except ImportError as error:
    print(error, flush=True)
''')
interpreters.destroy(second)
wts_fast.Position().play("e5", "a1")
"""


def test_second_interpreter_is_refused(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert run.returncode == 0
    if sys.version_info >= (3, 12):
        assert "does not support loading in subinterpreters" in run.stdout
    else:
        assert "can only be loaded into one interpreter per process" in run.stdout
