"""`wts-fast crosscheck`: compares the core, or any engine, with the reference."""

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from wts_fast.cli.terminal import add_command, counted, progress
from wts_fast.crosscheck import EnginesDifferError, Report, check_engine, crosscheck, program

REPORT: Final = Path("crosscheck-report.txt")


def add_to(commands: Any) -> None:
    """Add the command `crosscheck` to the parser."""
    parser = add_command(
        commands,
        "crosscheck",
        run,
        "play random games through both engines, or through a program, and compare every turn",
        "wts-fast crosscheck --turns 20000 --engine 'node engine.mjs'",
    )
    parser.add_argument(
        "--turns", type=int, default=100_000, help="the least number of turns (%(default)s)"
    )
    parser.add_argument("--seconds", type=float, help="stop after this time, if that is earlier")
    parser.add_argument("--seed", type=int, help="0..2**64 - 1; a fresh one if omitted")
    parser.add_argument(
        "--engine",
        metavar="COMMAND",
        help="a program (see docs/protocol.md), or module:Class in Python; else the core",
    )
    parser.add_argument(
        "--timeout", type=float, help="the time limit of an answer of --engine in seconds (10)"
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help=f"the file for a difference (with --engine: {REPORT})",
    )


def run(options: argparse.Namespace) -> int:
    """Compare the engines, and print what was compared; return the exit code."""
    if options.timeout is not None and options.engine is None:
        raise ValueError("--timeout is for the program of --engine")
    try:
        report = _compare(options)
    except EnginesDifferError as error:
        file = options.report or (REPORT if options.engine is not None else None)
        if file is not None:
            _write(file, error)
        raise
    _print(report, options)
    return 0


def _write(file: Path, error: EnginesDifferError) -> None:
    try:
        file.write_text(f"{error}\n", encoding="utf-8")
    except OSError as failure:  # the difference must still be printed
        print(f"wts-fast: report not written: {failure}", file=sys.stderr)
    else:
        print(f"report: {file}")


def _compare(options: argparse.Namespace) -> Report:
    with progress("comparing", options.turns, "turn") as bar:
        how: Any = {"rng": options.seed, "progress": bar.update, "seconds": options.seconds}
        if options.engine is None:
            return crosscheck(options.turns, **how)
        engine = program(options.engine, 10.0 if options.timeout is None else options.timeout)
        try:
            return check_engine(engine, options.turns, **how)
        finally:
            engine.close()


def _print(report: Report, options: argparse.Namespace) -> None:
    turns, games = counted(report.turns, "turn"), counted(report.games, "game")
    if options.engine is not None:
        vectors, perfts = counted(report.vectors, "turn"), counted(report.perfts, "perft")
        print(f"{vectors} and {perfts} of the conformance vectors compared, no difference")
    print(f"{turns} of {games} compared, no difference")
    print(f"(repeat with --turns {options.turns} --seed {report.seed})\n")
    print("turns with")
    for kind, count in report.kinds.items():
        print(f"{count:>10,}  {kind}")
    if options.engine is None:
        ours, theirs = report.core_seconds * 1e6, report.reference_seconds * 1e6
        print("\nCPU time of play per turn")
        print(f"{theirs:>10.2f}  µs  reference")
        print(f"{ours:>10.2f}  µs  core, {theirs / ours:.0f} times as fast")
