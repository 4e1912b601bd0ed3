"""`python -m wts_fast.conformance FILE`: create the conformance vectors."""

import argparse
from pathlib import Path

from wts_fast.conformance.builder import build
from wts_fast.conformance.vectors import to_lines


def main() -> None:
    """Create the vectors with the reference engine, and write them to a file."""
    parser = argparse.ArgumentParser(
        prog="python -m wts_fast.conformance",
        description="Create the conformance vectors with the reference engine.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON Lines; overwritten")
    options = parser.parse_args()
    options.file.write_bytes(to_lines(build()).encode())


if __name__ == "__main__":
    main()
