"""The numba engine against the reference, turn by turn."""

import numba_engine
import numpy as np
import pytest

from wts_fast import crosscheck, reference
from wts_fast.types import BLACK, WHITE, Outcome


class Position:
    """A position of the numba engine, with the members that a cross-check compares."""

    @classmethod
    def from_bytes(cls, data):
        given = reference.Position.from_bytes(data)
        board = numba_engine.new_board()
        board.content[:] = given.to_array().ravel()
        board.eggs[: len(given.eggs)] = given.eggs
        empty = numba_engine.set_up(board)
        state = empty, len(given.eggs), given.sudden_death
        return cls(board, state, given.outcome, given.turn)

    def __init__(self, board, state, outcome, turn):
        self.board = board
        self.state = state
        self.outcome = Outcome(outcome)
        self.turn = turn

    def play(self, black, white):
        board = numba_engine.Board(*(array.copy() for array in self.board))
        *state, outcome = numba_engine.play_turn(board, *self.state, black, white)
        return Position(board, state, outcome, self.turn + 1)

    @property
    def is_over(self):
        return self.outcome != Outcome.UNDECIDED

    @property
    def sudden_death(self):
        return not self.is_over and self.state[2]

    @property
    def winning_turtles(self):
        return tuple(numba_engine.winning_turtles(self.board, side) for side in (BLACK, WHITE))

    @property
    def eggs(self):
        return tuple(self.board.eggs[: self.state[1]].tolist())

    def legal_moves(self):
        return [] if self.is_over else sorted(self.board.empty[: self.state[0]].tolist())

    def __getattr__(self, name):
        """`black`, `white`, `empty` and `key` follow from the contents of the cells."""
        board = self.board.content.reshape(9, 9)
        return getattr(reference.Position.from_array(board, self.eggs), name)


@pytest.fixture(scope="module")
def report():
    return crosscheck.crosscheck(40_000, engine=Position, rng=6)


def test_it_plays_as_the_reference_does(report):
    """Random games to their end, and constructed positions for 8 turns, compared in all members."""
    assert report.turns >= 40_000


@pytest.mark.parametrize("kind", crosscheck.KINDS)
def test_every_rare_event_was_compared(report, kind):
    assert report.kinds[kind] > 0


def test_the_lines_are_those_of_the_board():
    """State updated turn by turn equals state computed from the position."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        position = Position.from_bytes(reference.Position().to_bytes())
        while not position.is_over:
            position = position.play(*rng.choice(position.legal_moves(), 2).tolist())
            anew = numba_engine.Board(*(array.copy() for array in position.board))
            assert numba_engine.set_up(anew) == position.state[0]
            assert (anew.lines == position.board.lines).all()


def test_its_random_games_are_those_of_the_core():
    """Within five standard errors: 29.140 turns a game (deviation 7.33), and neither side ahead."""
    games = 1_000_000
    counts = numba_engine.random_games(games, seed=1)
    assert counts.black + counts.white + counts.draws == games
    assert abs(counts.turns / games - 29.140) < 5 * 7.33 / games**0.5
    assert abs(counts.black - counts.white) < 5 * games**0.5


def test_seeds_repeat_and_differ():
    counts = [numba_engine.random_games(1000, seed) for seed in (1, 1, 2, 3)]
    assert counts[0] == counts[1]
    assert len(set(counts)) == 3
