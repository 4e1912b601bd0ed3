"""The outcomes of all joint moves at once: equal to those of the turns played one by one."""

import random

import numpy as np
import pytest

from wts_fast import Outcome, Position, outcomes, reference
from wts_fast.crosscheck import constructed_position

MIDGAME = "w3b4/2wb2w2/1b2w1b2/4b4/2bw5/1w3e3/3b2w2/2w3b2/b5we1 f6,h9 12"


def one_by_one(position):
    matrix = np.full((81, 81), -1, dtype=np.int8)
    for black in position.legal_moves():
        for white in position.legal_moves():
            matrix[black, white] = position.play(black, white).outcome
    return matrix


def random_positions(seed):
    """Positions of a random game from the empty board to its end."""
    rng = random.Random(seed)
    position = Position()
    yield position
    while not position.is_over:
        moves = position.legal_moves()
        position = position.play(rng.choice(moves), rng.choice(moves))
        yield position


@pytest.mark.parametrize("seed", range(6))
def test_every_position_of_a_random_game(seed):
    for position in random_positions(seed):
        np.testing.assert_array_equal(outcomes(position), one_by_one(position), str(position))


def test_positions_rich_in_traps_eggs_and_lines():
    """Counts that show that every case of the shortcuts occurred."""
    rng = random.Random(12)
    met = dict.fromkeys(("eggs", "no eggs", "Sudden Death", "one cell", "two cells"), 0)
    found = dict.fromkeys(Outcome, 0)
    for _ in range(3000):
        constructed, _ = constructed_position(rng)
        position = Position.from_bytes(constructed.to_bytes())
        matrix = outcomes(position)
        np.testing.assert_array_equal(matrix, one_by_one(position), str(position))
        met["eggs" if position.eggs else "no eggs"] += 1
        met["Sudden Death"] += position.sudden_death
        met["one cell"] += len(position.legal_moves()) == 1
        met["two cells"] += len(position.legal_moves()) == 2
        for outcome in Outcome:
            found[outcome] += int((matrix == outcome).sum())
    assert min(met.values()) >= 20, met
    assert min(found.values()) >= 20, found


@pytest.mark.parametrize(
    ("text", "picks", "outcome"),
    [
        # The five is completed, and broken by a capture of the other side in the same turn.
        ("9/9/9/5w3/2bbbb3/5b3/9/9/9 - 0", "g5 f7", Outcome.UNDECIDED),
        ("9/9/9/5w3/2bbbb3/5b3/9/9/9 - 0", "g5 a1", Outcome.BLACK_WINS),
        # White's own pick completes the trap that breaks White's five.
        ("9/9/9/9/1wwww4/5b3/9/9/9 - 0", "f4 f5", Outcome.WHITE_WINS),
        ("9/9/9/9/1wwww4/5w3/5b3/9/9 - 0", "f4 f5", Outcome.UNDECIDED),
        # The last two cells are picked, and a capture empties two others: no full board.
        (
            "w1wbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/"
            "wwbbwbww1 - 0",
            "b1 i9",
            Outcome.UNDECIDED,
        ),
        (
            "w1wbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/"
            "wwbbwbww1 - 0",
            "i9 b1",
            Outcome.UNDECIDED,
        ),
    ],
)
def test_picks_that_meet(text, picks, outcome):
    position = Position.from_string(text)
    black, white = picks.split()
    after = position.play(black, white)
    assert after.outcome == outcome
    cell = [Position().play(name, name).eggs[0] for name in (black, white)]
    assert outcomes(position)[cell[0], cell[1]] == outcome


def test_a_finished_game_has_no_legal_turn():
    over = Position.from_string("bbbbb4/9/9/9/9/9/9/9/9 - 5")
    assert (outcomes(over) == -1).all()


def test_the_array_is_new_or_the_callers():
    position = Position.from_string(MIDGAME)
    matrix = outcomes(position)
    assert (matrix.shape, matrix.dtype) == ((81, 81), np.int8)
    assert matrix is not outcomes(position)
    mine = np.zeros((81, 81), dtype=np.int8)
    assert outcomes(position, out=mine) is mine
    np.testing.assert_array_equal(mine, matrix)
    assert str(position) == MIDGAME


def test_positions_of_either_engine():
    theirs = reference.Position.from_string(MIDGAME)
    np.testing.assert_array_equal(outcomes(theirs), outcomes(Position.from_string(MIDGAME)))
    with pytest.raises(TypeError, match="expected a Position of either engine, not str"):
        outcomes(MIDGAME)


def read_only():
    array = np.zeros((81, 81), dtype=np.int8)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "out",
    [
        np.zeros((81, 81), dtype=np.int16),
        np.zeros((81, 81), dtype=np.uint8),
        np.zeros((81, 81), dtype=bool),
        np.zeros((81, 80), dtype=np.int8),
        np.zeros(81 * 81, dtype=np.int8),
        np.zeros((81, 81, 1), dtype=np.int8),
        np.zeros((81, 162), dtype=np.int8)[:, ::2],
        np.asfortranarray(np.zeros((81, 81), dtype=np.int8)),
        read_only(),
    ],
    ids=lambda array: f"{array.dtype} {array.shape} {array.strides} {array.flags.writeable}",
)
def test_other_arrays_are_refused_and_left_alone(out):
    before = out.copy()
    with pytest.raises(
        ValueError,
        match=r"^out is .*: expected a writable, C-contiguous int8 array of shape \(81, 81\)$",
    ):
        outcomes(Position(), out=out)
    np.testing.assert_array_equal(out, before)


@pytest.mark.parametrize("out", [[[0] * 81] * 81, "x", b"x" * 6561, bytearray(6561)])
def test_what_is_no_array_is_refused(out):
    with pytest.raises(
        ValueError,
        match=r"^out is .*: expected a writable, C-contiguous int8 array of shape \(81, 81\)$",
    ):
        outcomes(Position(), out=out)
