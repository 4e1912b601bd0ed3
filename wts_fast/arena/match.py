"""One game between two players."""

from collections.abc import Mapping
from copy import deepcopy
from itertools import pairwise
from operator import index
from time import thread_time
from typing import Final, NamedTuple

import numpy as np

from wts_fast.arena.report import FORFEIT, Counts
from wts_fast.arena.status import Status
from wts_fast.core.position import Position
from wts_fast.game import Game
from wts_fast.notation import CELL_NAMES
from wts_fast.players import Player
from wts_fast.reference import Captured, Event, Hatched, Laid, trace
from wts_fast.types import BLACK, CELLS, PLAYER_NAMES, WHITE, shown

EVENT: Final = "wts-fast arena"
"""The tag `Event` of every game of an arena."""


class PlayerError(RuntimeError):
    """A player failed in an arena; the message names player, game, position and, if any, cell."""


class Setting(NamedTuple):
    """What the games of an arena have in common."""

    seed: int
    max_turns: int
    names: tuple[str, ...]
    openings: int
    """The number of random turns with which games begin."""
    forfeit: bool
    """Whether a player that fails loses the game; otherwise it ends the arena."""
    seconds: float | None
    """The time limit of a pick, in seconds of wall time, or `None`."""


class Task(NamedTuple):
    """A game to be played."""

    setting: Setting
    pair: tuple[int, int]
    number: int
    """The game's number in its pair, from 0."""

    @property
    def sides(self) -> tuple[int, int]:
        """Who plays Black and who White: in each second game of a pair they are swapped."""
        first, second = self.pair
        return (second, first) if self.number % 2 else (first, second)

    @property
    def round(self) -> str:
        """The tag `Round`: the players' numbers from 1, and the game's."""
        first, second = self.pair
        return f"{first + 1}-{second + 1}.{self.number + 1}"

    def game(self) -> Game:
        """Return the game before its first pick."""
        return Game(_opening(self.setting, self.number // 2), self.tags())

    def who(self, color: int) -> str:
        """Return in words who plays a color."""
        name = self.setting.names[self.sides[color - 1]]
        return f"player {name!r} ({PLAYER_NAMES[color]} in game {self.round})"

    def tags(self) -> dict[str, str]:
        """Return the tags that the game has from the start."""
        black, white = self.sides
        return {
            "Event": EVENT,
            "Round": self.round,
            "Black": self.setting.names[black],
            "White": self.setting.names[white],
            "Seed": str(self.setting.seed),
            "MaxTurns": str(self.setting.max_turns),
        }


class Played(NamedTuple):
    """A game that was played."""

    game: Game
    seconds: tuple[float, float] | None
    """How long Black and White thought; `None` where that is not known."""
    counts: Counts


def play(found: tuple[Player, ...], task: Task, status: Status) -> Played:
    """Return the game of a task, which `status` shows while it is played.

    Raises `PlayerError` where a player fails and does not forfeit the game.
    """
    status.clear()
    game = task.game()
    sides = [
        _Side(found[number], color, task, status)
        for color, number in zip((BLACK, WHITE), task.sides, strict=True)
    ]
    failures: dict[int, str] = {}
    while not (game.is_over or failures) and len(game) < task.setting.max_turns:
        picks = []
        for side in sides:
            try:
                picks.append(side.choose(game.position))
            except PlayerError as error:
                if not task.setting.forfeit:
                    raise
                failures[side.color] = str(error)
        if not failures:
            game.play(*picks)
            status.add(*picks)
    if failures:
        forfeit(game, failures)
    elif not game.is_over:
        game.tags["Termination"] = f"truncated after {len(game)} turns"
    black, white = sides
    return Played(game, (black.seconds, white.seconds), counts_of(game))


def forfeit(game: Game, failures: Mapping[int, str]) -> None:
    """Let the player who failed lose a game; where both did, nobody wins it.

    `failures` holds a message for each color that failed.
    """
    results = {BLACK: "0-1", WHITE: "1-0"}
    game.tags["Result"] = results[min(failures)] if len(failures) == 1 else "1/2-1/2"
    game.tags["Termination"] = FORFEIT + "; ".join(failures.values())


def _opening(setting: Setting, number: int) -> Position:
    """Return an undecided position after random turns, the same for a seed and a number."""
    # Players have spawn keys of length 4, so that no player draws these numbers again.
    sequence = np.random.SeedSequence(setting.seed, spawn_key=(number,))
    rng = np.random.Generator(np.random.PCG64(sequence))
    while True:
        position = Position()
        while position.turn < setting.openings and not position.is_over:
            moves = position.legal_moves()
            black, white = rng.integers(len(moves), size=2)
            position = position.play(moves[black], moves[white])
        if not position.is_over:
            return position


class _Side:
    """One side of a game: its own copy of a player, and its own random numbers."""

    def __init__(self, original: Player, color: int, task: Task, status: Status) -> None:
        self.seconds = 0.0
        self.color = color
        self._original = original
        self._player: Player | None = None
        self._who = task.who(color)
        self._limit = task.setting.seconds
        self._status = status
        # The bit generator is named: NumPy's default may become another one.
        sequence = np.random.SeedSequence(
            task.setting.seed, spawn_key=(*task.pair, task.number, color)
        )
        self._rng = np.random.Generator(np.random.PCG64(sequence))

    def choose(self, position: Position) -> int:
        """Return the player's pick, and add its time; `PlayerError` where it is not legal."""
        player = self._copy() if self._player is None else self._player
        began = thread_time()
        self._status.begin(self.color)
        try:
            pick = player.choose(position, self.color, self._rng)
        except (Exception, SystemExit) as error:
            raise PlayerError(f"{self._who} raised {in_one_line(error)} at '{position}'") from error
        finally:
            spent = self._status.end()
        self.seconds += thread_time() - began
        if self._limit is not None and spent > self._limit:
            raise PlayerError(too_slow(self._who, self._limit, position))
        try:
            cell = index(pick)
        except Exception:
            picked = f"{_described(pick)} of type {type(pick).__name__}"
        else:
            if cell in position.legal_moves():
                return cell
            picked = CELL_NAMES[cell] if 0 <= cell < CELLS else shown(cell)
        raise PlayerError(f"{self._who} picked {picked} at '{position}': expected an empty cell")

    def _copy(self) -> Player:
        self._status.begin(self.color)
        try:
            self._player = deepcopy(self._original)
        except (Exception, SystemExit) as error:
            raise PlayerError(f"{self._who} cannot be copied: {in_one_line(error)}") from error
        finally:
            self._status.end()
        return self._player


def too_slow(who: str, limit: float, position: Position) -> str:
    """Return the message about a pick that took too long."""
    return f"{who} took more than {limit:g} s at '{position}'"


def _described(pick: object) -> str:
    """Return a pick in one line, whatever its `repr` does."""
    try:
        return in_one_line(shown(repr(pick)))
    except Exception:
        return "an object"


def in_one_line(what: BaseException | str) -> str:
    """Return an error or a text in one line that any file can hold."""
    text = what if isinstance(what, str) else f"{type(what).__name__}: {what}"
    return " ".join(text.encode("utf-8", "backslashreplace").decode().split())


def counts_of(game: Game) -> Counts:
    """Return what happened in a game, by the trace of the reference engine."""
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
