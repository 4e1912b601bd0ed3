"""What the Shell for OpenSpiel: the simultaneous-move game `what_the_shell`.

Importing this module registers it: `pyspiel.load_game("what_the_shell(max_turns=400)")`.
"""

from typing import Any, Final

import numpy as np
import pyspiel  # type: ignore[import-not-found]

from wts_fast.core.batch import Batch
from wts_fast.core.position import Position
from wts_fast.envs.shared import MAX_TURNS, PLANES
from wts_fast.notation import cell_name
from wts_fast.types import BLACK, CELLS, PLAYER_NAMES, SIZE, WHITE, IllegalMoveError, check_int

PLAYERS: Final = (BLACK, WHITE)
"""The player of this package that each player of OpenSpiel, 0 and 1, is."""

_GAME_TYPE: Final = pyspiel.GameType(
    short_name="what_the_shell",
    long_name="What the Shell",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"max_turns": MAX_TURNS},
)


class WhatTheShellGame(pyspiel.Game):  # type: ignore[misc]
    """The game: players 0 (Black) and 1 (White), actions 0..80, which are the cells.

    The parameter `max_turns` is the greatest number of turns, from the first state on. A game
    that is undecided then ends with returns of 0.0, as a draw does: OpenSpiel has no other
    word for it. `pyspiel.load_game` raises `ValueError` where it is outside 1..2147483647.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        max_turns = check_int("max_turns", params.get("max_turns", MAX_TURNS), 1, 2**31 - 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=CELLS,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_turns,
        )
        super().__init__(_GAME_TYPE, info, params)

    def new_initial_state(self, position: str | None = None) -> "WhatTheShellState":
        """Return the empty board, or the position of a position string.

        Raises `ValueError` for a malformed string.
        """
        return WhatTheShellState(self, Position.from_string(position) if position else Position())

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "Observer":
        """Return an observer; raise `ValueError` for parameters, as it has none."""
        if params:
            raise ValueError(f"the observer takes no parameters, not {params}")
        return Observer(iig_obs_type)


class WhatTheShellState(pyspiel.State):  # type: ignore[misc]
    """A state of the game: a position, and how many turns are left."""

    def __init__(self, game: WhatTheShellGame, position: Position) -> None:
        super().__init__(game)
        self.position = position
        self.turns_left = game.max_game_length()

    def current_player(self) -> int:
        """Return `SIMULTANEOUS`, or `TERMINAL` once the game is over, of `pyspiel.PlayerId`."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        """Return whether the game is over, or no turn is left."""
        return self.position.is_over or not self.turns_left

    def returns(self) -> list[float]:
        """Return what the outcome is worth to each player; zeros for an undecided game."""
        outcome = self.position.outcome
        return [outcome.value_for(player) for player in PLAYERS]

    def __str__(self) -> str:
        """Return the position string."""
        return str(self.position)

    # What OpenSpiel calls.

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_moves()

    def _apply_actions(self, actions: list[int]) -> None:
        if len(actions) != len(PLAYERS):
            raise ValueError(f"expected 2 actions, Black's and White's, not {len(actions)}")
        if not self.turns_left:
            raise IllegalMoveError("no turn is left: the game ended at max_turns")
        self.position = self.position.play(*actions)
        self.turns_left -= 1

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{PLAYER_NAMES[PLAYERS[player]]} {cell_name(action)}"


class Observer:
    """What a player sees: `tensor`, `float32` of shape (405,), the planes of `Batch.observe`.

    `dict["planes"]` is the same memory with shape (5, 9, 9).
    """

    def __init__(self, iig_obs_type: Any) -> None:
        self.tensor = np.zeros(PLANES * CELLS, dtype=np.float32)
        self.dict = {"planes": self.tensor.reshape(PLANES, SIZE, SIZE)}
        self._recalls = iig_obs_type is not None and iig_obs_type.perfect_recall

    def set_from(self, state: WhatTheShellState, player: int) -> None:
        """Write what `player`, 0 or 1, sees into `tensor`."""
        planes = self.dict["planes"][np.newaxis]
        Batch.from_positions([state.position]).observe(PLAYERS[player], out=planes)

    def string_from(self, state: WhatTheShellState, player: int) -> str:
        """Return the position string, after the history of actions with perfect recall."""
        return f"{state.history_str()} {state}" if self._recalls else str(state)


pyspiel.register_game(_GAME_TYPE, WhatTheShellGame)
