"""Shared by the commands: parsers, progress bars, and text for numbers and positions."""

import argparse
from collections.abc import Callable
from typing import Any, Final, NoReturn

from tqdm import tqdm

from wts_fast.core.position import Position
from wts_fast.notation import diagram
from wts_fast.types import Outcome

OUTCOME_WORDS: Final = {
    Outcome.UNDECIDED: "the game goes on",
    Outcome.BLACK_WINS: "Black wins",
    Outcome.WHITE_WINS: "White wins",
    Outcome.DRAW: "a draw",
}


def add_command(
    commands: Any,
    name: str,
    run: Callable[[argparse.Namespace], int],
    what: str,
    example: str,
) -> argparse.ArgumentParser:
    """Add a command that calls `run`, and return its parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=f"example: {example}",
    )
    parser.set_defaults(run=run)
    return parser


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add the argument `position`, a position string."""
    parser.add_argument(
        "position",
        nargs="?",
        default=str(Position()),
        metavar="POSITION",
        help="a position string, in quotes; the empty board if omitted",
    )


def print_position(position: Any) -> None:
    """Print the diagram of a position, its counts and its state."""
    black, white = position.winning_turtles
    print(diagram(position))
    print(f"\nturns completed: {position.turn}")
    print(f"winning turtles: Black {black}, White {white}")
    state = "Sudden Death" if position.sudden_death else OUTCOME_WORDS[position.outcome]
    print(f"state:           {state}")
    print(f"position:        {position}")


def counted(number: int, what: str) -> str:
    """Return a number and what it counts, in the plural where it is not 1."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def figure(value: float) -> str:
    """Return a number with three significant digits, or all digits before the decimal point."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def progress(what: str, total: int | None, unit: str) -> "tqdm[NoReturn]":
    """A progress bar on standard error, if that is a terminal."""
    return tqdm(desc=what, total=total, unit=unit, leave=False, disable=None)
