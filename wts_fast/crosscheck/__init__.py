"""Compares engines with the reference, turn by turn, on positions with many rare events.

Belongs here: the comparison, its positions, and counts of the rare events in them.
"""

from wts_fast.crosscheck.differential import (
    COMPARED,
    TIMED_TURNS,
    EnginesDifferError,
    Report,
    crosscheck,
    seconds_a_turn,
)
from wts_fast.crosscheck.kinds import KINDS, kinds_of
from wts_fast.crosscheck.positions import Turn, constructed_position

__all__ = [
    "COMPARED",
    "KINDS",
    "TIMED_TURNS",
    "EnginesDifferError",
    "Report",
    "Turn",
    "constructed_position",
    "crosscheck",
    "kinds_of",
    "seconds_a_turn",
]
