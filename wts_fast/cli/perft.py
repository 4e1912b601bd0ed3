"""`wts-fast perft`: the number of joint-move sequences."""

import argparse
import sys
from time import thread_time
from typing import Any

from wts_fast.cli.terminal import add_command, add_position, progress
from wts_fast.core.position import Position, perft
from wts_fast.types import MAX_DEPTH, check_int


def add_to(commands: Any) -> None:
    """Add the command `perft` to the parser."""
    parser = add_command(
        commands,
        "perft",
        run,
        "count the joint-move sequences of a number of turns",
        "wts-fast perft 2",
    )
    parser.add_argument(
        "depth",
        type=int,
        metavar="DEPTH",
        help="number of turns, 0..255; 3 from the empty board takes hours",
    )
    add_position(parser)


def run(options: argparse.Namespace) -> int:
    """Count, and print the count; return the exit code."""
    position = Position.from_string(options.position)
    depth = check_int("depth", options.depth, 0, MAX_DEPTH)
    began = thread_time()
    if depth < 2:
        count = perft(position, depth)
    else:
        moves = position.legal_moves()
        turns = [(black, white) for black in moves for white in moves]
        count = 0
        with progress("counting", len(turns), "turn") as bar:
            for turn in turns:
                count += perft(position.play(*turn), depth - 1)
                bar.update()
    seconds = thread_time() - began
    print(f"{count:,}")
    print(f"{seconds:.2f} s of CPU time", file=sys.stderr)
    return 0
