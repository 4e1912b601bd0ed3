"""`wts-fast crosscheck`: compares both engines turn by turn."""

import argparse
from typing import Any

from wts_fast.cli.terminal import add_command, counted, progress
from wts_fast.crosscheck import crosscheck


def add_to(commands: Any) -> None:
    """Add the command `crosscheck` to the parser."""
    parser = add_command(
        commands,
        "crosscheck",
        run,
        "play random games through both engines and compare every turn",
        "wts-fast crosscheck --turns 20000 --seed 1",
    )
    parser.add_argument(
        "--turns", type=int, default=100_000, help="the least number of turns (%(default)s)"
    )
    parser.add_argument("--seed", type=int, help="0..2**64 - 1; a fresh one if omitted")


def run(options: argparse.Namespace) -> int:
    """Compare the engines, and print what was compared; return the exit code."""
    with progress("comparing", options.turns, "turn") as bar:
        report = crosscheck(options.turns, rng=options.seed, progress=bar.update)
    turns, games = counted(report.turns, "turn"), counted(report.games, "game")
    print(f"{turns} of {games} compared, no difference")
    print(f"(repeat with --turns {options.turns} --seed {report.seed})\n")
    print("turns with")
    for kind, count in report.kinds.items():
        print(f"{count:>10,}  {kind}")
    ours, theirs = report.core_seconds * 1e6, report.reference_seconds * 1e6
    print("\nCPU time of play per turn")
    print(f"{theirs:>10.2f}  µs  reference")
    print(f"{ours:>10.2f}  µs  core, {theirs / ours:.0f} times as fast")
    return 0
