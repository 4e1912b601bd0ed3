"""The position of the reference engine: an immutable value; `rules` resolves its turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NoReturn, SupportsIndex, final

from wts_fast import notation
from wts_fast.notation import CELL_NAMES
from wts_fast.reference.events import Event
from wts_fast.reference.rules import count_winning_turtles, decide, empty_cells, play_turn
from wts_fast.symmetry import CELL_IMAGES, Symmetry, check_symmetry
from wts_fast.types import (
    BLACK,
    CELLS,
    CONTENT_NAMES,
    EGG,
    EMPTY,
    MAX_DEPTH,
    MAX_TURN,
    NO_ARGUMENTS,
    SIZE,
    WHITE,
    AnyPosition,
    Cell,
    IllegalMoveError,
    Outcome,
    check_int,
    check_position,
    shown,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


_WORD: Final = 2**64 - 1


def _mix(word: int) -> int:
    """The finalizer of SplitMix64 (Steele, Lea, Flood, 2014), a bijection of 64-bit words."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31


def _padded_words(board: bytes, player: int) -> tuple[int, int]:
    """Return the two 64-bit words, low first, of the board with bit 10 * row + column."""
    mask = sum(1 << cell + cell // SIZE for cell in range(CELLS) if board[cell] == player)
    return mask & _WORD, mask >> 64


@final
class Position:
    """A position of What the Shell: an immutable value, like an `int`.

    It holds the black turtles, the white turtles, the eggs in the order in which they were
    laid, and the number of turns completed. `Position()` is the empty board.

    Positions are equal if turtles, eggs and egg order are equal; the turn is not compared
    (R7). They are hashable, and threads may share them. The type cannot be subclassed.

    Positions of the two engines are never equal; `to_bytes` and `from_bytes` convert from
    one engine to the other.

    A cell is an `int` 0..80, 9 * row + column from the top left, or a name: `"a1"` is 0 in
    the top left corner, `"i1"` 8 in the top right, `"i9"` 80.
    """

    __module__ = "wts_fast.reference"  # where pickles look it up
    __slots__ = ("_board", "_eggs", "_outcome", "_turn", "_winning")

    _board: bytes
    _eggs: tuple[int, ...]
    _turn: int
    _winning: tuple[int, int]
    _outcome: Outcome

    def __new__(cls, *arguments: NoReturn, **named: NoReturn) -> Position:
        if arguments or named:
            raise TypeError(NO_ARGUMENTS)
        return cls._from_fields(notation.Fields(bytes(CELLS), (), 0))

    def __init_subclass__(cls) -> None:
        raise TypeError("type 'Position' is not an acceptable base type")

    @classmethod
    def _from_fields(cls, fields: notation.Fields) -> Position:
        """W1: lines are counted on the board at the end of a turn."""
        self = object.__new__(cls)
        self._board, self._eggs, self._turn = fields
        black, white = (count_winning_turtles(self._board, player) for player in (BLACK, WHITE))
        self._winning = (black, white)
        self._outcome = decide(black, white, full=EMPTY not in self._board)
        return self

    @classmethod
    def from_string(cls, text: str) -> Position:
        """Return the position that a position string describes.

        The string has three fields: nine rows from row 1 down, joined by `/`, with `b`,
        `w`, `e` for pieces and a digit for a run of empty cells; the eggs, oldest first,
        as cell names joined by commas, or `-`; the turns completed.

        Raises `ValueError` saying what was found, where, and what was expected; `TypeError`
        for anything but a string.
        """
        return cls._from_fields(notation.parse_position(text))

    @classmethod
    def from_cells(
        cls,
        black: Iterable[Cell],
        white: Iterable[Cell],
        eggs: Iterable[Cell] = (),
        turn: SupportsIndex = 0,
    ) -> Position:
        """Return the position with the given turtles and eggs, the eggs oldest first.

        Raises `ValueError` if a cell does not exist or is given twice, or if `turn` is outside
        0..4294967295; `TypeError` if a cell is neither an int nor a string.
        """
        return cls._from_fields(notation.from_cells(black, white, eggs, turn))

    @classmethod
    def from_array(
        cls,
        board: npt.ArrayLike,
        eggs: Iterable[Cell] | None = None,
        turn: SupportsIndex = 0,
    ) -> Position:
        """Return the position of an integer array of shape (9, 9): `board[row, column]`.

        Values are `EMPTY` 0, `BLACK` 1, `WHITE` 2, `EGG` 3. `eggs` names the eggs, oldest
        first; it may be omitted for a board with at most one egg.

        Raises `ValueError` for another shape, another value, or eggs that do not match the
        board; `TypeError` for an array that is not of integers.
        """
        return cls._from_fields(notation.from_array(board, eggs, turn))

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Position:
        """Return the position that `to_bytes` of either engine encoded.

        Raises `ValueError` for bytes that are not such an encoding, `TypeError` for anything
        but a bytes-like object.
        """
        return cls._from_fields(notation.decode(data))

    def to_bytes(self) -> bytes:
        """Return a compact encoding: 27 bytes, and one more for each egg.

        Byte 0 is the version of the encoding, 1; then the turn in 4 bytes, the black and
        the white turtles as masks (bit = cell) in 11 bytes each, all little-endian; then
        the cells of the eggs, oldest first.
        """
        return notation.encode(self.black, self.white, self._eggs, self._turn)

    def to_array(self) -> npt.NDArray[np.int8]:
        """Return the contents of the cells as a new `int8` array of shape (9, 9)."""
        return notation.to_array(self._board)

    def _mask(self, content: int) -> int:
        return sum(1 << cell for cell in range(CELLS) if self._board[cell] == content)

    @property
    def black(self) -> int:
        """The black turtles as an 81-bit mask, bit = cell."""
        return self._mask(BLACK)

    @property
    def white(self) -> int:
        """The white turtles as an 81-bit mask, bit = cell."""
        return self._mask(WHITE)

    @property
    def empty(self) -> int:
        """The empty cells as an 81-bit mask, bit = cell."""
        return self._mask(EMPTY)

    @property
    def eggs(self) -> tuple[int, ...]:
        """The cells of the eggs, oldest first (B2)."""
        return self._eggs

    @property
    def turn(self) -> int:
        """The number of turns completed, 0..4294967295; it changes no rule (R7)."""
        return self._turn

    @property
    def outcome(self) -> Outcome:
        """The outcome, from the board alone (W3, S1, D1, R4, R6)."""
        return self._outcome

    @property
    def is_over(self) -> bool:
        """Whether the game is over; there is no limit of turns (R8)."""
        return self._outcome != Outcome.UNDECIDED

    @property
    def sudden_death(self) -> bool:
        """Whether both sides have equally many winning turtles, not 0; play goes on (S1, R6)."""
        return not self.is_over and self._winning[0] > 0

    @property
    def winning_turtles(self) -> tuple[int, int]:
        """Black's and White's turtles in lines of five or more, each counted once (W2)."""
        return self._winning

    @property
    def key(self) -> int:
        """A 64-bit hash: the same in every process, on every platform, in both engines.

        Egg order counts, the turn does not (R7). It stays the same in all releases of a
        major version. With mix as the finalizer of SplitMix64 and g = 0x9E3779B97F4A7C15, it
        starts at 0 and becomes mix((key ^ word) + g) for each word in turn: the black
        turtles, then the white, as a 90-bit mask with bit 10 * row + column, the low 64
        bits before the high; then the cell of each egg, oldest first.
        """
        key = 0
        words = (*_padded_words(self._board, BLACK), *_padded_words(self._board, WHITE))
        for word in (*words, *self._eggs):
            key = _mix((key ^ word) + 0x9E3779B97F4A7C15 & _WORD)
        return key

    def legal_moves(self) -> list[int]:
        """Return the cells that each player may pick, in ascending order (T1).

        They are the same for both players, who may also pick the same one. None is legal
        once the game is over.
        """
        if self.is_over:
            return []
        return empty_cells(self._board)

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Return `legal_moves` as a new `bool` array of shape (81,)."""
        return notation.to_mask(self.legal_moves())

    def is_legal(self, black: Cell, white: Cell) -> bool:
        """Return whether `play(black, white)` would play a turn.

        Raises `TypeError` if a cell is neither an int nor a string.
        """
        try:
            check_pick(self, BLACK, black), check_pick(self, WHITE, white)
        except IllegalMoveError:
            return False
        return True

    def play(self, black: Cell, white: Cell) -> Position:
        """Return the position after one turn in which the players pick these cells (T1, T2).

        The turn number goes up by one, and stays at 4294967295 once it is reached.

        Raises `IllegalMoveError` if the game is over, or a cell does not exist or is not
        empty; `TypeError` if a cell is neither an int nor a string.
        """
        return self._play(black, white)[1]

    def _play(self, black: Cell, white: Cell) -> tuple[list[Event], Position]:
        picks = check_pick(self, BLACK, black), check_pick(self, WHITE, white)
        board, eggs = list(self._board), list(self._eggs)
        events = play_turn(board, eggs, *picks)
        turn = min(self._turn + 1, MAX_TURN)
        return events, self._from_fields(notation.Fields(bytes(board), tuple(eggs), turn))

    def transform(self, symmetry: Symmetry | int) -> Position:
        """Return the position under one of the 8 symmetries of the board, the turn unchanged.

        Raises `ValueError` for anything but a `Symmetry` or an int 0..7.
        """
        image = CELL_IMAGES[check_symmetry(symmetry)]
        board = bytearray(CELLS)
        for cell, content in enumerate(self._board):
            board[image[cell]] = content
        eggs = tuple(image[cell] for cell in self._eggs)
        return self._from_fields(notation.Fields(bytes(board), eggs, self._turn))

    def swap_colors(self) -> Position:
        """Return the position with black and white turtles exchanged, the turn unchanged."""
        board = self._board.translate(bytes((EMPTY, WHITE, BLACK, EGG)) + bytes(range(4, 256)))
        return self._from_fields(notation.Fields(board, self._eggs, self._turn))

    def canonical(self) -> tuple[Position, Symmetry, bool]:
        """Return the representative of the position's class, and the transformation to it.

        A class has up to 16 positions, which the symmetries of the board and the exchange
        of colors transform into each other; its representative is the one with the smallest
        (`black`, `white`, `eggs`). The result is `(representative, symmetry, swapped)`:
        exchange the colors if `swapped`, then transform by `symmetry`. If several
        transformations give the representative, the first is returned: unswapped before
        swapped, then by symmetry. The turn is unchanged.
        """
        ways = [(symmetry, swapped) for swapped in (False, True) for symmetry in Symmetry]
        images = [
            (self.swap_colors() if swapped else self).transform(symmetry)
            for symmetry, swapped in ways
        ]
        order = [(image.black, image.white, image.eggs) for image in images]
        first = order.index(min(order))
        return images[first], *ways[first]

    def __eq__(self, other: object) -> bool:
        """R7: the three sets of cells and the order of the eggs; not the turn."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._board == other._board and self._eggs == other._eggs

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return notation.format_position(self._board, self._eggs, self._turn)

    def __repr__(self) -> str:
        return f"Position.from_string('{self}')"

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Position.from_bytes, (self.to_bytes(),)

    def _repr_svg_(self) -> str:
        """Return the picture of the board, as shown by notebooks."""
        from wts_fast import svg

        return svg.board(self)


def why_illegal(position: Position, cell: int) -> str | None:
    """T1: return why `cell` is not a legal pick for either player, or `None` if it is."""
    if position.is_over:
        return f"the game is over ({position.outcome.name})"
    if position._board[cell] != EMPTY:
        return f"the cell holds {CONTENT_NAMES[position._board[cell]]}"
    return None


def check_pick(position: Position, player: int, cell: Cell) -> int:
    """T1: return `player`'s picked cell as an int.

    Raises `IllegalMoveError` if it is not a legal pick, `TypeError` if it is neither an int
    nor a string.
    """
    try:
        number = notation.cell_index(cell)
    except ValueError:
        expected = "cells are 0..80 or a1..i9"
        raise IllegalMoveError.of_pick(player, shown(cell), expected, None) from None
    reason = why_illegal(position, number)
    if reason is not None:
        raise IllegalMoveError.of_pick(player, CELL_NAMES[number], reason, number)
    return number


def of_this_engine(position: AnyPosition) -> Position:
    """Return a position of either engine as one of this engine; `TypeError` for anything else."""
    if isinstance(position, Position):
        return position
    check_position(position)
    return Position.from_bytes(position.to_bytes())


def perft(position: AnyPosition, depth: SupportsIndex) -> int:
    """Return the number of joint-move sequences of exactly `depth` turns from `position`.

    Every turn is played, including the last ones, by the engine of this function;
    `position` may be of either engine. Finished positions are not expanded.

    Raises `ValueError` for a depth outside 0..255, `TypeError` for a depth that is not an
    integer or anything but a position.
    """
    return _count_leaves(of_this_engine(position), check_int("depth", depth, 0, MAX_DEPTH))


def _count_leaves(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    moves = position.legal_moves()
    return sum(_count_leaves(position.play(b, w), depth - 1) for b in moves for w in moves)
