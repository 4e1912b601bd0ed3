"""Properties of every position and every turn, tested with Hypothesis."""

import pickle
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from wts_fast import (
    BLACK,
    EGG,
    EMPTY,
    WHITE,
    Captured,
    Game,
    Hatched,
    IllegalMoveError,
    Laid,
    Placed,
    Position,
    Symmetry,
    Vanished,
    reference,
    trace,
)
from wts_fast.crosscheck import constructed_position

TURNS = st.integers(0, 2**32 - 1)
CELLS = st.integers(0, 80)
SYMMETRIES = st.sampled_from(Symmetry)


@st.composite
def drawn_positions(draw):
    """Any board, including finished ones, with its eggs in any order."""
    codes = draw(
        st.lists(st.sampled_from((EMPTY, EMPTY, BLACK, WHITE, EGG)), min_size=81, max_size=81)
    )
    eggs = draw(st.permutations([cell for cell in range(81) if codes[cell] == EGG]))
    black, white = ([c for c in range(81) if codes[c] == player] for player in (BLACK, WHITE))
    return Position.from_cells(black, white, eggs, draw(TURNS))


@st.composite
def constructed_turns(draw):
    """An undecided position with many traps, eggs and lines, with a turn to play."""
    position, turn = constructed_position(random.Random(draw(st.integers(0, 2**32))))
    return Position.from_bytes(position.to_bytes()), turn


@st.composite
def drawn_turns(draw):
    position = draw(drawn_positions())
    assume(not position.is_over)
    moves = st.sampled_from(position.legal_moves())
    return position, (draw(moves), draw(moves))


positions = st.one_of(drawn_positions(), constructed_turns().map(lambda turn: turn[0]))
turns = st.one_of(drawn_turns(), constructed_turns())

settings.register_profile("wts_fast", max_examples=300, deadline=None)
settings.load_profile("wts_fast")


def of_reference(position):
    return reference.Position.from_bytes(position.to_bytes())


@given(turns)
def test_the_engines_agree(turn):
    position, picks = turn
    ours, theirs = position.play(*picks), of_reference(position).play(*picks)
    assert str(ours) == str(theirs)
    assert (ours.outcome, ours.winning_turtles) == (theirs.outcome, theirs.winning_turtles)
    assert (ours.key, ours.sudden_death) == (theirs.key, theirs.sudden_death)


@given(positions)
def test_the_engines_agree_on_what_a_position_is(position):
    other = of_reference(position)
    for name in ("black", "white", "empty", "eggs", "turn", "outcome", "winning_turtles", "key"):
        assert getattr(position, name) == getattr(other, name)
    assert position.legal_moves() == other.legal_moves()
    ours, theirs = position.canonical(), other.canonical()
    assert (str(ours[0]), *ours[1:]) == (str(theirs[0]), *theirs[1:])


@given(turns, SYMMETRIES)
def test_symmetry_commutes_with_play(turn, symmetry):
    position, (black, white) = turn
    images = [Position.from_cells([cell], []).transform(symmetry) for cell in (black, white)]
    picks = [image.black.bit_length() - 1 for image in images]
    after = position.play(black, white)
    assert position.transform(symmetry).play(*picks) == after.transform(symmetry)


@given(turns)
def test_the_color_swap_commutes_with_play(turn):
    position, (black, white) = turn
    after = position.play(black, white).swap_colors()
    mirrored = position.swap_colors().play(white, black)
    assert mirrored == after
    assert mirrored.winning_turtles == after.winning_turtles
    assert mirrored.outcome == after.outcome


@given(positions, SYMMETRIES, SYMMETRIES, st.booleans())
def test_transforms_form_a_group_and_canonical_is_its_invariant(position, one, two, swap):
    image = position.transform(one).transform(two)
    assert any(position.transform(symmetry) == image for symmetry in Symmetry)
    assert position.transform(one).transform(one.inverse) == position
    assert image.outcome == position.outcome
    member = image.swap_colors() if swap else image
    assert member.canonical()[0] == position.canonical()[0]


@given(turns)
def test_a_turn_changes_what_the_trace_says_and_nothing_else(turn):
    position, picks = turn
    traced = trace(position, *picks)
    board, eggs = position.to_array().ravel().tolist(), list(position.eggs)
    for event in traced.events:
        apply(event, board, eggs)
    assert traced.position == position.play(*picks)
    assert type(traced.position) is Position
    assert traced.position.to_array().ravel().tolist() == board
    assert traced.position.eggs == tuple(eggs)
    assert traced.position.turn == min(position.turn + 1, 2**32 - 1)


def apply(event, board, eggs):
    """Apply an event to a board, and nothing else."""
    match event:
        case Placed(player, cell):
            assert board[cell] == EMPTY
            board[cell] = player
        case Laid(cell):
            assert board[cell] == EMPTY
            board[cell] = EGG
            eggs.append(cell)
        case Captured(player, by, cells):
            # A piece captured by both sides, or the capturer itself, may have left already.
            assert board[by] in (player, EMPTY)
            for cell in cells:
                assert board[cell] != player
                if board[cell] == EGG:
                    eggs.remove(cell)
                board[cell] = EMPTY
        case Hatched(player, cell):
            assert eggs.pop(0) == cell
            board[cell] = player
        case Vanished(cell):
            assert eggs.pop(0) == cell
            board[cell] = EMPTY


@given(positions)
def test_round_trips(position):
    other = of_reference(position)
    for value in (position, other):
        kind = type(value)
        for copied in (
            kind.from_string(str(value)),
            kind.from_bytes(value.to_bytes()),
            pickle.loads(pickle.dumps(value)),
            kind.from_array(value.to_array(), value.eggs, value.turn),
            eval(repr(value), {"Position": kind}),
        ):
            assert copied == value
            assert hash(copied) == hash(value)
            assert copied.turn == value.turn
            assert copied.outcome == value.outcome
    assert position.to_bytes() == other.to_bytes()


@given(positions.filter(lambda position: not position.is_over), st.integers(0, 2**32))
def test_record_round_trip(position, seed):
    rng = random.Random(seed)
    game = Game(position)
    while not game.is_over and len(game) < 5:
        moves = game.position.legal_moves()
        game.play(rng.choice(moves), rng.choice(moves))
    read = Game.from_string(str(game))
    assert read.positions() == game.positions()
    assert read == game


@given(positions, CELLS, CELLS)
def test_a_turn_is_played_or_refused_and_the_position_stays(position, black, white):
    text, key = str(position), position.key
    legal = position.legal_moves()
    expected = black in legal and white in legal
    assert position.is_legal(black, white) == expected
    if expected:
        position.play(black, white)
    else:
        with pytest.raises(IllegalMoveError):
            position.play(black, white)
    assert (str(position), position.key) == (text, key)


@given(st.binary(max_size=110) | st.binary(max_size=84).map(lambda tail: b"\1" + bytes(26) + tail))
def test_any_bytes_give_a_position_or_a_value_error(data):
    for kind in (Position, reference.Position):
        try:
            position = kind.from_bytes(data)
        except ValueError:
            continue
        assert position.to_bytes() == data


@given(positions, st.data())
def test_altered_bytes_give_a_position_or_a_value_error(position, data):
    encoded = bytearray(position.to_bytes())
    place = data.draw(st.integers(0, len(encoded) - 1))
    encoded[place] ^= data.draw(st.integers(1, 255))
    try:
        altered = Position.from_bytes(encoded)
    except ValueError:
        return
    assert altered.to_bytes() == encoded


@given(st.text(max_size=60) | st.from_regex(r"[bwe1-9/]{9,30} [a-i1-9,-]{1,9} [0-9]{1,11}"))
def test_any_text_gives_a_position_or_a_value_error(text):
    try:
        position = Position.from_string(text)
    except ValueError:
        return
    assert str(position) == text


@given(positions, positions, st.randoms(use_true_random=False), TURNS)
def test_equality_is_that_of_turtles_eggs_and_egg_order(one, other, rng, turn):
    reordered = list(one.eggs)
    rng.shuffle(reordered)
    again = Position.from_array(one.to_array(), one.eggs, turn)
    shuffled = Position.from_array(one.to_array(), reordered, turn)
    for two in (other, again, shuffled):
        same = (one.black, one.white, one.eggs) == (two.black, two.white, two.eggs)
        for a, b in ((one, two), (of_reference(one), of_reference(two))):
            assert (a == b) == same
            assert (a != b) == (not same)
            assert (a.key == b.key) == same
            assert hash(a) == hash(b) or not same
    assert one == again


def test_keys_are_equal_exactly_where_positions_are():
    """200,000 positions, each found twice: no two share a key, which is the same at any turn."""
    rng = random.Random(11)
    texts, keys = set(), set()
    while len(texts) < 200_000:
        position = Position()
        while not position.is_over:
            moves = position.legal_moves()
            position = position.play(rng.choice(moves), rng.choice(moves))
            fields = str(position).rsplit(" ", 1)[0]
            assert Position.from_string(f"{fields} 7").key == position.key
            texts.add(fields)
            keys.add(position.key)
    assert len(keys) == len(texts)


def test_the_key_sees_every_cell_and_every_change_of_egg_order():
    keys = {
        Position.from_cells(*(pieces if side == place else [] for place in range(3))).key
        for side in range(3)
        for pieces in ([], *([cell] for cell in range(81)))
    }
    assert len(keys) == 3 * 81 + 1
    orders = {
        Position.from_cells([], [], order).key
        for order in ([0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0])
    }
    assert len(orders) == 6


def test_any_two_eggs_exchanged_make_another_position():
    """Wherever in the order they are, and in both engines."""
    order = list(range(0, 80, 5))
    for kind in (Position, reference.Position):
        start = kind.from_cells([], [], order)
        for i in range(len(order)):
            for j in range(i):
                swapped = order.copy()
                swapped[i], swapped[j] = swapped[j], swapped[i]
                assert kind.from_cells([], [], swapped) != start
