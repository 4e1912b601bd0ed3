"""`wts-fast arena`: players against each other."""

import argparse
import json
from contextlib import ExitStack
from typing import Any

from wts_fast import players
from wts_fast.arena import Report, arena, picture
from wts_fast.arena.ratings import Z
from wts_fast.cli.terminal import add_command, figure, progress
from wts_fast.game import write_games


def add_to(commands: Any) -> None:
    """Add the command `arena` to the parser."""
    parser = add_command(
        commands,
        "arena",
        run,
        "let players meet, and tell how strong each of them is",
        "wts-fast arena random 0 --games 100 --jobs 2 --svg standings.svg",
    )
    parser.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help=f"a level 0..{len(players.LEVELS) - 1}, a name such as random, or MODULE:ATTRIBUTE "
        "from Python's path; :KEY=VALUE,KEY=VALUE may follow",
    )
    parser.add_argument("--games", type=int, default=100, help="games a pair (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play (%(default)s)")
    parser.add_argument("--seed", type=int, help="0..2**64 - 1; a fresh one if left out")
    parser.add_argument(
        "--max-turns", type=int, default=400, help="cut a game that is open then (%(default)s)"
    )
    parser.add_argument("--json", metavar="FILE", help="write the report to FILE as JSON")
    parser.add_argument("--records", metavar="FILE", help="write the records of all games to FILE")
    parser.add_argument("--svg", metavar="FILE", help="write a picture of the standings to FILE")


def run(options: argparse.Namespace) -> int:
    """Play the games, print the standings, and keep what was asked for; return the exit code."""
    count = len(options.players)
    total = options.games * count * (count - 1) // 2
    with ExitStack() as opened:
        # Before the first game: what cannot be written must not cost an hour's play.
        told, records, drawn = (
            path and opened.enter_context(open(path, "w", encoding="utf-8"))
            for path in (options.json, options.records, options.svg)
        )
        with progress("playing", total, "game") as bar:
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
        milliseconds = figure(timing.milliseconds)
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
