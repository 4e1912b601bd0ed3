"""A player learns by self-play, with NumPy alone, to beat the random player.

The policy is a table: a weight for each cell, the same in every position. Both
sides pick the empty cell with the highest weight after random noise is added. After each round
of games, cells that the winners picked more often than the losers gain weight.

    python examples/learn_by_self_play.py [--rounds 60]
"""

import argparse

import numpy as np

from wts_fast import BLACK, Batch

GAMES = 512
MAX_TURNS = 100
RATE = 4.0
"""How far the weights move in a round."""


def pick(weights, legal, rng):
    """Return a cell for each game: the softmax of the weights over the legal cells, sampled."""
    scores = weights + rng.gumbel(size=legal.shape)
    return np.where(legal, scores, -np.inf).argmax(axis=1)


def play(black, white, rng):
    """Play games to their end; return Black's results, and how often each cell was picked.

    The results are 1, 0 and -1, of shape (games,), the counts have shape (2, games, 81).
    """
    games = Batch(GAMES)
    counts = np.zeros((2, GAMES, 81))
    numbers = np.arange(GAMES)
    for _ in range(MAX_TURNS):
        legal = games.legal_mask()
        going_on = legal.any(axis=1)
        if not going_on.any():
            break
        picks = [pick(weights, legal, rng) for weights in (black, white)]
        for side in (0, 1):
            counts[side, numbers, picks[side]] += going_on
        games.play(*picks)
    return games.values(BLACK, undecided=0), counts


def learn(rounds, rng, play=play):
    """Return weights learned in so many rounds of games; `play` plays those of a round."""
    weights = np.zeros(81)
    for _ in range(rounds):
        results, counts = play(weights, weights, rng)
        for side, result in enumerate((results, -results)):
            gain = result - result.mean()
            weights = weights + RATE * (gain @ (counts[side] - counts[side].mean(axis=0))) / len(
                result
            )
    return weights


def share_won(weights, rng):
    """Return the share of games won against the random player, with each color in half."""
    as_black, _ = play(weights, np.zeros(81), rng)
    as_white, _ = play(np.zeros(81), weights, rng)
    return float(np.mean([as_black == 1, as_white == -1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=60)
    rng = np.random.default_rng(1)
    weights = learn(parser.parse_args().rounds, rng)
    print(np.round(weights.reshape(9, 9), 1))
    print(f"won against the random player: {share_won(weights, rng):.1%}")


if __name__ == "__main__":
    main()
