"""The core against the reference, turn by turn, until every rare event has occurred."""

import random

import pytest

from wts_fast import IllegalMoveError, Position, crosscheck, reference
from wts_fast.crosscheck import KINDS, EnginesDifferError, constructed_position, kinds_of

TURNS = 200_000


@pytest.mark.slow
def test_the_engines_agree_and_every_rare_event_was_met():
    report = crosscheck.crosscheck(TURNS, rng=20261130)
    assert report.turns >= TURNS
    assert set(report.kinds) == set(KINDS)
    rare = {kind: count for kind, count in report.kinds.items() if count < 5}
    assert not rare, f"met too seldom to prove anything: {rare}"


def test_a_cross_check_can_be_repeated():
    one, two = (crosscheck.crosscheck(500, rng=8) for _ in range(2))
    assert (one.kinds, one.turns, one.games, one.seed) == (two.kinds, two.turns, two.games, 8)
    again = crosscheck.crosscheck(500)
    assert again.kinds == crosscheck.crosscheck(500, rng=again.seed).kinds


def test_progress_counts_the_turns():
    seen = []
    report = crosscheck.crosscheck(300, rng=1, progress=seen.append)
    assert sum(seen) == report.turns
    assert len(seen) == report.games


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"turns is 0: expected 1\.\."):
        crosscheck.crosscheck(0)
    with pytest.raises(ValueError, match="seed is -1"):
        crosscheck.crosscheck(1, rng=-1)


class Faulty:
    """The core with one fault, in place of a core that breaks a rule."""

    def __init__(self, position):
        self.position = position

    @classmethod
    def from_bytes(cls, data):
        return cls(Position.from_bytes(data))

    def __getattr__(self, name):
        return getattr(self.position, name)

    def __str__(self):
        return str(self.position)


class ForgetsTheTurn(Faulty):
    def play(self, black, white):
        after = self.position.play(black, white)
        return type(self)(Position.from_array(after.to_array(), after.eggs))


class LaysEggsFirst(Faulty):
    def play(self, black, white):
        after = self.position.play(black, white)
        if black == white:
            after = Position.from_array(
                after.to_array(), (after.eggs[-1], *after.eggs[:-1]), after.turn
            )
        return type(self)(after)


class RefusesCollisions(Faulty):
    def play(self, black, white):
        if black == white:
            raise IllegalMoveError("no collisions here")
        return type(self)(self.position.play(black, white))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (ForgetsTheTurn, "the engines differ in turn\n"),
        (LaysEggsFirst, "the engines differ in eggs, key\n"),
        (RefusesCollisions, "the core refuses a legal turn\n"),
    ],
)
def test_a_difference_is_found_and_told(fault, message):
    with pytest.raises(EnginesDifferError) as caught:
        crosscheck.crosscheck(2000, engine=fault, rng=1)
    lines = str(caught.value).splitlines()
    assert str(caught.value).startswith(message)
    assert lines[1].startswith("position:  ")
    assert lines[2].startswith("picks:     ")
    reference.Position.from_string(lines[1].removeprefix("position:  "))


def test_constructed_positions_are_undecided_and_their_turn_is_legal():
    rng = random.Random(3)
    for _ in range(300):
        position, turn = constructed_position(rng)
        assert not position.is_over
        assert position.is_legal(*turn)


@pytest.mark.parametrize(
    ("text", "black", "white", "kinds"),
    [
        (
            "bww6/9/9/9/9/9/9/9/9 - 0",
            "d1",
            "d1",
            {"E1 collision", "E2 collision on a cell that would have captured"},
        ),
        (
            "bwe6/9/9/9/9/9/9/9/9 c1 0",
            "d1",
            "i9",
            {
                "C1 capture",
                "C2 egg captured",
                "C2 turtle and egg captured together",
                "H5 captures lost for want of eggs",
            },
        ),
        ("9/9/9/2wb1w3/9/9/9/9/9 - 0", "e4", "i9", {"C4 turtle placed into a closed trap"}),
        (
            "9/9/9/9/1bw2bw2/9/9/9/9 - 0",
            "e5",
            "d5",
            {
                "C1 capture",
                "C6 turtle captured in the turn in which it lands",
                "C6 two newcomers capture each other",
                "H5 captures lost for want of eggs",
            },
        ),
        (
            "9/9/9/b8/bww6/w8/9/9/9 - 0",
            "d5",
            "a3",
            {
                "C1 capture",
                "C6 far end of a trap captured in the same turn",
                "H5 captures lost for want of eggs",
            },
        ),
        (
            "8e/8e/9/9/2bwe4/4b4/4w4/9/9 e5,i1,i2 0",
            "f5",
            "e4",
            {
                "C1 capture",
                "C2 egg captured",
                "C2 turtle and egg captured together",
                "C6 piece captured by both sides",
                "H3 egg vanishes",
            },
        ),
        (
            "bww6/3w5/3w5/3b5/9/4e4/9/1e7/e4wbb1 e6,b8,a9 0",
            "d1",
            "i9",
            {
                "C1 capture",
                "C5 capture in several directions at once",
                "H1 hatch",
                "H3 egg vanishes",
                "R1 both capture, not equally often, with an egg to spare",
            },
        ),
        (
            "bww6/3w5/3w5/3b5/4eweb1/9/9/9/e8 e5,g5,a9 0",
            "d1",
            "i9",
            {
                "C1 capture",
                "C5 capture in several directions at once",
                "H1 hatch",
                "H2 hatched turtle captures",
                "H5 captures lost for want of eggs",
                "R2 hatched turtle captures an egg still waiting",
            },
        ),
        (
            "bww6/3w5/3w5/3b5/9/9/4ewwe1/9/9 e7,h7 0",
            "d1",
            "i9",
            {
                "C1 capture",
                "C5 capture in several directions at once",
                "H1 hatch",
                "H2 hatched turtle captures",
                "H5 captures lost for want of eggs",
                "R2 hatched turtle serves a later one as far end",
            },
        ),
        (
            "bww6/9/9/9/9/9/2bbebb2/9/9 e7 0",
            "d1",
            "i9",
            {"C1 capture", "H1 hatch", "W1 line completed by a hatched turtle"},
        ),
        (
            "9/1bbbbb3/9/9/9/9/1wwwww3/3w5/3b5 - 0",
            "d6",
            "a1",
            {
                "C1 capture",
                "H5 captures lost for want of eggs",
                "S1 Sudden Death decided by breaking a line",
            },
        ),
        (
            "9/9/9/5w3/2bbbb3/5b3/9/9/9 - 0",
            "g5",
            "f7",
            {
                "C1 capture",
                "H5 captures lost for want of eggs",
                "W1 line formed and broken within the turn",
            },
        ),
    ],
)
def test_kinds_of_a_turn(text, black, white, kinds):
    before = reference.Position.from_string(text)
    traced = reference.trace(before, black, white)
    black, white = traced.events[0].cell, traced.events[-1 if black == white else 1].cell
    assert set(kinds_of(before, black, white, traced)) == kinds


def test_one_long_line_is_not_two_that_share_a_turtle():
    before = reference.Position.from_string("bbbb1bbbb/9/9/9/9/9/9/9/9 - 0")
    traced = reference.trace(before, "e1", "a9")
    assert traced.winning_turtles == (9, 0)
    assert set(kinds_of(before, 4, 72, traced)) == set()
    crossing = reference.Position.from_string("9/9/3bbbb2/2b6/2b6/2b6/2b6/9/9 - 0")
    traced = reference.trace(crossing, "c3", "a9")
    assert set(kinds_of(crossing, 20, 72, traced)) == {"W2 turtle shared by two lines"}
