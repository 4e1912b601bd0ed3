"""Compares engines with the reference, turn by turn, on positions with many rare events.

Belongs here: the comparison, of Python classes by their members and of any program by the
engine protocol (docs/protocol.md). The turns come from `wts_fast.conformance`.
"""

from wts_fast.conformance import KINDS, Turn, constructed_position, kinds_of
from wts_fast.crosscheck.difference import EnginesDifferError
from wts_fast.crosscheck.differential import COMPARED, TIMED_TURNS, crosscheck, seconds_a_turn
from wts_fast.crosscheck.games import Report
from wts_fast.crosscheck.protocol import (
    ClassEngine,
    Engine,
    EngineFaultError,
    ProcessEngine,
    program,
)
from wts_fast.crosscheck.runner import check_engine, check_vectors

__all__ = [
    "COMPARED",
    "KINDS",
    "TIMED_TURNS",
    "ClassEngine",
    "Engine",
    "EngineFaultError",
    "EnginesDifferError",
    "ProcessEngine",
    "Report",
    "Turn",
    "check_engine",
    "check_vectors",
    "constructed_position",
    "crosscheck",
    "kinds_of",
    "program",
    "seconds_a_turn",
]
