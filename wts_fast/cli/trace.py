"""`wts-fast trace`: prints a turn step by step."""

import argparse
from typing import Any

from wts_fast.cli.terminal import add_command, print_position
from wts_fast.core.position import Position
from wts_fast.reference import trace


def add_to(commands: Any) -> None:
    """Add the command `trace` to the parser."""
    parser = add_command(
        commands,
        "trace",
        run,
        "print a turn step by step, with the rules that apply",
        "wts-fast trace 'bww5e/9/9/9/9/9/9/9/9 i1 7' d1 a9",
    )
    parser.add_argument("position", metavar="POSITION", help="a position string, in quotes")
    parser.add_argument("black", metavar="BLACK", help="Black's pick, such as e5")
    parser.add_argument("white", metavar="WHITE", help="White's pick")


def run(options: argparse.Namespace) -> int:
    """Print the events of the turn; return the exit code."""
    picks = (_cell(options.black), _cell(options.white))
    traced = trace(Position.from_string(options.position), *picks)
    print(f"{traced}\n")
    print_position(traced.position)
    return 0


def _cell(text: str) -> int | str:
    """Return a pick as the engines take it: an index, or a name in lower case."""
    return int(text) if text.isdecimal() else text.lower()
