"""Matches between players: games, scores with intervals, Elo ratings with errors, a picture.

Belongs here: what runs and measures players. It decides no rule and prints nothing.
"""

from wts_fast.arena import ratings
from wts_fast.arena.files import Records
from wts_fast.arena.ladder import picture
from wts_fast.arena.match import PlayerError
from wts_fast.arena.report import VERSION, Counts, Failures, Pair, Report, Timing
from wts_fast.arena.sprt import Sprt
from wts_fast.arena.status import MAX_TURNS
from wts_fast.arena.tournament import (
    MAX_GAMES,
    MAX_JOBS,
    MAX_OPENINGS,
    ON_ERROR,
    Tournament,
    arena,
)

__all__ = [
    "MAX_GAMES",
    "MAX_JOBS",
    "MAX_OPENINGS",
    "MAX_TURNS",
    "ON_ERROR",
    "VERSION",
    "Counts",
    "Failures",
    "Pair",
    "PlayerError",
    "Records",
    "Report",
    "Sprt",
    "Timing",
    "Tournament",
    "arena",
    "picture",
    "ratings",
]
