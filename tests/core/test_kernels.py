"""The turns of many games at once against the reference engine, turn by turn, game by game."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from wts_fast import (
    BLACK,
    Batch,
    IllegalMoveError,
    Outcome,
    Position,
    Rollouts,
    cell_index,
    reference,
    rollout_matrix,
    rollouts,
)
from wts_fast.crosscheck import KINDS, constructed_position, kinds_of
from wts_fast.reference import FIVES, TRAPS

MIDGAME = "w3b4/2wb2w2/1b2w1b2/4b4/2bw5/1w3e3/3b2w2/2w3b2/b5we1 f6,h9 12"
FOUR = "9/1bbbb4/9/9/9/9/9/9/9 - 4"
FEW_CELLS = (
    "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwb3 - 0"
)

# Of three cells; a joint move begins Sudden Death, and turns after it hatch eggs.
BEFORE_SUDDEN_DEATH = (
    "wwwbwwbbw/bebbwwebe/bebwewwww/weebwwweb/bebbbebee/b1wewwbbb/ew1wbw1bw/ewwbwbbwe/bwewebbww"
    " b5,h5,a8,c4,f5,b4,b2,d6,i2,i8,e9,b3,g2,e3,c9,a7,h4,i5 0",
    "eeewebeee/wbwwwewee/wbbwb1wbe/eeewbewbe/ewebwwbwb/2bweeewe/bebwbewbe/bwebbwebb/bbewbeweb"
    " f6,i6,f2,h2,i4,a5,h1,g1,c8,f7,i3,i2,c4,f9,i7,a1,a4,i1,f4,e1,c1,h9,g6,b7,c9,g8,b1,b4,e6,c5 0",
    "www1bbwbe/wwbeeweww/webbweww1/ewbwwewbw/bebewewww/wwewwbbbw/wewebbww1/bbwebebee/bebwebbbw"
    " c6,f5,d8,b9,b7,h8,a4,d2,f8,f4,d7,g2,e9,b5,d5,e2,f3,i8,b3,i1 0",
)


def assert_equal(batch, positions):
    """All results of a batch equal those of these positions."""
    boards = np.array([position.to_array() for position in positions])
    np.testing.assert_array_equal(batch.boards(), boards)
    assert [position.eggs for position in batch] == [position.eggs for position in positions]
    assert batch.turns.tolist() == [position.turn for position in positions]
    assert batch.outcomes.tolist() == [position.outcome for position in positions]
    assert batch.winning_turtles.tolist() == [list(p.winning_turtles) for p in positions]
    assert batch.observe(BLACK)[:, 4, 0, 0].tolist() == [p.sudden_death for p in positions]


def play_by_the_reference(positions, black, white, met=None):
    """Return the positions after a turn; `met` counts what happened in it."""
    after = []
    for position, *picks in zip(positions, black, white, strict=True):
        if not position.is_over:
            traced = reference.trace(position, *picks)
            if met is not None:
                met.update(set(kinds_of(position, *picks, traced)))
            position = traced.position
        after.append(position)
    return after


def check_turns(turns):
    """Play turns given as (position, black, white), all at once."""
    positions, black, white = zip(*turns, strict=True)
    batch = Batch.from_positions(positions)
    batch.play(black, white)
    assert_equal(batch, play_by_the_reference(positions, black, white))


def check_random_turns(batch, positions, turns, seed, met=None):
    """Play random turns in all games; return the positions after them."""
    for turn in range(turns):
        black, white = batch.random_moves(seed + turn)
        batch.play(black, white)
        positions = play_by_the_reference(positions, black.tolist(), white.tolist(), met)
        assert_equal(batch, positions)
    return positions


# --- turns ------------------------------------------------------------------------------


def worked_examples():
    """The turns of the worked examples, from either side."""
    path = Path(__file__).parents[1] / "data" / "worked_examples.tsv"
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        _, text, black, white, *_ = line.split("\t")
        position = reference.Position.from_string(text)
        yield position, cell_index(black), cell_index(white)
        yield position.swap_colors(), cell_index(white), cell_index(black)


def test_constructed_turns_and_those_after_them_until_every_rare_kind_was_met():
    rng = random.Random(20)
    turns = list(worked_examples())
    turns += [
        (position, *turn) for position, turn in (constructed_position(rng) for _ in range(4000))
    ]
    rng.shuffle(turns)
    positions, black, white = zip(*turns, strict=True)
    met = Counter()
    batch = Batch.from_positions(positions)
    batch.play(black, white)
    positions = play_by_the_reference(positions, black, white, met)
    assert_equal(batch, positions)
    check_random_turns(batch, positions, 3, seed=1, met=met)
    rare = {kind: met[kind] for kind in KINDS if met[kind] < 3}
    assert not rare, f"met too seldom to prove anything: {rare}"


def test_games_from_the_empty_board():
    batch = Batch(530)
    positions = check_random_turns(batch, [reference.Position()] * 530, 36, seed=100)
    ended = Counter(position.outcome for position in positions)
    assert min(ended[Outcome.BLACK_WINS], ended[Outcome.WHITE_WINS]) > 100
    assert ended[Outcome.UNDECIDED] > 50
    assert sum(bool(position.eggs) for position in positions) > 30


def test_every_joint_move_of_the_empty_board():
    black, white = np.divmod(np.arange(81 * 81), 81)
    batch = Batch(81 * 81)
    batch.play(black, white)
    games = np.arange(81 * 81)
    expected = np.zeros((81 * 81, 81), dtype=np.int8)
    expected[games, black] += 1
    expected[games, white] += 2
    np.testing.assert_array_equal(batch.boards().reshape(-1, 81), expected)
    assert [p.eggs for p in batch] == [
        (b,) if b == w else () for b, w in zip(black, white, strict=True)
    ]


def free_cell(*taken):
    return next(cell for cell in (0, 40, 80, 8, 72, 44) if cell not in taken)


@pytest.mark.parametrize("content", ["ww", "we", "ew", "ee"])
@pytest.mark.parametrize("older_egg", [False, True])
def test_every_trap_closes_from_each_of_its_ends_for_either_player(content, older_egg):
    turns = []
    for cell in range(81):
        for first, second, end in TRAPS[cell]:
            pieces = list(zip((first, second), content, strict=True))
            other = free_cell(cell, first, second, end)
            eggs = [c for c, piece in pieces if piece == "e"]
            if older_egg:
                eggs.insert(0, free_cell(cell, first, second, end, other))
            turtles = [c for c, piece in pieces if piece == "w"]
            position = reference.Position.from_cells([end], turtles, eggs)
            turns.append((position, cell, other))
            turns.append((position.swap_colors(), other, cell))
    assert len(turns) == 720
    check_turns(turns)


def progressions(length):
    """All runs of cells with an equal step, including those across an edge."""
    for step in (1, 7, 8, 9, 10, 11):
        for first in range(81 - step * (length - 1)):
            yield [first + i * step for i in range(length)]


def test_no_trap_runs_round_an_edge():
    turns = []
    for run in progressions(4):
        for cell, first, second, end in (run, run[::-1]):
            other = free_cell(*run)
            position = reference.Position.from_cells([end], [first, second])
            turns.append((position, cell, other))
            turns.append((position.swap_colors(), other, cell))
    check_turns(turns)


@pytest.mark.parametrize("between", [0, 1, 3, 4])
def test_only_two_are_captured(between):
    turns = []
    for run in progressions(between + 2):
        cell, *enemies, end = run
        position = reference.Position.from_cells([end], enemies)
        if not position.is_over:
            turns.append((position, cell, free_cell(*run)))
    check_turns(turns)


def test_every_five_is_completed_from_each_of_its_cells():
    turns = []
    for five in FIVES:
        for cell in five:
            position = reference.Position.from_cells(set(five) - {cell}, [])
            turns.append((position, cell, free_cell(*five)))
            turns.append((position.swap_colors(), free_cell(*five), cell))
    assert len(turns) == 1400
    check_turns(turns)


@pytest.mark.parametrize("length", [4, 5, 6])
def test_no_line_runs_round_an_edge(length):
    turns = []
    for cell, *run in progressions(length):
        for position in (
            reference.Position.from_cells(run, []),
            reference.Position.from_cells([], run),
        ):
            if not position.is_over:
                other = free_cell(cell, *run)
                turns.append((position, cell, other))
                turns.append((position, other, cell))
    check_turns(turns)


def test_the_turn_number_stays_at_its_highest():
    last = [Position.from_cells([], [], [], turn) for turn in (2**32 - 3, 2**32 - 2, 2**32 - 1)]
    batch = Batch.from_positions(last)
    batch.play([1] * 3, [2] * 3)
    assert batch.turns.tolist() == [2**32 - 2, 2**32 - 1, 2**32 - 1]
    batch.play([3] * 3, [3] * 3)
    assert batch.turns.tolist() == [2**32 - 1, 2**32 - 1, 2**32 - 1]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("code", [1, 2, 3])
def test_a_piece_on_any_cell_is_in_the_way_of_either_player(player, code):
    """In games all over a group, one at a time."""
    for cell in range(81):
        board = np.zeros(81, dtype=np.int8)
        board[cell] = code
        game = 13 * cell % 512
        batch = Batch(512)
        batch[game] = Position.from_array(board.reshape(9, 9))
        picks = np.full((2, 512), free_cell(cell))
        picks[player, game] = cell
        with pytest.raises(IllegalMoveError, match=f"^game {game}: "):
            batch.play(*picks)
        assert not batch.turns.any()


# --- random games -----------------------------------------------------------------------

RICH = [
    Position.from_bytes(position.to_bytes())
    for position, _ in (constructed_position(rng) for rng in [random.Random(9)] for _ in range(300))
]


def test_games_in_a_group_are_those_that_games_one_by_one_are():
    """Of 600 games five threads play 120 each, which are too few for a group."""
    for seed, position in enumerate(RICH):
        assert rollouts(position, 600, rng=seed) == rollouts(position, 600, rng=seed, threads=5)


@pytest.mark.parametrize("max_turns", [1, 2, 3, 5, 8, 13, 21, 29, 40])
def test_games_in_a_group_are_cut_where_games_one_by_one_are(max_turns):
    for seed, text in enumerate((str(Position()), MIDGAME, FEW_CELLS)):
        position = Position.from_string(text)
        together, alone = (
            rollouts(position, 1200, rng=seed, max_turns=max_turns, threads=threads)
            for threads in (1, 10)
        )
        assert together == alone
        assert sum(together[:4]) == 1200
        assert together.mean_turns <= max_turns


@pytest.mark.parametrize("threads", [2, 3, 7, 40])
@pytest.mark.parametrize("n", [129, 512, 513, 5_000])
def test_any_split_of_games_gives_the_same(n, threads):
    position = Position.from_string(MIDGAME)
    assert rollouts(position, n, rng=2, threads=threads) == rollouts(position, n, rng=2)


@pytest.mark.parametrize(
    ("text", "n", "threads"),
    [
        (FOUR, 1, 64),  # at most 93 games a thread: one by one
        (MIDGAME, 2, 80),
        (FEW_CELLS, 100, 9),
        (FEW_CELLS, 1000, 1000),  # whole joint moves, of which every thread plays one or none
        *((text, 120, 9) for text in BEFORE_SUDDEN_DEATH),
    ],
)
@pytest.mark.parametrize("max_turns", [None, 4])
def test_a_matrix_is_the_same_in_groups_and_one_by_one(text, n, threads, max_turns):
    position = Position.from_string(text)
    matrices = [
        rollout_matrix(position, n, rng=4, max_turns=max_turns, threads=count)
        for count in (1, 2, 3, threads)
    ]
    for matrix in matrices[1:]:
        np.testing.assert_array_equal(matrix, matrices[0])


def test_a_matrix_holds_the_means_of_games_that_start_after_the_joint_move():
    """Of one game each: an outcome of rollouts with the same position and number."""
    n, seed = 3, 6
    position = Position.from_string(MIDGAME)
    matrix = rollout_matrix(position, n, rng=seed, max_turns=12)
    for black, white in ((1, 1), (1, 2), (40, 41), (76, 3)):
        first = (81 * black + white) * n
        after = position.play(black, white)
        games = difference(
            rollouts(after, first + n, rng=seed, max_turns=12),
            rollouts(after, first, rng=seed, max_turns=12),
        )
        value = (games.black_wins - games.white_wins) / n
        assert matrix[black, white] == np.float32(value)


def difference(more, fewer):
    """The results of the games by which `more` has more, and their turns instead of the mean."""
    turns = [round(results.mean_turns * sum(results[:4])) for results in (more, fewer)]
    return Rollouts(*(a - b for a, b in zip(more[:4], fewer[:4], strict=True)), turns[0] - turns[1])


def game_of_rollouts(position, game, seed, max_turns=None):
    """Return the outcome and the turns of one of the games that rollouts plays."""
    more, fewer = (
        rollouts(position, count, rng=seed, max_turns=max_turns) for count in (game + 1, game)
    )
    black, white, draws, truncated, turns = difference(more, fewer)
    outcomes = {0: truncated, 1: black, 2: white, 3: draws}
    assert sorted(outcomes.values()) == [0, 0, 0, 1]
    return max(outcomes, key=outcomes.get), turns


@pytest.mark.parametrize("max_turns", [None, 1, 7])
def test_a_playout_plays_game_i_as_rollouts_do(max_turns):
    seed = 77
    starts = [RICH[game % len(RICH)] if game % 3 else Position() for game in range(1100)]
    batch = Batch.from_positions(starts)
    batch.playout(seed, max_turns=max_turns)
    for game in (*range(0, 1100, 17), 511, 512, 1023, 1024, 1099):
        found = batch[game].outcome, batch[game].turn - starts[game].turn
        assert found == game_of_rollouts(starts[game], game, seed, max_turns), game


def test_a_playout_of_few_games_is_that_of_many():
    """Up to 128 going games are played one by one, more in groups."""
    starts = [*RICH, *RICH, Position()] * 2
    many = Batch.from_positions(starts)
    many.playout(3)
    for count in (1, 2, 127, 128, 129, 512, 513):
        few = Batch.from_positions(starts[:count])
        few.playout(3)
        assert [str(p) for p in few] == [str(many[game]) for game in range(count)]


@pytest.mark.parametrize("threads", [2, 3, 9])
@pytest.mark.parametrize("max_turns", [None, 6])
def test_threads_do_not_change_a_playout(threads, max_turns):
    one = Batch.from_positions(RICH * 8)
    two = one.copy()
    np.testing.assert_array_equal(
        one.playout(8, max_turns=max_turns),
        two.playout(8, max_turns=max_turns, threads=threads),
    )
    assert [str(p) for p in one] == [str(p) for p in two]


def test_a_playout_of_a_turn_plays_the_random_moves_of_its_seed():
    one = Batch.from_positions([*RICH * 4, *[Position()] * 100])
    two = one.copy()
    for seed in range(6):
        one.playout(seed, max_turns=1)
        two.play(*two.random_moves(seed))
        assert [str(p) for p in one] == [str(p) for p in two]
