"""Perft: the table that both engines confirm, and the numbers that follow by arithmetic."""

from pathlib import Path

import pytest

from wts_fast import Position, perft, reference

TABLE = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "data" / "perft.tsv")
    .read_text(encoding="utf-8")
    .splitlines()[1:]
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} {row[3]}")
def test_table(engine, row):
    _, text, depth, sequences = row
    assert engine.perft(engine.Position.from_string(text), int(depth)) == int(sequences)


def test_the_table_holds_each_kind_of_position():
    positions = [reference.Position.from_string(text) for _, text, _, _ in TABLE]
    assert len(set(positions)) >= 12
    assert sum(position.sudden_death for position in positions) >= 3
    assert sum(len(position.eggs) >= 10 for position in positions) >= 3
    assert sum(len(position.legal_moves()) <= 4 for position in positions) >= 3
    assert all(int(depth) >= 2 for _, _, depth, _ in TABLE[1:])


def test_two_turns_from_the_empty_board():
    # No capture and no line can be made, so a collision leaves 80 cells and any other turn 79.
    assert perft(Position(), 2) == 81 * 80**2 + 81 * 80 * 79**2 == 40_960_080


def test_depth_zero_is_the_position_itself(engine):
    assert engine.perft(engine.Position(), 0) == 1


def test_finished_positions_are_not_expanded(engine):
    over = engine.Position.from_cells("a1 b1 c1 d1 e1".split(), [])
    assert engine.perft(over, 0) == 1
    assert engine.perft(over, 1) == engine.perft(over, 2) == 0


def test_bad_depths(engine):
    for depth in (-1, 256, 2**31, 10**30, 10**5000):
        with pytest.raises(ValueError, match=r"depth is .*: expected 0\.\.255"):
            engine.perft(engine.Position(), depth)
    for depth in (1.5, "1", None):
        with pytest.raises(TypeError, match="depth must be an int, not"):
            engine.perft(engine.Position(), depth)


class Index:
    """An integer by `__index__`, whose `__int__` returns another number."""

    def __index__(self):
        return 1

    def __int__(self):
        return -5


def test_depths_are_what_index_says(engine):
    assert engine.perft(engine.Position(), Index()) == 6561


def test_positions_of_either_engine_are_counted_by_the_one_asked(engines):
    for ours in engines:
        for theirs in engines:
            assert ours.perft(theirs.Position.from_string(TABLE[1][1]), 2) > 0


@pytest.mark.parametrize("other", [None, "9/9", 5])
def test_what_is_no_position(engine, other):
    with pytest.raises(TypeError, match="expected a Position of either engine, not"):
        engine.perft(other, 1)
