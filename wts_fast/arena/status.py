"""The state of a game under way, which another process can read."""

from ctypes import Array, Structure, c_double, c_int32, c_uint8
from time import monotonic
from typing import ClassVar, Final

MAX_TURNS: Final = 10_000
"""The greatest turn limit of a game in an arena, and the turns that a `Status` can hold."""


class Status(Structure):
    """A game under way, in memory that two processes can share.

    One process writes; the other reads while the first is stuck, or after it has died.
    """

    _fields_: ClassVar = [
        ("color", c_uint8),
        ("since", c_double),
        ("turns", c_int32),
        ("picks", c_uint8 * (2 * MAX_TURNS)),
    ]
    color: int
    """Whose player is choosing: `BLACK`, `WHITE`, or 0 for none."""
    since: float
    """Since when it is, by `time.monotonic`."""
    turns: int
    picks: "Array[c_uint8]"

    def clear(self) -> None:
        """Forget the last game."""
        self.color = 0
        self.turns = 0

    def begin(self, color: int) -> None:
        """Note that a player gets to work now."""
        self.since = monotonic()  # before the color: a reader must not take an old time for it
        self.color = color

    def end(self) -> float:
        """Note that the player is done; return the seconds that it took."""
        self.color = 0
        return monotonic() - self.since

    def add(self, black: int, white: int) -> None:
        """Note a turn that was played."""
        self.picks[2 * self.turns] = black
        self.picks[2 * self.turns + 1] = white
        self.turns += 1

    def moves(self) -> list[tuple[int, int]]:
        """Return the turns played, Black's pick and White's: cells 0..80."""
        return [(self.picks[2 * at], self.picks[2 * at + 1]) for at in range(self.turns)]
