"""The examples of the environments run, at a small size, and learn."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "rounds", "share"), [("learn_by_self_play", 20, 90), ("learn_in_pettingzoo", 10, 70)]
)
def test_a_learner_beats_the_random_player(tmp_path, name, rounds, share):
    command = [sys.executable, EXAMPLES / f"{name}.py", "--rounds", str(rounds)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    won = re.search(r"won against the random player: ([\d.]+)%$", run.stdout, re.MULTILINE)
    assert float(won[1]) > share
