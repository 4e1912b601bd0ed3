"""The conformance vectors: made anew they are the same, and they meet all there is to meet."""

import json
import random
import subprocess
import sys
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from wts_fast import IllegalMoveError, Position, cell_index, conformance, perft, reference, trace
from wts_fast.conformance import KINDS, RULES, constructed_position, kinds_of, rules_of

FILE = Path(conformance.__file__).parent / "vectors.jsonl"


@pytest.fixture(scope="module")
def kinds_of_vectors():
    """The kinds of event that each legal vector holds."""
    found = []
    for vector in conformance.turns():
        if vector.answer.after is not None:
            before = reference.Position.from_string(vector.position)
            told = reference.trace(before, vector.black, vector.white)
            cells = (cell_index(vector.black), cell_index(vector.white))
            found.append(set(kinds_of(before, *cells, told)))
    return found


@pytest.mark.slow
def test_the_command_writes_the_same_file(tmp_path):
    made = tmp_path / "made.jsonl"
    # Strings hash otherwise in another process: no order of a set may show.
    subprocess.run([sys.executable, "-m", "wts_fast.conformance", made], cwd=tmp_path, check=True)
    assert made.read_bytes() == FILE.read_bytes()


def test_the_header_counts_the_lines():
    header, *rows = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    assert header == {
        "format": "wts-fast conformance vectors",
        "version": conformance.VERSION,
        "turns": len(conformance.turns()),
        "perfts": len(conformance.perfts()),
    }
    assert header["turns"] + header["perfts"] == len(rows) == len({row["id"] for row in rows})
    assert 1_500 <= header["turns"] <= 5_000
    assert FILE.stat().st_size < 2_000_000


def test_every_rule_and_ruling_is_met():
    met = Counter(rule for vector in conformance.turns() for rule in vector.rules)
    assert set(met) == set(RULES)
    assert min(met.values()) >= 5, met


def test_every_two_kinds_that_often_meet_in_constructed_turns_meet_in_a_vector(kinds_of_vectors):
    assert set().union(*kinds_of_vectors) == set(KINDS)
    met = {two for kinds in kinds_of_vectors for two in combinations(sorted(kinds), 2)}
    often = Counter()
    rng = random.Random(123)
    for _ in range(2_000):
        before, turn = constructed_position(rng)
        kinds = set(kinds_of(before, *turn, reference.trace(before, *turn)))
        often.update(combinations(sorted(kinds), 2))
    assert len(often) > 200
    assert {two for two, times in often.items() if times > 1} <= met


def test_every_trap_and_every_five_is_met():
    traps, fives = set(), set()
    for vector in conformance.turns():
        for event in vector.answer.trace or ():
            if event[0] == "captured":
                traps.add(event[1:4])
        if vector.answer.after is not None:
            board = reference.Position.from_string(vector.answer.after).to_array().ravel()
            fives |= {
                (player, five)
                for player in (1, 2)
                for five in reference.FIVES
                if all(board[cell] == player for cell in five)
            }
    assert len(traps) == 2 * sum(map(len, reference.TRAPS))
    assert len(fives) == 2 * len(reference.FIVES)


def test_games_are_whole():
    games = {}
    for vector in conformance.turns():
        name, number, *_ = vector.id.split("-")
        if name == "game":
            games.setdefault(number, []).append(vector)
    for turns in games.values():
        assert turns[0].position == str(Position())
        for one, next_one in pairwise(turns):
            assert next_one.position == one.answer.after
            assert one.answer.outcome == "undecided"
        assert turns[-1].answer.outcome != "undecided"
    assert len(games) >= 20


def test_the_core_passes():
    for vector in conformance.turns():
        before = Position.from_string(vector.position)
        if vector.answer.after is None:
            with pytest.raises(IllegalMoveError):
                before.play(vector.black, vector.white)
        else:
            after = before.play(vector.black, vector.white)
            assert str(after) == vector.answer.after
            assert after.winning_turtles == vector.answer.winning
            assert after.outcome.name.lower() == vector.answer.outcome
    for vector in conformance.perfts():
        assert perft(Position.from_string(vector.position), vector.depth) == vector.sequences


def test_a_trace_holds_the_events():
    for vector in conformance.turns():
        if vector.answer.after is None:
            assert vector.answer == (None, None, None, None)
        else:
            told = trace(Position.from_string(vector.position), vector.black, vector.white)
            kinds = [type(event).__name__.lower() for event in told.events]
            assert [event[0] for event in vector.answer.trace] == kinds


@pytest.mark.parametrize(
    ("text", "black", "white", "rules"),
    [
        ("9/9/9/9/9/9/9/9/9 - 0", "a1", "b1", "T2"),
        ("9/9/9/9/9/9/9/9/9 - 3", "a1", "a1", "E1 E2 R7"),
        ("9/9/9/9/9/9/9/9/9 - 81", "a1", "b1", "T2 R7 R8"),
        ("bw7/9/9/9/9/9/9/9/9 - 0", "c1", "i9", "T2 C3"),
        ("bw7/9/9/9/9/9/9/9/9 - 0", "a1", "i9", "B1 T1"),
        ("e8/9/9/9/9/9/9/9/9 a1 0", "a1", "i9", "B2 T1"),
        ("bbbbb4/9/9/9/9/9/9/9/9 - 0", "a2", "i9", "T1 W3"),
        ("bww6/9/9/9/9/9/9/9/9 - 0", "d1", "i9", "T2 T3 C1 H5"),
    ],
)
def test_rules_of_a_turn(text, black, white, rules):
    before = reference.Position.from_string(text)
    turn = cell_index(black), cell_index(white)
    try:
        told = reference.trace(before, *turn)
    except IllegalMoveError:
        told = None
    assert rules_of(before, *turn, told) == rules.split()
