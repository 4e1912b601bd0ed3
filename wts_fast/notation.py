"""Formats of cells and positions: names, strings, arrays, bytes. No rules.

Both engines pass and receive a position as three plain values: the board as `bytes`
of 81 contents of cells, the eggs as a `tuple` of cells, oldest first, and the turn.
"""

import re
from collections.abc import Iterable
from operator import index
from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt

from wts_fast.types import (
    BLACK,
    CELLS,
    CONTENT_NAMES,
    EGG,
    EMPTY,
    MAX_TURN,
    SIZE,
    WHITE,
    AnyPosition,
    check_int,
    shown,
)

CELL_NAMES: Final = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in "abcdefghi")
"""The names of the cells in the order of their index: a1, b1, …, i9."""

_CELL_INDEX: Final = {name: cell for cell, name in enumerate(CELL_NAMES)}
_LETTERS: Final = b".bwe" + bytes(range(4, 256))
_CODES: Final = bytes.maketrans(b".bwe", bytes((EMPTY, BLACK, WHITE, EGG)))
_RUNS: Final = str.maketrans({str(n): "." * n for n in range(1, SIZE + 1)})


class Fields(NamedTuple):
    """A position as plain values, from either engine."""

    board: bytes
    """81 contents of cells, `EMPTY` to `EGG`."""
    eggs: tuple[int, ...]
    """The cells of the eggs, oldest first."""
    turn: int
    """Turns completed, 0 to `MAX_TURN`."""


def cell_name(cell: SupportsIndex) -> str:
    """Return the name of a cell, from its index 0..80: `cell_name(40)` is `"e5"`.

    Raises `TypeError` for anything but an integer, `ValueError` for one out of range.
    """
    return CELL_NAMES[cell_index(index(cell))]


def cell_index(cell: SupportsIndex | str) -> int:
    """Return the index 0..80 of a cell, given as its name or as its index.

    Raises `TypeError` for anything but a string or an integer, `ValueError` for one that
    is not a cell.
    """
    if isinstance(cell, str):
        if cell in _CELL_INDEX:
            return _CELL_INDEX[cell]
        raise ValueError(f"{cell!r} is not a cell: expected a letter a..i and a digit 1..9")
    try:
        number = index(cell)
    except TypeError:
        kind = type(cell).__name__
        raise TypeError(f"a cell must be an int 0..80 or a name such as 'e5', not {kind}") from None
    if not 0 <= number < CELLS:
        raise ValueError(f"{shown(number)} is not a cell: expected 0..80")
    return number


def pick_names(picks: Iterable[int]) -> str:
    """Return the names of picked cells, joined by a space: `"e5 d4"` for `(40, 30)`."""
    return " ".join(CELL_NAMES[cell] for cell in picks)


def check_turn(turn: SupportsIndex) -> int:
    """Return `turn` as an `int` of 0..`MAX_TURN`; raises what `check_int` raises."""
    return check_int("turn", turn, 0, MAX_TURN)


def from_cells(
    black: Iterable[SupportsIndex | str],
    white: Iterable[SupportsIndex | str],
    eggs: Iterable[SupportsIndex | str],
    turn: SupportsIndex,
) -> Fields:
    """Return the fields of a position given by cells; `ValueError` if a cell is given twice."""
    board = bytearray(CELLS)
    egg_cells = []
    for code, cells in ((BLACK, black), (WHITE, white), (EGG, eggs)):
        for cell in map(cell_index, cells):
            if board[cell] != EMPTY:
                first, second = CONTENT_NAMES[board[cell]], CONTENT_NAMES[code]
                raise ValueError(f"{CELL_NAMES[cell]} is given twice: {first} and {second}")
            board[cell] = code
            if code == EGG:
                egg_cells.append(cell)
    return Fields(bytes(board), tuple(egg_cells), check_turn(turn))


def _check_eggs(board: bytes, eggs: tuple[int, ...]) -> None:
    """Raise `ValueError` unless `eggs` names each egg of `board` exactly once."""
    for place, cell in enumerate(eggs):
        if board[cell] != EGG:
            what = CONTENT_NAMES[board[cell]]
            raise ValueError(f"egg order names {CELL_NAMES[cell]}, but that cell holds {what}")
        if cell in eggs[:place]:
            raise ValueError(f"egg order names {CELL_NAMES[cell]} twice")
    if len(eggs) != board.count(EGG):
        missing = next(cell for cell in range(CELLS) if board[cell] == EGG and cell not in eggs)
        raise ValueError(f"egg order leaves out the egg on {CELL_NAMES[missing]}")


# --- position strings -------------------------------------------------------------------


def parse_position(text: str) -> Fields:
    """Read a position string: nine rows joined by `/`, the eggs, the turns completed.

    Raises `ValueError` saying what was found, where, and what was expected;
    `TypeError` for anything but a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a position string must be a str, not {type(text).__name__}")
    fields = text.split(" ")
    if len(fields) != 3:
        raise ValueError(
            f"position string {text!r}: expected 3 fields (rows, eggs, turn) separated by "
            f"single spaces, found {len(fields)}"
        )
    rows, eggs, turn = fields
    try:
        board = _parse_rows(rows)
        order = () if eggs == "-" else tuple(cell_index(name) for name in eggs.split(","))
        _check_eggs(board, order)
        if not re.fullmatch("0|[1-9][0-9]*", turn):
            raise ValueError(f"turn is {turn!r}: expected a number without leading zeros")
        return Fields(board, order, check_turn(int(turn)))
    except ValueError as error:
        raise ValueError(f"position string {text!r}: {error}") from None


def _parse_rows(text: str) -> bytes:
    if bad := re.search("[^bwe1-9/]", text):
        row = _row_number(text, bad)
        raise ValueError(f"row {row} has {bad[0]!r}: expected b, w, e or a digit 1..9")
    if run := re.search("[1-9]{2,}", text):
        row = _row_number(text, run)
        raise ValueError(f"row {row} has {run[0]}: expected one digit for each run of empty cells")
    rows = text.translate(_RUNS).split("/")
    if len(rows) != SIZE:
        raise ValueError(f"expected {SIZE} rows joined by '/', found {len(rows)}")
    for number, cells in enumerate(rows, start=1):
        if len(cells) != SIZE:
            raise ValueError(f"row {number} has {len(cells)} cells: expected {SIZE}")
    return "".join(rows).encode().translate(_CODES)


def _row_number(text: str, found: re.Match[str]) -> int:
    return text.count("/", 0, found.start()) + 1


def format_position(board: bytes, eggs: tuple[int, ...], turn: int) -> str:
    """Return the position string; the inverse of `parse_position`."""
    letters = board.translate(_LETTERS).decode()
    rows = "/".join(letters[start : start + SIZE] for start in range(0, CELLS, SIZE))
    for length in range(SIZE, 0, -1):
        rows = rows.replace("." * length, str(length))
    return f"{rows} {','.join([CELL_NAMES[cell] for cell in eggs]) or '-'} {turn}"


def diagram(position: AnyPosition) -> str:
    """Return the board as lines of text: `B`, `W`, `.`, and eggs by number, 1 the oldest."""
    numbers = {cell: str(place) for place, cell in enumerate(position.eggs, start=1)}
    contents = position.to_array().reshape(CELLS).tolist()
    marks = [numbers.get(cell, ".BW."[content]) for cell, content in enumerate(contents)]
    letters = "   " + "".join(f"{column:>3}" for column in "abcdefghi")
    rows = (
        f"{row + 1:>3}" + "".join(f"{mark:>3}" for mark in marks[SIZE * row : SIZE * (row + 1)])
        for row in range(SIZE)
    )
    return "\n".join((letters, *rows))


# --- arrays -----------------------------------------------------------------------------


def from_array(
    board: npt.ArrayLike,
    eggs: Iterable[SupportsIndex | str] | None,
    turn: SupportsIndex,
) -> Fields:
    """Return the fields of a position given by an integer array of shape (9, 9).

    Raises `TypeError` for an array that is not of integers, `ValueError` for another
    shape, a value outside 0..3, or eggs that do not match the board.
    """
    array: npt.NDArray[Any] = np.array(board)  # a copy, so that it cannot change after the checks
    if array.dtype.kind not in "iu":
        raise TypeError(f"board has dtype {array.dtype}: expected integers")
    if array.shape != (SIZE, SIZE):
        raise ValueError(f"board has shape {array.shape}: expected ({SIZE}, {SIZE})")
    if ((array < EMPTY) | (array > EGG)).any():
        row, column = np.argwhere((array < EMPTY) | (array > EGG))[0]
        raise ValueError(
            f"board[{row}, {column}] is {array[row, column]}: "
            "expected 0 (empty), 1 (black), 2 (white) or 3 (egg)"
        )
    cells = array.astype(np.uint8).tobytes()
    if eggs is None:
        if cells.count(EGG) > 1:
            raise ValueError(f"board has {cells.count(EGG)} eggs: expected their order, as eggs=")
        order = tuple(cell for cell in range(CELLS) if cells[cell] == EGG)
    else:
        order = tuple(cell_index(cell) for cell in eggs)
    _check_eggs(cells, order)
    return Fields(cells, order, check_turn(turn))


def to_array(board: bytes) -> npt.NDArray[np.int8]:
    """Return a new `int8` array of shape (9, 9) with the contents of the cells."""
    return np.frombuffer(board, dtype=np.int8).reshape(SIZE, SIZE).copy()


def to_mask(cells: Iterable[int]) -> npt.NDArray[np.bool_]:
    """Return a new `bool` array of shape (81,) that is true at `cells`."""
    mask = np.zeros(CELLS, dtype=np.bool_)
    mask[list(cells)] = True
    return mask


# --- bytes ------------------------------------------------------------------------------

_ENCODING: Final = 1
_MASK_BYTES: Final = 11
_HEADER_BYTES: Final = 1 + 4 + 2 * _MASK_BYTES


def encode(black: int, white: int, eggs: tuple[int, ...], turn: int) -> bytes:
    """Return the encoding that `Position.to_bytes` describes, with turtles given as masks."""
    return b"".join(
        (
            bytes((_ENCODING,)),
            turn.to_bytes(4, "little"),
            black.to_bytes(_MASK_BYTES, "little"),
            white.to_bytes(_MASK_BYTES, "little"),
            bytes(eggs),
        )
    )


def decode(data: bytes | bytearray | memoryview) -> Fields:
    """Decode the bytes that `encode` returned; `ValueError` for bytes it could not return."""
    data = bytes(memoryview(data))
    if len(data) < _HEADER_BYTES:
        raise ValueError(
            f"encoded position has {len(data)} bytes: expected {_HEADER_BYTES} or more"
        )
    if data[0] != _ENCODING:
        raise ValueError(f"encoded position has version {data[0]}: expected {_ENCODING}")
    masks = data[5:_HEADER_BYTES]
    try:
        return from_cells(
            _mask_cells(int.from_bytes(masks[:_MASK_BYTES], "little")),
            _mask_cells(int.from_bytes(masks[_MASK_BYTES:], "little")),
            data[_HEADER_BYTES:],
            int.from_bytes(data[1:5], "little"),
        )
    except ValueError as error:
        raise ValueError(f"encoded position: {error}") from None


def _mask_cells(mask: int) -> list[int]:
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]
