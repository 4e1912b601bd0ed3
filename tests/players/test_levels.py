"""The built-in players: what they pick, and that forced picks are found."""

import numpy as np
import pytest

from wts_fast import BLACK, WHITE, Position, reference
from wts_fast.features import capture_cells, cell_scores, winning_cells
from wts_fast.notation import cell_index
from wts_fast.players import LEVELS, player

OVER = Position.from_string("bbbbb4/9/9/9/9/9/9/9/9 - 5")
MIDGAME = Position.from_string("9/9/2w1b4/3wbw3/3bbw3/2w1wb3/4b4/9/9 - 7")
SIDES = (BLACK, WHITE)
WITH_POLICY = [*LEVELS[:6], "scores:power=0", "nash:k=81", "mixed:simulations=300"]
STRONG = [*LEVELS[4:7], "puct:simulations=500"]
FAR_SIGHTED = STRONG[1:]


def swapped(position, picker):
    return position if picker == BLACK else position.swap_colors()


def choose(spec, position, picker, seed=1):
    return player(spec).choose(position, picker, np.random.default_rng(seed))


@pytest.mark.parametrize("spec", WITH_POLICY)
def test_a_policy_is_a_distribution_over_legal_picks(spec):
    for position in (Position(), MIDGAME, reference.Position.from_string(str(MIDGAME))):
        for picker in SIDES:
            policy = player(spec).policy(position, picker)
            assert (policy.shape, policy.dtype) == ((81,), np.float64)
            assert policy.sum() == pytest.approx(1)
            assert policy.min() >= 0
            assert set(np.flatnonzero(policy)) <= set(position.legal_moves())
            assert choose(spec, position, picker) in np.flatnonzero(policy) or "mixed" in spec
    assert not player(spec).policy(OVER, BLACK).any()


@pytest.mark.parametrize("spec", [*LEVELS, "puct:simulations=300", "uct:simulations=300"])
def test_a_seed_repeats_a_pick(spec):
    picks = [choose(spec, MIDGAME, WHITE, seed) for seed in (1, 1, 2, 3, 4, 5, 6, 7)]
    assert picks[0] == picks[1]
    assert set(picks) <= set(MIDGAME.legal_moves())


@pytest.mark.parametrize("spec", STRONG)
@pytest.mark.parametrize("picker", SIDES)
def test_one_of_two_cells_that_make_a_five_is_picked(spec, picker):
    """The other player can take only one of them."""
    position = swapped(Position.from_string("9/9/6w2/2bbbb3/2w6/2w6/9/9/9 - 5"), picker)
    assert len(winning_cells(position, picker)) == 2
    picks = {choose(spec, position, picker, seed) for seed in range(5)}
    assert picks <= set(winning_cells(position, picker))


@pytest.mark.parametrize("spec", FAR_SIGHTED)
@pytest.mark.parametrize("picker", SIDES)
def test_sudden_death_is_decided_at_once(spec, picker):
    """Both have a five; d6 captures two turtles of the other's, a2 and g2 make a line of six."""
    text = "9/1bbbbb3/9/9/9/9/1wwwww3/3w5/3b5 - 0"
    position = swapped(Position.from_string(text), picker)
    assert position.sudden_death
    picks = {choose(spec, position, picker, seed) for seed in range(5)}
    assert picks <= {cell_index(name) for name in ("d6", "a2", "g2")}


@pytest.mark.parametrize("spec", FAR_SIGHTED)
@pytest.mark.parametrize("picker", SIDES)
def test_a_capture_that_hatches_a_five_is_picked(spec, picker):
    """The egg on e7 becomes the middle of a five after a capture on d1 or f9."""
    text = "bww6/9/9/9/9/9/2bbebb2/9/6wwb e7 0"
    position = swapped(Position.from_string(text), picker)
    ways = {cell_index("d1"), cell_index("f9")}
    assert set(capture_cells(position, picker)) == ways
    picks = {choose(spec, position, picker, seed) for seed in range(5)}
    assert picks <= ways


def test_sampling_by_scores_follows_their_power():
    scores = cell_scores(MIDGAME, BLACK).astype(float)
    for spec, power in (("scores", 1), ("scores:power=0.5", 0.5), ("scores:power=3", 3)):
        expected = np.where(scores > 0, scores**power, 0)
        policy = player(spec).policy(MIDGAME, BLACK)
        np.testing.assert_allclose(policy, expected / expected.sum())


def test_the_tactical_player_wins_blocks_captures_in_this_order():
    for picker in SIDES:
        other = BLACK + WHITE - picker
        both = swapped(Position.from_string("9/bbbb5/9/9/5wwww/9/9/bww6/9 - 5"), picker)
        policy = player("tactical").policy(both, picker)
        assert np.flatnonzero(policy).tolist() == winning_cells(both, picker)
        blocked = swapped(Position.from_string("9/9/9/9/5wwww/9/9/bww6/9 - 5"), picker)
        policy = player("tactical").policy(blocked, picker)
        assert np.flatnonzero(policy).tolist() == winning_cells(blocked, other)
        capturing = swapped(Position.from_string("9/9/9/9/9/9/9/bww6/9 - 5"), picker)
        policy = player("tactical").policy(capturing, picker)
        assert np.flatnonzero(policy).tolist() == [cell_index("d8")]
        assert (player("tactical").policy(Position(), picker) == 1 / 81).all()


def test_the_best_score_is_picked():
    scores = cell_scores(MIDGAME, WHITE)
    policy = player("best").policy(MIDGAME, WHITE)
    assert np.flatnonzero(policy).tolist() == np.flatnonzero(scores == scores.max()).tolist()


@pytest.mark.parametrize(
    ("spec", "kind", "message"),
    [
        ("scores:power=-1", ValueError, "power is -1.0: expected 0..8"),
        ("scores:power=9", ValueError, "power is 9.0: expected 0..8"),
        ("nash:k=0", ValueError, "k is 0: expected 1..81"),
        ("mixed:simulations=0", ValueError, "simulations is 0: expected 1..9223372036854775807"),
    ],
)
def test_other_settings_are_errors(spec, kind, message):
    with pytest.raises(kind) as error:
        player(spec)
    assert str(error.value) == message


def test_names_tell_the_settings_apart():
    names = [player(level).name for level in LEVELS]
    assert len(set(names)) == len(LEVELS)
    assert names[1:3] == ["scores 0.5", "scores 1"]
    assert names[-2:] == ["mixed 1000", "mixed 10000"]
