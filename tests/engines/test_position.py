"""Every member of Position, in both engines: results, types, errors, value semantics."""

import copy
import inspect
import pickle
import re
import sys

import numpy as np
import pytest

from wts_fast import (
    BLACK,
    EGG,
    WHITE,
    IllegalMoveError,
    Outcome,
    Symmetry,
    cell_index,
    cell_name,
)

TEXT = "w3b4/2wb2w2/1b2w1b2/4b4/2bw5/1w3e3/3b2w2/2w3b2/b5we1 f6,h9 12"
MASKS = {
    "black": "e1 d2 b3 g3 e4 c5 d7 g8 a9",
    "white": "a1 c2 g2 e3 d5 b6 g7 c8 g9",
}


@pytest.fixture
def position(engine):
    return engine.Position.from_string(TEXT)


def mask(names):
    return sum(1 << cell_index(name) for name in names.split())


# --- the properties of a position -------------------------------------------------------


def test_masks(position):
    assert position.black == mask(MASKS["black"])
    assert position.white == mask(MASKS["white"])
    occupied = position.black | position.white | mask("f6 h9")
    assert position.empty == (2**81 - 1) & ~occupied


def test_eggs_are_listed_oldest_first(position):
    assert position.eggs == (cell_index("f6"), cell_index("h9"))


def test_plain_members(position):
    assert position.turn == 12
    assert position.outcome is Outcome.UNDECIDED
    assert position.is_over is False
    assert position.sudden_death is False
    assert position.winning_turtles == (0, 0)


def test_the_empty_board(engine):
    position = engine.Position()
    assert (position.black, position.white, position.eggs, position.turn) == (0, 0, (), 0)
    assert position.legal_moves() == list(range(81))
    assert str(position) == "9/9/9/9/9/9/9/9/9 - 0"
    assert position.outcome is Outcome.UNDECIDED


def test_legal_moves_are_ascending_ints(position):
    moves = position.legal_moves()
    assert moves == sorted(moves)
    assert {type(cell) for cell in moves} == {int}
    assert sum(1 << cell for cell in moves) == position.empty


def test_legal_mask(position):
    legal = position.legal_mask()
    assert (legal.shape, legal.dtype) == ((81,), np.bool_)
    assert np.flatnonzero(legal).tolist() == position.legal_moves()


def test_array(engine, position):
    board = position.to_array()
    assert (board.shape, board.dtype) == ((9, 9), np.int8)
    assert (board[5, 5], board[0, 0], board[0, 4]) == (EGG, WHITE, BLACK)
    board[:] = 0  # the caller's own copy
    assert str(position) == TEXT


def test_members_of_a_finished_game(engine):
    position = engine.Position.from_cells("a1 a2 a3 a4 a5".split(), [])
    assert position.outcome is Outcome.BLACK_WINS
    assert position.is_over is True
    assert position.legal_moves() == []
    assert not position.legal_mask().any()
    assert not position.is_legal("e5", "e5")


def test_outcome_values():
    assert Outcome.BLACK_WINS.value_for(BLACK) == Outcome.WHITE_WINS.value_for(WHITE) == 1.0
    assert Outcome.BLACK_WINS.value_for(WHITE) == Outcome.WHITE_WINS.value_for(BLACK) == -1.0
    assert Outcome.DRAW.value_for(BLACK) == Outcome.UNDECIDED.value_for(WHITE) == 0.0
    with pytest.raises(ValueError, match="player must be BLACK"):
        Outcome.DRAW.value_for(0)


# --- play -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "picks", [(40, 41), ("e5", "f5"), (np.int8(40), np.uint64(41)), ("e5", 41)]
)
def test_cells_are_ints_or_names(position, picks):
    assert position.play(*picks) == position.play(40, 41)
    assert position.is_legal(*picks)


def test_picks_may_be_keywords(position):
    assert position.play(white=41, black=40) == position.play(40, 41)
    assert position.is_legal(white=41, black=40)


@pytest.mark.parametrize(
    ("picks", "message"),
    [
        ((81, 0), "Black cannot pick 81: cells are 0..80 or a1..i9"),
        ((1, -1), "White cannot pick -1: cells are 0..80 or a1..i9"),
        ((1, 10**30), f"White cannot pick {10**30}: cells are 0..80 or a1..i9"),
        (
            ("j1", 0),
            "Black cannot pick j1: cells are 0..80 or a1..i9",
        ),
        ((1, "f6"), "White cannot pick f6: the cell holds an egg"),
        (("e1", 1), "Black cannot pick e1: the cell holds a black turtle"),
        ((1, "a1"), "White cannot pick a1: the cell holds a white turtle"),
    ],
)
def test_illegal_picks_name_player_cell_and_reason(position, picks, message):
    with pytest.raises(IllegalMoveError) as caught:
        position.play(*picks)
    assert str(caught.value) == message
    assert not position.is_legal(*picks)
    assert str(position) == TEXT


@pytest.mark.parametrize(
    ("picks", "player", "cell", "reason"),
    [
        (("j1", 0), BLACK, None, "cells are 0..80 or a1..i9"),
        ((1, 81), WHITE, None, "cells are 0..80 or a1..i9"),
        ((1, "f6"), WHITE, 50, "the cell holds an egg"),
        ((4, 1), BLACK, 4, "the cell holds a black turtle"),
    ],
)
def test_the_error_of_a_pick_holds_its_parts_and_pickles(position, picks, player, cell, reason):
    with pytest.raises(IllegalMoveError) as caught:
        position.play(*picks)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (error.player, error.cell, error.reason) == (player, cell, reason)
        assert error.game is None
        assert str(error) == str(caught.value)


def test_no_pick_is_legal_once_the_game_is_over(engine):
    position = engine.Position.from_cells([], "a1 b1 c1 d1 e1".split())
    with pytest.raises(IllegalMoveError) as caught:
        position.play("i9", "i9")
    assert str(caught.value) == "Black cannot pick i9: the game is over (WHITE_WINS)"


@pytest.mark.parametrize("pick", [None, 1.0, b"e5", [40], np.float64(3)])
def test_what_is_no_cell_at_all_is_a_type_error(position, pick):
    for call in (position.play, position.is_legal):
        with pytest.raises(TypeError, match=r"a cell must be an int 0..80 or a name such as 'e5'"):
            call(1, pick)


def test_wrong_numbers_of_arguments(engine, position):
    for call in (
        lambda: position.play(1),
        lambda: position.play(1, 2, 3),
        lambda: position.play(1, white=2, red=3),
        lambda: engine.Position(1),
        lambda: position.legal_moves(1),
    ):
        with pytest.raises(TypeError):
            call()


# --- construction -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "call", [lambda new: new("9/9/9/9/9/9/9/9/9 - 0"), lambda new: new(turn=3)]
)
def test_a_position_with_arguments_names_the_constructors(engine, call):
    with pytest.raises(TypeError) as caught:
        call(engine.Position)
    assert str(caught.value) == (
        "Position() takes no arguments and returns the empty board: use Position.from_string for a "
        "position string, Position.from_cells for cells and a turn"
    )


def test_string_round_trip(engine, position):
    assert str(position) == TEXT
    assert eval(repr(position), {"Position": engine.Position}) == position
    assert repr(position) == f"Position.from_string('{TEXT}')"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 3 fields (rows, eggs, turn) separated by single spaces, found 1"),
        ("9/9/9/9/9/9/9/9/9 -", "single spaces, found 2"),
        ("9/9/9/9/9/9/9/9/9  - 0", "single spaces, found 4"),
        ("9/9/9/9/9/9/9/9 - 0", "expected 9 rows joined by '/', found 8"),
        ("9/9/9/9/9/9/9/9/8 - 0", "row 9 has 8 cells: expected 9"),
        ("9/9/9/9/9/9/9/9/9b - 0", "row 9 has 10 cells: expected 9"),
        ("9/9/9/9/9/9/9/9/x8 - 0", "row 9 has 'x': expected b, w, e or a digit 1..9"),
        ("9/9/9/9/9/9/9/9/0b8 - 0", "row 9 has '0': expected b, w, e or a digit 1..9"),
        ("54/9/9/9/9/9/9/9/9 - 0", "row 1 has 54: expected one digit for each run of empty cells"),
        ("9/9/9/9/9/9/9/9/² - 0", "row 9 has '²': expected b, w, e or a digit 1..9"),
        ("e8/9/9/9/9/9/9/9/9 - 0", "egg order leaves out the egg on a1"),
        ("e8/9/9/9/9/9/9/9/9 b1 0", "egg order names b1, but that cell holds nothing"),
        ("e8/9/9/9/9/9/9/9/9 a1,a1 0", "egg order names a1 twice"),
        ("e8/9/9/9/9/9/9/9/9 a1, 0", "'' is not a cell"),
        ("e8/9/9/9/9/9/9/9/9 0 0", "'0' is not a cell"),
        ("9/9/9/9/9/9/9/9/9 - -1", "turn is '-1': expected a number without leading zeros"),
        ("9/9/9/9/9/9/9/9/9 - 007", "turn is '007': expected a number without leading zeros"),
        ("9/9/9/9/9/9/9/9/9 - ١", "turn is '١': expected a number without leading zeros"),
        ("9/9/9/9/9/9/9/9/9 - 4294967296", "turn is 4294967296: expected 0..4294967295"),
        ("9/9/9/9/9/9/9/9/9 - 99999999999", "turn is 99999999999: expected 0..4294967295"),
        ("9/9/9/9/9/9/9/9/9 - 0\n", "turn is '0\\n': expected a number"),
    ],
)
def test_malformed_strings_say_what_stands_where(engine, text, message):
    with pytest.raises(ValueError) as caught:
        engine.Position.from_string(text)
    assert message in str(caught.value)


def test_a_position_string_must_be_a_string(engine):
    with pytest.raises(TypeError, match="must be a str, not bytes"):
        engine.Position.from_string(b"9/9/9/9/9/9/9/9/9 - 0")


def test_from_cells(engine, position):
    built = engine.Position.from_cells(
        MASKS["black"].split(), map(cell_index, MASKS["white"].split()), iter(["f6", 79]), turn=12
    )
    assert str(built) == TEXT


@pytest.mark.parametrize(
    ("cells", "error", "message"),
    [
        ((["e5"], ["e5"]), ValueError, "e5 is given twice: a black turtle and a white turtle"),
        ((["e5", 40], []), ValueError, "e5 is given twice: a black turtle and a black turtle"),
        (([], ["e5"], ["e5"]), ValueError, "e5 is given twice: a white turtle and an egg"),
        (([81], []), ValueError, "81 is not a cell: expected 0..80"),
        ((["E5"], []), ValueError, "'E5' is not a cell"),
        (([1.5], []), TypeError, "a cell must be an int 0..80 or a name such as 'e5', not float"),
        ((1, []), TypeError, "not iterable"),
        (([], [], [], -1), ValueError, "turn is -1: expected 0..4294967295"),
        (([], [], [], 2**32), ValueError, "turn is 4294967296: expected 0..4294967295"),
        (([], [], [], 1.0), TypeError, "float"),
    ],
)
def test_from_cells_refuses(engine, cells, error, message):
    with pytest.raises(error) as caught:
        engine.Position.from_cells(*cells)
    assert message in str(caught.value)


def test_from_array(engine, position):
    eggs = ["f6", "h9"]
    for dtype in (np.int8, np.uint8, np.int64):
        built = engine.Position.from_array(position.to_array().astype(dtype), eggs, turn=12)
        assert str(built) == TEXT
    turned = np.asfortranarray(position.to_array())
    assert str(engine.Position.from_array(turned, eggs, 12)) == TEXT
    assert str(engine.Position.from_array(turned.tolist(), eggs, 12)) == TEXT


def test_from_array_needs_no_order_for_one_egg(engine):
    board = np.zeros((9, 9), dtype=np.int8)
    assert engine.Position.from_array(board) == engine.Position()
    board[4, 4] = EGG
    assert engine.Position.from_array(board).eggs == (40,)


@pytest.mark.parametrize(
    ("board", "eggs", "error", "message"),
    [
        (np.zeros((9, 8), int), None, ValueError, "board has shape (9, 8): expected (9, 9)"),
        (np.zeros(81, int), None, ValueError, "board has shape (81,): expected (9, 9)"),
        (np.zeros((9, 9)), None, TypeError, "board has dtype float64: expected integers"),
        (np.zeros((9, 9), bool), None, TypeError, "board has dtype bool: expected integers"),
        ("board", None, TypeError, "expected integers"),
        (np.full((9, 9), 4), None, ValueError, "board[0, 0] is 4: expected 0 (empty), 1 (black)"),
        (np.full((9, 9), -1), None, ValueError, "board[0, 0] is -1"),
        (np.full((9, 9), 259), None, ValueError, "board[0, 0] is 259"),
        (np.full((9, 9), 3), None, ValueError, "board has 81 eggs: expected their order, as eggs="),
        (
            np.zeros((9, 9), int),
            ["a1"],
            ValueError,
            "egg order names a1, but that cell holds nothing",
        ),
        (np.full((9, 9), 3), ["a1"], ValueError, "egg order leaves out the egg on b1"),
        (np.full((9, 9), 3), ["a1", 0], ValueError, "egg order names a1 twice"),
    ],
)
def test_from_array_refuses(engine, board, eggs, error, message):
    with pytest.raises(error) as caught:
        engine.Position.from_array(board, eggs)
    assert message in str(caught.value)


def test_a_board_full_of_eggs(engine):
    order = list(range(80, -1, -1))
    position = engine.Position.from_array(np.full((9, 9), EGG), order, turn=4294967295)
    assert position.eggs == tuple(order)
    assert position.outcome is Outcome.DRAW
    assert engine.Position.from_bytes(position.to_bytes()).eggs == tuple(order)
    assert engine.Position.from_string(str(position)) == position


# --- bytes and pickle -------------------------------------------------------------------


def test_bytes_are_the_same_in_both_engines_and_read_by_both(engines, position):
    data = position.to_bytes()
    assert data == bytes.fromhex(
        "01 0c000000"
        + position.black.to_bytes(11, "little").hex()
        + position.white.to_bytes(11, "little").hex()
        + "32 4f"
    )
    for engine in engines:
        for kind in (bytes, bytearray, memoryview):
            read = engine.Position.from_bytes(kind(data))
            assert (type(read), str(read)) == (engine.Position, TEXT)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "has 0 bytes: expected 27 or more"),
        (bytes(26), "has 26 bytes: expected 27 or more"),
        (bytes(27), "has version 0: expected 1"),
        (b"\2" + bytes(26), "has version 2: expected 1"),
        (b"\1" + bytes(4) + b"\1" + bytes(10) + b"\1" + bytes(10), "a1 is given twice"),
        (b"\1" + bytes(26) + b"\0\0", "a1 is given twice: an egg and an egg"),
        (b"\1" + bytes(26) + b"\x51", "81 is not a cell"),
        (b"\1" + bytes(14) + b"\2" + bytes(11), "81 is not a cell"),
        (b"\1" + bytes(26) + bytes(range(82)), "81 is not a cell"),
    ],
)
def test_bytes_that_were_never_written_are_refused(engine, data, message):
    with pytest.raises(ValueError) as caught:
        engine.Position.from_bytes(data)
    assert message in str(caught.value)


def test_bytes_must_be_bytes(engine):
    for data in ("text", 3, None):
        with pytest.raises(TypeError):
            engine.Position.from_bytes(data)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(engine, position, protocol):
    loaded = pickle.loads(pickle.dumps(position, protocol))
    assert (type(loaded), str(loaded)) == (engine.Position, TEXT)


def test_a_pickle_finds_its_type_in_a_public_module(engine):
    """Files inside the packages may move, and pickles still load."""
    names = re.findall(rb"wts_fast[\w.]*", pickle.dumps(engine.Position()))
    assert names == [b"wts_fast" if engine.name == "core" else b"wts_fast.reference"]


def test_what_one_engine_pickles_the_other_reads(engines):
    """A pickle names its engine; its data is the encoding that both engines read."""
    for ours, theirs in (engines, engines[::-1]):
        _, (data,) = ours.Position.from_string(TEXT).__reduce__()
        assert str(theirs.Position.from_bytes(data)) == TEXT


# --- a value ----------------------------------------------------------------------------


def test_copies_are_the_position_itself(position):
    assert copy.copy(position) is position
    assert copy.deepcopy([position])[0] is position


def test_positions_cannot_be_changed(position):
    for name in ("black", "white", "empty", "eggs", "turn", "outcome", "key", "new"):
        with pytest.raises(AttributeError):
            setattr(position, name, 0)
        with pytest.raises(AttributeError):
            delattr(position, name)
    position.__init__()
    assert str(position) == TEXT


def test_positions_cannot_be_subclassed(engine):
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (engine.Position,), {})


def test_equality_and_hash(engine, position):
    same = engine.Position.from_string(TEXT)
    assert position == same
    assert hash(position) == hash(same)
    assert len({position, same, position.play(1, 2)}) == 2
    assert position != position.play(1, 2)
    assert position != TEXT
    assert position != None  # noqa: E711
    with pytest.raises(TypeError):
        position < same  # noqa: B015


def test_outcomes_print_their_name(engine):
    assert f"{engine.Position().outcome}" == str(Outcome.UNDECIDED) == "UNDECIDED"


def test_engines_hash_alike_and_do_not_mix_in_comparisons(engines):
    core, reference = (engine.Position.from_string(TEXT) for engine in engines)
    assert hash(core) == hash(reference) == hash(core.key)
    assert core != reference
    assert reference != core


def test_the_key_is_the_same_for_ever(engine, position):
    """These numbers may be stored by users: they must never change within a major version."""
    assert engine.Position().key == 0x2130748AAAC80268
    assert position.key == 0x9C487E571F286B50


def test_a_core_position_is_small(engines):
    assert sys.getsizeof(engines[0].Position()) <= 200


# --- symmetry ---------------------------------------------------------------------------


def test_each_symmetry_by_three_cells(engine):
    """The images of b1, d1 and a5."""
    expected = {
        Symmetry.IDENTITY: "b1 d1 a5",
        Symmetry.ROTATE_90: "i2 i4 e1",
        Symmetry.ROTATE_180: "h9 f9 i5",
        Symmetry.ROTATE_270: "a8 a6 e9",
        Symmetry.FLIP_HORIZONTAL: "h1 f1 i5",
        Symmetry.ANTI_TRANSPOSE: "i8 i6 e9",
        Symmetry.FLIP_VERTICAL: "b9 d9 a5",
        Symmetry.TRANSPOSE: "a2 a4 e1",
    }
    position = engine.Position.from_cells(["b1"], ["d1"], ["a5"], turn=3)
    for symmetry, names in expected.items():
        black, white, egg = names.split()
        image = position.transform(symmetry)
        assert str(image) == str(engine.Position.from_cells([black], [white], [egg], turn=3))
        assert image.transform(symmetry.inverse) == position
        assert position.transform(int(symmetry)) == image


@pytest.mark.parametrize("symmetry", [-1, 8, 1.5, "x", None])
def test_no_other_symmetry(position, symmetry):
    with pytest.raises(ValueError, match=r"symmetry must be a Symmetry or an int 0..7"):
        position.transform(symmetry)


def test_swap_colors(position):
    swapped = position.swap_colors()
    assert (swapped.black, swapped.white) == (position.white, position.black)
    assert (swapped.eggs, swapped.turn) == (position.eggs, position.turn)
    assert swapped.swap_colors() == position


def test_canonical_leads_to_the_representative(position):
    representative, symmetry, swapped = position.canonical()
    assert type(symmetry) is Symmetry
    assert type(swapped) is bool
    start = position.swap_colors() if swapped else position
    assert start.transform(symmetry) == representative
    assert representative.turn == position.turn
    for image in map(position.transform, Symmetry):
        for member in (image, image.swap_colors()):
            assert member.canonical()[0] == representative
            assert (representative.black, representative.white, representative.eggs) <= (
                member.black,
                member.white,
                member.eggs,
            )


def test_canonical_of_a_symmetric_position_is_the_first_way(engine):
    assert engine.Position().canonical() == (engine.Position(), Symmetry.IDENTITY, False)


# --- cells ------------------------------------------------------------------------------


def test_cell_names():
    assert [cell_name(cell) for cell in (0, 8, 40, 80)] == ["a1", "i1", "e5", "i9"]
    assert [cell_index(cell_name(cell)) for cell in range(81)] == list(range(81))
    with pytest.raises(TypeError, match="str"):
        cell_name("e5")
    for bad in (81, -1):
        with pytest.raises(ValueError, match=r"expected 0..80"):
            cell_name(bad)


# --- one face ---------------------------------------------------------------------------


def test_both_engines_have_the_same_members_signatures_and_docstrings(engines):
    core, reference = (engine.Position for engine in engines)
    public = {
        name
        for name in dir(reference)
        if not name.startswith("_") or name in ("_repr_svg_", "__eq__", "__reduce__")
    }
    assert {name for name in dir(core) if not name.startswith("_")} <= public
    for name in sorted(public):
        ours, theirs = getattr(core, name), getattr(reference, name)
        if not name.startswith("__"):
            assert inspect.getdoc(ours) == inspect.getdoc(theirs), name
        if callable(theirs) and not name.startswith("__"):
            assert parameters(ours) == parameters(theirs), name
    assert inspect.getdoc(core) == inspect.getdoc(reference)


def parameters(function):
    """Names, kinds and defaults of parameters, without annotations and bound arguments."""
    return [
        (parameter.name, parameter.kind, parameter.default)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name != "self"
    ]
