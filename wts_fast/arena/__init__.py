"""Matches between players: games, scores with intervals, Elo ratings with errors, a picture.

Belongs here: what runs and measures players. It decides no rule and prints nothing.
"""

from wts_fast.arena import ratings
from wts_fast.arena.ladder import picture
from wts_fast.arena.match import PlayerError
from wts_fast.arena.report import VERSION, Counts, Pair, Report, Timing
from wts_fast.arena.tournament import MAX_GAMES, MAX_JOBS, arena

__all__ = [
    "MAX_GAMES",
    "MAX_JOBS",
    "VERSION",
    "Counts",
    "Pair",
    "PlayerError",
    "Report",
    "Timing",
    "arena",
    "picture",
    "ratings",
]
