"""The results of games, added up to a report."""

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from wts_fast.arena.match import Played, Setting, Task
from wts_fast.arena.report import FORFEIT, Counts, Failures, Pair, Report, Timing
from wts_fast.arena.sprt import Sprt
from wts_fast.game import Game

NO_PAIRS: Final = np.zeros(5, dtype=np.int64)
"""The counts of no pair of games, by score."""


def forfeited(game: Game) -> bool:
    """Return whether a player forfeited a game, or both did."""
    return game.tags.get("Termination", "").startswith(FORFEIT)


def report_of(
    setting: Setting, everything: list[tuple[Task, Played | None]], test: Sprt | None
) -> Report:
    """Return the report of all tasks and the games of those that were played."""
    names = setting.names
    results: dict[tuple[int, int], list[int]] = {task.pair: [0] * 4 for task, _ in everything}
    moves = [0] * len(names)
    seconds = [0.0] * len(names)
    failures = [Failures(0, "")] * len(names)
    finished = [(task, played) for task, played in everything if played is not None]
    games: dict[tuple[int, int], list[tuple[Task, Game]]] = {pair: [] for pair in results}
    for task, played in finished:
        games[task.pair].append((task, played.game))
        results[task.pair][_result(task, played.game)] += 1
        if played.seconds is not None:
            for side, spent in zip(task.sides, played.seconds, strict=True):
                moves[side] += len(played.game)
                seconds[side] += spent
        for side in _failed(task, played.game):
            before, message = failures[side]
            reason = played.game.tags["Termination"].removeprefix(FORFEIT)
            failures[side] = Failures(before + 1, message or reason)
    return Report(
        seed=setting.seed,
        max_turns=setting.max_turns,
        openings=setting.openings,
        names=names,
        pairs=tuple(Pair(*pair, *result) for pair, result in results.items()),
        pentanomials=tuple(tuple(pentanomial(of_pair).tolist()) for of_pair in games.values()),
        timings=tuple(map(Timing, moves, seconds)),
        failures=tuple(failures),
        counts=_total(played.counts for _, played in finished),
        sprt=test,
        games=tuple(played.game for _, played in finished),
    )


def _result(task: Task, game: Game) -> int:
    """Return which of a pair's four results a game has: win, loss, draw, truncated."""
    if game.result == "*":
        return 3
    if game.result == "1/2-1/2":
        return 2
    winner = task.sides[0 if game.result == "1-0" else 1]
    return 0 if winner == task.pair[0] else 1


def pentanomial(games: list[tuple[Task, Game]]) -> npt.NDArray[np.int64]:
    """Return how many pairs of games scored 0, 1/2, 1, 3/2 and 2, of shape (5,).

    All games are of the same players. One whose partner is missing is left out.
    """
    halves = {task.number: (2, 0, 1, 1)[_result(task, game)] for task, game in games}
    counts = NO_PAIRS.copy()
    for number in halves:
        if number % 2 == 0 and number + 1 in halves:
            counts[halves[number] + halves[number + 1]] += 1
    return counts


def _failed(task: Task, game: Game) -> tuple[int, ...]:
    """Return the players who forfeited a game: none, one or both."""
    if not forfeited(game):
        return ()
    black, white = task.sides
    return {"0-1": (black,), "1-0": (white,)}.get(game.result, task.sides)


def _total(counts: Iterable[Counts]) -> Counts:
    return Counts(*map(sum, zip(*counts, strict=True)))
