"""Ctrl-C stops every native loop."""

import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from wts_fast import Batch, Position, perft, rollout_matrix, rollouts, solve
from wts_fast.cli.main import main


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


@pytest.fixture
def alarm():
    """Call something in a signal handler, soon after the test asks for it."""
    previous = signal.getsignal(signal.SIGINT)
    timers = []

    def start(action):
        signal.signal(signal.SIGINT, lambda number, frame: action())
        timers.append(threading.Timer(0.02, signal.raise_signal, (signal.SIGINT,)))
        timers[0].start()

    yield start
    timers[0].join()
    signal.signal(signal.SIGINT, previous)


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


@pytest.mark.parametrize("side", [3, 300])
def test_a_matrix_game_stops(ctrl_c, side):
    matrix = np.random.default_rng(1).uniform(-1, 1, (side, side)) + np.eye(side)
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()
        solve(matrix, gap=0, max_iterations=2**31 - 1)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_playout_stops_and_leaves_the_batch_as_it_was(ctrl_c, threads):
    batch = Batch(2**19)  # some 0.2 s
    batch.play(*batch.random_moves(1))
    boards = batch.boards()
    with pytest.raises(KeyboardInterrupt):
        ctrl_c(after=0.02)
        batch.playout(1, threads=threads)
    assert (batch.turns == 1).all()
    np.testing.assert_array_equal(batch.boards(), boards)


PRESSED_OFTEN = """
import signal, sys, threading, time
import numpy as np
from wts_fast import Batch, Position, rollout_matrix

def interrupt(number, frame):
    while frame:
        if frame.f_code.co_name == "in_shares":
            raise KeyboardInterrupt
        frame = frame.f_back

def press():
    for _ in range(8):
        time.sleep(0.004)
        signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, interrupt)
batch = Batch(2**17)
before = batch.boards()
stopped = 0
for work in (lambda: batch.playout(1, threads=4), lambda: rollout_matrix(Position(), 10**8, threads=4)):
    for _ in range(4):
        presser = threading.Thread(target=press)
        try:
            presser.start()
            work()
        except KeyboardInterrupt:
            stopped += 1
        presser.join()
        assert (batch.boards() == before).all()
time.sleep(0.1)
assert (batch.boards() == before).all()
print("stopped", stopped)
"""


def test_ctrl_c_pressed_again_while_threads_end_does_no_harm(tmp_path):
    """In another folder, where Python finds the installed package and not this source."""
    command = [sys.executable, "-c", PRESSED_OFTEN]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "stopped 8\n")


def test_a_signal_handler_that_changes_a_batch_stops_its_playout(alarm):
    batch = Batch(2**18)
    alarm(batch.reset)
    with pytest.raises(RuntimeError, match="changed by a signal handler during playout"):
        batch.playout(1, threads=2)
    assert not batch.turns.any()


def test_the_command_stops_with_its_exit_code(ctrl_c, capsys):
    ctrl_c()
    assert main(["perft", "4"]) == 130
    assert capsys.readouterr().err == "wts-fast: stopped\n"
