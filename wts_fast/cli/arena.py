"""`wts-fast arena`: players against each other."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from math import isnan
from threading import current_thread, main_thread
from typing import Any, TextIO

from wts_fast import players
from wts_fast.arena import ON_ERROR, Records, Report, Tournament, picture
from wts_fast.arena.ratings import Z
from wts_fast.arena.sprt import BOUND
from wts_fast.cli.terminal import add_command, counted, figure, progress
from wts_fast.game import Game


def add_to(commands: Any) -> None:
    """Add the command `arena` to the parser."""
    parser = add_command(
        commands,
        "arena",
        run,
        "play matches between players, and print scores and ratings",
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
    parser.add_argument(
        "--openings",
        type=int,
        default=0,
        metavar="K",
        help="random turns with which each two games begin (%(default)s)",
    )
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        metavar=("ELO0", "ELO1"),
        help="stop as soon as a sequential test accepts one of two Elo differences between the "
        "first and the second player",
    )
    parser.add_argument(
        "--on-error",
        choices=ON_ERROR,
        default="stop",
        help="what a player that fails does: stop the arena, or forfeit the game (%(default)s)",
    )
    parser.add_argument(
        "--seconds-per-move", type=float, metavar="S", help="the wall time that a pick may take"
    )
    parser.add_argument("--json", metavar="FILE", help="write the report to FILE as JSON")
    parser.add_argument(
        "--records", metavar="FILE", help="write the record of each game to FILE as it finishes"
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with the games in the file of --records"
    )
    parser.add_argument("--svg", metavar="FILE", help="write a picture of the standings to FILE")


def run(options: argparse.Namespace) -> int:
    """Play the games, print the standings, and keep what was asked for; return the exit code."""
    if options.resume and not options.records:
        raise ValueError("--resume goes on with a file of records: expected --records FILE")
    with ExitStack() as opened:
        # Before the first game: what cannot be written must not cost an hour's play.
        json_file, svg_file = (
            opened.enter_context(_replacing(path)) if path else None
            for path in (options.json, options.svg)
        )
        records = options.records and opened.enter_context(
            Records(options.records, resume=options.resume)
        )
        tournament = Tournament(
            options.players,
            options.games,
            rng=options.seed,
            jobs=options.jobs,
            max_turns=options.max_turns,
            openings=options.openings,
            sprt=options.sprt,
            on_error=options.on_error,
            seconds_per_move=options.seconds_per_move,
            done=records.games if records else (),
        )
        _play(tournament, records)
        report = tournament.report()
        if json_file:
            json.dump(report.as_json(), json_file, indent=2)
            json_file.write("\n")
        if svg_file:
            svg_file.write(picture(report))
    _print_report(report)
    return 0


def _play(tournament: Tournament, records: Records | None) -> None:
    """Play the games and add them to the records; when stopped, print what there is."""
    try:
        with (
            _stopped_by_sigterm(),
            progress("playing", tournament.total, "game") as bar,
        ):
            bar.update(tournament.finished)

            def keep(game: Game) -> None:
                if records is not None:
                    records.add(game)
                bar.update()

            tournament.play(keep)
    except BaseException:
        if tournament.finished:
            _print_report(tournament.report())
        sys.stdout.flush()
        print(
            f"wts-fast: {tournament.finished:,} of {counted(tournament.total, 'game')} finished",
            file=sys.stderr,
        )
        raise


@contextmanager
def _stopped_by_sigterm() -> Iterator[None]:
    """Let SIGTERM stop what runs inside as Ctrl-C does."""
    if current_thread() is not main_thread():
        yield  # only the main thread gets signals
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _replacing(path: str) -> Iterator[TextIO]:
    """Give a file to write that takes the place of `path` at the end, unless an error comes."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "w", encoding="utf-8") as file:  # a device stays where it is
            yield file
        return
    new = f"{target}.{os.getpid()}.part"
    try:
        with open(new, "w", encoding="utf-8") as file:
            yield file
        os.replace(new, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.remove(new)
        raise


def _print_report(report: Report) -> None:
    _print_standings(report)
    _print_pairs(report)


def _print_standings(report: Report) -> None:
    """Print the players from the strongest down, and what happened in the games."""
    elo, errors = report.elo()
    wide = max(map(len, report.names))
    print(f"{'':{wide}} {'Elo':>6} {'95 %':>7} {'ms a move':>10} {'failed':>7}")
    for number in (-elo).argsort(kind="stable"):
        name, timing = report.names[number], report.timings[number]
        reach = f"± {Z * errors[number]:.0f}" if number else ""
        milliseconds = "-" if isnan(timing.milliseconds) else figure(timing.milliseconds)
        failed = report.failures[number].games
        print(f"{name:{wide}} {elo[number]:>6.0f} {reach:>7} {milliseconds:>10} {failed:>7}")
    for failures in report.failures:
        if failures.games:
            print(f"\nfirst failure: {failures.message}")
    plain = report.as_json()
    turns = plain["turns"]
    print(f"\nturns: {turns['mean']:.1f} a game, {turns['min']}..{turns['max']}")
    for name, rate in plain["a_game"].items():
        print(f"{name.replace('_', ' ')}: {rate:.2f} a game")


def _print_pairs(report: Report) -> None:
    """Print what each two players scored against each other."""
    intervals = report.intervals()
    print(f"\n{'score':>6}  {'95 %':>12}  {'won':>5} {'lost':>5} {'drawn':>5} {'cut':>5}")
    for pair in report.pairs:
        if not pair.games:
            continue
        low, high = intervals[pair.first, pair.second]
        print(
            f"{pair.score / pair.games:>6.1%}  {low:>5.1%}–{high:<6.1%}  {pair.wins:>5} "
            f"{pair.losses:>5} {pair.draws:>5} {pair.truncated:>5}  "
            f"{report.names[pair.first]} - {report.names[pair.second]}"
        )
    games = len(report.games)
    if 2 * report.distinct < games:
        print(f"\nonly {report.distinct:,} of {games:,} games differ: ", end="")
        print("intervals and errors are too small; --openings K starts games differently")
    if report.sprt is not None:
        elo0, elo1, llr, accepted = report.sprt
        result = "undecided" if accepted is None else f"H{accepted} is accepted"
        print(f"\nSPRT, H0: {elo0:g} Elo, H1: {elo1:g} Elo: {result}")
        print(f"log-likelihood ratio {llr:.2f}, bounds {-BOUND:.2f}..{BOUND:.2f}")
    print(f"\n(repeat with --seed {report.seed})")
