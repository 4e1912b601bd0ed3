"""The speed of solve, by pytest-benchmark: `pytest benchmarks`."""

import numpy as np
import pytest

from wts_fast import solve


@pytest.fixture(params=[20, 81])
def size(request):
    return request.param


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_solve_uniform(benchmark, rng, size):
    benchmark(solve, rng.uniform(-1, 1, (size, size)))


def test_solve_wins_and_losses(benchmark, rng, size):
    benchmark(solve, rng.integers(-1, 2, (size, size)))


def test_solve_a_saddle_point(benchmark, rng, size):
    benchmark(solve, np.add.outer(rng.uniform(-1, 1, size), rng.uniform(-1, 1, size)))
