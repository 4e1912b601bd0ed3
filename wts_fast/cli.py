"""The command `wts-fast`: parses, calls, prints, and decides nothing."""

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from getpass import getpass
from io import TextIOWrapper
from pathlib import Path
from time import thread_time
from typing import Any, Final, NoReturn, TextIO

from tqdm import tqdm

from wts_fast import __version__, bench, players, svg
from wts_fast._position import Position, perft
from wts_fast.arena import PlayerError, Report, arena
from wts_fast.crosscheck import EnginesDifferError, crosscheck
from wts_fast.game import Game, read_games, write_games
from wts_fast.notation import CELL_NAMES, diagram
from wts_fast.randomness import seed_of
from wts_fast.ratings import Z
from wts_fast.reference import trace
from wts_fast.standings import picture
from wts_fast.types import BLACK, MAX_DEPTH, PLAYER_NAMES, WHITE, Outcome, check_int

START: Final = str(Position())

OUTCOME_WORDS: Final = {
    Outcome.UNDECIDED: "the game goes on",
    Outcome.BLACK_WINS: "Black wins",
    Outcome.WHITE_WINS: "White wins",
    Outcome.DRAW: "a draw",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code.

    0: done. 1: a difference between the engines. 2: bad input, or a player that breaks the
    rules. 130: stopped by Ctrl-C.
    """
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a µ must not end an hour's work
    try:
        code = command(options)
        sys.stdout.flush()
        return code
    except EnginesDifferError as error:
        print(f"wts-fast: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        _drop_output()
        return 0  # whoever read it has had enough
    except (ValueError, OSError, PlayerError) as error:
        print(f"wts-fast: {error}", file=sys.stderr)
        _drop_output()
        return 2
    except KeyboardInterrupt:
        print("wts-fast: stopped", file=sys.stderr)
        return 130


def _drop_output() -> None:
    """Let go of output that cannot be written, which Python would try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# --- the commands -----------------------------------------------------------------------


def _crosscheck(options: argparse.Namespace) -> int:
    with _progress("comparing", options.turns, "turn") as bar:
        report = crosscheck(options.turns, rng=options.seed, progress=bar.update)
    turns, games = _count(report.turns, "turn"), _count(report.games, "game")
    print(f"{turns} of {games} compared, no difference")
    print(f"(repeat with --turns {options.turns} --seed {report.seed})\n")
    print("turns that held")
    for kind, count in report.kinds.items():
        print(f"{count:>10,}  {kind}")
    ours, theirs = report.core_seconds * 1e6, report.reference_seconds * 1e6
    print("\nCPU time of play, a turn")
    print(f"{theirs:>10.2f}  µs  reference")
    print(f"{ours:>10.2f}  µs  core, {theirs / ours:.0f} times as fast")
    return 0


def _bench(options: argparse.Namespace) -> int:
    if options.peers:
        return _bench_peers(options)
    rows = []
    with _progress("measuring", None, " figures") as bar:
        for row in bench.measure():
            rows.append(row)
            bar.update()
    if options.json:
        print(json.dumps(bench.as_json(rows), indent=2))
        return 0
    _print_machine(bench.machine())
    print(f"\n{'':34} {'core':>10} {'reference':>10} {'ratio':>7}")
    for row in rows:
        readable = "" if row.reference is None else _figure(row.reference)
        ratio = "" if row.ratio is None else f"{row.ratio:.1f}"
        print(f"{row.name:34} {_figure(row.core):>10} {readable:>10} {ratio:>7}  {row.unit}")
    return 0


def _bench_peers(options: argparse.Namespace) -> int:
    peers = bench.peers()
    with _progress("measuring", peers.ROUNDS, " rounds") as bar:
        rows = peers.measure(bar.update)
    machine = {**bench.machine(), **peers.versions()}
    if options.json:
        print(json.dumps({"machine": machine, "rows": [row._asdict() for row in rows]}, indent=2))
        return 0
    _print_machine(machine)
    print(f"\n{'':34} {'games/s':>10} {'turns/s':>11} {'ratio':>6}")
    for row in rows:
        figures = f"{_figure(row.games_per_second):>10} {_figure(row.turns_per_second):>11}"
        print(f"{row.name:34} {figures} {_figure(row.ratio):>6}  {row.what}")
    return 0


def _print_machine(machine: dict[str, str]) -> None:
    print("\n".join(f"{name}: {value}" for name, value in machine.items()))


def _figure(value: float) -> str:
    """Return a number with three significant digits, or more where it has them before the point."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _perft(options: argparse.Namespace) -> int:
    position = Position.from_string(options.position)
    depth = check_int("depth", options.depth, 0, MAX_DEPTH)
    began = thread_time()
    if depth < 2:
        count = perft(position, depth)
    else:
        moves = position.legal_moves()
        turns = [(black, white) for black in moves for white in moves]
        count = 0
        with _progress("counting", len(turns), "turn") as bar:
            for turn in turns:
                count += perft(position.play(*turn), depth - 1)
                bar.update()
    seconds = thread_time() - began
    print(f"{count:,}")
    print(f"{seconds:.2f} s of CPU time", file=sys.stderr)
    return 0


def _show(options: argparse.Namespace) -> int:
    position = Position.from_string(options.position)
    if options.svg is not None:
        Path(options.svg).write_text(svg.board(position), encoding="utf-8")
    _print_position(position)
    return 0


def _print_position(position: Any) -> None:
    black, white = position.winning_turtles
    print(diagram(position))
    print(f"\nturns completed: {position.turn}")
    print(f"winning turtles: Black {black}, White {white}")
    state = "Sudden Death" if position.sudden_death else OUTCOME_WORDS[position.outcome]
    print(f"state:           {state}")
    print(f"position:        {position}")


def _trace(options: argparse.Namespace) -> int:
    picks = (_cell(options.black), _cell(options.white))
    told = trace(Position.from_string(options.position), *picks)
    print(f"{told}\n")
    _print_position(told.position)
    return 0


def _cell(text: str) -> int | str:
    """Return a pick as the engines take it: an index, or a name in lower case."""
    return int(text) if text.isdecimal() else text.lower()


def _replay(options: argparse.Namespace) -> int:
    number = 0
    try:
        with _open(options.record) as lines:
            for number, game in enumerate(read_games(lines), start=1):
                names = " - ".join(game.tags.get(name, "?") for name in ("Black", "White"))
                print(f"game {number}: {names}, {_count(len(game), 'turn')}, {game.result}")
                _check_game(number, game, options.trace)
    except UnicodeDecodeError as error:
        raise ValueError(f"{options.record} is not UTF-8 text: {error}") from None
    if number == 0:
        raise ValueError(f"{options.record} holds no game")
    print(f"{_count(number, 'game')}, every turn legal and the same in both engines")
    return 0


def _check_game(number: int, game: Game, tell: bool) -> None:
    """Hold every turn of a game against the reference engine."""
    positions = game.positions()
    for before, turn, after in zip(positions, game.moves, positions[1:], strict=False):
        told = trace(before, *turn)
        if (str(told.position), told.outcome) != (str(after), after.outcome):
            raise EnginesDifferError(
                f"game {number}, turn {after.turn}: the core has {after}, "
                f"the reference {told.position}"
            )
        if tell:
            black, white = (CELL_NAMES[cell] for cell in turn)
            print(f"\n{after.turn}. {black} {white}\n{told}")


def _open(path: str) -> Any:
    if path != "-":
        return open(path, encoding="utf-8-sig")
    if sys.stdin is None:
        raise OSError("standard input is closed")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig")
    return nullcontext(sys.stdin)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _play(options: argparse.Namespace) -> int:
    if options.seed is not None and not options.random:
        raise ValueError("--seed is for the picks of --random")
    game = Game(Position.from_string(options.position))
    chance = random.Random(seed_of(options.seed)) if options.random else None
    with _open_record(options.record) as record:
        try:
            _play_turns(game, chance)
        finally:
            if options.record and record.tell():
                record.write("\n")  # what is there may lack a line end
            write_games([game], record)
    return 0


def _open_record(path: str | None) -> AbstractContextManager[TextIO]:
    """Open the file that the record is added to, before the first pick; or the output."""
    if path is None:
        return nullcontext(sys.stdout)
    return open(path, "a", encoding="utf-8")


def _play_turns(game: Game, chance: random.Random | None) -> None:
    while not game.is_over:
        _print_position(game.position)
        turn = _ask_turn(game.position, chance)
        if turn is None:
            break
        told = trace(game.position, *turn)
        game.play(*turn)
        black, white = (CELL_NAMES[cell] for cell in turn)
        print(f"\n{black} {white}\n{told}\n")
    _print_position(game.position)
    print()


def _ask_turn(position: Position, chance: random.Random | None) -> tuple[int, int] | None:
    """Return both picks, White's by chance if that is given; `None` to stop."""
    black = _ask(position, BLACK, hidden=chance is None)
    if black is None:
        return None
    if chance is None:
        white = _ask(position, WHITE, hidden=True)
    else:
        white = chance.choice(position.legal_moves())
    return None if white is None else (black, white)


def _ask(position: Position, player: int, hidden: bool) -> int | None:
    """Return the cell that a player picks; `None` to stop.

    A hidden pick is not shown on a terminal, nor said again where it is refused.
    """
    prompt = f"{PLAYER_NAMES[player]}'s pick{' (hidden)' * hidden}, q to stop: "
    legal = {CELL_NAMES[cell]: cell for cell in position.legal_moves()}
    while True:
        try:
            text = getpass(prompt) if hidden and sys.stdin.isatty() else input(prompt)
        except EOFError:
            print()
            return None
        pick = text.strip().lower()
        if pick == "q":
            return None
        if pick in legal:
            return legal[pick]
        print("that is no empty cell: pick one by its name, such as e5")


def _arena(options: argparse.Namespace) -> int:
    count = len(options.players)
    total = options.games * count * (count - 1) // 2
    with ExitStack() as opened:
        # Before the first game: what cannot be written must not cost an hour's play.
        told, records, drawn = (
            path and opened.enter_context(open(path, "w", encoding="utf-8"))
            for path in (options.json, options.records, options.svg)
        )
        with _progress("playing", total, "game") as bar:
            report = arena(
                options.players,
                options.games,
                rng=options.seed,
                jobs=options.jobs,
                max_turns=options.max_turns,
                progress=bar.update,
            )
        if told:
            json.dump(report.as_json(), told, indent=2)
            told.write("\n")
        if records:
            write_games(report.games, records)
        if drawn:
            drawn.write(picture(report))
    _print_standings(report)
    _print_pairs(report)
    return 0


def _print_standings(report: Report) -> None:
    """Print the players from the strongest down, and what happened in the games."""
    elo, errors = report.elo()
    wide = max(map(len, report.names))
    print(f"{'':{wide}} {'Elo':>6} {'95 %':>7} {'ms a move':>10}")
    for number in (-elo).argsort(kind="stable"):
        name, timing = report.names[number], report.timings[number]
        reach = f"± {Z * errors[number]:.0f}" if number else ""
        milliseconds = _figure(timing.milliseconds)
        print(f"{name:{wide}} {elo[number]:>6.0f} {reach:>7} {milliseconds:>10}")
    told = report.as_json()
    turns = told["turns"]
    print(f"\nturns: {turns['mean']:.1f} a game, {turns['min']}..{turns['max']}")
    for name, rate in told["a_game"].items():
        print(f"{name.replace('_', ' ')}: {rate:.2f} a game")


def _print_pairs(report: Report) -> None:
    """Print what each two players scored against each other."""
    intervals = report.intervals()
    print(f"\n{'score':>6}  {'95 %':>12}  {'won':>5} {'lost':>5} {'drawn':>5} {'cut':>5}")
    for pair in report.pairs:
        low, high = intervals[pair.first, pair.second]
        print(
            f"{pair.score / pair.games:>6.1%}  {low:>5.1%}–{high:<6.1%}  {pair.wins:>5} "
            f"{pair.losses:>5} {pair.draws:>5} {pair.truncated:>5}  "
            f"{report.names[pair.first]} - {report.names[pair.second]}"
        )
    print(f"\n(repeat with --seed {report.seed})")


def _progress(what: str, total: int | None, unit: str) -> "tqdm[NoReturn]":
    """A progress bar on standard error, if that is a terminal."""
    return tqdm(desc=what, total=total, unit=unit, leave=False, disable=None)


# --- the arguments ----------------------------------------------------------------------

POSITION_HELP: Final = "a position string, in quotes; the empty board if left out"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wts-fast",
        description="The fast rules engine for What the Shell, and a readable one to check it.",
        epilog="'wts-fast COMMAND --help' shows each command with an example.",
    )
    parser.add_argument("--version", action="version", version=f"wts-fast {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    check = _add(
        commands,
        _crosscheck,
        "play random games through both engines and compare every turn",
        "wts-fast crosscheck --turns 20000 --seed 1",
    )
    check.add_argument("--turns", type=int, default=100_000, help="at least so many (%(default)s)")
    check.add_argument("--seed", type=int, help="0..2**64 - 1; a fresh one if left out")

    figures = _add(
        commands, _bench, "measure both engines side by side, in CPU time", "wts-fast bench --json"
    )
    figures.add_argument("--json", action="store_true", help="print JSON instead of a table")
    figures.add_argument(
        "--peers",
        action="store_true",
        help="measure other engines that play random games, in a clone with the extra 'peers'",
    )

    count = _add(
        commands, _perft, "count the joint-move sequences of a number of turns", "wts-fast perft 2"
    )
    count.add_argument(
        "depth",
        type=int,
        metavar="DEPTH",
        help="turns, 0..255; from the empty board 3 take hours",
    )
    count.add_argument("position", nargs="?", default=START, metavar="POSITION", help=POSITION_HELP)

    show = _add(
        commands,
        _show,
        "print a position, and draw it",
        "wts-fast show '9/9/4b4/9/9/9/9/9/8e i9 2' --svg board.svg",
    )
    show.add_argument("position", nargs="?", default=START, metavar="POSITION", help=POSITION_HELP)
    show.add_argument("--svg", metavar="FILE", help="also write the picture of the board to FILE")

    tell = _add(
        commands,
        _trace,
        "tell a turn step by step, with the rules at work",
        "wts-fast trace 'bww5e/9/9/9/9/9/9/9/9 i1 7' d1 a9",
    )
    tell.add_argument("position", metavar="POSITION", help="a position string, in quotes")
    tell.add_argument("black", metavar="BLACK", help="Black's pick, such as e5")
    tell.add_argument("white", metavar="WHITE", help="White's pick")

    replay = _add(
        commands, _replay, "check the games of a record turn by turn", "wts-fast replay games.txt"
    )
    replay.add_argument("record", metavar="RECORD", help="a file of games, or - for standard input")
    replay.add_argument("--trace", action="store_true", help="tell every turn step by step")

    play = _add(
        commands,
        _play,
        "play: two people at one keyboard, or against random picks",
        "wts-fast play --random",
    )
    play.add_argument("position", nargs="?", default=START, metavar="POSITION", help=POSITION_HELP)
    play.add_argument("--random", action="store_true", help="White picks at random")
    play.add_argument("--seed", type=int, help="of the random picks, 0..2**64 - 1")
    play.add_argument("--record", metavar="FILE", help="add the record to FILE, not to the output")

    match = _add(
        commands,
        _arena,
        "let players meet, and tell how strong each of them is",
        "wts-fast arena random 0 --games 100 --jobs 2 --svg standings.svg",
    )
    match.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help=f"a level 0..{len(players.LEVELS) - 1}, a name such as random, or MODULE:ATTRIBUTE "
        "from Python's path; :KEY=VALUE,KEY=VALUE may follow",
    )
    match.add_argument("--games", type=int, default=100, help="games a pair (%(default)s)")
    match.add_argument("--jobs", type=int, default=1, help="processes that play (%(default)s)")
    match.add_argument("--seed", type=int, help="0..2**64 - 1; a fresh one if left out")
    match.add_argument(
        "--max-turns", type=int, default=400, help="cut a game that is open then (%(default)s)"
    )
    match.add_argument("--json", metavar="FILE", help="write the report to FILE as JSON")
    match.add_argument("--records", metavar="FILE", help="write the records of all games to FILE")
    match.add_argument("--svg", metavar="FILE", help="write a picture of the standings to FILE")
    return parser


def _add(
    commands: Any, command: Callable[[argparse.Namespace], int], what: str, example: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        command.__name__.removeprefix("_"),
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=f"example: {example}",
    )
    parser.set_defaults(command=command)
    return parser
