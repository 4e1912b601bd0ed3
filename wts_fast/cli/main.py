"""The entry point: parses arguments, runs a command, and converts errors to exit codes."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper

from wts_fast import __version__
from wts_fast.arena import PlayerError
from wts_fast.cli import arena, bench, crosscheck, perft, play, replay, show, trace
from wts_fast.crosscheck import EnginesDifferError

COMMANDS = (crosscheck, bench, perft, show, trace, replay, play, arena)
"""The modules of the commands, in the order of the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code.

    0: done. 1: a difference between the engines. 2: bad input, or a player that breaks the
    rules. 130: stopped by Ctrl-C.
    """
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(
                errors="backslashreplace"
            )  # a µ must not raise an error after long work
    try:
        code = run(options)
        sys.stdout.flush()
        return code
    except EnginesDifferError as error:
        print(f"wts-fast: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        _drop_output()
        return 0  # the reader closed the pipe
    except (ValueError, OSError, PlayerError) as error:
        print(f"wts-fast: {error}", file=sys.stderr)
        _drop_output()
        return 2
    except KeyboardInterrupt:
        print("wts-fast: stopped", file=sys.stderr)
        return 130


def _drop_output() -> None:
    """Discard output that cannot be written, which Python would write again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wts-fast",
        description="A fast rules engine for What the Shell, and a readable reference engine.",
        epilog="'wts-fast COMMAND --help' shows each command with an example.",
    )
    parser.add_argument("--version", action="version", version=f"wts-fast {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return parser
