"""Every rule and ruling, by its id, in both engines.

A test named test_c3_… proves rule C3; the last test here sees that no id is without one.
Positions are drawn from the top row down, as in a position string.
"""

import re
from pathlib import Path

import pytest

from wts_fast import (
    BLACK,
    EGG,
    EMPTY,
    WHITE,
    IllegalMoveError,
    Outcome,
    cell_index,
    trace,
)
from wts_fast.reference import (
    DIRECTIONS,
    FIVES,
    TRAPS,
    Captured,
    Hatched,
    Laid,
    Placed,
    Vanished,
    ray,
)

EXAMPLES = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "data" / "worked_examples.tsv")
    .read_text(encoding="utf-8")
    .splitlines()[1:]
]

OUTCOMES = {
    "goes on": Outcome.UNDECIDED,
    "Black wins": Outcome.BLACK_WINS,
    "White wins": Outcome.WHITE_WINS,
    "draw": Outcome.DRAW,
}


def played(engine, text, black, white):
    return engine.Position.from_string(text).play(black, white)


def traced(engine, text, black, white):
    """The turn as traced by the reference, checked against the engine under test."""
    position = engine.Position.from_string(text)
    after = position.play(black, white)
    result = trace(position, black, white)
    assert str(after) == str(result.position)
    assert after.winning_turtles == result.winning_turtles
    assert after.outcome == result.outcome
    return result


def cells(*names):
    return {cell_index(name) for name in names}


def content(position, name):
    return position.to_array().flat[cell_index(name)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[0])
def test_worked_example(engine, example):
    _, before, black, white, after, winning, outcome = example
    position = played(engine, before, black, white)
    assert str(position) == after
    assert "{}/{}".format(*position.winning_turtles) == winning
    assert position.outcome == OUTCOMES[outcome]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[0])
def test_worked_example_with_colors_exchanged(engine, example):
    _, before, black, white, after, _, _ = example
    swapped = engine.Position.from_string(before).swap_colors().play(white, black)
    assert swapped == engine.Position.from_string(after).swap_colors()


def test_b1_the_board_has_81_cells_that_are_empty_or_hold_one_piece(engine):
    position = engine.Position.from_cells(["a1"], ["i9"], ["e5"])
    board = position.to_array()
    assert board.shape == (9, 9)
    assert (board[0, 0], board[8, 8], board[4, 4]) == (BLACK, WHITE, EGG)
    assert (board == EMPTY).sum() == 78
    with pytest.raises(ValueError, match="e5 is given twice"):
        engine.Position.from_cells(["e5"], ["e5"])


def test_b2_an_egg_blocks_its_cell_for_both(engine):
    position = engine.Position.from_cells([], [], ["e5"])
    for picks in (("e5", "a1"), ("a1", "e5"), ("e5", "e5")):
        assert not position.is_legal(*picks)
        with pytest.raises(IllegalMoveError, match="e5: the cell holds an egg"):
            position.play(*picks)


def test_b2_the_order_of_laying_is_remembered(engine):
    position = engine.Position()
    for cell in ("i9", "a1", "e5"):
        position = position.play(cell, cell)
    assert position.eggs == (80, 0, 40)


def test_t1_both_may_pick_any_empty_cell_and_no_other(engine):
    position = engine.Position.from_cells(["a1"], ["b1"], ["c1"])
    legal = set(range(81)) - cells("a1", "b1", "c1")
    assert set(position.legal_moves()) == legal
    for cell in range(81):
        assert position.is_legal(cell, "e5") == (cell in legal)
        assert position.is_legal("e5", cell) == (cell in legal)


def test_t2_captures_come_before_hatching_and_the_win_check_last(engine):
    # What is captured hatches the egg that completes the five that wins.
    result = traced(engine, "bww6/9/9/9/9/bbebb4/9/9/9 c6 0", "d1", "i9")
    assert [type(event) for event in result.events] == [Placed, Placed, Captured, Hatched]
    assert result.outcome == Outcome.BLACK_WINS


def test_t3_turtles_stay_where_they_are_unless_captured(engine):
    position = engine.Position()
    for picks in (("a1", "i9"), ("b2", "h8"), ("e5", "e5")):
        before = position
        position = position.play(*picks)
        assert before.black & ~position.black == 0
        assert before.white & ~position.white == 0
        assert set(before.eggs) <= set(position.eggs)


def test_e1_the_egg_of_a_collision_is_the_newest(engine):
    position = engine.Position.from_cells([], [], ["i9", "a1"]).play("e5", "e5")
    assert position.eggs == (80, 0, 40)
    assert position.black == position.white == 0


def test_e2_a_collision_neither_captures_nor_hatches(engine):
    position = played(engine, "bww6/9/e8/9/9/9/9/9/9 a3 0", "d1", "d1")
    assert str(position) == "bwwe5/9/e8/9/9/9/9/9/9 a3,d1 1"


def test_e2_the_win_check_runs_after_a_collision(engine):
    # The last cell is filled by an egg: only the win check can tell that the board is full.
    full = "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwbww1 - 0"
    assert played(engine, full, "i9", "i9").outcome == Outcome.DRAW


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("player", [BLACK, WHITE])
def test_c1_captures_in_each_of_the_eight_directions(engine, player, direction):
    first, second, end = ray(cell_index("e5"), direction, 3)
    position = engine.Position.from_cells([end], [first, second], ["a2"])
    expected = engine.Position.from_cells([end, "e5", "a2"], ["i8"])
    if player == WHITE:
        position, expected = position.swap_colors(), expected.swap_colors()
    assert position.play(*(("e5", "i8") if player == BLACK else ("i8", "e5"))) == expected


def test_c1_every_trap_on_the_board_closes(engine):
    """All 360 of them: 108 each along rows and columns, 72 each along either slant."""
    traps = [(cell, *run) for cell in range(81) for run in TRAPS[cell]]
    assert len(traps) == len(set(traps)) == 108 + 108 + 72 + 72
    for cell, first, second, end in traps:
        elsewhere = next(c for c in (0, 40, 80, 8, 72) if c not in (cell, first, second, end))
        position = engine.Position.from_cells([end], [first, second])
        assert position.play(cell, elsewhere).white == 1 << elsewhere
        assert position.swap_colors().play(elsewhere, cell).black == 1 << elsewhere


@pytest.mark.parametrize("end", ["empty", "enemy", "egg"])
def test_c1_needs_an_own_turtle_at_the_far_end(engine, end):
    position = engine.Position.from_cells(
        [], ["b5", "c5", *(["d5"] if end == "enemy" else [])], ["d5"] if end == "egg" else []
    )
    assert position.play("a5", "i9").white & position.white == position.white


def test_c1_does_not_reach_round_an_edge(engine):
    """The far end, or a piece between, would be on the next row or outside the board."""
    for black, white, pick in (
        (["b2"], ["i1", "a2"], "h1"),
        (["a3"], ["h1", "i2"], "g9"),
        (["a2"], ["h1", "i1"], "g1"),
        (["i1"], ["b2", "a3"], "c1"),
        (["h8"], ["a9", "i8"], "b9"),
    ):
        position = engine.Position.from_cells(black, white)
        assert position.play(pick, "e5").white.bit_count() == 3


def test_c2_turtles_of_the_other_color_and_eggs_are_enemies(engine):
    for pair, eggs in (("ww", "-"), ("we", "c1"), ("ew", "b1"), ("ee", "b1,c1")):
        position = played(engine, f"b{pair}6/9/9/9/9/9/9/9/9 {eggs} 0", "d1", "i9")
        assert str(position) == "b2b5/9/9/9/9/9/9/9/8w - 1"


def test_c2_own_turtles_are_no_enemies(engine):
    for pair in ("bw", "wb", "bb"):
        position = played(engine, f"b{pair}6/9/9/9/9/9/9/9/9 - 0", "d1", "i9")
        assert str(position) == f"b{pair}b5/9/9/9/9/9/9/9/8w - 1"


@pytest.mark.parametrize("between", [0, 1, 3, 4])
def test_c3_only_exactly_two_are_captured(engine, between):
    whites = [f"{column}5" for column in "bcdefgh"[:between]]
    position = engine.Position.from_cells(["a5"], whites)
    after = position.play("bcdefgh"[between] + "5", "i9")
    assert after.white.bit_count() == between + 1


def test_c3_a_gap_between_is_no_capture(engine):
    for text in ("b1w6", "bw7"):
        assert played(engine, f"{text}/9/9/9/9/9/9/9/9 - 0", "d1", "i9").white.bit_count() == 2


def test_c4_a_turtle_that_steps_into_a_trap_is_safe(engine):
    for text, pick in (("w1bw5", "b1"), ("wb1w5", "c1")):
        position = played(engine, f"{text}/9/9/9/9/9/9/9/9 - 0", pick, "i9")
        assert str(position) == "wbbw5/9/9/9/9/9/9/9/8w - 1"


def test_c4_a_turtle_hatched_inside_a_trap_is_safe(engine):
    # d1 captures b1 and c1; the egg hatches on e7, between White's d7 and g7, beside f7.
    position = played(engine, "bww6/9/9/9/9/9/3webw2/9/9 e7 0", "d1", "i9")
    assert str(position) == "b2b5/9/9/9/9/9/3wbbw2/9/8w - 1"


def test_c4_only_the_arriving_turtle_captures(engine):
    """A closed trap on the board stays when another turtle arrives elsewhere."""
    position = played(engine, "bwwb5/9/9/9/9/9/9/9/9 - 0", "e5", "i9")
    assert str(position) == "bwwb5/9/9/9/4b4/9/9/9/8w - 1"


def test_c5_each_direction_is_one_capture(engine):
    """Eight captures at once hatch eight eggs."""
    board = engine.Position.from_cells(
        ["b2", "e2", "h2", "b5", "h5", "b8", "e8", "h8"],
        "c3 d4 e3 e4 g3 f4 c5 d5 f5 g5 c7 d6 e7 e6 g7 f6".split(),
        "a1 c1 e1 g1 i1 a9 c9 e9 g9".split(),
    )
    after = board.play("e5", "i9")
    assert after.black.bit_count() == 17
    assert after.white == 1 << 80
    assert after.eggs == (cell_index("g9"),)


def test_c6_both_scans_see_the_board_after_both_placements(engine):
    # White's c2 lands between Black's, and is at once the second piece of the trap.
    result = traced(engine, "9/bw7/9/9/9/9/9/9/9 - 0", "d2", "c2")
    assert Captured(BLACK, cell_index("d2"), (11, 10)) in result.events


def test_c6_a_captured_newcomer_still_captures(engine):
    result = traced(engine, "9/9/9/9/1bw2bw2/9/9/9/9 - 0", "e5", "d5")
    assert [event.player for event in result.events if isinstance(event, Captured)] == [
        BLACK,
        WHITE,
    ]


def test_c6_a_piece_captured_by_both_counts_for_both(engine):
    result = traced(engine, "8e/8e/9/9/2bwe4/4b4/4w4/9/9 e5,i1,i2 0", "f5", "e4")
    captures = [event for event in result.events if isinstance(event, Captured)]
    assert [capture.player for capture in captures] == [BLACK, WHITE]
    assert set(captures[0].cells) & set(captures[1].cells) == cells("e5")
    # One capture each: one egg vanishes, and none hatches.
    assert [type(event) for event in result.events[4:]] == [Vanished]


def test_h1_one_capture_hatches_one_egg_the_oldest(engine):
    position = played(engine, "bww6/9/9/9/9/9/9/9/e1e1e4 e9,a9,c9 0", "d1", "i1")
    assert position.eggs == tuple(map(cell_index, ("a9", "c9")))
    assert content(position, "e9") == BLACK


def test_h1_hatching_follows_the_removal_of_captures(engine):
    # The oldest egg, c1, is itself captured: the next one hatches.
    position = played(engine, "bwe6/9/9/9/9/9/9/9/e8 c1,a9 0", "d1", "i9")
    assert str(position) == "b2b5/9/9/9/9/9/9/9/b7w - 1"


def test_h2_a_hatched_turtle_captures_and_hatches_the_next(engine):
    result = traced(engine, "bww5e/9/8e/9/4ewwb1/4w4/4w4/4b4/9 e5,i1,i3 0", "d1", "a9")
    assert [event.cell for event in result.events if isinstance(event, Hatched)] == [40, 8, 26]
    assert result.events[3:6] == (
        Hatched(BLACK, 40),
        Captured(BLACK, 40, (41, 42)),
        Captured(BLACK, 40, (49, 58)),
    )


def test_h3_the_oldest_egg_vanishes_when_both_captured(engine):
    position = played(engine, "bww6/9/9/9/4e4/4e4/9/9/5wbb1 e6,e5 0", "d1", "i9")
    assert position.eggs == (40,)
    assert content(position, "e6") == EMPTY


def test_h4_hatching_ends_when_the_captures_are_spent(engine):
    position = played(engine, "bww6/9/9/9/9/9/9/9/e1e1e1e2 a9,c9,e9,g9 0", "d1", "i1")
    assert len(position.eggs) == 3


def test_h4_hatching_ends_when_the_eggs_run_out(engine):
    position = played(engine, "bww1wwb2/9/9/9/9/9/9/9/e8 a9 0", "d1", "i9")
    assert position.eggs == ()
    assert position.black.bit_count() == 4


def test_h5_captures_are_not_saved(engine):
    position = played(engine, "bww6/9/9/9/9/9/9/9/9 - 0", "d1", "i9").play("e5", "e5")
    after = position.play("f5", "g5")
    assert after.eggs == (40,)


def test_h5_a_captured_egg_does_not_hatch(engine):
    position = played(engine, "bwe6/9/9/9/9/9/9/9/9 c1 0", "d1", "i9")
    assert position.eggs == ()
    assert content(position, "c1") == EMPTY


def test_w1_lines_are_counted_on_the_settled_board(engine):
    # The five in row 5 stands after placement, and is broken by White's capture.
    text = "9/9/9/5w3/2bbbb3/5b3/9/9/9 - 0"
    assert played(engine, text, "g5", "a9").outcome == Outcome.BLACK_WINS
    result = traced(engine, text, "g5", "f7")
    assert result.winning_turtles == (0, 0)
    assert result.outcome == Outcome.UNDECIDED


@pytest.mark.parametrize("length", range(1, 10))
def test_w2_five_or_more_in_an_unbroken_line_win(engine, length):
    row = [36 + column for column in range(length)]
    column = [9 * row for row in range(length)]
    diagonal = [10 * row for row in range(length)]
    slant = [8 + 8 * row for row in range(length)]
    for line in (row, column, diagonal, slant):
        position = engine.Position.from_cells(line, [])
        assert position.winning_turtles == (length if length >= 5 else 0, 0)


def test_w2_every_five_on_the_board_is_seen_from_each_of_its_cells(engine):
    """All 140 of them: 45 across, 45 down, 25 on either slant."""
    assert len(FIVES) == len(set(FIVES)) == 45 + 45 + 25 + 25
    for five in FIVES:
        elsewhere = next(cell for cell in (0, 80) if cell not in five)
        for last in five:
            others = [cell for cell in five if cell != last]
            black = engine.Position.from_cells(others, []).play(last, elsewhere)
            white = engine.Position.from_cells([], others).play(elsewhere, last)
            assert (black.winning_turtles, black.outcome) == ((5, 0), Outcome.BLACK_WINS)
            assert (white.winning_turtles, white.outcome) == ((0, 5), Outcome.WHITE_WINS)


def test_w2_a_line_does_not_run_round_an_edge(engine):
    for line in ("f1 g1 h1 i1 a2", "e1 f2 g3 h4 a6", "e5 d6 c7 b8 i8", "h1 i1 a2 b2 c2"):
        assert engine.Position.from_cells(line.split(), []).winning_turtles == (0, 0)


def test_w2_a_gap_or_an_egg_breaks_a_line(engine):
    for text in ("bb1bb4", "bbwbb4", "bbebb4"):
        eggs = "c1" if "e" in text else "-"
        position = engine.Position.from_string(f"{text}/9/9/9/9/9/9/9/9 {eggs} 0")
        assert position.winning_turtles == (0, 0)


def test_w2_a_turtle_in_two_lines_counts_once(engine):
    cross = engine.Position.from_string("2b6/2b6/bbbbb4/2b6/2b6/9/9/9/9 - 0")
    assert cross.winning_turtles == (9, 0)
    star = "2b1b1b2/3bbb3/2bbbbb2/3bbb3/2b1b1b2/9/9/9/9 - 0"
    assert engine.Position.from_string(star).winning_turtles == (17, 0)


def test_w3_the_higher_count_wins_at_once(engine):
    position = played(engine, "9/1bbb1bb2/9/9/9/9/9/1wwww4/9 - 0", "e2", "f8")
    assert position.outcome == Outcome.BLACK_WINS
    assert position.swap_colors().outcome == Outcome.WHITE_WINS
    assert position.legal_moves() == []
    with pytest.raises(IllegalMoveError, match="game is over"):
        position.play("a1", "a9")


def test_s1_equal_counts_are_sudden_death_and_play_goes_on(engine):
    position = played(engine, "9/1bbbb4/9/9/9/9/9/1wwww4/9 - 0", "f2", "f8")
    assert position.sudden_death
    assert not position.is_over
    assert position.play("a1", "i9").sudden_death
    assert position.play("g2", "i9").outcome == Outcome.BLACK_WINS
    assert position.play("i9", "g8").outcome == Outcome.WHITE_WINS


def test_s1_counts_are_taken_afresh_every_turn(engine):
    # Both lengthen their line: six each, so Sudden Death goes on.
    position = played(engine, "9/1bbbbb3/9/9/9/9/9/1wwwww3/9 - 0", "g2", "g8")
    assert position.winning_turtles == (6, 6)
    assert position.sudden_death


def test_s2_sudden_death_ends_when_both_lines_are_gone_and_may_come_again(engine):
    text = "4w4/1bbbbb3/4b4/9/3b5/1wwwww3/3w5/9/9 - 0"
    assert engine.Position.from_string(text).sudden_death
    position = played(engine, text, "d8", "e4")
    assert position.winning_turtles == (0, 0)
    assert not position.sudden_death
    assert not position.is_over
    again = position.play("e2", "d6")
    assert again.sudden_death


def test_d1_a_full_board_that_nobody_has_won_is_a_draw(engine):
    full = "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwbwwe i9 1"
    position = engine.Position.from_string(full)
    assert position.outcome == Outcome.DRAW
    assert position.legal_moves() == []


def test_d1_a_win_on_a_full_board_is_a_win(engine):
    position = engine.Position.from_cells(range(81), [])
    assert position.outcome == Outcome.BLACK_WINS
    assert position.winning_turtles == (81, 0)


def test_r1_captures_are_set_off_one_for_one(engine):
    """Three captures to one, three eggs: one vanishes, two hatch."""
    result = traced(engine, "bww1wwb2/3w5/3w5/3b5/9/4e4/9/1e7/e4wbb1 e6,b8,a9 0", "d1", "i9")
    assert result.events[-3:] == (Vanished(49), Hatched(BLACK, 64), Hatched(BLACK, 72))


def test_r2_a_hatched_turtles_captures_come_before_the_next_hatch(engine):
    result = traced(engine, "bww6/3w5/3w5/3b5/4eweb1/9/9/9/e8 e5,g5,a9 0", "d1", "i9")
    assert result.events[-3:] == (
        Hatched(BLACK, 40),
        Captured(BLACK, 40, (41, 42)),
        Hatched(BLACK, 72),
    )


def test_r2_eggs_hatch_one_after_another(engine):
    """The egg on h7 is no far end for e7, but e7 is one for h7 a moment later."""
    result = traced(engine, "bww6/3w5/3w5/3b5/9/9/4ewwe1/9/9 e7,h7 0", "d1", "i9")
    assert result.events[-3:] == (
        Hatched(BLACK, 58),
        Hatched(BLACK, 61),
        Captured(BLACK, 61, (60, 59)),
    )


def test_r3_only_the_side_that_hatches_captures_then(engine):
    # Black's turtle hatches on e5 beside d5, inside White's c5 to f5: White has not arrived.
    result = traced(engine, "bww6/9/9/9/2wbew3/9/9/9/9 e5 0", "d1", "i9")
    assert result.events[-1] == Hatched(BLACK, 40)
    assert {event.player for event in result.events if isinstance(event, Captured)} == {BLACK}
    assert content(result.position, "d5") == content(result.position, "e5") == BLACK


def test_r4_a_full_board_in_sudden_death_is_a_draw(engine):
    full = "bbbbbwwbb/bbwwbbbwb/bwbbbwwbw/wbbwbbbwb/wbbbwwbww/wwwwwbbbw/wbbwbbbww/bbwwwbwbb/wbbbwwwwe i9 1"
    position = engine.Position.from_string(full)
    assert position.winning_turtles == (5, 5)
    assert position.outcome == Outcome.DRAW
    assert not position.sudden_death


def test_r5_the_last_empty_cell_can_only_be_a_collision(engine):
    text = "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwbww1 - 0"
    assert engine.Position.from_string(text).legal_moves() == [80]
    result = traced(engine, text, 80, 80)
    assert result.events == (Laid(80),)
    assert result.outcome == Outcome.DRAW


def test_r6_sudden_death_follows_from_the_board_alone(engine):
    played_there = played(engine, "9/1bbbb4/9/9/9/9/9/1wwww4/9 - 0", "f2", "f8")
    set_up = engine.Position.from_cells(
        "b2 c2 d2 e2 f2".split(), "b8 c8 d8 e8 f8".split(), turn=played_there.turn
    )
    assert set_up == played_there
    assert set_up.sudden_death == played_there.sudden_death == True  # noqa: E712
    assert set_up.outcome == played_there.outcome


def test_r7_egg_order_makes_a_position_and_the_turn_does_not(engine):
    one = engine.Position.from_cells(["a1"], ["b1"], ["c1", "d1"], turn=3)
    later = engine.Position.from_cells(["a1"], ["b1"], ["c1", "d1"], turn=4)
    reordered = engine.Position.from_cells(["a1"], ["b1"], ["d1", "c1"], turn=3)
    assert (one, hash(one), one.key) == (later, hash(later), later.key)
    assert one != reordered
    assert one.key != reordered.key


def test_r8_no_repetition_and_no_number_of_turns_ends_a_game(engine):
    """Two turns that return to the same position: both capture, and both fill the cells again."""
    start = position = engine.Position.from_string("9/9/9/9/1bw2bw2/9/9/9/9 - 0")
    for _ in range(200):
        position = position.play("e5", "d5").play("f5", "c5")
        assert position == start
        assert not position.is_over
    assert position.turn == 400


def test_r8_the_turn_number_stays_at_its_highest_value(engine):
    position = engine.Position.from_cells([], [], turn=4294967294)
    assert [position.turn, (position := position.play(0, 0)).turn, position.play(1, 1).turn] == [
        4294967294,
        4294967295,
        4294967295,
    ]


def test_every_rule_and_ruling_has_a_test():
    ids = {name.split("_")[1] for name in globals() if re.match(r"test_[a-z]\d_", name)}
    assert ids == set(
        "b1 b2 t1 t2 t3 e1 e2 c1 c2 c3 c4 c5 c6 h1 h2 h3 h4 h5 w1 w2 w3 s1 s2 d1"
        " r1 r2 r3 r4 r5 r6 r7 r8".split()
    )
