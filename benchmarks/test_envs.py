"""Each row of `envs.py` is measured."""

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel has no wheels for Python 3.10")

import envs


@pytest.mark.parametrize("name", envs.rows())
def test_steps_are_made(name):
    steps, seconds = envs.rows()[name]()
    assert steps >= 5_000
    assert seconds > 0
