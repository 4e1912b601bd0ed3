"""The speed of the environments, and of comparable ones of their libraries.

`python benchmarks/envs.py` prints steps per second of CPU time; a step is a turn of one game.
Only the environment is timed, not the choice of actions, except in OpenSpiel: its loop asks for
the legal actions. The best of several rounds counts.

PettingZoo's rock-paper-scissors needs pygame, and is left out without it.
"""

import random
from collections.abc import Callable
from importlib.util import find_spec
from time import process_time
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import peers
import pyspiel

import wts_fast.envs.gymnasium
import wts_fast.envs.openspiel  # noqa: F401, it registers the game
from wts_fast.envs.pettingzoo import parallel_env

ROUNDS = 5
GAMES = 4096
"""The games of a vector environment."""


class Timed(NamedTuple):
    """How many steps were made in how many seconds of CPU time."""

    steps: int
    seconds: float


def random_action(observation: Any, rng: random.Random) -> int:
    """Return a random action, a legal one where there is a mask."""
    if isinstance(observation, dict):
        return int(rng.choice(observation["action_mask"].nonzero()[0]))
    return rng.randrange(3)


def of_pettingzoo(env: Any, steps: int) -> Timed:
    """Make steps with random actions in a parallel environment; resets count as no steps."""
    rng = random.Random(1)
    seconds = 0.0
    observations, _ = env.reset(seed=1)
    for _ in range(steps):
        actions = {agent: random_action(observations[agent], rng) for agent in env.agents}
        began = process_time()
        observations, *_ = env.step(actions)
        if not env.agents:
            observations, _ = env.reset()
        seconds += process_time() - began
    return Timed(steps, seconds)


def of_gymnasium(envs: Any, steps: int) -> Timed:
    """Make steps with random legal actions in all games of a vector environment."""
    rng = np.random.default_rng(1)
    seconds = 0.0
    _, infos = envs.reset(seed=1)
    sides = envs.action_space.shape[1:]
    for _ in range(steps):
        masks = infos["action_mask"]
        scores = rng.random((*sides, *masks.shape), dtype=np.float32) * masks
        actions = np.ascontiguousarray(scores.argmax(axis=-1).T)
        began = process_time()
        *_, infos = envs.step(actions)
        seconds += process_time() - began
    return Timed(steps * envs.num_envs, seconds)


def of_openspiel(game: Any, games: int) -> Timed:
    """Play random games to their end."""
    began = process_time()
    turns = peers.from_python(peers.play_joint_moves, game.new_initial_state)(games, 1)
    return Timed(turns, process_time() - began)


def many(**options: Any) -> Any:
    """Return a vector environment with observations in `uint8`."""
    return gymnasium.make_vec("WhatTheShell-v0", GAMES, dtype="uint8", **options)


def rows() -> dict[str, Callable[[], Timed]]:
    """Return what is measured, by name."""
    measured = {"PettingZoo, parallel_env": lambda: of_pettingzoo(parallel_env(), 5_000)}
    if find_spec("pygame"):
        from pettingzoo.classic.rps.rps import parallel_env as rps

        measured["PettingZoo, its rps_v2"] = lambda: of_pettingzoo(rps(), 5_000)
    return measured | {
        f"Gymnasium, {GAMES:,} games, one side": lambda: of_gymnasium(many(), 50),
        f"Gymnasium, {GAMES:,} games, one side, SameStep": lambda: of_gymnasium(
            many(autoreset_mode="SameStep"), 50
        ),
        f"Gymnasium, {GAMES:,} games, both sides": lambda: of_gymnasium(many(opponent=None), 50),
        "OpenSpiel, what_the_shell": lambda: of_openspiel(pyspiel.load_game("what_the_shell"), 200),
        "OpenSpiel, its goofspiel": lambda: of_openspiel(pyspiel.load_game(peers.GOOFSPIEL), 500),
    }


def main() -> None:
    """Measure in rounds, and print the best of each row."""
    measured = rows()
    best = dict.fromkeys(measured, 0.0)
    for _ in range(ROUNDS):
        for name, measure in measured.items():
            steps, seconds = measure()
            best[name] = max(best[name], steps / seconds)
    for name, rate in best.items():
        print(f"{name:45} {rate:>12,.0f} steps/s")


if __name__ == "__main__":
    main()
