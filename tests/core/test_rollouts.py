"""Random games in the core: every one played to its end, as the reference would play it."""

import random

import numpy as np
import pytest

from wts_fast import (
    Batch,
    Outcome,
    Position,
    Rollouts,
    outcomes,
    reference,
    rollout_matrix,
    rollouts,
)
from wts_fast.crosscheck import constructed_position

MIDGAME = "w3b4/2wb2w2/1b2w1b2/4b4/2bw5/1w3e3/3b2w2/2w3b2/b5we1 f6,h9 12"
TWO_CELLS = (
    "w1wbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwbww1 - 0"
)
WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(word):
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def rotated(word, n):
    return (word << n | word >> (32 - n)) & 0xFFFFFFFF


def words_of_stream(seed, game):
    """The words that a game draws: xoshiro128++, started by SplitMix64."""
    start = mix(mix(seed) + (game + 1) * GOLDEN & WORD)
    halves = [mix(start + i * GOLDEN & WORD) for i in (1, 2)]
    a, b, c, d = (half >> shift & 0xFFFFFFFF for half in halves for shift in (0, 32))
    while True:
        yield (rotated(a + d & 0xFFFFFFFF, 7) + a) & 0xFFFFFFFF
        shifted = b << 9 & 0xFFFFFFFF
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = rotated(d, 11)


def random_ranks(words, count):
    """The ranks of both picks; words that would favour some are skipped."""
    for word in words:
        products = (word >> 16) * count, (word & 0xFFFF) * count
        if all(product % 65536 >= 65536 % count for product in products):
            return [product >> 16 for product in products]


def replayed_by_the_reference(text, seed, games, max_turns=None, first=0):
    """The documented streams, with the reference's rules."""
    results, turns = [0, 0, 0, 0], 0
    for game in range(first, first + games):
        words = words_of_stream(seed, game)
        position, played = reference.Position.from_string(text), 0
        while not position.is_over and played != max_turns:
            cells = position.legal_moves()
            black, white = random_ranks(words, len(cells))
            position = position.play(cells[black], cells[white])
            played += 1
        results[position.outcome] += 1
        turns += played
    undecided, black, white, draws = results
    return Rollouts(black, white, draws, undecided, turns / games)


@pytest.mark.parametrize("seed", [0, 1, WORD])
@pytest.mark.parametrize("text", [str(Position()), MIDGAME, TWO_CELLS])
def test_the_games_of_a_seed_are_those_the_documentation_describes(text, seed):
    found = rollouts(Position.from_string(text), 60, rng=seed)
    assert found == replayed_by_the_reference(text, seed, 60)


def test_games_from_positions_rich_in_traps_eggs_and_lines():
    """Counts that show that random play left its shortcuts for the rules."""
    source, hatching, sudden_deaths = random.Random(6), 0, 0
    for seed in range(300):
        position, turn = constructed_position(source)
        after = position.play(*turn)
        hatching += len(position.eggs) > 2
        sudden_deaths += position.sudden_death or after.sudden_death
        for start in (position, after):
            text = str(start)
            found = rollouts(Position.from_string(text), 2, rng=seed)
            assert found == replayed_by_the_reference(text, seed, 2), text
    assert hatching > 100
    assert sudden_deaths > 10


@pytest.mark.parametrize(
    ("text", "games", "max_turns"),
    [
        (str(Position()), 600, None),
        (str(Position()), 1100, 4),
        (MIDGAME, 600, None),
        (MIDGAME, 130, 7),
        (TWO_CELLS, 700, None),
    ],
)
def test_the_games_of_a_group_are_those_the_documentation_describes(text, games, max_turns):
    """More than 128 games go on together, in 512 lanes that start another where one ends."""
    found = rollouts(Position.from_string(text), games, rng=11, max_turns=max_turns)
    assert found == replayed_by_the_reference(text, 11, games, max_turns)


def test_groups_of_games_from_positions_rich_in_traps_eggs_and_lines():
    source = random.Random(61)
    for seed in range(25):
        text = str(constructed_position(source)[0])
        found = rollouts(Position.from_string(text), 140, rng=seed, max_turns=4)
        assert found == replayed_by_the_reference(text, seed, 140, max_turns=4), text


def test_the_games_of_a_batch_are_those_the_documentation_describes():
    """Of one more group than is full, to the last board and egg."""
    source = random.Random(62)
    starts = [
        constructed_position(source)[0] if game % 2 else reference.Position() for game in range(600)
    ]
    batch = Batch.from_positions(starts)
    batch.playout(12, max_turns=20)
    for game, position in enumerate(starts):
        words, played = words_of_stream(12, game), 0
        while not position.is_over and played < 20:
            cells = position.legal_moves()
            black, white = random_ranks(words, len(cells))
            position = position.play(cells[black], cells[white])
            played += 1
        assert str(batch[game]) == str(position), game


def seed_whose_first_word_favours(half):
    """Return a seed of which game 0 begins with a word of which this half is 0."""
    for seed in range(1_000_000):
        if next(words_of_stream(seed, 0)) >> (16 * half) & 0xFFFF == 0:
            return seed
    raise AssertionError("no such seed")


@pytest.mark.parametrize("half", [0, 1])
def test_words_that_would_favour_some_cells_are_passed_over(half):
    """A half of 0 is one too many for 81 cells."""
    seed = seed_whose_first_word_favours(half)
    for limit in (1, None):
        found = rollouts(Position(), 1, rng=seed, max_turns=limit)
        assert found == replayed_by_the_reference(str(Position()), seed, 1, max_turns=limit)
    picks = Batch(512).random_moves(seed)
    words = words_of_stream(seed, 0)
    assert picks[:, 0].tolist() == random_ranks(words, 81)


def test_seeds_apart_by_the_increment_share_no_games():
    one, two = 5, 5 + GOLDEN
    assert (
        rollouts(Position(), 100, rng=one).mean_turns
        != rollouts(Position(), 100, rng=two).mean_turns
    )


def test_a_turn_limit_truncates_and_is_no_draw():
    found = rollouts(Position(), 50, rng=3, max_turns=10)
    assert found == replayed_by_the_reference(str(Position()), 3, 50, max_turns=10)
    assert found.truncated > 0
    assert found.draws == 0


@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 20_000])
def test_threads_change_nothing(n, threads):
    position = Position.from_string(MIDGAME)
    assert rollouts(position, n, rng=2, threads=threads) == rollouts(position, n, rng=2)


def test_every_game_is_counted():
    found = rollouts(Position(), 10_001, rng=4)
    assert found.black_wins + found.white_wins + found.draws == 10_001
    assert found.truncated == 0


def test_random_play_from_the_empty_board_is_as_known_from_three_million_games():
    """29.140 turns a game, Black 49.977 %; 400,000 games, within five standard errors."""
    games = 400_000
    found = rollouts(Position(), games, rng=5)
    assert abs(found.mean_turns - 29.140) < 5 * 8 / games**0.5
    assert abs(found.black_wins / games - 0.49977) < 5 * 0.5 / games**0.5
    assert abs(found.draws / games - 0.000047) < 5 * (0.000047 / games) ** 0.5


def test_a_finished_position_gives_its_outcome():
    over = Position.from_cells([], "a1 b1 c1 d1 e1".split())
    assert rollouts(over, 7) == Rollouts(0, 7, 0, 0, 0.0)


def test_no_games():
    assert rollouts(Position(), 0) == Rollouts(0, 0, 0, 0, 0.0)


def test_the_position_is_not_changed():
    position = Position.from_string(MIDGAME)
    rollouts(position, 10)
    assert str(position) == MIDGAME


def test_seeds():
    assert rollouts(Position(), 100, rng=1) == rollouts(Position(), 100, rng=np.int64(1))
    assert rollouts(Position(), 100, rng=1) != rollouts(Position(), 100, rng=2)
    assert rollouts(Position(), 100) != rollouts(Position(), 100)
    one, two = (np.random.default_rng(9) for _ in range(2))
    assert rollouts(Position(), 100, rng=one) == rollouts(Position(), 100, rng=two)
    assert rollouts(Position(), 100, rng=one) != rollouts(Position(), 100, rng=7)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n": -1}, ValueError, "n is -1: expected 0..9223372036854775807"),
        ({"n": 1.5}, TypeError, "n must be an int, not float"),
        ({"n": 1, "max_turns": 0}, ValueError, "max_turns is 0: expected 1.."),
        ({"n": 1, "rng": -1}, ValueError, "seed is -1: expected 0..18446744073709551615"),
        ({"n": 1, "rng": 2**64}, ValueError, "seed is 18446744073709551616: expected"),
        ({"n": 1, "rng": "x"}, TypeError, "rng must be an int, a numpy Generator or None"),
        ({"n": 1, "threads": 0}, ValueError, "threads is 0: expected 1..1024"),
        ({"n": 1, "threads": 1.5}, TypeError, "threads must be an int, not float"),
        ({"n": 2**63}, ValueError, "n is 9223372036854775808: expected 0.."),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        rollouts(Position(), **arguments)


def test_positions_of_either_engine():
    position = reference.Position.from_string(MIDGAME)
    assert rollouts(position, 50, rng=1) == rollouts(Position.from_string(MIDGAME), 50, rng=1)
    with pytest.raises(TypeError, match="expected a Position of either engine, not str"):
        rollouts(MIDGAME, 1)


def test_a_huge_turn_limit_is_no_limit():
    assert rollouts(Position(), 10, rng=1, max_turns=2**40) == rollouts(Position(), 10, rng=1)


# --- the matrix -------------------------------------------------------------------------

FEW_CELLS = (
    "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwb3 - 0"
)


@pytest.mark.parametrize("max_turns", [None, 1])
@pytest.mark.parametrize("n", [6, 70])
def test_each_joint_move_has_games_of_its_own(n, max_turns):
    """Few games are played one by one, 630 in groups."""
    seed = 9
    position = reference.Position.from_string(FEW_CELLS)
    matrix = rollout_matrix(position, n, rng=seed, max_turns=max_turns)
    assert (matrix.shape, matrix.dtype) == ((81, 81), np.float32)
    for black in range(81):
        for white in range(81):
            if not position.is_legal(black, white):
                assert np.isnan(matrix[black, white])
                continue
            text = str(position.play(black, white))
            first = (81 * black + white) * n
            games = replayed_by_the_reference(text, seed, n, max_turns, first)
            value = (games.black_wins - games.white_wins) / n
            assert matrix[black, white] == np.float32(value)


def test_joint_moves_that_decide_have_their_value():
    four = Position.from_string("9/1bbbb4/9/9/9/9/9/9/9 - 4")
    matrix = rollout_matrix(four, 1, rng=1)
    won = outcomes(four) == Outcome.BLACK_WINS
    assert won.sum() == 152
    assert (matrix[won] == 1.0).all()
    swapped = rollout_matrix(four.swap_colors(), 1, rng=1)
    assert (swapped.T[won] == -1.0).all()


def test_the_matrix_is_the_same_for_any_number_of_threads():
    position = Position.from_string(MIDGAME)
    one = rollout_matrix(position, 3, rng=4)
    for threads in (2, 5):
        np.testing.assert_array_equal(rollout_matrix(position, 3, rng=4, threads=threads), one)
    mine = np.zeros((81, 81), dtype=np.float32)
    assert rollout_matrix(position, 3, rng=4, out=mine) is mine
    np.testing.assert_array_equal(mine, one)


def test_a_finished_game_has_no_values():
    assert np.isnan(rollout_matrix(Position.from_cells("a1 b1 c1 d1 e1".split(), []), 1)).all()


@pytest.mark.parametrize("n", [0, -1, 2**32])
def test_bad_numbers_of_games(n):
    with pytest.raises(ValueError, match=r"n is .*: expected 1\.\.4294967295"):
        rollout_matrix(Position(), n)


@pytest.mark.parametrize("out", [np.zeros((81, 81)), np.zeros((81, 80), dtype=np.float32)])
def test_other_arrays_are_refused(out):
    with pytest.raises(
        ValueError,
        match=r"^out is .*: expected a writable, C-contiguous float32 array of shape \(81, 81\)$",
    ):
        rollout_matrix(Position(), 1, out=out)
    assert not out.any()
