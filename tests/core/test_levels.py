"""The same games at every CPU level of this machine."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import wts_fast
from wts_fast.core.levels import cpu_levels

TESTS = Path(__file__).parent
NAMES = ("baseline", "avx2", "avx512")

DIGEST = """
import hashlib
import random

from wts_fast import Batch, Position, cpu_level, rollout_matrix, rollouts
from wts_fast.crosscheck import constructed_position

rng = random.Random(3)
starts = [Position.from_bytes(constructed_position(rng)[0].to_bytes()) for _ in range(200)]
digest = hashlib.sha256()
for start in (Position(), *starts):
    digest.update(repr(rollouts(start, 1000, rng=1)).encode())
digest.update(rollout_matrix(starts[0], 3, rng=2).tobytes())
batch = Batch.from_positions(starts * 5 + [Position()] * 10_000)
digest.update(batch.random_moves(3).tobytes())
for max_turns in (1, 10, None):
    batch.playout(4, max_turns=max_turns)
    for array in (batch.boards(), batch.turns, batch.outcomes, batch.observe(1)):
        digest.update(array.tobytes())
    digest.update(repr([game.eggs for game in batch]).encode())
print(cpu_level(), digest.hexdigest())
"""


def run_at(level, folder, *arguments):
    """Run Python at a level, in a folder from which it cannot import the source."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "WTS_FAST_CPU_LEVEL": level},
        capture_output=True,
        text=True,
        check=False,
    )


def run_at_each(levels, folder, *arguments):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda level: run_at(level, folder, *arguments), levels))


def test_levels_are_named_the_lowest_first():
    levels = cpu_levels()
    assert levels == NAMES[: len(levels)]
    assert levels[0] == "baseline"
    assert wts_fast.cpu_level() in levels


def test_every_level_plays_the_same_games(tmp_path):
    levels = cpu_levels()
    runs = run_at_each(levels, tmp_path, "-c", DIGEST)
    assert [run.stderr for run in runs] == [""] * len(levels)
    names, digests = zip(*(run.stdout.split() for run in runs), strict=True)
    assert names == levels
    assert set(digests) == {digests[0]}


@pytest.mark.slow
def test_every_other_level_passes_the_tests_of_what_it_computes(tmp_path):
    others = [level for level in cpu_levels() if level != wts_fast.cpu_level()]
    files = [str(TESTS / f"test_{name}.py") for name in ("kernels", "batch", "rollouts")]
    options = ("-q", "-p", "no:cacheprovider", "--color=no")
    for run in run_at_each(others, tmp_path, "-m", "pytest", *options, *files):
        assert run.returncode == 0, run.stdout + run.stderr
        assert " passed" in run.stdout


@pytest.mark.parametrize("level", ["", None])
def test_the_highest_level_runs_unless_another_is_asked_for(tmp_path, level, monkeypatch):
    monkeypatch.delenv("WTS_FAST_CPU_LEVEL", raising=False)
    script = "import wts_fast; print(wts_fast.cpu_level())"
    environment = {} if level is None else {"WTS_FAST_CPU_LEVEL": level}
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr) == (f"{cpu_levels()[-1]}\n", "")


@pytest.mark.parametrize("level", ["sse9", "AVX2", "baseline ", *NAMES[len(cpu_levels()) :]])
def test_a_level_that_the_machine_lacks_is_an_import_error(tmp_path, level):
    run = run_at(level, tmp_path, "-c", "import wts_fast")
    message = f"WTS_FAST_CPU_LEVEL is {level!r}: this machine has {', '.join(cpu_levels())}"
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1] == f"ImportError: {message}"
