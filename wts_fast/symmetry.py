"""The eight symmetries of the square board."""

from enum import IntEnum
from operator import index
from typing import Final

from wts_fast.types import CELLS, SIZE


class Symmetry(IntEnum):
    """A symmetry of the board.

    Number `4 * m + q` first mirrors left and right if m = 1, then rotates the board
    clockwise by q quarter turns.
    """

    IDENTITY = 0
    ROTATE_90 = 1
    ROTATE_180 = 2
    ROTATE_270 = 3
    FLIP_HORIZONTAL = 4
    ANTI_TRANSPOSE = 5
    FLIP_VERTICAL = 6
    TRANSPOSE = 7

    @property
    def inverse(self) -> "Symmetry":
        """The inverse symmetry; all but the quarter turns are their own inverse."""
        return {1: Symmetry.ROTATE_270, 3: Symmetry.ROTATE_90}.get(int(self), self)


def _image(symmetry: int, cell: int) -> int:
    row, column = divmod(cell, SIZE)
    if symmetry >= 4:
        column = SIZE - 1 - column
    for _ in range(symmetry % 4):
        row, column = column, SIZE - 1 - row
    return SIZE * row + column


CELL_IMAGES: Final = tuple(tuple(_image(s, cell) for cell in range(CELLS)) for s in Symmetry)
"""`CELL_IMAGES[symmetry][cell]`: the cell to which `symmetry` moves `cell`."""


def check_symmetry(symmetry: int) -> Symmetry:
    """Return `symmetry`, an int 0..7 or a `Symmetry`, as a `Symmetry`.

    Raises `ValueError` for any other value.
    """
    try:
        return Symmetry(index(symmetry))
    except (TypeError, ValueError):
        raise ValueError(f"symmetry must be a Symmetry or an int 0..7, not {symmetry!r}") from None
