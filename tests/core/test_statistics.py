"""Random play: uniform and independent picks, and statistics known from another engine."""

import math
import random

import numpy as np
import pytest

from wts_fast import (
    BLACK,
    EMPTY,
    WHITE,
    Batch,
    Captured,
    Hatched,
    Outcome,
    Position,
    Vanished,
    trace,
)

# --- picks ------------------------------------------------------------------------------


def critical_value(degrees_of_freedom):
    """Chi-square's value with a tail of one in a million: by Wilson and Hilferty (1931).

    The normal distribution has that tail beyond 4.7534.
    """
    spread = 2 / (9 * degrees_of_freedom)
    return degrees_of_freedom * (1 - spread + 4.7534 * math.sqrt(spread)) ** 3


def assert_uniform(numbers, count):
    """The numbers 0 <= number < count are equally likely."""
    found = np.bincount(numbers, minlength=count)
    assert len(found) == count
    expected = len(numbers) / count
    chi_square = ((found - expected) ** 2).sum() / expected
    assert chi_square < critical_value(count - 1)


def ranks(cells, empty):
    """The places of cells among the empty ones, all of which must be empty."""
    places = np.searchsorted(empty, cells)
    assert (empty[np.minimum(places, len(empty) - 1)] == cells).all()
    return places


@pytest.mark.parametrize("half", [1, 3, 40, 200])
def test_the_critical_values_leave_a_tail_of_one_in_a_million(half):
    """For an even number of degrees of freedom the tail is a Poisson distribution's sum."""
    x = critical_value(2 * half) / 2
    tail = sum(math.exp(k * math.log(x) - x - math.lgamma(k + 1)) for k in range(half))
    assert 0.2e-6 < tail < 2e-6


@pytest.mark.parametrize("count", [2, 3, 7, 50, 80, 81])
def test_picks_are_uniform_and_independent(count):
    """Of both players in one game, of games side by side, and of seeds side by side."""
    rng = random.Random(count)
    while True:
        cells = rng.sample(range(81), 81)
        full = cells[count:]
        start = Position.from_cells(full[::2], full[1::2], [])
        if not start.is_over:
            break
    empty = np.array(start.legal_moves())
    batch = Batch.from_positions([start] * 20_480)
    black, white = np.array(
        [[ranks(row, empty) for row in batch.random_moves(seed)] for seed in range(20)]
    ).swapaxes(0, 1)
    for one in (black, white):
        assert_uniform(one.ravel(), count)
        assert_uniform((count * one[:, 1:] + one[:, :-1]).ravel(), count * count)
        assert_uniform((count * one[1:] + one[:-1]).ravel(), count * count)
    assert_uniform((count * black + white).ravel(), count * count)
    assert_uniform((count * black[:, 1:] + white[:, :-1]).ravel(), count * count)


def test_picks_are_uniform_in_every_lane():
    """The games at the same place in all groups."""
    lanes = np.array([Batch(20_480).random_moves(seed).reshape(2, -1, 512) for seed in range(10)])
    for side in range(2):
        for lane in range(512):
            assert_uniform(lanes[:, side, :, lane].ravel() // 9, 9)


# --- games ------------------------------------------------------------------------------


class Observed:
    """What is counted game by game."""

    def __init__(self, games):
        self.turns = np.zeros(games)
        self.collisions = np.zeros(games)
        self.captures = np.zeros(games)
        self.both_capture = np.zeros(games)
        self.hatches = np.zeros(games)
        self.vanished = np.zeros(games)
        self.sudden_death = np.zeros(games)
        self.black_wins = np.zeros(games)
        self.white_wins = np.zeros(games)
        self.draws = np.zeros(games)

    def count_events(self, game, picks, events):
        captures = [event for event in events if isinstance(event, Captured)]
        self.captures[game] += sum(capture.by in picks for capture in captures)
        self.both_capture[game] += len({event.player for event in captures}) == 2
        self.hatches[game] += sum(isinstance(event, Hatched) for event in events)
        self.vanished[game] += sum(isinstance(event, Vanished) for event in events)


def observed_games(games, seed):
    """Play random games from the empty board; the reference traces the turns with captures."""
    batch, seen = Batch(games), Observed(games)
    before = batch.boards().reshape(games, 81)
    while not batch.outcomes.all():
        going = np.flatnonzero(batch.outcomes == Outcome.UNDECIDED)
        starts = batch.copy()
        black, white = batch.random_moves(seed)
        batch.play(black, white)
        after = batch.boards().reshape(games, 81)
        placed = before.copy()
        placed[going, black[going]] += BLACK
        placed[going, white[going]] += WHITE
        seen.turns[going] += 1
        seen.collisions[going] += black[going] == white[going]
        for game in np.flatnonzero((after != placed).any(axis=1)):
            picks = int(black[game]), int(white[game])
            traced = trace(starts[game], *picks)
            assert traced.position == batch[game]
            seen.count_events(game, picks, traced.events)
        counts = batch.winning_turtles
        undecided = batch.outcomes == Outcome.UNDECIDED
        seen.sudden_death[undecided & (counts.min(axis=1) > 0)] = 1
        before, seed = after, seed + 1
    seen.black_wins[:] = batch.outcomes == Outcome.BLACK_WINS
    seen.white_wins[:] = batch.outcomes == Outcome.WHITE_WINS
    seen.draws[:] = batch.outcomes == Outcome.DRAW
    assert ((before == EMPTY).sum(axis=1)[seen.draws == 1] == 0).all()
    return seen


KNOWN = {
    "turns": 29.140,
    "black_wins": 0.49977,
    "white_wins": 0.50018,
    "draws": 0.000047,
    "collisions": 0.631,
    "captures": 3.119,  # by turtles that were placed; those that hatched add 0.045
    "both_capture": 0.190,
    "hatches": 0.409,
    "vanished": 0.029,
    "sudden_death": 0.0189,
}
"""Means per game, from three million games of an engine that shares no code with this one."""


@pytest.fixture(scope="module")
def observed():
    return observed_games(16_384, seed=31)


@pytest.mark.parametrize("name", KNOWN)
def test_games_from_the_empty_board_are_as_known(observed, name):
    """Within five standard errors."""
    found = getattr(observed, name)
    deviation = max(found.std(), math.sqrt(KNOWN[name]) if name == "draws" else 0)
    assert abs(found.mean() - KNOWN[name]) < 5 * deviation / math.sqrt(len(found))


def test_playouts_from_the_empty_board_are_as_known():
    """A million games, within five standard errors."""
    games = 2**20
    batch = Batch(2**17)
    found = np.zeros(4)
    turns = []
    for seed in range(8):
        batch.reset()
        found += np.bincount(batch.playout(seed), minlength=4)
        turns.append(batch.turns)
    lengths = np.concatenate(turns)
    assert abs(lengths.mean() - KNOWN["turns"]) < 5 * lengths.std() / games**0.5
    for outcome, name in enumerate(("undecided", "black_wins", "white_wins", "draws")):
        known = KNOWN.get(name, 0)
        error = math.sqrt(known * (1 - known) / games)
        assert abs(found[outcome] / games - known) <= 5 * error, name
