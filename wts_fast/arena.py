"""Players against each other: a round robin, how strong each of them is, and all the games."""

import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations, pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from operator import index
from os import _exit
from threading import Thread
from time import thread_time
from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt

from wts_fast import ratings
from wts_fast._position import Position
from wts_fast.game import Game
from wts_fast.notation import CELL_NAMES
from wts_fast.players import Player, player
from wts_fast.randomness import Randomness, seed_of
from wts_fast.reference import Captured, Event, Hatched, Laid, trace
from wts_fast.types import (
    BLACK,
    CELLS,
    MAX_TURN,
    PLAYER_NAMES,
    WHITE,
    Outcome,
    check_int,
    shown,
)

MAX_GAMES: Final = 10**6
"""The greatest number of games a pair that can be asked for: all are kept."""

MAX_JOBS: Final = 1024
"""The greatest number of processes that can be asked for."""

VERSION: Final = 1
"""The version of what `Report.as_json` returns; it goes up when a reader would stumble."""


class PlayerError(RuntimeError):
    """A player broke off an arena; the message names player, game, position and, if any, cell."""


# --- what an arena reports --------------------------------------------------------------


class Pair(NamedTuple):
    """The games of two players, as the first of them sees them."""

    first: int
    """The first player's number in the arena, from 0."""
    second: int
    wins: int
    losses: int
    draws: int
    truncated: int
    """Games cut by the turn limit (R8): they score as draws, and are none."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.losses + self.draws + self.truncated

    @property
    def score(self) -> float:
        """The first player's score: 1 a win, 1/2 a draw or a truncated game."""
        return self.wins + (self.draws + self.truncated) / 2


class Timing(NamedTuple):
    """How long a player thought, in all games."""

    moves: int
    seconds: float
    """CPU time of the thread that called `choose`."""

    @property
    def milliseconds(self) -> float:
        """CPU time a move."""
        return self.seconds * 1e3 / self.moves


class Counts(NamedTuple):
    """What happened in games, both sides together."""

    eggs: int
    """Eggs laid (E1)."""
    hatches: int
    """Eggs that hatched (H1)."""
    captures: int
    """Captures, each direction on its own (C5)."""
    sudden_deaths: int
    """Times that Sudden Death began (S1)."""


@dataclass(frozen=True, eq=False)
class Report:
    """What an arena has found."""

    seed: int
    """The seed with which the same arena can be repeated."""
    max_turns: int
    names: tuple[str, ...]
    """The players' names, in the order given; one met before has ` #2` or so behind it."""
    pairs: tuple[Pair, ...]
    """Each two players' results, (0, 1) first, then (0, 2) and so on."""
    timings: tuple[Timing, ...]
    """How long each player thought."""
    counts: Counts
    """What happened in all games."""
    games: tuple[Game, ...]
    """All games, those of the first pair first.

    Tags: `Event`, `Round` (the players' numbers from 1, and the game's), `Black`, `White`,
    `Seed`, and `Termination` where the turn limit cut it; such a game's result is `*`.
    """

    def scores(self) -> npt.NDArray[np.float64]:
        """Return the win matrix, of shape (n, n): row i holds i's mean score against each.

        The scores are 0..1, and NaN on the diagonal.
        """
        matrix = np.full((len(self.names), len(self.names)), np.nan)
        for pair in self.pairs:
            mean = pair.score / pair.games
            matrix[pair.first, pair.second] = mean
            matrix[pair.second, pair.first] = 1 - mean
        return matrix

    def intervals(self) -> npt.NDArray[np.float64]:
        """Return the 95 % intervals of `scores`, of shape (n, n, 2): `ratings.interval`."""
        matrix = np.full((len(self.names), len(self.names), 2), np.nan)
        for pair in self.pairs:
            low, high = ratings.interval(pair.score, pair.games)
            matrix[pair.first, pair.second] = low, high
            matrix[pair.second, pair.first] = 1 - high, 1 - low
        return matrix

    def elo(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the players' Elo ratings, the first's being 0, and their standard errors.

        Both have shape (n,); `ratings.elo` says how they come about.
        """
        scores = np.zeros((len(self.names), len(self.names)))
        for pair in self.pairs:
            scores[pair.first, pair.second] = pair.score
            scores[pair.second, pair.first] = pair.games - pair.score
        return ratings.elo(scores)

    def as_json(self) -> dict[str, Any]:
        """Return all but the games as plain values that `json` writes; see `VERSION`."""
        lengths = [len(game) for game in self.games]
        elo, errors = self.elo()
        intervals = self.intervals()
        return {
            "version": VERSION,
            "seed": self.seed,
            "max_turns": self.max_turns,
            "games": len(self.games),
            "turns": {
                "mean": sum(lengths) / len(lengths),
                "min": min(lengths),
                "max": max(lengths),
            },
            "a_game": {
                name: count / len(self.games) for name, count in self.counts._asdict().items()
            },
            "players": [
                {
                    "name": name,
                    "elo": float(elo[number]),
                    "elo_error": float(errors[number]),
                    "moves": self.timings[number].moves,
                    "ms_a_move": self.timings[number].milliseconds,
                }
                for number, name in enumerate(self.names)
            ],
            "pairs": [
                {
                    **pair._asdict(),
                    "score": pair.score / pair.games,
                    "interval": intervals[pair.first, pair.second].tolist(),
                }
                for pair in self.pairs
            ],
        }


# --- the arena --------------------------------------------------------------------------


class _Task(NamedTuple):
    """A game to be played."""

    pair: tuple[int, int]
    number: int
    """The game's number in its pair, from 0."""
    seed: int
    max_turns: int
    names: tuple[str, ...]

    @property
    def sides(self) -> tuple[int, int]:
        """Who plays Black and who White: in each second game of a pair they are swapped."""
        first, second = self.pair
        return (second, first) if self.number % 2 else (first, second)

    @property
    def round(self) -> str:
        first, second = self.pair
        return f"{first + 1}-{second + 1}.{self.number + 1}"


class _Played(NamedTuple):
    """A game that was played."""

    game: Game
    seconds: tuple[float, float]
    """How long Black and White thought."""
    counts: Counts


def arena(
    players: Iterable[object],
    games: SupportsIndex,
    *,
    rng: Randomness = None,
    jobs: SupportsIndex = 1,
    max_turns: SupportsIndex = 400,
    progress: Callable[[], object] | None = None,
) -> Report:
    """Let each two players play `games` games from the empty board, and report.

    `players` are two or more of what `players.player` takes. In a pair's first game the one
    given first is Black, and from game to game they swap colors.

    A game depends on nothing but the two players, the seed and which game of which pair it
    is: each side has a random generator and a copy of the player (`copy.deepcopy`) of its own
    there. So the games are the same for any number of `jobs`, the processes that play. With
    more than one the players are pickled, and a script that calls this needs the usual
    `if __name__ == "__main__":`, for each process imports it once more.

    A game that is open after `max_turns` turns is truncated (R8): it counts 1/2 for both, and
    is reported apart. `rng` is a seed 0..2**64 - 1, a `numpy.random.Generator`, from which a
    seed is drawn, or `None` for a fresh one. `progress` is called after each game.

    Raises `PlayerError` in the first game whose player raises or picks no legal cell, and
    where a player cannot be copied or sent to another process; what `players.player` raises;
    `ValueError` for fewer than two players or a number out of range. On Ctrl-C, as on errors,
    all processes end before this does.
    """
    found = tuple(player(spec) for spec in players)
    if len(found) < 2:
        raise ValueError(f"an arena of {len(found)} players: expected 2 or more")
    count = check_int("games", games, 1, MAX_GAMES)
    turns = check_int("max_turns", max_turns, 1, MAX_TURN)
    processes = check_int("jobs", jobs, 1, MAX_JOBS)
    seed = seed_of(rng)
    names = _told_apart([one.name for one in found])
    tasks = [
        _Task(pair, number, seed, turns, names)
        for pair in combinations(range(len(found)), 2)
        for number in range(count)
    ]
    played = []
    with closing(_all_played(found, tasks, min(processes, len(tasks)))) as all_played:
        for one in all_played:
            played.append(one)
            if progress is not None:
                progress()
    return _report(tasks, played)


def _told_apart(names: list[str]) -> tuple[str, ...]:
    """Return the names, each but the first of those that are the same with its number."""
    numbers = [names[:place].count(name) + 1 for place, name in enumerate(names)]
    return tuple(
        name if number == 1 else f"{name} #{number}"
        for name, number in zip(names, numbers, strict=True)
    )


def _report(tasks: list[_Task], played: list[_Played]) -> Report:
    names = tasks[0].names
    results: dict[tuple[int, int], list[int]] = {task.pair: [0] * 4 for task in tasks}
    moves = [0] * len(names)
    seconds = [0.0] * len(names)
    for task, one in zip(tasks, played, strict=True):
        results[task.pair][_result(task, one.game)] += 1
        for side, spent in zip(task.sides, one.seconds, strict=True):
            moves[side] += len(one.game)
            seconds[side] += spent
    return Report(
        seed=tasks[0].seed,
        max_turns=tasks[0].max_turns,
        names=names,
        pairs=tuple(Pair(*pair, *result) for pair, result in results.items()),
        timings=tuple(map(Timing, moves, seconds)),
        counts=_total(one.counts for one in played),
        games=tuple(one.game for one in played),
    )


def _result(task: _Task, game: Game) -> int:
    """Return which of a pair's four results a game has: win, loss, draw, truncated."""
    outcome = game.outcome
    if outcome == Outcome.UNDECIDED:
        return 3
    if outcome == Outcome.DRAW:
        return 2
    winner = task.sides[0 if outcome == Outcome.BLACK_WINS else 1]
    return 0 if winner == task.pair[0] else 1


def _total(counts: Iterable[Counts]) -> Counts:
    return Counts(*map(sum, zip(*counts, strict=True)))


# --- one game ---------------------------------------------------------------------------


def _play(found: tuple[Player, ...], task: _Task) -> _Played:
    """Return the game of a task; `PlayerError` where a player breaks it off."""
    game = Game(tags=_tags(task))
    sides = [
        _Side(found[number], color, task)
        for color, number in zip((BLACK, WHITE), task.sides, strict=True)
    ]
    while not game.is_over and len(game) < task.max_turns:
        black, white = (side.choose(game.position) for side in sides)
        game.play(black, white)
    if not game.is_over:
        game.tags["Termination"] = f"truncated after {len(game)} turns"
    black_seconds, white_seconds = (side.seconds for side in sides)
    return _Played(game, (black_seconds, white_seconds), _counts(game))


def _tags(task: _Task) -> dict[str, str]:
    black, white = task.sides
    return {
        "Event": "wts-fast arena",
        "Round": task.round,
        "Black": task.names[black],
        "White": task.names[white],
        "Seed": str(task.seed),
    }


class _Side:
    """One side of a game: its own copy of a player, and its own random numbers."""

    def __init__(self, original: Player, color: int, task: _Task) -> None:
        self.seconds = 0.0
        self._color = color
        name = task.names[task.sides[color - 1]]
        self._who = f"player {name!r} ({PLAYER_NAMES[color]} in game {task.round})"
        # The bit generator is named: NumPy's default may become another one.
        sequence = np.random.SeedSequence(task.seed, spawn_key=(*task.pair, task.number, color))
        self._rng = np.random.Generator(np.random.PCG64(sequence))
        try:
            self._player = deepcopy(original)
        except Exception as error:
            raise PlayerError(f"{self._who} cannot be copied: {_told(error)}") from error

    def choose(self, position: Position) -> int:
        """Return the player's pick, and add its time; `PlayerError` where it is none."""
        began = thread_time()
        try:
            pick = self._player.choose(position, self._color, self._rng)
        except Exception as error:
            raise PlayerError(f"{self._who} raised {_told(error)} at '{position}'") from error
        self.seconds += thread_time() - began
        try:
            cell = index(pick)
        except TypeError:
            picked = f"{shown(repr(pick))} of type {type(pick).__name__}"
        else:
            if cell in position.legal_moves():
                return cell
            picked = CELL_NAMES[cell] if 0 <= cell < CELLS else shown(cell)
        raise PlayerError(f"{self._who} picked {picked} at '{position}': expected an empty cell")


def _told(error: Exception) -> str:
    """Return an error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def _counts(game: Game) -> Counts:
    """Return what happened in a game, as the reference engine tells it."""
    events: list[Event] = []
    for position, turn in zip(game.positions(), game.moves, strict=False):
        events += trace(position, *turn).events
    deaths = [position.sudden_death for position in game.positions()]
    return Counts(
        eggs=sum(isinstance(event, Laid) for event in events),
        hatches=sum(isinstance(event, Hatched) for event in events),
        captures=sum(isinstance(event, Captured) for event in events),
        sudden_deaths=sum(now and not before for before, now in pairwise(deaths)),
    )


# --- in processes -----------------------------------------------------------------------


def _all_played(
    found: tuple[Player, ...], tasks: list[_Task], jobs: int
) -> Generator[_Played, None, None]:
    """Yield the games of all tasks, in their order."""
    if jobs == 1:
        return (_play(found, task) for task in tasks)
    return _in_processes(_pickled(found), tasks, jobs)


def _pickled(found: tuple[Player, ...]) -> bytes:
    try:
        return pickle.dumps(found)
    except Exception as error:
        raise PlayerError(
            f"a player cannot be sent to another process: {_told(error)}; "
            "with jobs=1 that is not needed"
        ) from error


def _in_processes(pickled: bytes, tasks: list[_Task], jobs: int) -> Generator[_Played, None, None]:
    """Yield the games of all tasks, in their order; however this ends, no process goes on.

    Each process holds the reading end of a pipe, and ends when the writing end is closed, be
    it because this process has died.
    """
    context = get_context("spawn")
    reading, writing = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _start, (pickled, reading))
    try:
        under_way: deque[Future[_Played]] = deque()
        for task in tasks:
            under_way.append(pool.submit(_play_sent, task))
            if len(under_way) == 16 * jobs:  # enough for all while one game lasts long
                yield _waited(under_way.popleft())
        while under_way:
            yield _waited(under_way.popleft())
        pool.shutdown()
    except BrokenProcessPool as error:
        raise PlayerError(f"a process that plays has ended before its time: {error}") from error
    finally:
        writing.close()
        pool.shutdown(cancel_futures=True)
        reading.close()


def _waited(future: "Future[_Played]") -> _Played:
    """Return a result; wait for it in short spells, for Ctrl-C to come through everywhere."""
    while not future.done():
        wait([future], timeout=0.05)
    return future.result()


class _Sent:
    """In a process that plays: the players, pickled, and unpickled once they are needed."""

    pickled = b""
    players: tuple[Player, ...] = ()


def _start(pickled: bytes, reading: "Connection[Any, Any]") -> None:
    """Get a process ready: its end is the other's business, Ctrl-C included."""
    _Sent.pickled = pickled
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(reading,), daemon=True).start()


def _end_with(reading: "Connection[Any, Any]") -> None:
    try:
        reading.recv()  # nothing is ever sent
    except (EOFError, OSError):
        _exit(1)


def _play_sent(task: _Task) -> _Played:
    """Return the game of a task between the players sent, whose errors go back from here."""
    if not _Sent.players:
        try:
            _Sent.players = pickle.loads(_Sent.pickled)
        except Exception as error:
            raise PlayerError(f"a player cannot come to another process: {_told(error)}") from error
    return _play(_Sent.players, task)
