"""Ctrl-C stops every native loop."""

import signal
import threading

import pytest

from wts_fast import Position, cli, perft, rollouts


@pytest.fixture(autouse=True)
def ctrl_c():
    """Press Ctrl-C once, as soon as the test is well on its way."""
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    yield
    timer.join()


def test_perft_stops():
    with pytest.raises(KeyboardInterrupt):
        perft(Position(), 4)  # some 10**15 turns


def test_rollouts_stop():
    with pytest.raises(KeyboardInterrupt):
        rollouts(Position(), 10**12)


def test_the_command_stops_with_its_exit_code(capsys):
    assert cli.main(["perft", "4"]) == 130
    assert capsys.readouterr().err == "wts-fast: stopped\n"
