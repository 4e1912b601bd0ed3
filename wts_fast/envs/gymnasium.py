"""What the Shell for Gymnasium: `WhatTheShell-v0`, one game against a player, or many at once.

Importing this module registers it.
"""

from typing import Any, Final, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from wts_fast.core.batch import Batch
from wts_fast.core.position import Position
from wts_fast.envs.opponents import Opponent, opponents_rng
from wts_fast.envs.rendering import (
    RENDER_MODES,
    Rendered,
    check_render_mode,
    rendered,
    warn_of_no_render_mode,
)
from wts_fast.envs.shared import MAX_TURNS, PLANES, check_max_turns
from wts_fast.envs.spaces import planes_space
from wts_fast.players import Player
from wts_fast.types import BLACK, CELLS, SIZE, WHITE, Cell, Outcome, check_int, check_player

MAX_ENVS: Final = 2**31 - 1
"""The greatest number of games of a vector environment."""


class WhatTheShellEnv(Rendered, gymnasium.Env[npt.NDArray[Any], Any]):
    """One game against a player.

    `opponent` is what `wts_fast.players.player` takes: a name, a level or a player. The agent
    is `player`, `BLACK` (1) or `WHITE` (2).

    An action is a cell 0..80, or its name. An observation is what the agent sees, the planes of
    `Batch.observe`, of shape (5, 9, 9): own turtles, the other's, eggs, their order, Sudden
    Death. `dtype` is `float32` (the default) or `uint8`. The info has an `"action_mask"`,
    `int8` of shape (81,): 1 where the agent may pick the cell, all 0 once the game is over.

    The reward is 1.0 for a win and -1.0 for a loss, in the last step; all others are 0.0, a
    draw's too. A game that is undecided after `max_turns` turns is truncated (R8).

    `render_mode` is `None`, `"human"` (prints the board at every reset and step), `"ansi"`
    or `"rgb_array"`, as `render` says.

    Raises `ValueError` for an unknown opponent, another `player`, `max_turns` outside
    1..4294967295, another dtype or another render mode; `TypeError` for an opponent that is
    not a player, for `max_turns` that is not an integer and for an invalid dtype.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        opponent: object = "random",
        player: int = BLACK,
        max_turns: SupportsIndex = MAX_TURNS,
        render_mode: str | None = None,
        dtype: npt.DTypeLike = np.float32,
    ) -> None:
        self.opponent = Opponent(opponent, player)
        self.player = player
        self.max_turns = check_max_turns(max_turns)
        self.render_mode = check_render_mode(render_mode)
        self.observation_space = planes_space(dtype)
        self.action_space = Discrete(CELLS)
        self._position = Position()
        self._copy: Player | None = None  # of the opponent, while a game is going on
        self._reply: int | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Start a game from the empty board; return observation and info.

        `seed` is that of the opponent's random numbers. There are no options.
        """
        super().reset(seed=seed)
        self._position = Position()
        self._copy = self.opponent.copy()
        self._rng = opponents_rng(self.np_random)
        self._reply = None
        self._render_for_human()
        return self._observe()

    def step(self, action: Cell) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play a turn; return observation, reward, terminated, truncated and info.

        Raises `gymnasium.error.ResetNeeded` where no game is going on; `IllegalMoveError`, a
        `ValueError`, for a cell that may not be picked; `TypeError` for anything but a cell; and
        what the opponent raises, `PlayerError` where it picks no empty cell. The position has
        not changed then.
        """
        if self._copy is None:
            raise ResetNeeded("no game is going on: call reset() first")
        if self._reply is None:  # kept where the agent's own pick is refused
            self._reply = self.opponent.choose(self._copy, self._position, self._rng)
        picks = (action, self._reply) if self.player == BLACK else (self._reply, action)
        self._position = self._position.play(*picks)
        self._reply = None
        is_over = self._position.is_over
        truncated = not is_over and self._position.turn >= self.max_turns
        if is_over or truncated:
            self._copy = None
        self._render_for_human()
        observation, info = self._observe()
        reward = self._position.outcome.value_for(self.player)
        return observation, reward, is_over, truncated, info

    def _observe(self) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        game = Batch.from_positions([self._position])
        planes = game.observe(self.player, dtype=self.observation_space.dtype)
        return planes[0], {"action_mask": game.legal_mask()[0].view(np.int8)}


class WhatTheShellVectorEnv(VectorEnv[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]):
    """Many games at once, on a `Batch`, for one side or for both.

    With an `opponent`, which is what `wts_fast.players.player` takes, the agent is `player`,
    `BLACK` (1) or `WHITE` (2): actions are cells, an integer array of shape (num_envs,), and
    observations are what the agent sees, of shape (num_envs, 5, 9, 9). The random player picks
    for all games in one call; any other is asked game by game, each game with a copy of it.

    Without one (`None`) actions are those of both sides, of shape (num_envs, 2), Black's in
    column 0; and observations have shape (num_envs, 2, 5, 9, 9), what Black sees in
    `[:, 0]`. Rewards are those of `player`; the other side's are their negatives.

    Planes, their `dtype`, rewards and `max_turns` are those of `WhatTheShellEnv`. Infos have
    an `"action_mask"`, `int8` of shape (num_envs, 81). `render_mode` is `None`, `"ansi"` or
    `"rgb_array"`.

    `autoreset_mode` is one of Gymnasium's `AutoresetMode`, or its value:

    - `NEXT_STEP`: the step after a game's last one starts it anew. The action is ignored, the
      reward is 0.0.
    - `SAME_STEP`: the last step itself starts the game anew. The observation is the new
      game's; `infos["final_obs"]` holds the last observation of each game that ended, as an
      array of objects that are `None` elsewhere, and `infos["final_info"]` its info.
    - `DISABLED`: games that ended need `reset(options={"reset_mask": mask})`.

    Raises `ValueError` for `num_envs` outside 1..2147483647 and another `autoreset_mode`, and
    what `WhatTheShellEnv` raises for the same arguments.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        num_envs: SupportsIndex = 1,
        opponent: object = "random",
        player: int = BLACK,
        max_turns: SupportsIndex = MAX_TURNS,
        render_mode: str | None = None,
        dtype: npt.DTypeLike = np.float32,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.num_envs = check_int("num_envs", num_envs, 1, MAX_ENVS)
        self.player = check_player(player)
        self.opponent = None if opponent is None else Opponent(opponent, player)
        self.max_turns = check_max_turns(max_turns)
        self.render_mode = check_render_mode(render_mode, RENDER_MODES[1:])
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {
            "render_modes": list(RENDER_MODES[1:]),
            "render_fps": 2,
            "autoreset_mode": self.autoreset_mode,
        }
        planes = planes_space(dtype)
        if self.opponent is None:
            self.single_observation_space = batch_space(planes, 2)
            self.single_action_space = MultiDiscrete([CELLS, CELLS])
        else:
            self.single_observation_space = planes
            self.single_action_space = Discrete(CELLS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._games = Batch(self.num_envs)
        self._started = False
        self._ended = np.zeros(self.num_envs, dtype=np.bool_)  # and not started anew
        self._copies: dict[int, Player] = {}  # of the opponent, by game
        self._replies: npt.NDArray[np.int8] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Start all games, or those of a mask, from the empty board; return observations, infos.

        `seed` is that of the opponent's random numbers. `options["reset_mask"]` is a `bool`
        array of shape (num_envs,), with one `True` or more: other games go on.

        Raises `TypeError` for a mask that is no such array, `ValueError` for another shape or
        a mask without `True`, `gymnasium.error.ResetNeeded` for a mask that leaves games out
        at the first reset; nothing has changed then.
        """
        mask = self._reset_mask(options)
        super().reset(seed=seed)
        self._rng = opponents_rng(self.np_random)
        self._start(mask)
        self._ended &= ~mask
        self._replies = None
        self._started = True
        return self._observe()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[Any],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Play a turn in every game.

        Returns observations, rewards in `float64`, terminations and truncations in `bool`, all
        three of shape (num_envs,), and infos; all in new arrays.

        Raises `IllegalMoveError`, a `ValueError`, for a cell that may not be picked, naming
        the game; `ValueError` for another shape; `TypeError` for what are no integers;
        `gymnasium.error.ResetNeeded` before the first reset and, where autoreset is disabled,
        for games that ended; and what the opponent raises, `PlayerError` where it picks no
        empty cell. No game has changed then.
        """
        self._check_started()
        black, white = self._picks(self._checked(actions))
        outcomes = self._games.play(black, white)
        self._replies = None
        if self._ended.any():
            self._start(self._ended)
            outcomes[self._ended] = Outcome.UNDECIDED
        terminations = outcomes != Outcome.UNDECIDED
        truncations = ~terminations & (self._games.turns >= self.max_turns)
        rewards = self._games.values(self.player, undecided=0).astype(np.float64)
        observations, infos = self._observe()
        ended = terminations | truncations
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._start_anew(ended, observations, infos)
        else:
            self._ended = ended
        return observations, rewards, terminations, truncations, infos

    def render(self) -> tuple[Any, ...] | None:
        """Return the boards of all games: texts for `"ansi"`, pictures for `"rgb_array"`.

        A picture is `uint8` of shape (288, 288, 3). Without a render mode there is a warning,
        and `None` is returned.
        """
        if self.render_mode is None:
            warn_of_no_render_mode()
            return None
        return tuple(rendered(position, self.render_mode) for position in self._games)

    # -- inside

    def _reset_mask(self, options: dict[str, Any] | None) -> npt.NDArray[np.bool_]:
        """Return which games a reset starts."""
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, dtype=np.bool_)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            kind = f"one of {mask.dtype}" if isinstance(mask, np.ndarray) else type(mask).__name__
            raise TypeError(f"reset_mask must be an array of bool, not {kind}")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask has shape {mask.shape}: expected ({self.num_envs},)")
        if not mask.any():
            raise ValueError("reset_mask is False everywhere: expected True for one game or more")
        if not (self._started or mask.all()):
            raise ResetNeeded("no game is going on: reset all games before some of them")
        return mask

    def _start(self, where: npt.NDArray[np.bool_]) -> None:
        """Start games from the empty board."""
        self._games.reset(where=where)
        if self.opponent is not None and not self.opponent.is_random:
            for game in np.flatnonzero(where).tolist():
                self._copies[game] = self.opponent.copy()

    def _check_started(self) -> None:
        """Raise `ResetNeeded` where a step needs a reset first."""
        if not self._started:
            raise ResetNeeded("no game is going on: call reset() first")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            first = int(self._ended.argmax())
            raise ResetNeeded(
                f"{np.count_nonzero(self._ended)} games have ended, the first of them game "
                f"{first}: reset them with options={{'reset_mask': mask}}"
            )

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
        """Return actions as an array of the right shape and kind."""
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise TypeError(f"actions must be an array of integers, not of {array.dtype}")
        if array.shape != self.action_space.shape:
            raise ValueError(
                f"actions have shape {array.shape}: expected {self.action_space.shape}"
            )
        return array

    def _picks(self, actions: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.integer[Any]]:
        """Return Black's picks and White's, legal ones where a game ignores its actions."""
        if self.opponent is None:
            picks = actions.T
        else:
            replies = self._replies_of(self.opponent)
            picks = np.stack((actions, replies) if self.player == BLACK else (replies, actions))
        # A truncated game that is to start anew is not over for the batch, which plays on.
        ignored = np.flatnonzero(self._ended & (self._games.outcomes == Outcome.UNDECIDED))
        if ignored.size:
            picks = picks.copy()
            picks[:, ignored] = self._games[ignored].legal_mask().argmax(axis=1)
        return picks

    def _replies_of(self, opponent: Opponent) -> npt.NDArray[np.int8]:
        """Return the opponent's picks, kept where the agent's own picks are refused."""
        if self._replies is None and opponent.is_random:
            self._replies = self._games.random_moves(self._rng)[opponent.color - 1]
        elif self._replies is None:
            going_on = ~self._ended & (self._games.outcomes == Outcome.UNDECIDED)
            replies = np.full(self.num_envs, -1, dtype=np.int8)
            for game in np.flatnonzero(going_on).tolist():
                position, copy = self._games[game], self._copies[game]
                replies[game] = opponent.choose(copy, position, self._rng)
            self._replies = replies
        return self._replies

    def _observe(self) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        dtype = self.observation_space.dtype
        if self.opponent is None:
            planes = np.empty((2, self.num_envs, PLANES, SIZE, SIZE), dtype)
            for player, seen in zip((BLACK, WHITE), planes, strict=True):
                self._games.observe(player, out=seen)
            planes = planes.swapaxes(0, 1)
        else:
            planes = self._games.observe(self.player, dtype=dtype)
        mask = self._games.legal_mask().view(np.int8)
        return planes, {
            "action_mask": mask,
            "_action_mask": np.ones(self.num_envs, dtype=np.bool_),
        }

    def _start_anew(
        self, ended: npt.NDArray[np.bool_], observations: npt.NDArray[Any], infos: dict[str, Any]
    ) -> None:
        """Start the games that ended; keep their last observations and infos in `infos`."""
        games = np.flatnonzero(ended)
        if not games.size:
            return
        final_observations = np.full(self.num_envs, None, dtype=object)
        # An assignment of the planes themselves would make objects of their elements.
        final_observations[games] = np.fromiter(observations[games], dtype=object)
        final_mask = np.zeros_like(infos["action_mask"])
        final_mask[games] = infos["action_mask"][games]
        infos["final_obs"] = final_observations
        infos["final_info"] = {"action_mask": final_mask, "_action_mask": ended.copy()}
        infos["_final_obs"] = ended.copy()
        infos["_final_info"] = ended
        self._start(ended)
        observations[games] = 0  # of an empty board
        infos["action_mask"][games] = 1


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(known.value for known in AutoresetMode)
        raise ValueError(f"autoreset_mode is {mode!r}: expected {modes}") from None


gymnasium.register(
    id="WhatTheShell-v0",
    entry_point=f"{__name__}:{WhatTheShellEnv.__name__}",
    vector_entry_point=f"{__name__}:{WhatTheShellVectorEnv.__name__}",
)
