"""Players: the interface, the built-in players, players by name, and the ladder of levels.

Belongs here: opponents, and finding them by name. Matches between them are in `wts_fast.arena`.
"""

from wts_fast.players.levels import (
    LEVELS,
    BestPlayer,
    MixedPlayer,
    NashPlayer,
    PuctPlayer,
    RandomPlayer,
    ScorePlayer,
    TacticalPlayer,
    UctPlayer,
)
from wts_fast.players.protocol import Player, PolicyPlayer, SamplingPlayer, sample
from wts_fast.players.registry import GROUP, name_of, names, player, register

__all__ = [
    "GROUP",
    "LEVELS",
    "BestPlayer",
    "MixedPlayer",
    "NashPlayer",
    "Player",
    "PolicyPlayer",
    "PuctPlayer",
    "RandomPlayer",
    "SamplingPlayer",
    "ScorePlayer",
    "TacticalPlayer",
    "UctPlayer",
    "name_of",
    "names",
    "player",
    "register",
    "sample",
]
