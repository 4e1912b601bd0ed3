"""Features in the core: equal to plain counts over the reference engine."""

import math
import random

import numpy as np
import pytest

from wts_fast import BLACK, WHITE, IllegalMoveError, Outcome, Position, Symmetry, reference
from wts_fast.crosscheck import constructed_position
from wts_fast.features import (
    FEATURE_NAMES,
    WEIGHTS,
    capture_cells,
    cell_scores,
    evaluate,
    feature_vector,
    open_windows,
    top_cells,
    value_matrix,
    winning_cells,
)
from wts_fast.reference import FIVES, TRAPS, opponent
from wts_fast.symmetry import CELL_IMAGES
from wts_fast.types import CELLS, EGG, EMPTY

MIDGAME = "w3b4/2wb2w2/1b2w1b2/4b4/2bw5/1w3e3/3b2w2/2w3b2/b5we1 f6,h9 12"
OVER = Position.from_string("bbbbb4/9/9/9/9/9/9/9/9 - 5")
PLAYERS = (BLACK, WHITE)


# --- the slow way -----------------------------------------------------------------------


def board_of(position):
    return position.to_array().ravel().tolist()


def slow_winning_cells(position, player):
    board = board_of(position)
    own = {cell for cell in range(CELLS) if board[cell] == player}
    found = {
        cell
        for five in FIVES
        for cell in five
        if board[cell] == EMPTY and own.issuperset(set(five) - {cell})
    }
    return sorted(found)


def slow_capture_cells(position, player):
    board = board_of(position)
    enemy = (opponent(player), EGG)
    found = {
        cell
        for cell in range(CELLS)
        for first, second, third in TRAPS[cell]
        if board[cell] == EMPTY
        and board[first] in enemy
        and board[second] in enemy
        and board[third] == player
    }
    return sorted(found)


def slow_open_windows(position, player):
    board = board_of(position)
    counts = [0] * 6
    for five in FIVES:
        held = [board[cell] for cell in five]
        own = held.count(player)
        if own + held.count(EMPTY) == 5:
            counts[own] += 1
    return tuple(counts[1:5])


def slow_features(position, player):
    winning = len(slow_winning_cells(position, player))
    capturing = len(slow_capture_cells(position, player))
    return [
        *slow_open_windows(position, player),
        winning > 0,
        winning > 1,
        capturing,
        board_of(position).count(player),
        len(position.eggs) * capturing,
    ]


WORTH = {0: (1, 1), 1: (4, 3), 2: (15, 12), 3: (60, 50), 4: (1000, 700)}
"""What a window adds to its cells, by its turtles: for their owner, and for the other player."""


def slow_scores(position, player):
    board = board_of(position)
    scores = [1 if piece == EMPTY else 0 for piece in board]
    for five in FIVES:
        held = [board[cell] for cell in five]
        own, enemy = held.count(player), held.count(opponent(player))
        if EGG in held or (own and enemy) or max(own, enemy) == 5:
            continue
        for cell in five:
            if board[cell] == EMPTY:
                scores[cell] += WORTH[own][0] if own or not enemy else WORTH[enemy][1]
    for cell in slow_capture_cells(position, player):
        scores[cell] += 60
    for cell in slow_capture_cells(position, opponent(player)):
        scores[cell] += 40
    return scores


def positions(seed, count):
    rng = random.Random(seed)
    return [constructed_position(rng)[0] for _ in range(count)]


# --- equal to it ------------------------------------------------------------------------


def test_threats_windows_and_features_equal_plain_counts():
    """Counted, so that every feature was met in its rarer forms."""
    met = np.zeros(len(FEATURE_NAMES), dtype=int)
    for position in positions(1, 1500):
        features = np.zeros(len(FEATURE_NAMES))
        for player, sign in ((BLACK, 1), (WHITE, -1)):
            slow = slow_features(position, player)
            assert winning_cells(position, player) == slow_winning_cells(position, player)
            assert capture_cells(position, player) == slow_capture_cells(position, player)
            assert open_windows(position, player) == slow_open_windows(position, player)
            features += sign * np.array(slow, dtype=float)
            met += np.array(slow) > 0
        assert feature_vector(position).tolist() == features.tolist(), str(position)
    assert met.min() >= 50, met


def test_scores_equal_plain_sums():
    for position in positions(2, 400):
        for player in PLAYERS:
            scores = slow_scores(position, player)
            assert cell_scores(position, player).tolist() == scores, str(position)
            ranked = sorted(position.legal_moves(), key=lambda cell: (-scores[cell], cell))
            for k in (1, 7, 81):
                assert top_cells(position, player, k) == ranked[:k]


def test_a_window_that_only_wraps_round_an_edge_does_not_count():
    """The rules' lines end at the edges; the bits of a board do not."""
    edge = Position.from_cells("f1 g1 h1 i1 a2".split(), "i4 a5 i6 a7 i8".split())
    assert winning_cells(edge, BLACK) == [4]
    assert winning_cells(edge, WHITE) == []


def test_cells_picked_do_what_is_said():
    """A capture cell captures, a winning cell gives a five that nothing breaks."""
    rng = random.Random(3)
    won = captured = 0
    for position in positions(3, 300):
        legal = position.legal_moves()
        for player in PLAYERS:
            other = rng.choice(legal)
            for cell in winning_cells(position, player) + capture_cells(position, player):
                if cell == other:
                    continue
                picks = (cell, other) if player == BLACK else (other, cell)
                told = reference.trace(position, *picks)
                captures = [event for event in told.events if type(event).__name__ == "Captured"]
                if cell in capture_cells(position, player):
                    assert any(event.player == player and event.by == cell for event in captures)
                    captured += 1
                elif not captures:
                    assert position.play(*picks).winning_turtles[player - 1] >= 5
                    won += 1
    assert min(won, captured) >= 100


def test_all_of_it_turns_with_the_board():
    for position in positions(4, 60):
        for symmetry in Symmetry:
            image, cells = position.transform(symmetry), CELL_IMAGES[symmetry]
            assert feature_vector(image).tolist() == feature_vector(position).tolist()
            for player in PLAYERS:
                moved = sorted(cells[cell] for cell in winning_cells(position, player))
                assert winning_cells(image, player) == moved
                moved = sorted(cells[cell] for cell in capture_cells(position, player))
                assert capture_cells(image, player) == moved
                scores = cell_scores(image, player)[list(cells)]
                assert scores.tolist() == cell_scores(position, player).tolist()


def test_players_that_change_colors_change_places():
    for position in positions(5, 200):
        swapped = position.swap_colors()
        assert feature_vector(swapped).tolist() == (-feature_vector(position)).tolist()
        assert evaluate(swapped) == -evaluate(position)
        for player in PLAYERS:
            for count in (winning_cells, capture_cells, open_windows):
                assert count(swapped, opponent(player)) == count(position, player)
            scores = cell_scores(position, player)
            assert cell_scores(swapped, opponent(player)).tolist() == scores.tolist()


# --- the value --------------------------------------------------------------------------


def test_the_value_is_what_is_documented():
    for position in positions(6, 200):
        logit = np.dot(WEIGHTS, feature_vector(position).astype(float))
        assert evaluate(position) == pytest.approx(2 / (1 + math.exp(-logit)) - 1, abs=1e-12)
        weights = np.linspace(-0.5, 0.4, len(WEIGHTS))
        logit = np.dot(weights, feature_vector(position).astype(float))
        assert evaluate(position, weights) == pytest.approx(math.tanh(logit / 2), abs=1e-12)


def test_an_even_board_is_worth_nothing_and_a_finished_game_what_it_is():
    assert evaluate(Position()) == 0
    assert evaluate(OVER) == 1
    assert evaluate(OVER.swap_colors()) == -1
    full = Position.from_string(
        "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwbwwe i9 1"
    )
    assert full.outcome == Outcome.DRAW
    assert evaluate(full) == 0
    assert evaluate(OVER, [1e6] * 9) == 1


def test_the_matrix_holds_the_values_after_each_turn():
    for position in positions(7, 30):
        legal = position.legal_moves()
        rows, columns = legal[:6], legal[-5:]
        matrix = value_matrix(position, rows, columns)
        assert (matrix.shape, matrix.dtype) == ((len(rows), len(columns)), np.float32)
        weights = [0.1] * 9
        other = value_matrix(position, rows, columns, weights)
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                after = position.play(row, column)
                assert matrix[i, j] == np.float32(evaluate(after))
                assert other[i, j] == np.float32(evaluate(after, weights))


def test_the_matrix_takes_names_and_an_array():
    position = Position.from_string(MIDGAME)
    out = np.zeros((2, 1), dtype=np.float32)
    assert value_matrix(position, ["b1", "c1"], iter([2]), out=out) is out
    assert out.tolist() == value_matrix(position, [1, 2], [2]).tolist()
    assert value_matrix(position, [], [1]).shape == (0, 1)


# --- what is given and returned ---------------------------------------------------------


def test_a_finished_game_has_no_cells():
    for player in PLAYERS:
        assert winning_cells(OVER, player) == []
        assert capture_cells(OVER, player) == []
        assert top_cells(OVER, player, 81) == []
        assert not cell_scores(OVER, player).any()


def test_positions_of_either_engine():
    ours, theirs = Position.from_string(MIDGAME), reference.Position.from_string(MIDGAME)
    assert feature_vector(ours).tolist() == feature_vector(theirs).tolist()
    assert evaluate(ours) == evaluate(theirs)
    for call in (feature_vector, evaluate, lambda text: winning_cells(text, BLACK)):
        with pytest.raises(TypeError, match="expected a Position of either engine, not str"):
            call(MIDGAME)


def test_scores_are_written_to_the_callers_array():
    position, out = Position.from_string(MIDGAME), np.full(CELLS, 7, dtype=np.float32)
    assert cell_scores(position, WHITE, out=out) is out
    assert out.tolist() == cell_scores(position, WHITE).tolist()
    with pytest.raises(ValueError) as error:
        cell_scores(position, WHITE, out=np.zeros(CELLS))
    assert str(error.value) == (
        "out is of float64: expected a writable, C-contiguous float32 array of shape (81,)"
    )


@pytest.mark.parametrize(
    "call",
    [winning_cells, capture_cells, open_windows, cell_scores, lambda p, c: top_cells(p, c, 3)],
)
@pytest.mark.parametrize("player", [0, 3, "black", None])
def test_another_player_is_an_error(call, player):
    with pytest.raises(ValueError) as error:
        call(Position(), player)
    assert str(error.value) == f"player must be BLACK (1) or WHITE (2), not {player!r}"


@pytest.mark.parametrize(
    ("k", "kind", "message"),
    [
        (0, ValueError, "k is 0: expected 1..81"),
        (82, ValueError, "k is 82: expected 1..81"),
        (2.0, TypeError, "k must be an int, not float"),
    ],
)
def test_another_number_of_cells_is_an_error(k, kind, message):
    with pytest.raises(kind) as error:
        top_cells(Position(), BLACK, k)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("weights", "kind", "message"),
    [
        ([0.1] * 8, ValueError, "weights are of shape (8,): expected (9,)"),
        (0.5, ValueError, "weights are of shape (): expected (9,)"),
        (["a"] * 9, TypeError, "weights are of <U1: expected real numbers"),
        ([1j] * 9, TypeError, "weights are of complex128: expected real numbers"),
        ([0] * 8 + [math.nan], ValueError, "weights[8] is nan: expected -1000000..1000000"),
        ([math.inf] + [0] * 8, ValueError, "weights[0] is inf: expected -1000000..1000000"),
        ([0, -2e6] + [0] * 7, ValueError, "weights[1] is -2000000.0: expected -1000000..1000000"),
    ],
)
def test_other_weights_are_an_error(weights, kind, message):
    for call in (
        lambda: evaluate(Position(), weights),
        lambda: value_matrix(Position(), [1], [2], weights),
    ):
        with pytest.raises(kind) as error:
            call()
        assert str(error.value) == message


@pytest.mark.parametrize(
    ("position", "rows", "columns", "message"),
    [
        (MIDGAME, ["b1", "a1"], [1], "Black cannot pick a1: the cell holds a white turtle"),
        ("9/9/9/9/9/9/9/9/9 - 0", ["j1"], [1], "Black cannot pick j1: cells are 0..80 or a1..i9"),
        (MIDGAME, [1], [50], "White cannot pick f6: the cell holds an egg"),
        (str(OVER), [80], [1], "Black cannot pick i9: the game is over (BLACK_WINS)"),
    ],
)
def test_a_matrix_of_other_cells_is_an_error(position, rows, columns, message):
    with pytest.raises(IllegalMoveError) as error:
        value_matrix(Position.from_string(position), rows, columns)
    assert str(error.value) == message


def test_the_names_and_the_weights_are_as_many_as_the_features():
    assert len(FEATURE_NAMES) == len(WEIGHTS) == feature_vector(Position()).size == 9
