"""Ctrl-C stops every native loop."""

import signal
import threading

import pytest

from wts_fast import Batch, Position, cli, perft, rollout_matrix, rollouts


@pytest.fixture(autouse=True)
def ctrl_c():
    """Press Ctrl-C once, soon after the test asks for it.

    Python ignores the signal where its parent does, as for a command in the background.
    """
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers = []

    def press(after=0.3):
        timers.append(threading.Timer(after, signal.raise_signal, (signal.SIGINT,)))
        timers[-1].start()

    yield press
    for timer in timers:
        timer.join()
    signal.signal(signal.SIGINT, handler)


def test_perft_stops(ctrl_c):
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()
        perft(Position(), 4)  # some 10**15 turns


def test_perft_stops_at_its_greatest_depth(ctrl_c):
    """Of two empty cells the turns lead back to two empty cells (R8), however deep."""
    start = Position.from_string(
        "bwwbwwwbb/wwbbwbwbb/wbbbwwwwb/bwwbwbbww/bbw2bwbw/wwwbbbwwb/bbwwbwbwb/bwbwwbwww/wbwbwwbbb"
        " - 0"
    )
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()
        perft(start, 255)


def test_rollouts_stop(ctrl_c):
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()
        rollouts(Position(), 10**12)


def test_rollouts_in_threads_stop(ctrl_c):
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()
        rollouts(Position(), 10**12, threads=3)


def test_rollouts_stop_whose_threads_are_still_starting(ctrl_c):
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()
        rollouts(Position(), 10**15, threads=64)


def test_a_rollout_matrix_stops(ctrl_c):
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()
        rollout_matrix(Position(), 10**9, threads=2)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_playout_stops_between_turns(ctrl_c, threads):
    batch = Batch(2**19)  # some 0.2 s
    with pytest.raises(KeyboardInterrupt):
        ctrl_c(after=0.02)
        batch.playout(1, threads=threads)
    assert not batch.outcomes.all()
    batch.play(*batch.random_moves(1))


def test_the_command_stops_with_its_exit_code(ctrl_c, capsys):
    ctrl_c()
    assert cli.main(["perft", "4"]) == 130
    assert capsys.readouterr().err == "wts-fast: stopped\n"
