"""Compares the core with the alternatives in one run: `wts-fast bench --peers`.

Measures random games and turns per second of CPU time, which counts all threads of the
process. The peers alternate for several rounds; the best round of each counts.

OpenSpiel has no What the Shell. Its gomoku has the most similar board, and its
goofspiel has simultaneous picks. From Python, its own loop can only be started by a search of
one simulation, which evaluates the root by random games to their end, played in C++.
"""

import random
from collections.abc import Callable, Iterator
from importlib.metadata import version
from time import process_time
from typing import Any, NamedTuple

import numba_engine
import numba_mailbox
import pyspiel

from wts_fast import Position, reference, rollouts

ROUNDS = 5
SECONDS = 0.2
"""The least length of a round of each peer."""

GOMOKU = "gomoku(size=9)"
GOOFSPIEL = "goofspiel(points_order=descending)"


Play = Callable[[int, int], int | None]
"""Plays a number of random games by a seed, and returns their turns, or `None` if unknown."""


class Peer(NamedTuple):
    """An engine to measure, in runs of `games` games."""

    name: str
    what: str
    play: Play
    games: int


class Row(NamedTuple):
    """A peer's figures; `ratio` is the speed of the core's own loop divided by its own."""

    name: str
    games_per_second: float
    turns_per_second: float
    ratio: float
    what: str


# --- random games -----------------------------------------------------------------------


def play_in_core(games: int, seed: int) -> int:
    """Play games in the core's own loop."""
    return round(rollouts(Position(), games, rng=seed).mean_turns * games)


def play_in_mailbox(games: int, seed: int) -> int:
    """Play games in the loop of the numba engine with a mailbox."""
    return numba_mailbox.random_games(games, seed)[-1]


def play_in_lines(games: int, seed: int) -> int:
    """Play games in the loop of the numba engine with lines in words."""
    return numba_engine.random_games(games, seed).turns


def from_python(play_one: Callable[[Any, random.Random], int], start: Callable[[], Any]) -> Play:
    """Return a function that plays games in a Python loop, each by `play_one` from a new start."""

    def play(games: int, seed: int) -> int:
        rng = random.Random(seed)
        return sum(play_one(start(), rng) for _ in range(games))

    return play


def play_turns(position: Any, rng: random.Random) -> int:
    """Play random turns to the end, with either engine; return how many."""
    turns = 0
    while not position.is_over:
        cells = position.legal_moves()
        position = position.play(rng.choice(cells), rng.choice(cells))
        turns += 1
    return turns


def play_moves(state: Any, rng: random.Random) -> int:
    """Play random moves to the end of an OpenSpiel game; return how many."""
    moves = 0
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        moves += 1
    return moves


def play_joint_moves(state: Any, rng: random.Random) -> int:
    """Play random joint moves to the end of an OpenSpiel game for two; return how many."""
    turns = 0
    while not state.is_terminal():
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in (0, 1)])
        turns += 1
    return turns


def native_value(game: Any, games: int, seed: int) -> float:
    """Return the mean result of `games` random games, played in OpenSpiel's own loop."""
    search = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=seed),
        uct_c=2.0,
        max_simulations=1,
        max_memory_mb=1,
        solve=False,
        seed=seed,
        verbose=False,
    )
    return float(search.mcts_search(game.new_initial_state()).total_reward)


def natively(game: Any) -> Play:
    """Return a function that plays in OpenSpiel's own loop, which does not count turns."""

    def play(games: int, seed: int) -> None:
        native_value(game, games, seed)

    return play


def peers() -> list[Peer]:
    """Return the peers; the others are compared with the first."""
    return [
        Peer(
            "wts-fast, own loop",
            "rollouts(Position(), 100_000)",
            play_in_core,
            games=100_000,
        ),
        Peer(
            "wts-fast, one game at a time",
            "rollouts(Position(), 100)",
            play_in_core,
            games=100,
        ),
        Peer(
            "wts-fast from Python",
            "Position.legal_moves, play",
            from_python(play_turns, Position),
            games=100,
        ),
        Peer(
            "reference engine from Python",
            "reference.Position.legal_moves, play",
            from_python(play_turns, reference.Position),
            games=10,
        ),
        Peer(
            "numba, mailbox board",
            "benchmarks/numba_mailbox.py",
            play_in_mailbox,
            games=10_000,
        ),
        Peer(
            "numba, lines in words, unofficial",
            "benchmarks/numba_engine.py, without numba's own runtime",
            play_in_lines,
            games=100_000,
        ),
        *openspiel_peers(GOMOKU, play_moves, "apply_action"),
        *openspiel_peers(GOOFSPIEL, play_joint_moves, "apply_actions"),
    ]


def openspiel_peers(
    spec: str, play_one: Callable[[Any, random.Random], int], method: str
) -> list[Peer]:
    """Return an OpenSpiel game played from Python by `play_one`, and in OpenSpiel's own loop.

    `method` names the method of `State` that `play_one` calls. A game with simultaneous moves
    is converted to one player at a time for the own loop, which takes no other.
    """
    game = pyspiel.load_game(spec)
    kind = game.get_type()
    simultaneous = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    name = f"OpenSpiel {kind.short_name}"
    return [
        Peer(
            f"{name} from Python",
            f"State.legal_actions, {method} of {spec}",
            from_python(play_one, game.new_initial_state),
            games=100,
        ),
        Peer(
            f"{name}, own loop",
            f"RandomRolloutEvaluator on {spec}{', turn-based' * simultaneous}",
            natively(pyspiel.convert_to_turn_based(game) if simultaneous else game),
            games=1000,
        ),
    ]


# --- measuring --------------------------------------------------------------------------


class Meter:
    """The games and turns of a peer, and the most games in a second of CPU time."""

    def __init__(self, peer: Peer) -> None:
        """Warm the peer up, which includes compilation, and set the length of a round."""
        self.peer = peer
        self.games = self.turns = 0
        self.rate = 0.0
        self.runs = 1
        peer.play(peer.games, 0)
        while self._seconds(0) < SECONDS:
            self.runs *= 2

    def measure(self, seed: int) -> None:
        """Measure a round."""
        self.rate = max(self.rate, self.runs * self.peer.games / self._seconds(seed))

    def _seconds(self, seed: int) -> float:
        began = process_time()
        for run in range(self.runs):
            self.turns += self.peer.play(self.peer.games, seed + run) or 0
            self.games += self.peer.games
        return process_time() - began


def measure(progress: Callable[[], object]) -> list[Row]:
    """Return the figures of all peers; `progress` is called after each of `ROUNDS` rounds."""
    meters = [Meter(peer) for peer in peers()]
    for number in range(1, ROUNDS + 1):
        for meter in meters:
            meter.measure(seed=1_000_000 * number)
        progress()
    return list(_rows(meters))


def _rows(meters: list[Meter]) -> Iterator[Row]:
    length = 0.0
    for meter in meters:
        if meter.turns:  # else its games are those of the peer before it
            length = meter.turns / meter.games
        peer, rate = meter.peer, meter.rate
        yield Row(peer.name, rate, rate * length, meters[0].rate / rate, peer.what)


def versions() -> dict[str, str]:
    """Return the versions of the libraries that are measured."""
    return {name: version(name) for name in ("numba", "open-spiel")}
