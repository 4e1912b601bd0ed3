"""Compares any engine with the conformance vectors, then with the reference."""

import json
from collections.abc import Callable
from typing import SupportsIndex

from wts_fast import conformance, reference
from wts_fast.conformance import (
    Answer,
    PerftVector,
    Turn,
    expected_answer,
    perfts,
    traced_turn,
)
from wts_fast.crosscheck.difference import EnginesDifferError, answer_text, difference
from wts_fast.crosscheck.games import Report, compare_games
from wts_fast.crosscheck.protocol import (
    Engine,
    EngineFaultError,
    differing,
    perft_answer,
    turn_answer,
)
from wts_fast.crosscheck.shrink import shrink
from wts_fast.notation import CELL_NAMES, cell_index
from wts_fast.randomness import Randomness
from wts_fast.reference import Trace


def check_engine(
    engine: Engine,
    turns: SupportsIndex = 100_000,
    *,
    rng: Randomness = None,
    progress: Callable[[int], object] | None = None,
    seconds: float | None = None,
) -> Report:
    """Compare an engine on all conformance vectors, then on at least `turns` turns.

    `turns`, `rng`, `progress` and `seconds` are those of `crosscheck`.

    Raises `EnginesDifferError` at the first difference, as `crosscheck` does, and at the first
    missing or invalid answer, with the turn; `OSError` if the program of the engine cannot be
    started; for the arguments, what `crosscheck` raises.
    """
    counted = check_vectors(engine)

    def compare(start: reference.Position, game: list[tuple[Turn, Trace]]) -> None:
        before = start
        for turn, traced in game:
            _compare_turn(engine, before, turn, expected_answer(traced), str(before))
            before = traced.position

    report = compare_games(turns, rng, progress, compare, seconds)
    report.vectors, report.perfts = counted
    return report


def check_vectors(engine: Engine) -> tuple[int, int]:
    """Compare an engine on all conformance vectors; return the numbers of turns and perfts.

    Perfts that the engine does not count are left out of the second number. Raises
    `EnginesDifferError` as `check_engine` does; its message ends with the id of the vector.
    """
    vectors = conformance.turns()
    for vector in vectors:
        before = reference.Position.from_string(vector.position)
        turn = cell_index(vector.black), cell_index(vector.white)
        _compare_turn(engine, before, turn, vector.answer, f"vector {vector.id}")
    counted = [_compare_perft(engine, vector) for vector in perfts()]
    return len(vectors), sum(counted)


def _compare_perft(engine: Engine, vector: PerftVector) -> bool:
    """Return whether the engine has perft; raise `EnginesDifferError` for another count."""
    where = f"position:  {vector.position}\ndepth:     {vector.depth}\nfound in vector {vector.id}"
    try:
        answer = engine.ask({"position": vector.position, "depth": vector.depth})
        sequences = perft_answer(answer)
    except EngineFaultError as fault:
        raise EnginesDifferError(f"{fault}\n{where}") from None
    if sequences not in (None, vector.sequences):
        raise EnginesDifferError(
            f"the engines differ in perft: expected {vector.sequences}, got {sequences}\n{where}"
        )
    return sequences is not None


def _compare_turn(
    engine: Engine,
    before: reference.Position,
    turn: Turn,
    expected: Answer,
    found_in: str,
) -> None:
    try:
        got = _ask(engine, before, turn)
    except EngineFaultError as fault:
        raise difference(str(fault), before, turn, "engine", "no answer", found_in) from None
    if differing(expected, got):
        raise _smallest_difference(engine, before, turn, got, found_in)


def _expected(before: reference.Position, turn: Turn) -> Answer:
    return expected_answer(traced_turn(before, turn))


def _ask(engine: Engine, before: reference.Position, turn: Turn) -> Answer:
    black, white = (CELL_NAMES[cell] for cell in turn)
    request = {"position": str(before), "black": black, "white": white}
    return turn_answer(engine.ask(request))


def _smallest_difference(
    engine: Engine, before: reference.Position, turn: Turn, got: Answer, found_in: str
) -> EnginesDifferError:
    faulty = False

    def differs(position: reference.Position) -> bool:
        nonlocal faulty, got
        if faulty:  # a further fault may take the whole timeout
            return False
        try:
            answer = _ask(engine, position, turn)
        except EngineFaultError:
            faulty = True
            return False
        if not differing(_expected(position, turn), answer):
            return False
        got = answer
        return True

    smallest = shrink(before, turn, differs)
    keys = differing(_expected(smallest, turn), got)
    text = answer_text(got)
    if "trace" in keys:
        text += f"\nits trace: {json.dumps(got.trace)}"
    what = f"the engines differ in {', '.join(keys)}"
    return difference(what, smallest, turn, "engine", text, found_in)
