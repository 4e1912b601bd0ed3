"""The events of a turn in order, and their text."""

import pytest

from wts_fast import (
    BLACK,
    WHITE,
    Captured,
    Hatched,
    IllegalMoveError,
    Laid,
    Outcome,
    Placed,
    Vanished,
    reference,
    trace,
)

CHAIN = "bww5e/9/8e/9/4ewwb1/4w4/4w4/4b4/9 e5,i1,i3 0"


def test_events_come_in_order(engine):
    traced = trace(engine.Position.from_string(CHAIN), "d1", "a9")
    assert traced.events == (
        Placed(BLACK, 3),
        Placed(WHITE, 72),
        Captured(BLACK, 3, (2, 1)),
        Hatched(BLACK, 40),
        Captured(BLACK, 40, (41, 42)),
        Captured(BLACK, 40, (49, 58)),
        Hatched(BLACK, 8),
        Hatched(BLACK, 26),
    )
    assert str(traced.position) == "b2b4b/9/8b/9/4b2b1/9/9/4b4/w8 - 1"
    assert traced.position == engine.Position.from_string(CHAIN).play("d1", "a9")
    assert type(traced.position) is engine.Position
    assert traced.winning_turtles == (0, 0)
    assert traced.outcome is Outcome.UNDECIDED


def test_a_collision_and_a_vanished_egg(engine):
    assert trace(engine.Position(), 4, "e1").events == (Laid(4),)
    position = engine.Position.from_string("bww6/9/9/9/4e4/4e4/9/9/5wbb1 e5,e6 0")
    assert trace(position, "d1", "i9").events[-1] == Vanished(40)


def test_captures_go_clockwise_from_straight_up(engine):
    position = engine.Position.from_cells(
        "b2 e2 h2 b5 h5 b8 e8 h8".split(),
        "c3 d4 e3 e4 g3 f4 c5 d5 f5 g5 c7 d6 e7 e6 g7 f6".split(),
    )
    captures = trace(position, "e5", "a1").events[2:]
    assert [capture.cells[0] for capture in captures] == [31, 32, 41, 50, 49, 48, 39, 30]


def test_illegal_turns_raise_what_play_raises(engine):
    with pytest.raises(IllegalMoveError, match="White cannot pick d1: the cell holds a black"):
        trace(engine.Position.from_cells(["d1"], []), "a1", "d1")


def test_the_turn_in_words(engine):
    assert str(trace(engine.Position.from_string(CHAIN), "d1", "a9")) == (
        "Black's turtle lands on d1 (T2)\n"
        "White's turtle lands on a9 (T2)\n"
        "Black's turtle on d1 captures c1 and b1 (C1)\n"
        "the oldest egg, on e5, hatches for Black (H1)\n"
        "Black's turtle on e5 captures f5 and g5 (C1)\n"
        "Black's turtle on e5 captures e6 and e7 (C1)\n"
        "the oldest egg, on i1, hatches for Black (H1)\n"
        "the oldest egg, on i3, hatches for Black (H1)\n"
        "no line of five: the game goes on (W1)"
    )


@pytest.mark.parametrize(
    ("text", "black", "white", "words"),
    [
        (
            "9/9/9/9/9/9/9/9/9 - 0",
            "e5",
            "e5",
            "both picked e5: no turtle lands, an egg is laid (E1)",
        ),
        (
            "bww6/9/9/9/4e4/9/9/9/5wbb1 e5 0",
            "d1",
            "i9",
            "both claim the oldest egg, on e5: it vanishes (H3)",
        ),
        (
            "9/1bbb1bb2/9/9/9/9/9/1wwww4/9 - 0",
            "e2",
            "f8",
            "6 winning turtles to 5: Black wins (W3)",
        ),
        ("9/9/9/9/9/9/9/1wwww4/9 - 0", "e2", "f8", "0 winning turtles to 5: White wins (W3)"),
        (
            "9/1bbbb4/9/9/9/9/9/1wwww4/9 - 0",
            "f2",
            "f8",
            "5 winning turtles each: Sudden Death, the game goes on (S1)",
        ),
        (
            "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/"
            "wwbbwbww1 - 0",
            "i9",
            "i9",
            "the board is full and nobody has won: a draw (D1)",
        ),
        (
            "bbbbbwwbb/bbwwbbbwb/bwbbbwwbw/wbbwbbbwb/wbbbwwbww/wwwwwbbbw/wbbwbbbww/bbwwwbwbb/"
            "wbbbwwww1 - 0",
            "i9",
            "i9",
            "the board is full and nobody has won: a draw (R4)",
        ),
    ],
)
def test_words_for_each_ending(text, black, white, words):
    assert words in str(trace(reference.Position.from_string(text), black, white)).splitlines()
