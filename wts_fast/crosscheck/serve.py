"""`python -m wts_fast.crosscheck.serve module:Class`: the engine protocol for a Python class."""

import json
import os
import sys
from importlib import import_module
from operator import attrgetter
from typing import Any

from wts_fast.conformance import OUTCOMES


def answer_of(position_class: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of a class to a request of the engine protocol.

    The class has these members of `Position`: `from_string`, `play`, `__str__`,
    `winning_turtles`, `outcome` and, for perft, `legal_moves`. A `ValueError` of `play` means
    that the picks are not legal. Other errors are not caught.
    """
    position = position_class.from_string(request["position"])
    if "depth" in request:
        return {"sequences": _count(position, request["depth"])}
    try:
        after = position.play(request["black"], request["white"])
    except ValueError:
        return {"after": None}
    return {
        "after": str(after),
        "winning": list(after.winning_turtles),
        "outcome": OUTCOMES[after.outcome],
    }


def _count(position: Any, depth: int) -> int:
    if depth == 0:
        return 1
    cells = position.legal_moves()
    return sum(_count(position.play(b, w), depth - 1) for b in cells for w in cells)


def main() -> None:
    """Answer each line of standard input until its end."""
    module, _, path = sys.argv[1].partition(":")
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as answers:
        sys.stdout = sys.stderr  # output of the class is not an answer
        position_class = attrgetter(path)(import_module(module))
        for line in sys.stdin:
            print(json.dumps(answer_of(position_class, json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
