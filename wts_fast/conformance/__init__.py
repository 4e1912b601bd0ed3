"""Turns that test an engine, with the results of the reference engine.

Belongs here: the conformance vectors, a file for engines in any language (read by `turns` and
`perfts`, described in docs/conformance.md), the kinds of rare events, and positions with many
of them.
"""

from wts_fast.conformance.draws import pick
from wts_fast.conformance.kinds import KINDS, kinds_of
from wts_fast.conformance.positions import Turn, constructed_position, late
from wts_fast.conformance.rules import RULES, rules_of
from wts_fast.conformance.vectors import (
    OUTCOMES,
    VERSION,
    Answer,
    PerftVector,
    TurnVector,
    expected_answer,
    perfts,
    traced_turn,
    turn_vector,
    turns,
)

__all__ = [
    "KINDS",
    "OUTCOMES",
    "RULES",
    "VERSION",
    "Answer",
    "PerftVector",
    "Turn",
    "TurnVector",
    "constructed_position",
    "expected_answer",
    "kinds_of",
    "late",
    "perfts",
    "pick",
    "rules_of",
    "traced_turn",
    "turn_vector",
    "turns",
]
