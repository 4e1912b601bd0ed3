"""`wts-fast bench`: the speed of both engines, and of others."""

import argparse
import json
from typing import Any

from wts_fast import bench
from wts_fast.cli.terminal import add_command, figure, progress


def add_to(commands: Any) -> None:
    """Add the command `bench` to the parser."""
    parser = add_command(
        commands,
        "bench",
        run,
        "measure both engines side by side, in CPU time",
        "wts-fast bench --json",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--peers",
        action="store_true",
        help="measure other engines that play random games, in a clone with the extra 'peers'",
    )


def run(options: argparse.Namespace) -> int:
    """Measure, and print the figures; return the exit code."""
    machine, rows, table = _measure_peers() if options.peers else _measure_engines()
    if options.json:
        print(json.dumps({"machine": machine, "rows": rows}, indent=2))
        return 0
    print("\n".join(f"{name}: {value}" for name, value in machine.items()))
    print("", *table, sep="\n")
    return 0


Figures = tuple[dict[str, str], list[dict[str, Any]], list[str]]
"""The machine, the rows as plain values for JSON, and the lines of the table."""


def _measure_engines() -> Figures:
    rows = []
    with progress("measuring", None, " figures") as bar:
        for row in bench.measure():
            rows.append(row)
            bar.update()
    table = [f"{'':34} {'core':>10} {'reference':>10} {'ratio':>7}"]
    for row in rows:
        readable = "" if row.reference is None else figure(row.reference)
        ratio = "" if row.ratio is None else f"{row.ratio:.1f}"
        table.append(f"{row.name:34} {figure(row.core):>10} {readable:>10} {ratio:>7}  {row.unit}")
    return bench.machine(), [row.as_json() for row in rows], table


def _measure_peers() -> Figures:
    peers = bench.peers()
    with progress("measuring", peers.ROUNDS, " rounds") as bar:
        rows = peers.measure(bar.update)
    table = [f"{'':34} {'games/s':>10} {'turns/s':>11} {'ratio':>6}"]
    for row in rows:
        figures = f"{figure(row.games_per_second):>10} {figure(row.turns_per_second):>11}"
        table.append(f"{row.name:34} {figures} {figure(row.ratio):>6}  {row.what}")
    machine = {**bench.machine(), **peers.versions()}
    return machine, [row._asdict() for row in rows], table
