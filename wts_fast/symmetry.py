"""The eight symmetries of the square board, for cells and for arrays over cells."""

from enum import IntEnum
from operator import index
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from wts_fast.types import CELLS, SIZE

_Scalar = TypeVar("_Scalar", bound=np.generic)


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


_SOURCES: Final = np.argsort(np.array(CELL_IMAGES), axis=1)
"""`_SOURCES[symmetry, cell]`: the cell that is carried to `cell`."""


def check_symmetry(symmetry: int) -> Symmetry:
    """Return `symmetry`, an int 0..7 or a `Symmetry`, as a `Symmetry`.

    Raises `ValueError` for any other value.
    """
    try:
        return Symmetry(index(symmetry))
    except (TypeError, ValueError):
        raise ValueError(f"symmetry must be a Symmetry or an int 0..7, not {symmetry!r}") from None


def check_symmetries(symmetry: npt.ArrayLike, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """Return the symmetries as a new array of this shape; one int or `Symmetry` stands for all.

    Raises `ValueError` for another shape and for numbers outside 0..7, `TypeError` for an array
    that is not of integers.
    """
    array = np.array(symmetry)
    if array.ndim == 0:
        return np.full(shape, check_symmetry(symmetry), dtype=np.uint8)  # type: ignore[arg-type]
    if array.dtype.kind not in "iu" and array.size:  # NumPy makes no list of none integers
        raise TypeError(f"symmetry must be an array of integers, not of {array.dtype}")
    if array.shape != shape:
        raise ValueError(f"symmetry has shape {array.shape}: expected {shape}")
    outside = np.argwhere((array < 0) | (array > 7))
    if len(outside):
        place = tuple(outside[0].tolist())
        where = ", ".join(map(str, place))
        raise ValueError(f"symmetry[{where}] is {array[place]}: expected 0..7")
    return array.astype(np.uint8)


def transform_planes(planes: npt.NDArray[_Scalar], symmetry: npt.ArrayLike) -> npt.NDArray[_Scalar]:
    """Return planes under symmetries of the board, as a new array of the same shape and dtype.

    `planes` has shape (..., 9, 9), with rows and columns last, as `Batch.observe`,
    `Batch.boards` and `Position.to_array` return; any dtype. `symmetry` is a `Symmetry` or an
    int 0..7 for all planes, or an integer array of the shape of some leading axes, such as
    (n,) for planes of shape (n, 5, 9, 9): one symmetry for each game.

    What stood at a cell then stands at the cell that `Position.transform` carries it to.

    Raises `ValueError` for another shape and for a number that is not a symmetry, `TypeError`
    for an array of symmetries that is not of integers.
    """
    array = np.asarray(planes)
    if array.shape[-2:] != (SIZE, SIZE):
        raise ValueError(f"planes has shape {array.shape}: expected (..., 9, 9)")
    leading = array.shape[:-2]
    return _transform(array.reshape(*leading, CELLS), symmetry).reshape(array.shape)


def transform_policy(policy: npt.NDArray[_Scalar], symmetry: npt.ArrayLike) -> npt.NDArray[_Scalar]:
    """Return values of cells under symmetries of the board, as a new array.

    `policy` has shape (..., 81) or (..., 9, 9), where the last axis, or the last two, are the
    cells, as in `Batch.legal_mask` or the output of a policy network; any dtype. `symmetry`,
    and what is raised, are those of `transform_planes`.
    """
    array = np.asarray(policy)
    if array.ndim and array.shape[-1] == CELLS:
        return _transform(array, symmetry)
    if array.shape[-2:] != (SIZE, SIZE):
        raise ValueError(f"policy has shape {array.shape}: expected (..., 81) or (..., 9, 9)")
    return transform_planes(array, symmetry)


def _transform(cells: npt.NDArray[Any], symmetry: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return an array with the cells in its last axis under symmetries."""
    axes = np.ndim(symmetry)
    if axes == 0:
        return cells[..., _SOURCES[check_symmetries(symmetry, ())]]
    symmetries = check_symmetries(symmetry, cells.shape[:-1][:axes])
    result = np.empty_like(cells, order="C")
    for number, sources in enumerate(_SOURCES):
        chosen = symmetries == number
        result[chosen] = cells[chosen][..., sources]
    return result
