"""The arena: a round robin in which each two players meet, and what it has found."""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from itertools import combinations
from typing import Final, SupportsIndex

from wts_fast.arena.match import Played, Task, play
from wts_fast.arena.pool import play_in_processes
from wts_fast.arena.report import Counts, Pair, Report, Timing
from wts_fast.game import Game
from wts_fast.players import Player, player
from wts_fast.randomness import Randomness, seed_of
from wts_fast.types import MAX_TURN, Outcome, check_int

MAX_GAMES: Final = 10**6
"""The greatest number of games a pair that can be asked for: all are kept."""

MAX_JOBS: Final = 1024
"""The greatest number of processes that can be asked for."""


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
        Task(pair, number, seed, turns, names)
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


def _report(tasks: list[Task], played: list[Played]) -> Report:
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


def _result(task: Task, game: Game) -> int:
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


def _all_played(
    found: tuple[Player, ...], tasks: list[Task], jobs: int
) -> Generator[Played, None, None]:
    """Yield the games of all tasks, in their order."""
    if jobs == 1:
        return (play(found, task) for task in tasks)
    return play_in_processes(found, tasks, jobs)
