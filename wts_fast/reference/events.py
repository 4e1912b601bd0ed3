"""The events of a turn, and their text."""

from typing import NamedTuple

from wts_fast.notation import CELL_NAMES
from wts_fast.types import PLAYER_NAMES


class Placed(NamedTuple):
    """A turtle of `player` landed on `cell` (T2)."""

    player: int
    cell: int

    def __str__(self) -> str:
        return f"{PLAYER_NAMES[self.player]}'s turtle lands on {CELL_NAMES[self.cell]} (T2)"


class Laid(NamedTuple):
    """Both players picked `cell`: an egg was laid there, the newest (E1)."""

    cell: int

    def __str__(self) -> str:
        return f"both picked {CELL_NAMES[self.cell]}: no turtle lands, an egg is laid (E1)"


class Captured(NamedTuple):
    """`player`'s turtle on cell `by` captured the pieces on two `cells`, nearest first (C1)."""

    player: int
    by: int
    cells: tuple[int, int]

    def __str__(self) -> str:
        first, second = (CELL_NAMES[cell] for cell in self.cells)
        by = CELL_NAMES[self.by]
        return f"{PLAYER_NAMES[self.player]}'s turtle on {by} captures {first} and {second} (C1)"


class Hatched(NamedTuple):
    """The oldest egg, on `cell`, hatched into a turtle of `player` (H1)."""

    player: int
    cell: int

    def __str__(self) -> str:
        cell = CELL_NAMES[self.cell]
        return f"the oldest egg, on {cell}, hatches for {PLAYER_NAMES[self.player]} (H1)"


class Vanished(NamedTuple):
    """Both players claimed the oldest egg, on `cell`, and it vanished (H3)."""

    cell: int

    def __str__(self) -> str:
        return f"both claim the oldest egg, on {CELL_NAMES[self.cell]}: it vanishes (H3)"


Event = Placed | Laid | Captured | Hatched | Vanished
