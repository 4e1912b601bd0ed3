"""The learner of `learn_by_self_play.py`, whose games are played in the PettingZoo environment.

It needs the extra `pettingzoo`.

    python examples/learn_in_pettingzoo.py [--rounds 40]
"""

import argparse

import numpy as np
from learn_by_self_play import learn, pick, share_won

from wts_fast.envs.pettingzoo import parallel_env

GAMES = 100
"""Games of a round, one after another."""


def play(black, white, rng):
    """Play games to their end; return Black's results, and how often each cell was picked.

    The results are 1, 0 and -1, of shape (games,), the counts have shape (2, games, 81).
    """
    env = parallel_env(max_turns=100)
    weights = {"black": black, "white": white}
    results = np.zeros(GAMES)
    counts = np.zeros((2, GAMES, 81))
    for game in range(GAMES):
        observations, _ = env.reset()
        while env.agents:
            actions = {}
            for side, agent in enumerate(env.agents):
                legal = observations[agent]["action_mask"][np.newaxis] == 1
                actions[agent] = pick(weights[agent], legal, rng)[0]
                counts[side, game, actions[agent]] += 1
            observations, rewards, _, _, _ = env.step(actions)
        results[game] = rewards["black"]
    return results, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    rng = np.random.default_rng(1)
    weights = learn(parser.parse_args().rounds, rng, play)
    print(np.round(weights.reshape(9, 9), 1))
    print(f"won against the random player: {share_won(weights, rng):.1%}")


if __name__ == "__main__":
    main()
