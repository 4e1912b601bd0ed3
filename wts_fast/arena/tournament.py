"""The arena: a round robin between players, and its report."""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from itertools import combinations
from math import isfinite
from typing import Final, SupportsIndex

from wts_fast.arena.match import Played, Setting, Task, counts_of, play
from wts_fast.arena.pool import play_in_processes
from wts_fast.arena.report import Report
from wts_fast.arena.results import NO_PAIRS, forfeited, pentanomial, report_of
from wts_fast.arena.sprt import check_hypotheses
from wts_fast.arena.sprt import sprt as sprt_state
from wts_fast.arena.status import MAX_TURNS, Status
from wts_fast.game import Game
from wts_fast.players import name_of, player
from wts_fast.randomness import Randomness, seed_of
from wts_fast.types import check_int, shown

MAX_GAMES: Final = 10**6
"""The greatest number of games a pair that can be asked for: all are kept."""

MAX_JOBS: Final = 1024
"""The greatest number of processes that can be asked for."""

MAX_OPENINGS: Final = 20
"""The greatest number of random turns that can be asked for."""

ON_ERROR: Final = ("stop", "forfeit")
"""What `on_error` may be."""


class Tournament:
    """A round robin that can be stopped, reported and continued; see `arena` for how it is played.

    The arguments are those of `arena`, and this raises what `arena` raises before its first
    game.
    """

    def __init__(
        self,
        players: Iterable[object],
        games: SupportsIndex,
        *,
        rng: Randomness = None,
        jobs: SupportsIndex = 1,
        max_turns: SupportsIndex = 400,
        openings: SupportsIndex = 0,
        sprt: tuple[float, float] | None = None,
        on_error: str = "stop",
        seconds_per_move: float | None = None,
        done: Iterable[Game] = (),
    ) -> None:
        self._found = tuple(player(spec) for spec in players)
        if len(self._found) < 2:
            raise ValueError(f"an arena of {len(self._found)} players: expected 2 or more")
        count = check_int("games", games, 1, MAX_GAMES)
        self._jobs = check_int("jobs", jobs, 1, MAX_JOBS)
        turns = check_int("max_turns", max_turns, 1, MAX_TURNS)
        random_turns = check_int("openings", openings, 0, MAX_OPENINGS)
        self._hypotheses = None if sprt is None else check_hypotheses(sprt)
        if sprt is not None and len(self._found) != 2:
            raise ValueError(f"sprt with {len(self._found)} players: expected 2")
        if count % 2 and (random_turns or sprt is not None):
            raise ValueError(
                f"games is {count}: expected an even number, because with openings or sprt "
                "games come in pairs"
            )
        if on_error not in ON_ERROR:
            raise ValueError(f"on_error is {on_error!r}: expected {' or '.join(ON_ERROR)}")
        before = list(done)
        self._setting = Setting(
            seed=_seed(rng, before),
            max_turns=turns,
            names=_told_apart([name_of(one) for one in self._found]),
            openings=random_turns,
            forfeit=on_error == "forfeit",
            seconds=_checked_seconds(seconds_per_move),
        )
        self._tasks = [
            Task(self._setting, pair, number)
            for pair in combinations(range(len(self._found)), 2)
            for number in range(count)
        ]
        self._played: dict[str, Played] = {}
        self._test = None if self._hypotheses is None else sprt_state(NO_PAIRS, *self._hypotheses)
        self._tested = NO_PAIRS
        self._take(before)
        self._go_on_with_test()

    @property
    def total(self) -> int:
        """The number of all games, finished or not."""
        return len(self._tasks)

    @property
    def finished(self) -> int:
        """The number of games that are finished."""
        return len(self._played)

    def play(self, on_game: Callable[[Game], object] | None = None) -> None:
        """Play the games that are not finished; `on_game` is that of `arena`.

        Raises what `arena` raises. The games finished until then stay, and another call goes
        on with the others.
        """
        if self._accepted:
            return
        open_tasks = [task for task in self._tasks if task.round not in self._played]
        with closing(self._games(open_tasks)) as games:
            for task, played in games:
                self._played[task.round] = played
                if on_game is not None:
                    on_game(played.game)
                self._go_on_with_test()
                if self._accepted:
                    break

    def report(self) -> Report:
        """Return the report of the games finished so far; `ValueError` where none is."""
        if not self._played:
            raise ValueError("no game is finished: expected one or more to report")
        # Games behind the pair that decided a test are left out: which of them there are
        # depends on the number of jobs.
        tasks = self._tasks[: 2 * int(self._tested.sum())] if self._accepted else self._tasks
        return report_of(
            self._setting, [(task, self._played.get(task.round)) for task in tasks], self._test
        )

    @property
    def _accepted(self) -> bool:
        """Whether a sequential test has accepted a hypothesis."""
        return self._test is not None and self._test.accepted is not None

    def _go_on_with_test(self) -> None:
        """Add pairs of games to the sequential test, in order, until it accepts a hypothesis."""
        while self._hypotheses is not None and not self._accepted:
            place = 2 * int(self._tested.sum())
            tasks = self._tasks[place : place + 2]
            games = [self._played[task.round].game for task in tasks if task.round in self._played]
            if len(games) < 2:
                return
            self._tested = self._tested + pentanomial(list(zip(tasks, games, strict=True)))
            self._test = sprt_state(self._tested, *self._hypotheses)

    def _games(self, tasks: list[Task]) -> Generator[tuple[Task, Played], None, None]:
        """Yield tasks and their games as they finish."""
        if self._jobs == 1 and self._setting.seconds is None:
            status = Status()
            return ((task, play(self._found, task, status)) for task in tasks)
        return play_in_processes(self._found, tasks, self._jobs)

    def _take(self, games: list[Game]) -> None:
        """Take games that were played before; `ValueError` for one of another arena."""
        tasks = {task.round: task for task in self._tasks}
        for place, game in enumerate(games, start=1):
            if not isinstance(game, Game):
                raise TypeError(f"expected a Game as done, not {type(game).__name__}")
            where = f"game {place} of those done"
            number = game.tags.get("Round", "")
            task = tasks.get(number)
            if task is None:
                raise ValueError(
                    f"{where} has Round {shown(number)!r}: expected one of "
                    f"{self._tasks[0].round}..{self._tasks[-1].round}, with at most "
                    f"{self._tasks[-1].number + 1} games a pair"
                )
            if number in self._played:
                raise ValueError(f"{where} has Round {number!r}: expected it only once")
            for name, expected in task.tags().items():
                if game.tags.get(name) != expected:
                    raise ValueError(
                        f"{where} has {name} {game.tags.get(name)!r}: expected {expected!r}"
                    )
            _check_start_and_end(where, task, game)
            self._played[number] = Played(game, None, counts_of(game))


def arena(
    players: Iterable[object],
    games: SupportsIndex,
    *,
    rng: Randomness = None,
    jobs: SupportsIndex = 1,
    max_turns: SupportsIndex = 400,
    openings: SupportsIndex = 0,
    sprt: tuple[float, float] | None = None,
    on_error: str = "stop",
    seconds_per_move: float | None = None,
    done: Iterable[Game] = (),
    on_game: Callable[[Game], object] | None = None,
) -> Report:
    """Let each two players play `games` games, 1..1,000,000, and report.

    `players` are two or more of what `players.player` takes. In a pair's first game the one
    given first is Black, and from game to game they swap colors.

    A game depends on nothing but the two players, the seed and which game of which pair it
    is: each side has a random generator and a copy of the player (`copy.deepcopy`) of its own
    there. So the games are the same for any number of `jobs`, 1..1024, the processes that
    play. With more than one, or with a time limit, the players are pickled, and a script that
    calls this needs the usual `if __name__ == "__main__":`, for each process imports it once
    more.

    A game that is open after `max_turns` turns, 1..10,000, is truncated (R8): it counts 1/2
    for both, and is reported apart. `rng` is a seed 0..2**64 - 1, a `numpy.random.Generator`,
    from which a seed is drawn, or `None` for that of the games done, or else a fresh one.

    Games start from the empty board. With `openings`, 1..20, each two games of a pair, 1 and 2,
    3 and 4 and so on, start from a position of their own after so many random turns, which is
    not decided and depends only on the seed. So deterministic players do not play the same game
    again and again, and the intervals of the report take the two games as one observation.
    `max_turns` counts from there.

    With `sprt`, a pair `(elo0, elo1)`, -1000 <= elo0 < elo1 <= 1000, a sequential test runs
    over pairs of games in their order: whether the first of two players is stronger than the
    second by `elo0` (H0) or by `elo1` (H1). The arena ends as soon as it accepts one, wrongly
    with a probability of about 0.05, and after `games` games at the latest. The report then
    has the games up to the pair that decided, for any number of `jobs`; `on_game` may have got
    more.

    A player fails that raises, picks no legal cell, takes more than `seconds_per_move` seconds
    of wall time, above 0, for a pick, or ends its process. With `on_error="stop"` that ends the
    arena. With `"forfeit"` the player loses the game, which `Report.failures` counts. Where
    both fail in the same turn, each scores 1/2, and has failed; but where a process is lost,
    only the player who was choosing has. With `seconds_per_move` a pick that never returns is
    cut off; without, and with `jobs=1`, games are played in this process, and a player that
    ends it ends everything.

    `done` are games of the same arena that were played before, as `Records.games` has them:
    they are not played again, and the report counts them, but not their thinking times. Their
    number a pair may be smaller than `games`. `on_game` is called with each game that is
    played, as soon as it is finished: with several jobs, in any order.

    Raises `PlayerError` with `on_error="stop"` as soon as a player has failed; where a
    player cannot be sent to another process; and where a process ends while no player is at
    work. Raises `ValueError` for fewer than two players, a number out of range, an odd
    number of games with `openings` or `sprt`, `sprt` with more than two players, another
    `on_error`, and a game done that is not finished or is of another arena: another seed,
    player, turn limit or opening; `TypeError` for a value of another type; and what
    `players.player` raises. On Ctrl-C, as on errors, all processes end before this does;
    `Tournament` keeps what was played until then.
    """
    tournament = Tournament(
        players,
        games,
        rng=rng,
        jobs=jobs,
        max_turns=max_turns,
        openings=openings,
        sprt=sprt,
        on_error=on_error,
        seconds_per_move=seconds_per_move,
        done=done,
    )
    tournament.play(on_game)
    return tournament.report()


def _seed(rng: Randomness, done: list[Game]) -> int:
    """Return the seed: that of the games done, where another is not asked for."""
    if rng is None and done and isinstance(done[0], Game):
        text = done[0].tags.get("Seed", "")
        if text.isascii() and text.isdecimal() and len(text) <= 20:
            return seed_of(int(text))
    return seed_of(rng)


def _checked_seconds(seconds: float | None) -> float | None:
    if seconds is None:
        return None
    try:
        checked = float(seconds)
    except (TypeError, ValueError):
        kind = type(seconds).__name__
        raise TypeError(f"seconds_per_move must be a number or None, not {kind}") from None
    if not (isfinite(checked) and checked > 0):
        raise ValueError(f"seconds_per_move is {checked}: expected above 0, and finite")
    return checked


def _told_apart(names: list[str]) -> tuple[str, ...]:
    """Return the names, each but the first of those that are the same with its number."""
    numbers = [names[:place].count(name) + 1 for place, name in enumerate(names)]
    return tuple(
        name if number == 1 else f"{name} #{number}"
        for name, number in zip(names, numbers, strict=True)
    )


def _check_start_and_end(where: str, task: Task, game: Game) -> None:
    """Raise `ValueError` for a game that cannot have been played for this task, or is open."""
    start = task.game().start
    if game.start.turn != start.turn:
        raise ValueError(
            f"{where} begins with {game.start.turn} random turns: expected openings={start.turn}"
        )
    if game.start != start:
        raise ValueError(f"{where} starts at '{game.start}': expected '{start}'")
    if forfeited(game):
        ended = game.result != "*"
    elif game.is_over:
        ended = len(game) <= task.setting.max_turns
    else:
        ended = len(game) == task.setting.max_turns and game.result == "*"
    if not ended:
        raise ValueError(
            f"{where} has result {game.result} after {len(game)} turns: expected a game that is "
            "over, truncated by max_turns or forfeited"
        )
