"""A turn described step by step, for people, animations and reports of differences."""

from typing import Any, NamedTuple

from wts_fast.reference.events import Event
from wts_fast.reference.position import of_this_engine
from wts_fast.types import PLAYER_NAMES, AnyPosition, Cell, Outcome


class Trace(NamedTuple):
    """A turn, described step by step."""

    events: tuple[Event, ...]
    """What happened, in order."""
    position: Any
    """The position after the turn, of the engine of the position given."""
    winning_turtles: tuple[int, int]
    """Black's and White's winning turtles after the turn (W2)."""
    outcome: Outcome
    """The outcome after the turn (W3)."""

    def __str__(self) -> str:
        """Return the turn as text: one line for each event, and one for the result."""
        return "\n".join(map(str, (*self.events, self._ending())))

    def _ending(self) -> str:
        black, white = self.winning_turtles
        if self.outcome in (Outcome.BLACK_WINS, Outcome.WHITE_WINS):
            return f"{black} winning turtles to {white}: {PLAYER_NAMES[self.outcome]} wins (W3)"
        if self.outcome == Outcome.DRAW:
            return f"the board is full and nobody has won: a draw ({'R4' if black else 'D1'})"
        if black:
            return f"{black} winning turtles each: Sudden Death, the game goes on (S1)"
        return "no line of five: the game goes on (W1)"


def trace(position: AnyPosition, black: Cell, white: Cell) -> Trace:
    """Return the events of the turn in which the players pick these cells.

    `position` may be of either engine, and the position after the turn is of the same; the
    events always come from the reference engine. Raises what `Position.play` raises, and
    `TypeError` for anything but a position.
    """
    before = of_this_engine(position)
    events, after = before._play(black, white)
    result = after if before is position else type(position).from_bytes(after.to_bytes())
    return Trace(tuple(events), result, after.winning_turtles, after.outcome)
