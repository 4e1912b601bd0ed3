"""`wts-fast play`: a game at the keyboard."""

import argparse
import random
import sys
from contextlib import AbstractContextManager, nullcontext
from getpass import getpass
from typing import Any, TextIO

from wts_fast.cli.terminal import add_command, add_position, print_position
from wts_fast.core.position import Position
from wts_fast.game import Game, write_games
from wts_fast.notation import CELL_NAMES, pick_names
from wts_fast.randomness import seed_of
from wts_fast.reference import trace
from wts_fast.types import BLACK, PLAYER_NAMES, WHITE


def add_to(commands: Any) -> None:
    """Add the command `play` to the parser."""
    parser = add_command(
        commands,
        "play",
        run,
        "play a game at the keyboard: two people, or one against random picks",
        "wts-fast play --random",
    )
    add_position(parser)
    parser.add_argument("--random", action="store_true", help="White picks at random")
    parser.add_argument(
        "--seed", type=int, help="seed of the random picks, 0..2**64 - 1; a fresh one if omitted"
    )
    parser.add_argument(
        "--record", metavar="FILE", help="append the record to FILE instead of printing it"
    )


def run(options: argparse.Namespace) -> int:
    """Play a game, and write its record; return the exit code."""
    if options.seed is not None and not options.random:
        raise ValueError("--seed is for the picks of --random")
    game = Game(Position.from_string(options.position))
    chance = random.Random(seed_of(options.seed)) if options.random else None
    with _open_record(options.record) as record:
        try:
            _play_turns(game, chance)
        finally:
            if options.record and record.tell():
                record.write("\n")  # the file may not end with a line end
            write_games([game], record)
    return 0


def _open_record(path: str | None) -> AbstractContextManager[TextIO]:
    """Open the file to which the record is appended, or return standard output."""
    if path is None:
        return nullcontext(sys.stdout)
    return open(path, "a", encoding="utf-8")


def _play_turns(game: Game, chance: random.Random | None) -> None:
    while not game.is_over:
        print_position(game.position)
        turn = _ask_turn(game.position, chance)
        if turn is None:
            break
        traced = trace(game.position, *turn)
        game.play(*turn)
        print(f"\n{pick_names(turn)}\n{traced}\n")
    print_position(game.position)
    print()


def _ask_turn(position: Position, chance: random.Random | None) -> tuple[int, int] | None:
    """Return both picks, White's at random if `chance` is given; `None` to stop."""
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

    A hidden pick is not shown on a terminal, and not repeated in the error message.
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
        print("not an empty cell: enter the name of one, such as e5")
