"""Both engines on the same work, by pytest-benchmark: `pytest benchmarks`.

Wall-clock statistics for comparing two versions of the code (`--benchmark-compare`); the
figures in the README are CPU times, from `wts-fast bench`.
"""

import copy
import random

import pytest

import wts_fast
from wts_fast import reference

TEXT = "w3b4/2wb2w2/1b2w1b2/4b4/2bw5/1w3e3/3b2w2/2w3b2/b5w2 f6 12"
NEAR_FULL = (
    "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwb3 - 0"
)


@pytest.fixture(params=["core", "reference"])
def engine(request):
    return wts_fast if request.param == "core" else reference


@pytest.fixture
def position(engine):
    return engine.Position.from_string(TEXT)


def test_play(benchmark, position):
    benchmark(position.play, 40, 41)


def test_legal_moves(benchmark, position):
    benchmark(position.legal_moves)


def test_key(benchmark, position):
    benchmark(lambda: position.key)


def test_canonical(benchmark, position):
    benchmark(position.canonical)


def test_construct_from_cells(benchmark, engine):
    black, white, eggs = [4, 12, 19, 24], [0, 11, 15, 22], [50, 41]
    benchmark(engine.Position.from_cells, black, white, eggs)


def test_copy(benchmark, position):
    benchmark(copy.copy, position)


def test_to_string(benchmark, position):
    benchmark(str, position)


def test_from_string(benchmark, engine):
    benchmark(engine.Position.from_string, TEXT)


def test_to_bytes(benchmark, position):
    benchmark(position.to_bytes)


def test_random_game_driven_from_python(benchmark, engine):
    def play(seed=1):
        rng = random.Random(seed)
        position = engine.Position()
        while not position.is_over:
            moves = position.legal_moves()
            position = position.play(rng.choice(moves), rng.choice(moves))
        return position

    benchmark(play)


def test_perft_near_full(benchmark, engine):
    benchmark(engine.perft, engine.Position.from_string(NEAR_FULL), 3)


def test_perft_2_from_the_empty_board(benchmark):
    benchmark.pedantic(wts_fast.perft, (wts_fast.Position(), 2), rounds=3)


def test_native_random_games(benchmark):
    benchmark.pedantic(wts_fast.rollouts, (wts_fast.Position(), 10_000), {"rng": 1}, rounds=10)
