"""The player on the other side of an environment for one agent."""

from copy import deepcopy
from operator import index

import numpy as np

from wts_fast.arena import PlayerError
from wts_fast.core.position import Position
from wts_fast.notation import CELL_NAMES
from wts_fast.players import Player, RandomPlayer, name_of, player
from wts_fast.types import BLACK, CELLS, PLAYER_NAMES, WHITE, check_player, shown


class Opponent:
    """Makes an agent's opponents, a copy of the player for each game.

    `spec` is what `players.player` takes, and raises the same errors. `agent` is the player
    that the agent is, `BLACK` or `WHITE`; `ValueError` for any other.
    """

    def __init__(self, spec: object, agent: int) -> None:
        self.color = WHITE if check_player(agent) == BLACK else BLACK
        self._player = player(spec)
        self.is_random = type(self._player) is RandomPlayer

    def copy(self) -> Player:
        """Return a player for a new game."""
        return deepcopy(self._player)

    def choose(self, copy: Player, position: Position, rng: np.random.Generator) -> int:
        """Return the cell 0..80 that a copy picks.

        Raises `PlayerError` where the pick is no empty cell, and what the player raises.
        """
        pick = copy.choose(position, self.color, rng)
        try:
            cell = index(pick)
        except TypeError:
            picked = f"{shown(repr(pick))} of type {type(pick).__name__}"
        else:
            if cell in position.legal_moves():
                return cell
            picked = CELL_NAMES[cell] if 0 <= cell < CELLS else shown(cell)
        raise PlayerError(
            f"opponent {name_of(self._player)!r} ({PLAYER_NAMES[self.color]}) picked {picked} "
            f"at '{position}': expected an empty cell"
        )


def opponents_rng(rng: np.random.Generator) -> np.random.Generator:
    """Return a generator for an opponent, seeded by that of its environment.

    Users often seed an action space as they seed the environment. If the opponent drew from
    the same stream as the agent, their picks would not be independent.
    """
    return np.random.default_rng(rng.integers(2**63))
