"""Positions between threads and between processes."""

import multiprocessing
import random
from copy import copy
from operator import attrgetter, methodcaller

from wts_fast import Position, perft, rollouts
from wts_fast.reference import Position as ReferencePosition


def random_game(start, seed):
    """Return the positions of a random game."""
    rng = random.Random(seed)
    positions = [start]
    while not positions[-1].is_over:
        moves = positions[-1].legal_moves()
        positions.append(positions[-1].play(rng.choice(moves), rng.choice(moves)))
    return positions


def test_eight_threads_share_positions(engine, eight_at_once):
    """All threads read and play from the same positions, with the results of one thread."""
    shared = [position for seed in range(3) for position in random_game(engine.Position(), seed)]

    def look(position):
        moves = position.legal_moves()
        return (
            str(position),
            position.key,
            hash(position),
            position.to_bytes(),
            position.canonical()[1:],
            [position.play(cell, moves[0]).key for cell in moves[:5]],
        )

    expected = [look(position) for position in shared]
    found = eight_at_once(lambda number: [look(position) for position in shared])
    assert found == [expected] * 8


def test_eight_threads_run_native_loops_at_once(eight_at_once):
    start = Position.from_cells(["e5"], ["d5"])

    def work(number):
        return rollouts(start, 500, rng=1), perft(start, 1)

    assert eight_at_once(work) == [work(0)] * 8


def test_positions_travel_to_spawned_processes():
    positions = [*random_game(Position(), 1), *random_game(ReferencePosition(), 2)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for look in (type, str, attrgetter("key"), methodcaller("legal_moves")):
            assert pool.map(look, positions) == list(map(look, positions))
        # There and back: what the process was sent is what it sends.
        assert pool.map(copy, positions) == positions
