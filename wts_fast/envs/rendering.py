"""Positions rendered as text, and as pictures that need NumPy alone."""

from typing import Final

import numpy as np
import numpy.typing as npt
from gymnasium.logger import warn

from wts_fast.core.position import Position
from wts_fast.notation import diagram
from wts_fast.types import BLACK, EGG, SIZE, WHITE

RENDER_MODES: Final = ("human", "ansi", "rgb_array")

_SIDE: Final = 32
"""Height and width of a cell in pixels."""


def check_render_mode(mode: str | None, modes: tuple[str, ...] = RENDER_MODES) -> str | None:
    """Return a render mode; raise `ValueError` unless it is `None` or one of `modes`."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode is {mode!r}: expected None, {', '.join(modes)}")
    return mode


def warn_of_no_render_mode() -> None:
    """Warn that `render` returns nothing, as environments of Gymnasium do."""
    warn("render() returns nothing: the environment was made without a render_mode")


class Rendered:
    """A base for environments of one game, which is at `_position`."""

    render_mode: str | None
    _position: Position

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the board as text for `"ansi"`, as a picture for `"rgb_array"`.

        The picture is `uint8` of shape (288, 288, 3). For `"human"` the text is printed, and
        `None` returned. Without a render mode there is a warning, and `None` is returned.
        """
        if self.render_mode is None:
            warn_of_no_render_mode()
            return None
        if self.render_mode == "human":
            print(diagram(self._position))
            return None
        return rendered(self._position, self.render_mode)

    def _render_for_human(self) -> None:
        if self.render_mode == "human":
            self.render()


def rendered(position: Position, mode: str) -> str | npt.NDArray[np.uint8]:
    """Return a position as text for `"ansi"`, and as a `picture` for `"rgb_array"`."""
    return picture(position) if mode == "rgb_array" else diagram(position)


def picture(position: Position) -> npt.NDArray[np.uint8]:
    """Return a picture of the board: `uint8` of shape (288, 288, 3), row 1 at the top.

    Turtles are dark for Black and light for White, eggs are yellow.
    """
    cells = _TILES[position.to_array()]  # rows, columns, and the pixels of each
    return cells.swapaxes(1, 2).reshape(SIZE * _SIDE, SIZE * _SIDE, 3)


def _ellipse(y: float, x: float, height: float, width: float) -> npt.NDArray[np.bool_]:
    """Return which pixels of a cell are in an ellipse, given by its centre and half axes."""
    row, column = np.ogrid[:_SIDE, :_SIDE]
    inside: npt.NDArray[np.bool_] = ((row - y) / height) ** 2 + ((column - x) / width) ** 2 <= 1
    return inside


def _tiles() -> npt.NDArray[np.uint8]:
    """Return the pictures of a cell by its content: shape (4, 32, 32, 3)."""
    tiles = np.empty((4, _SIDE, _SIDE, 3), dtype=np.uint8)
    tiles[:] = 168, 212, 204
    tiles[:, -1, :] = tiles[:, :, -1] = 23, 73, 90
    middle = (_SIDE - 2) / 2
    limbs = _ellipse(4.5, middle, 4, 3.5)
    for y, x in ((9, 7), (9, 23), (23, 7), (23, 23)):
        limbs |= _ellipse(y, x, 4, 4)
    shell = _ellipse(16, middle, 10.5, 9.5)
    rim = shell & ~_ellipse(16, middle, 9, 8)
    for turtle, skin, back, edge in (
        (BLACK, (77, 98, 87), (28, 41, 37), (13, 21, 19)),
        (WHITE, (190, 176, 140), (255, 254, 248), (69, 69, 60)),
    ):
        tiles[turtle, limbs] = skin
        tiles[turtle, shell] = back
        tiles[turtle, rim] = edge
    tiles[EGG, _ellipse(middle, middle, 12, 9)] = 112, 67, 15
    tiles[EGG, _ellipse(middle, middle, 11, 8)] = 255, 210, 122
    return tiles


_TILES: Final = _tiles()
