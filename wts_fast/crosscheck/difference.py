"""The report of a difference between engines."""

from wts_fast import reference
from wts_fast.conformance import Answer, Turn, turn_vector
from wts_fast.notation import diagram


class EnginesDifferError(Exception):
    """The engines differ on a turn; the message gives the position, the picks and the members."""


def difference(
    what: str, before: reference.Position, turn: Turn, name: str, got: str, found_in: str = ""
) -> EnginesDifferError:
    """Return the error for a turn on which an engine differs from the reference.

    `what` is the first line of the message, `name` the name of the engine, `got` its answer in
    words. `found_in` names where the turn was found, before `shrink`; `""` for nothing.
    """
    vector, traced = turn_vector("", before, turn)
    lines = [
        what,
        f"position:  {before}",
        f"picks:     {vector.black} {vector.white}",
        f"reference: {answer_text(vector.answer)}",
        f"{name + ':':<11}{got}",
        f"rules:     {', '.join(vector.rules)}",
        "",
        diagram(before),
        "",
        str(traced) if traced is not None else "the picks are not legal (T1)",
    ]
    if found_in:
        lines += ["", f"found in {found_in}"]
    return EnginesDifferError("\n".join(lines))


def answer_text(answer: Answer) -> str:
    """Return an answer to a turn in words, on one line."""
    if answer.after is None or answer.winning is None:
        return "refuses the picks"
    black, white = answer.winning
    return f"{answer.after}, {answer.outcome}, winning turtles {black} to {white}"
