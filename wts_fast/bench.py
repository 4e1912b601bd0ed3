"""The speed of both engines on the same work, in CPU time."""

import copy
import importlib
import platform
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import thread_time
from timeit import Timer
from typing import Any, Final

import numpy as np

from wts_fast import __version__, reference
from wts_fast.core.batch import Batch
from wts_fast.core.levels import cpu_level
from wts_fast.core.outcomes import outcomes
from wts_fast.core.position import Position, perft
from wts_fast.core.rollout import rollouts
from wts_fast.crosscheck import seconds_a_turn
from wts_fast.types import BLACK, CELLS, Outcome

ENGINES: Final[tuple[Any, Any]] = (Position, reference.Position)

ROUNDS: Final = 5
"""How often each figure is measured, the engines alternating; the best counts."""


@dataclass(frozen=True)
class Row:
    """One figure of a benchmark."""

    name: str
    unit: str
    core: float
    reference: float | None
    """The figure of the reference engine, or `None` if it has no such function."""

    @property
    def ratio(self) -> float | None:
        """How many times as fast the core is; `None` without two figures to compare."""
        if self.reference is None or self.core == 0:
            return None
        if self.unit.endswith("/s"):
            return self.core / self.reference
        return self.reference / self.core

    def as_json(self) -> dict[str, Any]:
        """Return the figures and their ratio as plain values for `json.dump`."""
        return {**asdict(self), "ratio": self.ratio}


def machine() -> dict[str, str]:
    """Return the processor, the system and the versions of the measurement."""
    return {
        "processor": _processor(),
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": np.__version__,
        "wts_fast": __version__,
        "cpu level": cpu_level(),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            models = (line.partition(":")[2].strip() for line in lines if "model name" in line)
            return next(models, platform.machine())
    except OSError:
        return platform.processor() or platform.machine()


def measure() -> Iterator[Row]:
    """Yield the rows of the benchmark one by one, each as soon as it is measured."""
    yield _play_row()
    yield from _statement_rows()
    yield _python_games_row()
    yield _outcomes_row()
    yield from _rollout_rows()
    yield from _batch_rows()
    yield Row("perft(2) from the empty board", "s", _best(lambda: perft(Position(), 2)), None)
    yield Row("size of a Position", "bytes", float(sys.getsizeof(Position())), None)


def peers() -> Any:
    """Return the module `benchmarks/peers.py` of the clone that is the current folder.

    Raises `ValueError` if there is no such file, or a library that it measures is missing.
    """
    folder = Path("benchmarks").resolve()
    if not (folder / "peers.py").is_file():
        raise ValueError(f"no {folder / 'peers.py'}: run this in the folder of a clone")
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("peers")
    except ModuleNotFoundError as error:
        raise ValueError(
            f"{error.name} is not installed: install the extra 'peers' with "
            "Python 3.11 or newer: pip install '.[peers]'"
        ) from None
    finally:
        sys.path.remove(str(folder))


def _best(work: str | Callable[[], object], names: dict[str, Any] | None = None) -> float:
    """Return the least CPU time of one run, out of `ROUNDS` that each outlast a coarse clock."""
    timer = Timer(work, timer=thread_time, globals=names)
    runs = 1
    while timer.timeit(runs) < 0.1:
        runs *= 2
    return min(timer.repeat(ROUNDS, runs)) / runs


def _rollout_rows() -> Iterator[Row]:
    def play(games: int, threads: int = 1) -> Callable[[], object]:
        return lambda: rollouts(Position(), games, rng=1, threads=threads)

    yield Row("rollouts of 100 games", "M games/s", 1e-4 / _best(play(100)), None)
    yield Row("rollouts of 100,000 games", "M games/s", 0.1 / _best(play(100_000)), None)
    one, two = (min(Timer(play(1_000_000, threads)).repeat(ROUNDS, 1)) for threads in (1, 2))
    yield Row("two threads, in wall time", "times one", one / two, None)


GAMES: Final = 16_384
"""The games of the batch that is measured."""


def _batch_of_all_ages() -> Batch:
    """Return games of which some begin in every turn, as in a loop that resets what is over."""
    batch = Batch(GAMES)
    for seed in range(60):
        batch.reset(where=batch.outcomes != Outcome.UNDECIDED)
        batch.play(*batch.random_moves(seed))
    return batch


def _batch_rows() -> Iterator[Row]:
    start = _batch_of_all_ages()
    batch, turns, games = start.copy(), [], 0
    for seed in range(12):
        games += int((batch.outcomes == Outcome.UNDECIDED).sum())
        turns.append(batch.random_moves(seed).astype(np.int64))
        batch.play(*turns[-1])
    results = np.empty(GAMES, dtype=np.int8)

    def play_all() -> None:
        batch = start.copy()
        for black, white in turns:
            batch.play(black, white, out=results)

    seconds = (_best(play_all) - _best(start.copy)) / games
    yield Row("Batch.play, 16,384 games", "ns a game-turn", seconds * 1e9, None)
    for name, method, dtype, shape in (
        ("legal_mask", start.legal_mask, np.bool_, (CELLS,)),
        ("boards", start.boards, np.int8, (9, 9)),
        ("observe, float32", partial(start.observe, BLACK), np.float32, (5, 9, 9)),
        ("observe, uint8", partial(start.observe, BLACK), np.uint8, (5, 9, 9)),
    ):
        out, copied = (np.ones((GAMES, *shape), dtype=dtype) for _ in range(2))
        filled = _best(partial(method, out=out))
        yield Row(f"Batch.{name}", "ns a game", filled / GAMES * 1e9, None)
        copying = _best(partial(np.copyto, copied, out))
        yield Row(f"Batch.{name}, its bytes", "times memcpy", copying / filled, None)


def _random_game(position: Any, rng: random.Random) -> list[tuple[int, int]]:
    turns = []
    while not position.is_over:
        moves = position.legal_moves()
        turns.append((rng.choice(moves), rng.choice(moves)))
        position = position.play(*turns[-1])
    return turns


def _play_row() -> Row:
    """The same recorded random games, replayed by both engines in turn."""
    rng = random.Random(1)
    games = [_random_game(Position(), rng) for _ in range(100)]
    core = [(Position(), game) for game in games]
    readable = [(reference.Position(), game) for game in games]
    pairs = [(seconds_a_turn(core), seconds_a_turn(readable)) for _ in range(ROUNDS)]
    ours, theirs = (min(times) * 1e6 for times in zip(*pairs, strict=True))
    return Row("play, 100 recorded random games", "µs a turn", ours, theirs)


TEXT: Final = "w3b4/2wb2w2/1b2w1b2/4b4/2bw5/1w3e3/3b2w2/2w3b2/b5w2 f6 12"

STATEMENTS: Final = (
    "position.play(40, 41)",
    "position.key",
    "position.legal_moves()",
    "position.canonical()",
    "position.to_bytes()",
    "Position.from_bytes(data)",
    "str(position)",
    "Position.from_string(text)",
    "copy.copy(position)",
)
"""The statements timed on the position `TEXT`, after twelve turns."""


def _statement_rows() -> Iterator[Row]:
    for statement in STATEMENTS:
        core, readable = (_microseconds(statement, engine) for engine in ENGINES)
        yield Row(statement, "µs", core, readable)


def _microseconds(statement: str, engine: Any) -> float:
    position = engine.from_string(TEXT)
    names = {
        "Position": engine,
        "copy": copy,
        "data": position.to_bytes(),
        "position": position,
        "text": TEXT,
    }
    return _best(statement, names) * 1e6


def _outcomes_row() -> Row:
    """The matrices of positions twelve turns into random games."""
    rng = random.Random(2)
    games = [_random_game(Position(), rng) for _ in range(200)]
    positions = [_after(game[:12]) for game in games if len(game) > 12]
    matrix = np.empty((CELLS, CELLS), dtype=np.int8)

    def all_at_once() -> None:
        for position in positions:
            outcomes(position, out=matrix)

    return Row("outcomes, 12 turns in", "µs", _best(all_at_once) / len(positions) * 1e6, None)


def _after(game: list[tuple[int, int]]) -> Position:
    position = Position()
    for turn in game:
        position = position.play(*turn)
    return position


def _python_games_row() -> Row:
    """Random games with the loop, and the choice of picks, in Python."""

    def games_a_second(start: Any, games: int) -> float:
        rng = random.Random(1)
        return games / _best(lambda: [_random_game(start, rng) for _ in range(games)])

    return Row(
        "random games driven from Python",
        "games/s",
        games_a_second(Position(), 200),
        games_a_second(reference.Position(), 10),
    )
