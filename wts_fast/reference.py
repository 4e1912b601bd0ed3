"""The readable engine: What the Shell in pure Python, one short function a rule.

It is written to be read and believed. The compiled core is tested against it, and other
engines are checked against it. Ids such as C6 or R2 name the rules and the rulings, as in
docs/rules.md.

A turn runs through `resolve_turn` in the order of rule T2: placement (or a collision),
captures, hatching, win check. Every step reports what it did as events, so the turn that
`Position.play` plays and the turn that `trace` tells are one and the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex, final

from wts_fast import notation
from wts_fast.notation import CELL_NAMES
from wts_fast.symmetry import CELL_IMAGES, Symmetry, check_symmetry
from wts_fast.types import (
    BLACK,
    CELLS,
    CONTENT_NAMES,
    EGG,
    EMPTY,
    MAX_DEPTH,
    MAX_TURN,
    PLAYER_NAMES,
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

# --- geometry ---------------------------------------------------------------------------

DIRECTIONS: Final = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The eight directions as (rows down, columns right), clockwise from straight up."""

LINE_DIRECTIONS: Final = DIRECTIONS[1:5]
"""One of each two opposite directions: a line is the same line from both ends."""


def ray(cell: int, direction: tuple[int, int], length: int) -> tuple[int, ...]:
    """Return the `length` cells that follow `cell`, or none where the board ends before."""
    row, column = divmod(cell, SIZE)
    down, right = direction
    if not (0 <= row + length * down < SIZE and 0 <= column + length * right < SIZE):
        return ()
    return tuple(SIZE * (row + i * down) + column + i * right for i in range(1, length + 1))


TRAPS: Final = tuple(
    tuple(run for direction in DIRECTIONS if (run := ray(cell, direction, 3)))
    for cell in range(CELLS)
)
"""For each cell the runs of three cells that a trap closed from there would take."""

FIVES: Final = tuple(
    (cell, *run)
    for cell in range(CELLS)
    for direction in LINE_DIRECTIONS
    if (run := ray(cell, direction, 4))
)
"""All runs of five cells in a row, a column or a diagonal."""


# --- what happens in a turn -------------------------------------------------------------


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


def opponent(player: int) -> int:
    """Return the other player."""
    return WHITE if player == BLACK else BLACK


def is_enemy(content: int, player: int) -> bool:
    """C2: turtles of the other color are enemy pieces, and so are eggs (B2)."""
    return content in (opponent(player), EGG)


def captures_of(board: list[int], player: int, cell: int) -> list[Captured]:
    """C1, C3, C5: what `player`'s turtle that has just arrived on `cell` captures.

    Each direction is looked at on its own: two enemy pieces, then a turtle of its own.
    Two is exact, for the third cell must be a turtle of its own.

    C4: only arriving turtles are asked, so one that steps into a trap is safe.
    """
    return [
        Captured(player, cell, (first, second))
        for first, second, third in TRAPS[cell]
        if is_enemy(board[first], player)
        and is_enemy(board[second], player)
        and board[third] == player
    ]


def remove(board: list[int], eggs: list[int], captures: list[Captured]) -> None:
    """T3: captured pieces leave the board; a captured egg will not hatch (H5).

    C6: a piece captured twice leaves once.
    """
    for cell in {cell for capture in captures for cell in capture.cells}:
        if board[cell] == EGG:
            eggs.remove(cell)
        board[cell] = EMPTY


def lay_egg(board: list[int], eggs: list[int], cell: int) -> list[Event]:
    """E1: no turtle lands, an egg is laid as the newest."""
    board[cell] = EGG
    eggs.append(cell)
    return [Laid(cell)]


def place(board: list[int], black: int, white: int) -> list[Event]:
    """T2: both turtles land."""
    board[black] = BLACK
    board[white] = WHITE
    return [Placed(BLACK, black), Placed(WHITE, white)]


def capture_together(
    board: list[int], eggs: list[int], black: int, white: int
) -> tuple[list[Captured], list[Captured]]:
    """C6: both players' captures are computed on one board, before anything is removed."""
    by_black = captures_of(board, BLACK, black)
    by_white = captures_of(board, WHITE, white)
    remove(board, eggs, by_black + by_white)
    return by_black, by_white


def vanish_together(board: list[int], eggs: list[int], claims: int) -> list[Event]:
    """H3, R1: one capture of each side is spent for each oldest egg, and it vanishes."""
    events: list[Event] = []
    for cell in eggs[:claims]:
        board[cell] = EMPTY
        events.append(Vanished(cell))
    del eggs[:claims]
    return events


def hatch_in_turn(board: list[int], eggs: list[int], player: int, captures: int) -> list[Event]:
    """H1, H2, R2: eggs hatch one after another, the oldest first.

    The captures of a hatched turtle are removed, and add to the captures left to spend,
    before the next egg hatches. H4, H5: it ends when captures or eggs run out, and what
    is left is lost. R3: only `player`'s turtles arrive now, so no piece is captured twice.
    """
    events: list[Event] = []
    while captures > 0 and eggs:
        captures -= 1
        cell = eggs.pop(0)
        board[cell] = player
        caught = captures_of(board, player, cell)
        remove(board, eggs, caught)
        captures += len(caught)
        events += [Hatched(player, cell), *caught]
    return events


def hatch(board: list[int], eggs: list[int], by_black: int, by_white: int) -> list[Event]:
    """H3, R1: eggs vanish while both have captures to spend; then one side hatches."""
    both = min(by_black, by_white)
    events = vanish_together(board, eggs, both)
    player = BLACK if by_black > by_white else WHITE
    return events + hatch_in_turn(board, eggs, player, max(by_black, by_white) - both)


def resolve_turn(board: list[int], eggs: list[int], black: int, white: int) -> list[Event]:
    """T1, T2: resolve one turn on `board` and `eggs`, in place, and return its events.

    E2: after a collision nothing is captured and nothing hatches.
    """
    if black == white:
        return lay_egg(board, eggs, black)
    placed = place(board, black, white)
    by_black, by_white = capture_together(board, eggs, black, white)
    return [*placed, *by_black, *by_white, *hatch(board, eggs, len(by_black), len(by_white))]


def count_winning_turtles(board: Iterable[int], player: int) -> int:
    """W2: the turtles of `player` in lines of five or more, each counted once."""
    own = {cell for cell, content in enumerate(board) if content == player}
    return len({cell for five in FIVES if own.issuperset(five) for cell in five})


def decide(black_count: int, white_count: int, full: bool) -> Outcome:
    """W3, S1, S2, D1, R4, R5, R6: the outcome, from the counts and whether the board is full.

    Equal counts decide nothing, whether zero or not: play goes on, in Sudden Death where
    they are above zero (S1) and normally where they are zero (S2). A full board that
    nobody has won is a draw (D1), in Sudden Death too (R4), and however it filled (R5).
    """
    if black_count > white_count:
        return Outcome.BLACK_WINS
    if white_count > black_count:
        return Outcome.WHITE_WINS
    return Outcome.DRAW if full else Outcome.UNDECIDED


def why_illegal(position: Position, cell: int) -> str | None:
    """T1: return why `cell` may not be picked, or `None` where it may, by either player."""
    if position.is_over:
        return f"the game is over ({position.outcome.name})"
    if position._board[cell] != EMPTY:
        return f"the cell holds {CONTENT_NAMES[position._board[cell]]}"
    return None


def check_pick(position: Position, player: int, cell: Cell) -> int:
    """T1: return `player`'s picked cell as an int.

    Raises `IllegalMoveError` where it is not a legal pick, `TypeError` where it is neither
    an int nor a string.
    """
    try:
        number = notation.cell_index(cell)
    except ValueError:
        raise IllegalMoveError(
            f"{PLAYER_NAMES[player]} cannot pick {shown(cell)}: cells are 0..80 or a1..i9"
        ) from None
    reason = why_illegal(position, number)
    if reason is not None:
        name = CELL_NAMES[number]
        raise IllegalMoveError(f"{PLAYER_NAMES[player]} cannot pick {name}: {reason}")
    return number


# --- the position -----------------------------------------------------------------------

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

    Positions are equal where turtles, eggs and egg order are; the turn is left out (R7).
    They are hashable, and threads may share them. The type cannot be subclassed.

    Positions of the two engines are never equal; `from_bytes` and `to_bytes` lead from one
    to the other.

    A cell is an `int` 0..80, 9 * row + column from the top left, or a name: `"a1"` is 0 in
    the top left corner, `"i1"` 8 in the top right, `"i9"` 80.
    """

    __slots__ = ("_board", "_eggs", "_outcome", "_turn", "_winning")

    _board: bytes
    _eggs: tuple[int, ...]
    _turn: int
    _winning: tuple[int, int]
    _outcome: Outcome

    def __new__(cls) -> Position:
        return cls._from_fields(notation.Fields(bytes(CELLS), (), 0))

    def __init_subclass__(cls) -> None:
        raise TypeError("type 'Position' is not an acceptable base type")

    @classmethod
    def _from_fields(cls, fields: notation.Fields) -> Position:
        """W1: lines are counted on the board as it stands once a turn has settled."""
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

        Raises `ValueError` saying what stands where and what was expected, `TypeError` for
        what is no string.
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

        Raises `ValueError` where a cell does not exist or is given twice, or where `turn`
        is outside 0..4294967295; `TypeError` where a cell is neither an int nor a string.
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
        first; it may be left out for a board with one egg or none.

        Raises `ValueError` for another shape, another value, or eggs that do not fit the
        board; `TypeError` for an array that is not of integers.
        """
        return cls._from_fields(notation.from_array(board, eggs, turn))

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Position:
        """Return the position that `to_bytes` of either engine encoded.

        Raises `ValueError` for bytes that it could not have written, `TypeError` for what
        are no bytes.
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
        """Whether the game has ended; no number of turns ends it by itself (R8)."""
        return self._outcome != Outcome.UNDECIDED

    @property
    def sudden_death(self) -> bool:
        """Whether both sides have winning turtles, equally many, and play goes on (S1, R6)."""
        return not self.is_over and self._winning[0] > 0

    @property
    def winning_turtles(self) -> tuple[int, int]:
        """Black's and White's turtles in lines of five or more, each counted once (W2)."""
        return self._winning

    @property
    def key(self) -> int:
        """A 64-bit hash: the same in every process, on every platform, in both engines.

        Egg order counts, the turn does not (R7). It stays the same in all releases of a
        major version. With mix the finalizer of SplitMix64 and g = 0x9E3779B97F4A7C15, it
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
        return [cell for cell in range(CELLS) if self._board[cell] == EMPTY]

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Return `legal_moves` as a new `bool` array of shape (81,)."""
        return notation.to_mask(self.legal_moves())

    def is_legal(self, black: Cell, white: Cell) -> bool:
        """Return whether `play(black, white)` would play a turn.

        Raises `TypeError` where a cell is neither an int nor a string.
        """
        try:
            check_pick(self, BLACK, black), check_pick(self, WHITE, white)
        except IllegalMoveError:
            return False
        return True

    def play(self, black: Cell, white: Cell) -> Position:
        """Return the position after one turn in which the players pick these cells (T1, T2).

        The turn number goes up by one, and stays where it is at 4294967295.

        Raises `IllegalMoveError` where the game is over, a cell does not exist or is not
        empty; `TypeError` where a cell is neither an int nor a string.
        """
        return self._play(black, white)[1]

    def _play(self, black: Cell, white: Cell) -> tuple[list[Event], Position]:
        picks = check_pick(self, BLACK, black), check_pick(self, WHITE, white)
        board, eggs = list(self._board), list(self._eggs)
        events = resolve_turn(board, eggs, *picks)
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
        """Return the representative of the position's class, and what leads to it.

        A class holds the up to 16 positions that the symmetries of the board and the
        exchange of colors make of each other; its representative is the one with the
        smallest (`black`, `white`, `eggs`). The result is `(representative, symmetry,
        swapped)`: exchange the colors if `swapped`, then transform by `symmetry`. Where
        several lead there, it is the first: unswapped before swapped, then by symmetry. The
        turn is unchanged.
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


# --- functions on positions -------------------------------------------------------------


class Trace(NamedTuple):
    """A turn told step by step."""

    events: tuple[Event, ...]
    """What happened, in order."""
    position: Any
    """The position after the turn, of the engine that was asked."""
    winning_turtles: tuple[int, int]
    """Black's and White's winning turtles after the turn (W2)."""
    outcome: Outcome
    """The outcome after the turn (W3)."""

    def __str__(self) -> str:
        """Return the turn in words, one line an event and one for how it ends."""
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
    """Tell the turn in which the players pick these cells, event by event.

    `position` may come from either engine, and the position after comes from the same; the
    events always come from this one. Raises what `Position.play` raises, and `TypeError` for
    what is no position.
    """
    before = of_this_engine(position)
    events, after = before._play(black, white)
    result = after if before is position else type(position).from_bytes(after.to_bytes())
    return Trace(tuple(events), result, after.winning_turtles, after.outcome)


def of_this_engine(position: AnyPosition) -> Position:
    """Return a position of either engine as one of this engine; `TypeError` for anything else."""
    if isinstance(position, Position):
        return position
    check_position(position)
    return Position.from_bytes(position.to_bytes())


def perft(position: AnyPosition, depth: SupportsIndex) -> int:
    """Return the number of joint-move sequences of exactly `depth` turns from `position`.

    Every turn is played, the last ones too, by the engine that this function belongs to;
    `position` may come from either. Finished positions are not expanded.

    Raises `ValueError` for a depth outside 0..255, `TypeError` for one that is no integer
    and for what is no position.
    """
    return _count_leaves(of_this_engine(position), check_int("depth", depth, 0, MAX_DEPTH))


def _count_leaves(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    moves = position.legal_moves()
    return sum(_count_leaves(position.play(b, w), depth - 1) for b in moves for w in moves)
