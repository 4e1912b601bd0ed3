"""What the Shell for PettingZoo: both players act at once, so it is a parallel environment."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, SupportsIndex

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from wts_fast.core.position import Position
from wts_fast.envs.rendering import RENDER_MODES, Rendered, check_render_mode
from wts_fast.envs.shared import MAX_TURNS, check_max_turns, views
from wts_fast.envs.spaces import planes_space
from wts_fast.types import BLACK, CELLS, PLAYER_NAMES, WHITE, Cell

AGENTS: Final = {PLAYER_NAMES[player].lower(): player for player in (BLACK, WHITE)}
"""The agents, and which player each is."""

Observation = dict[str, npt.NDArray[Any]]
Infos = dict[str, dict[str, Any]]


class WhatTheShell(Rendered, ParallelEnv[str, Observation, Cell]):  # type: ignore[misc]
    """What the Shell as a PettingZoo `ParallelEnv` with the agents `"black"` and `"white"`.

    An action is a cell 0..80, or its name. An observation is a dict:

    - `"observation"`: what the agent sees, the planes of `Batch.observe`, of shape (5, 9, 9):
      own turtles, the other's, eggs, their order, Sudden Death
    - `"action_mask"`: `int8` of shape (81,), 1 where the agent may pick the cell; all 0 once
      the game is over

    The info of an agent holds the same `"action_mask"`. The winner's reward is 1.0 and the
    loser's -1.0 in the last step; all others are 0.0, a draw's too. A game that is undecided
    after `max_turns` turns is truncated, for both agents (R8).

    `dtype` is that of the planes, `float32` (the default) or `uint8`. `render_mode` is `None`,
    `"human"` (prints the board at every reset and step), `"ansi"` (`render` returns it as
    text) or `"rgb_array"` (`render` returns a picture, `uint8` of shape (288, 288, 3)).

    Copies, deep copies and pickles go on from the same position, each by itself.

    Raises `ValueError` for `max_turns` outside 1..4294967295, another dtype or another render
    mode; `TypeError` for `max_turns` that is not an integer and for an invalid dtype.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "what_the_shell_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        max_turns: SupportsIndex = MAX_TURNS,
        render_mode: str | None = None,
        dtype: npt.DTypeLike = np.float32,
    ) -> None:
        self.max_turns = check_max_turns(max_turns)
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces: dict[str, Space[Any]] = {}
        self.action_spaces: dict[str, Space[Any]] = {}
        for agent in AGENTS:
            self.observation_spaces[agent] = Dict(
                {"observation": planes_space(dtype), "action_mask": MultiBinary(CELLS)}
            )
            self.action_spaces[agent] = Discrete(CELLS)
        self.state_space: Box = planes_space(dtype)
        self._position = Position()

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the observation space of an agent, the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the action space of an agent, the same object at every call."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Start a game from the empty board; return observations and infos by agent.

        The game has no chance, and no options: `seed` and `options` make no difference.
        """
        self._position = Position()
        self.agents = list(AGENTS)
        self._render_for_human()
        return self._observe()

    def step(
        self, actions: Mapping[str, Cell]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play a turn; return observations, rewards, terminations, truncations and infos.

        All are dicts by agent. When the game has ended, `agents` is empty.

        Raises `ResetNeeded` of `gymnasium.error` where no game is going on, before the first
        reset and after the end; `IllegalMoveError`, a `ValueError`, for a cell that an agent
        may not pick; `ValueError` unless there is an action for each agent and no other;
        `TypeError` for an action that is no cell, and for actions that are no mapping. Nothing
        has changed then.
        """
        if not self.agents:
            raise ResetNeeded("no game is going on, so no agent can act: call reset() first")
        if not isinstance(actions, Mapping):
            raise TypeError(f"actions must be a dict by agent, not {type(actions).__name__}")
        if actions.keys() != AGENTS.keys():
            given = ", ".join(map(repr, actions)) or "no agent"
            raise ValueError(f"there are actions for {given}: expected 'black' and 'white'")
        self._position = self._position.play(actions["black"], actions["white"])
        outcome, is_over = self._position.outcome, self._position.is_over
        truncated = not is_over and self._position.turn >= self.max_turns
        if is_over or truncated:
            self.agents = []
        self._render_for_human()
        observations, infos = self._observe()
        rewards = {agent: outcome.value_for(player) for agent, player in AGENTS.items()}
        return (
            observations,
            rewards,
            dict.fromkeys(AGENTS, is_over),
            dict.fromkeys(AGENTS, truncated),
            infos,
        )

    def state(self) -> npt.NDArray[Any]:
        """Return what both agents can see, as Black sees it: planes of shape (5, 9, 9)."""
        planes: npt.NDArray[Any] = views(self._position, self.state_space.dtype).planes[0]
        return planes

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _observe(self) -> tuple[dict[str, Observation], Infos]:
        planes, masks = views(self._position, self.state_space.dtype)
        observations: dict[str, Observation] = {}
        infos: Infos = {}
        for agent, seen, mask in zip(AGENTS, planes, masks, strict=True):
            observations[agent] = {"observation": seen, "action_mask": mask}
            infos[agent] = {"action_mask": mask}
        return observations, infos


parallel_env = WhatTheShell
