"""Intervals and Elo ratings, against closed forms, numerical ones and simulations."""

from math import log, sqrt

import numpy as np
import pytest

from wts_fast.arena import ratings

ROUND_ROBIN = np.array([[0, 7.5, 10, 4], [2.5, 0, 6, 5.5], [0, 4, 0, 1], [6, 4.5, 9, 0]])


# --- intervals --------------------------------------------------------------------------


def test_an_interval_in_closed_form():
    """All games won: z² / (n + z²) below 1, and none: as much above 0."""
    z2 = ratings.Z**2
    assert ratings.interval(10, 10) == pytest.approx((10 / (10 + z2), 1))
    assert ratings.interval(0, 10) == pytest.approx((0, z2 / (10 + z2)))
    half = 0.5 * sqrt(z2 / (10 + z2))
    assert ratings.interval(5, 10) == pytest.approx((0.5 - half, 0.5 + half))


@pytest.mark.parametrize("games", [1, 2, 7, 10, 1000, 10**6])
def test_intervals_lie_around_the_mean_inside_0_to_1_and_have_some_width(games):
    for score in {0, 0.5, games / 2, games - 0.5, games}:
        low, high = ratings.interval(score, games)
        assert 0 <= low <= score / games + 1e-15
        assert score / games - 1e-15 <= high <= 1
        assert high - low > 1e-6


@pytest.mark.parametrize("games", [10, 40, 200])
@pytest.mark.parametrize("draws", [0.0, 0.3, 0.8])
def test_intervals_cover_the_true_mean_in_95_percent(games, draws):
    """Over players of any strength; with draws they cover more."""
    rng = np.random.default_rng(20)
    repeats = 4000
    covered = 0
    for chance in rng.random(repeats):
        wins = (1 - draws) * chance
        counts = rng.multinomial(games, [wins, draws, 1 - draws - wins])
        low, high = ratings.interval(counts[0] + counts[1] / 2, games)
        covered += low <= wins + draws / 2 <= high
    assert 0.94 <= covered / repeats <= (0.96 if draws == 0 else 1)


# --- Elo --------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), [(6, 4), (5, 5), (10, 0), (0, 1), (2.5, 997.5)])
def test_two_players_in_closed_form(first, second):
    """The log odds of what they scored, a half added to both; 400 points a factor of 10."""
    elo, errors = ratings.elo(np.array([[0, first], [second, 0]]))
    a, b = first + 0.5, second + 0.5
    assert elo == pytest.approx([0, 400 / log(10) * log(b / a)])
    assert errors == pytest.approx([0, 400 / log(10) * sqrt(1 / a + 1 / b)])


def log_likelihood(elo):
    points = ROUND_ROBIN + 0.5 * (1 - np.eye(4))
    return -(points * np.log1p(10 ** ((elo - elo[:, np.newaxis]) / 400))).sum()


def test_four_players_at_the_numerical_maximum():
    elo, errors = ratings.elo(ROUND_ROBIN)
    best = log_likelihood(elo)
    units = np.eye(4)[1:]
    for unit in units:
        slope = log_likelihood(elo + 0.01 * unit) - log_likelihood(elo - 0.01 * unit)
        assert abs(slope / 0.02) < 1e-8
    rng = np.random.default_rng(3)
    for scale in (1, 30, 300):
        for _ in range(50):
            assert log_likelihood(elo + np.append(0, rng.normal(size=3)) * scale) < best
    curvature = np.array(
        [
            [
                log_likelihood(elo + a + b)
                - log_likelihood(elo + a - b)
                - log_likelihood(elo - a + b)
                + log_likelihood(elo - a - b)
                for b in units
            ]
            for a in units
        ]
    )
    expected = np.sqrt(np.diag(np.linalg.inv(-curvature / 4)))
    assert (elo[0], errors[0]) == (0, 0)
    np.testing.assert_allclose(errors[1:], expected, rtol=1e-4)


def test_ratings_do_not_depend_on_the_order():
    order = [0, 3, 1, 2]
    elo, errors = ratings.elo(ROUND_ROBIN)
    again, errors_again = ratings.elo(ROUND_ROBIN[np.ix_(order, order)])
    np.testing.assert_allclose(again, elo[order], atol=1e-6)
    np.testing.assert_allclose(errors_again, errors[order], atol=1e-6)


@pytest.mark.parametrize("games", [1, 10, 10**6])
def test_a_ladder_of_players_who_win_all_is_finite_and_in_order(games):
    elo, errors = ratings.elo(games * np.tril(np.ones((12, 12)), -1))
    assert np.isfinite(elo).all()
    assert np.isfinite(errors).all()
    assert (np.diff(elo) > 0).all()


def test_ratings_find_the_true_strengths():
    """Within 3 standard errors, and these shrink as the root of the games."""
    true = np.array([0.0, 150.0, -80.0, 400.0])
    chance = 1 / (1 + 10 ** ((true - true[:, np.newaxis]) / 400))
    rng = np.random.default_rng(8)
    wins = np.triu(rng.binomial(2000, chance), 1)
    elo, errors = ratings.elo(wins + (np.triu(2000 - wins, 1)).T.astype(float))
    assert (np.abs(elo - true)[1:] < 3 * errors[1:]).all()
    assert (errors[1:] < 12).all()
