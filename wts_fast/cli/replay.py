"""`wts-fast replay`: checks the games of a record in both engines."""

import argparse
import sys
from contextlib import nullcontext
from io import TextIOWrapper
from typing import Any

from wts_fast.cli.terminal import add_command, counted
from wts_fast.crosscheck import EnginesDifferError
from wts_fast.game import Game, read_games
from wts_fast.notation import pick_names
from wts_fast.reference import trace


def add_to(commands: Any) -> None:
    """Add the command `replay` to the parser."""
    parser = add_command(
        commands,
        "replay",
        run,
        "check the games of a record turn by turn",
        "wts-fast replay games.txt",
    )
    parser.add_argument("record", metavar="RECORD", help="a file of games, or - for standard input")
    parser.add_argument("--trace", action="store_true", help="print every turn step by step")


def run(options: argparse.Namespace) -> int:
    """Check every turn of every game; return the exit code."""
    number = 0
    try:
        with _open(options.record) as lines:
            for number, game in enumerate(read_games(lines), start=1):
                names = " - ".join(game.tags.get(name, "?") for name in ("Black", "White"))
                print(f"game {number}: {names}, {counted(len(game), 'turn')}, {game.result}")
                _check_game(number, game, options.trace)
    except UnicodeDecodeError as error:
        raise ValueError(f"{options.record} is not UTF-8 text: {error}") from None
    if number == 0:
        raise ValueError(f"{options.record} contains no game")
    print(f"{counted(number, 'game')}, every turn legal and the same in both engines")
    return 0


def _check_game(number: int, game: Game, show_turns: bool) -> None:
    """Compare every turn of a game with the reference engine."""
    positions = game.positions()
    for before, turn, after in zip(positions, game.moves, positions[1:], strict=False):
        traced = trace(before, *turn)
        if (str(traced.position), traced.outcome) != (str(after), after.outcome):
            raise EnginesDifferError(
                f"game {number}, turn {after.turn}: the core has {after}, "
                f"the reference {traced.position}"
            )
        if show_turns:
            print(f"\n{after.turn}. {pick_names(turn)}\n{traced}")


def _open(path: str) -> Any:
    if path != "-":
        return open(path, encoding="utf-8-sig")
    if sys.stdin is None:
        raise OSError("standard input is closed")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig")
    return nullcontext(sys.stdin)
