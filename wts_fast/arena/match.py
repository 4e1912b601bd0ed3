"""One game between two players."""

from copy import deepcopy
from itertools import pairwise
from operator import index
from time import thread_time
from typing import NamedTuple

import numpy as np

from wts_fast.arena.report import Counts
from wts_fast.core.position import Position
from wts_fast.game import Game
from wts_fast.notation import CELL_NAMES
from wts_fast.players import Player
from wts_fast.reference import Captured, Event, Hatched, Laid, trace
from wts_fast.types import BLACK, CELLS, PLAYER_NAMES, WHITE, shown


class PlayerError(RuntimeError):
    """A player broke off an arena; the message names player, game, position and, if any, cell."""


class Task(NamedTuple):
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


class Played(NamedTuple):
    """A game that was played."""

    game: Game
    seconds: tuple[float, float]
    """How long Black and White thought."""
    counts: Counts


def play(found: tuple[Player, ...], task: Task) -> Played:
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
    return Played(game, (black_seconds, white_seconds), _counts(game))


def _tags(task: Task) -> dict[str, str]:
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

    def __init__(self, original: Player, color: int, task: Task) -> None:
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
            raise PlayerError(f"{self._who} cannot be copied: {in_one_line(error)}") from error

    def choose(self, position: Position) -> int:
        """Return the player's pick, and add its time; `PlayerError` where it is none."""
        began = thread_time()
        try:
            pick = self._player.choose(position, self._color, self._rng)
        except Exception as error:
            raise PlayerError(f"{self._who} raised {in_one_line(error)} at '{position}'") from error
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


def in_one_line(error: Exception) -> str:
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
