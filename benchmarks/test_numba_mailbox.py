"""The numba mailbox against the reference, turn by turn."""

import random

import numba_mailbox
import numpy as np
import pytest

from wts_fast import crosscheck, reference

CODES = np.array([0, 1, 2, 4], np.uint8)
"""The mailbox's codes of contents, by the codes of wts_fast/types.py."""


class Game:
    """A game of the mailbox, set up as a position of the reference."""

    def __init__(self, position):
        self.board = numba_mailbox.new_board()
        self.board.content[numba_mailbox.PLACES] = CODES[position.to_array().ravel()]
        self.eggs = len(position.eggs)
        self.board.eggs[: self.eggs] = numba_mailbox.PLACES[list(position.eggs)]
        self.empty = numba_mailbox.list_empty(self.board)
        self.stands = position.sudden_death
        self.outcome = position.outcome

    def play(self, *cells):
        listed = self.board.empty[: self.empty].tolist()
        i, j = (listed.index(numba_mailbox.PLACES[cell]) for cell in cells)
        self.empty, self.eggs, self.stands, self.outcome = numba_mailbox.turn(
            self.board, self.empty, self.eggs, self.stands, i, j
        )

    def check(self, position):
        contents = self.board.content[numba_mailbox.PLACES]
        np.testing.assert_array_equal(contents, CODES[position.to_array().ravel()])
        eggs = numba_mailbox.PLACES[list(position.eggs)]
        assert self.board.eggs[: self.eggs].tolist() == eggs.tolist()
        assert self.outcome == position.outcome
        assert self.stands == position.sudden_death or position.is_over
        empty = numba_mailbox.PLACES[[cell for cell in range(81) if position.empty >> cell & 1]]
        assert sorted(self.board.empty[: self.empty].tolist()) == empty.tolist()


def starts():
    """Start positions, each with a turn: the empty board, and constructed ones."""
    rng = random.Random(3)
    for _ in range(100):
        yield reference.Position(), (rng.randrange(81), rng.randrange(81))
    for _ in range(3000):
        position, picks = crosscheck.constructed_position(rng)
        yield reference.Position.from_bytes(position.to_bytes()), picks


def test_it_plays_as_the_reference_does_until_every_rare_event_was_met():
    rng, met = random.Random(4), dict.fromkeys(crosscheck.KINDS, 0)
    for position, picks in starts():
        game = Game(position)
        for _ in range(8):
            traced = reference.trace(position, *picks)
            for kind in crosscheck.kinds_of(position, *picks, traced):
                met[kind] += 1
            position = traced.position
            game.play(*picks)
            game.check(position)
            if position.is_over:
                break
            moves = position.legal_moves()
            picks = rng.choice(moves), rng.choice(moves)
    assert all(met.values()), met


def test_its_random_games_are_those_of_the_core():
    """Within five standard errors: 29.140 turns a game (deviation 7.33), and neither side ahead."""
    games = 300_000
    black, white, draws, turns = numba_mailbox.random_games(games, seed=1)
    assert black + white + draws == games
    assert turns / games == pytest.approx(29.140, abs=5 * 7.33 / games**0.5)
    assert abs(black - white) < 5 * games**0.5
