"""Creates the conformance vectors: whole games, and turns selected for their features."""

import random
from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import combinations_with_replacement
from typing import Final

from wts_fast import reference
from wts_fast.conformance.draws import pick
from wts_fast.conformance.kinds import kinds_of
from wts_fast.conformance.positions import Turn, constructed_position, late
from wts_fast.conformance.vectors import PerftVector, TurnVector, Vector, turn_vector
from wts_fast.reference import FIVES, Captured, Hatched, Trace
from wts_fast.types import BLACK, CELLS, WHITE

SEED: Final = 1

GAMES: Final = 24
"""Whole games from the empty board."""

CANDIDATES: Final = 10_000
"""Constructed turns, of which those with a new feature are kept."""

SHOWN: Final = 12
"""The number of turns that are kept for each kind of event, and for each pair in one turn."""

REFUSED: Final = 80
"""Turns with a pick on an occupied cell, and as many on finished games."""

PERFTS: Final = 16
"""Positions of the perft table with depth 2."""

PERFT_CELLS: Final = 6
"""The maximum number of empty cells in them, which limits the time for counting."""


def build() -> list[Vector]:
    """Return all vectors; every call, with every Python, returns the same."""
    rng = random.Random(SEED)
    games = list(_games(rng))
    candidates = [constructed_position(rng) for _ in range(CANDIDATES)]
    traced = [reference.trace(position, *turn) for position, turn in candidates]
    positions = [position for position, _ in candidates]
    return [
        *games,
        *_that_show_something(candidates, traced, rng),
        *_with_a_taken_cell(positions[:REFUSED], rng),
        *_on_finished_games([one.position for one in traced], rng),
        *_perfts(positions),
    ]


def _games(rng: random.Random) -> Iterator[TurnVector]:
    for game in range(1, GAMES + 1):
        position = reference.Position()
        while not position.is_over:
            cells = position.legal_moves()
            name = f"game-{game:02}-{position.turn + 1:02}"
            vector, traced = turn_vector(name, position, (pick(rng, cells), pick(rng, cells)))
            yield vector
            assert traced is not None
            position = traced.position


def _that_show_something(
    candidates: list[tuple[reference.Position, Turn]], traced: list[Trace], rng: random.Random
) -> Iterator[TurnVector]:
    """Yield each turn with a feature that fewer turns before it have than are wanted."""
    shown: Counter[Hashable] = Counter()
    kept = 0
    for (position, turn), one in zip(candidates, traced, strict=True):
        features = set(_features(position, turn, one))
        if any(shown[feature] < _wanted(feature) for feature in features):
            shown.update(features)
            kept += 1
            before = late(position, rng)
            yield turn_vector(f"turn-{kept:04}", before, turn)[0]


def _wanted(feature: Hashable) -> int:
    return SHOWN if isinstance(feature, frozenset) else 1


def _features(before: reference.Position, turn: Turn, traced: Trace) -> Iterator[Hashable]:
    """Yield kinds of events, pairs of them, and the places of traps and of lines of five."""
    kinds = set(kinds_of(before, *turn, traced))
    yield from map(frozenset, combinations_with_replacement(kinds, 2))
    hatched = {event.cell for event in traced.events if isinstance(event, Hatched)}
    for event in traced.events:
        if isinstance(event, Captured):
            first, second = event.cells
            yield "trap", event.player, event.by, first
            if event.by in hatched:
                yield "trap of a hatched turtle", event.player, second - first
    after = traced.position.to_array().ravel().tolist()
    for player in (BLACK, WHITE):
        for five in FIVES:
            if all(after[cell] == player for cell in five):
                yield "five", player, five


def _with_a_taken_cell(
    positions: list[reference.Position], rng: random.Random
) -> Iterator[TurnVector]:
    for number, position in enumerate(positions, start=1):
        cells = position.legal_moves()
        taken = [cell for cell in range(CELLS) if cell not in cells]
        ways = (
            (pick(rng, taken), pick(rng, cells)),
            (pick(rng, cells), pick(rng, taken)),
            (pick(rng, taken),) * 2,
        )
        yield turn_vector(f"taken-{number:02}", position, ways[number % 3])[0]


def _on_finished_games(
    positions: list[reference.Position], rng: random.Random
) -> Iterator[TurnVector]:
    finished = [position for position in positions if position.is_over and position.empty]
    for number, position in enumerate(finished[:REFUSED], start=1):
        empty = [cell for cell in range(CELLS) if position.empty >> cell & 1]
        turn = pick(rng, empty), pick(rng, empty)
        yield turn_vector(f"over-{number:02}", position, turn)[0]


def _perfts(positions: list[reference.Position]) -> Iterator[PerftVector]:
    small = [one for one in positions if 2 <= len(one.legal_moves()) <= PERFT_CELLS]
    rows = [(reference.Position(), 1), *((one, 2) for one in small[:PERFTS])]
    for number, (position, depth) in enumerate(rows, start=1):
        sequences = reference.perft(position, depth)
        yield PerftVector(f"perft-{number:02}", str(position), depth, sequences)
