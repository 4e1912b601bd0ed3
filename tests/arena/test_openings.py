"""Games that begin with random turns, and intervals over pairs of games."""

import numpy as np
import pytest

from wts_fast import Position
from wts_fast.arena import arena, ratings
from wts_fast.cli.main import main

BOTS = ["some_bots:First", "some_bots:Counting"]


def test_each_two_games_start_from_a_position_of_their_own():
    report = arena([*BOTS, "random"], 6, rng=3, openings=4)
    starts = [game.start for game in report.games]
    assert {start.turn for start in starts} == {4}
    assert not any(start.is_over for start in starts)
    assert starts[0:6:2] == starts[1:6:2]
    assert len(set(starts[:6])) == 3
    assert starts[:6] == starts[6:12] == starts[12:]
    for first, second in zip(report.games[::2], report.games[1::2], strict=True):
        assert first.tags["Black"] == second.tags["White"]
        assert first.tags["White"] == second.tags["Black"]
    other = arena(BOTS, 2, rng=4, openings=4)
    assert other.games[0].start not in starts


def test_many_random_turns_still_leave_the_game_open():
    report = arena(["random", "random"], 20, rng=2, openings=20, max_turns=1)
    assert {game.start.turn for game in report.games} == {20}
    assert not any(game.start.is_over for game in report.games)
    assert {len(game) for game in report.games} == {1}


def test_deterministic_players_repeat_games_unless_they_begin_differently(capsys):
    assert arena(BOTS, 20, rng=1).distinct == 2
    assert arena(BOTS, 20, rng=1, openings=3).distinct == 20
    assert main(["arena", *BOTS, "--games", "20", "--seed", "1"]) == 0
    assert "\nonly 2 of 20 games differ: intervals " in capsys.readouterr().out
    assert main(["arena", *BOTS, "--games", "20", "--seed", "1", "--openings", "3"]) == 0
    assert "games differ" not in capsys.readouterr().out


def test_a_start_counts_as_a_difference_between_games():
    report = arena(["some_bots:First"] * 2, 6, rng=1, openings=2, max_turns=1)
    assert len({game.moves for game in report.games}) < 3
    assert report.distinct == 3


def test_pairs_of_games_are_counted_by_score():
    report = arena([*BOTS, "random"], 8, rng=5, openings=2, max_turns=20)
    for number, pair in enumerate(report.pairs):
        scores = []
        for game in report.games[8 * number : 8 * number + 8]:
            half = {"1-0": 2, "0-1": 0}.get(game.result, 1)
            first_is_black = game.tags["Black"] == report.names[pair.first]
            scores.append(half if first_is_black else 2 - half)
        both = [sum(scores[at : at + 2]) for at in range(0, 8, 2)]
        assert report.pentanomials[number] == tuple(both.count(score) for score in range(5))
        low, high = ratings.pair_interval(report.pentanomials[number])
        assert tuple(report.intervals()[pair.first, pair.second]) == (low, high)
        assert tuple(report.intervals()[pair.second, pair.first]) == (1 - high, 1 - low)
        assert report.as_json()["pairs"][number]["pentanomial"] == list(report.pentanomials[number])


def test_games_with_openings_go_on():
    whole = arena(["random"] * 2, 6, rng=1, openings=3)
    assert arena(["random"] * 2, 6, openings=3, done=whole.games[1:4]).games == whole.games
    with pytest.raises(ValueError, match="begins with 3 random turns: expected openings=2"):
        arena(["random"] * 2, 6, openings=2, done=whole.games)


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"openings is 21: expected 0\.\.20"):
        arena(BOTS, 2, openings=21)
    with pytest.raises(ValueError, match="games is 3: expected an even number, because with"):
        arena(BOTS, 3, openings=1)


def test_an_opening_does_not_change():
    """The positions are part of what a seed means."""
    game = arena(BOTS, 2, rng=1, openings=2).games[0]
    assert game.start == Position.from_string("1b7/5w3/9/9/9/9/2w6/4b4/9 - 2")


# --- intervals -----------------------------------------------------------------------------


def test_an_interval_in_closed_form():
    """One pair lost and one won are added: here 12 pairs, of which each end has 3."""
    reach = ratings.Z * np.sqrt(6 * 0.25 / 12 / 12)
    assert ratings.pair_interval([2, 0, 6, 0, 2]) == pytest.approx((0.5 - reach, 0.5 + reach))


@pytest.mark.parametrize("counts", [[0] * 5, [9, 0, 0, 0, 0], [0, 0, 0, 0, 10**6], [0, 0, 3, 0, 0]])
def test_intervals_lie_inside_0_to_1_around_the_mean_and_have_some_width(counts):
    low, high = ratings.pair_interval(counts)
    mean = np.dot(counts, np.arange(5) / 4) / max(1, sum(counts))
    assert 0 <= low <= mean <= high <= 1
    assert high - low > 1e-7


@pytest.mark.parametrize("pairs", [10, 50, 200])
@pytest.mark.parametrize("lean", [0.0, 0.2, 0.4])
def test_intervals_cover_the_true_mean_in_95_percent(pairs, lean):
    """Black's chance is higher by `lean` in one half of the openings, and lower in the other."""
    rng = np.random.default_rng(21)
    repeats = 2000
    covered = 0
    for mean in rng.uniform(lean, 1 - lean, size=repeats):
        leaning = rng.choice([-lean, lean], size=pairs)
        won = rng.random((2, pairs)) < mean + np.array([leaning, -leaning])
        low, high = ratings.pair_interval(np.bincount(2 * won.sum(axis=0), minlength=5).tolist())
        covered += low <= mean <= high
    assert covered / repeats >= 0.93
