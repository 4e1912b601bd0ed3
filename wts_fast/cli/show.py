"""`wts-fast show`: a position as a diagram, and as a picture."""

import argparse
from pathlib import Path
from typing import Any

from wts_fast import svg
from wts_fast.cli.terminal import add_command, add_position, print_position
from wts_fast.core.position import Position


def add_to(commands: Any) -> None:
    """Add the command `show` to the parser."""
    parser = add_command(
        commands,
        "show",
        run,
        "print a position, and draw it",
        "wts-fast show '9/9/4b4/9/9/9/9/9/8e i9 2' --svg board.svg",
    )
    add_position(parser)
    parser.add_argument("--svg", metavar="FILE", help="also write the picture of the board to FILE")


def run(options: argparse.Namespace) -> int:
    """Print the position, and draw it if asked; return the exit code."""
    position = Position.from_string(options.position)
    if options.svg is not None:
        Path(options.svg).write_text(svg.board(position), encoding="utf-8")
    print_position(position)
    return 0
