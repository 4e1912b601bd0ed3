"""The reference engine: What the Shell in readable, pure Python.

Belongs here: the rules (`rules.py`), the position, and the turn described step by step. The
compiled core is tested against this engine, and shares no code with it that decides a rule.
"""

from wts_fast.reference.events import Captured, Event, Hatched, Laid, Placed, Vanished
from wts_fast.reference.position import Position, of_this_engine, perft
from wts_fast.reference.rules import (
    DIRECTIONS,
    FIVES,
    LINE_DIRECTIONS,
    TRAPS,
    capture_together,
    captures_of,
    count_winning_turtles,
    decide,
    empty_cells,
    hatch,
    hatch_in_turn,
    is_enemy,
    lay_egg,
    opponent,
    place,
    play_turn,
    ray,
    remove_captured,
    vanish_together,
)
from wts_fast.reference.tracing import Trace, trace

__all__ = [
    "DIRECTIONS",
    "FIVES",
    "LINE_DIRECTIONS",
    "TRAPS",
    "Captured",
    "Event",
    "Hatched",
    "Laid",
    "Placed",
    "Position",
    "Trace",
    "Vanished",
    "capture_together",
    "captures_of",
    "count_winning_turtles",
    "decide",
    "empty_cells",
    "hatch",
    "hatch_in_turn",
    "is_enemy",
    "lay_egg",
    "of_this_engine",
    "opponent",
    "perft",
    "place",
    "play_turn",
    "ray",
    "remove_captured",
    "trace",
    "vanish_together",
]
