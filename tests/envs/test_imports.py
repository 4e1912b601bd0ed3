"""What importing the package imports."""

import subprocess
import sys


def test_importing_the_package_imports_no_library_of_the_environments(tmp_path):
    code = (
        "import sys, wts_fast, wts_fast.players, wts_fast.arena, wts_fast.envs;"
        "print(sorted({'pettingzoo', 'gymnasium', 'pyspiel', 'open_spiel'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"
