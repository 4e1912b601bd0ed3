"""The compiled Position: the checks and the Python types around wts_fast/core/rules.pxd."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.long cimport PyLong_AsLong, PyLong_CheckExact
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcmp

from position.encoding cimport HEADER_BYTES, read_encoding
from position.naming cimport name_type
from wts_fast.core.bitboard cimport (
    Bitboard,
    add,
    bit_of,
    cell_of,
    contains,
    is_empty,
    pop_lowest,
    popcount,
)
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    UNDECIDED,
    WHITE_SIDE,
    empty_cells,
    key_of,
    play_turn,
    position_t,
    settle,
)

from wts_fast import notation
from wts_fast.symmetry import CELL_IMAGES, Symmetry, check_symmetry
from wts_fast.types import (
    CONTENT_NAMES,
    MAX_DEPTH,
    NO_ARGUMENTS,
    IllegalMoveError,
    Outcome,
    check_int,
    check_position,
    shown,
)

cdef enum:
    # The codes of wts_fast/types.py.
    BLACK = 1
    WHITE = 2
    EGG = 3

cdef tuple OUTCOMES = tuple(Outcome)
cdef tuple SYMMETRIES = tuple(Symmetry)
cdef uint8_t IMAGES[8][90]

cdef int _symmetry, _cell
for _symmetry in range(8):
    for _cell in range(81):
        IMAGES[_symmetry][bit_of(_cell)] = <uint8_t>bit_of(CELL_IMAGES[_symmetry][_cell])


# --- between the struct and Python ------------------------------------------------------


cdef Position wrap(const position_t *state):
    """Return a new Position with this state."""
    cdef Position position = Position.__new__(Position)
    position.state = state[0]
    return position


cdef Position of_this_engine(position):
    """Return a position of either engine as one of this engine; TypeError for anything else."""
    if isinstance(position, Position):
        return position
    check_position(position)
    return Position.from_bytes(position.to_bytes())


cdef Position from_fields(fields):
    """Return the position of a notation.Fields, which notation has validated."""
    cdef const uint8_t *board
    cdef Position position = Position.__new__(Position)
    cdef position_t *p = &position.state
    cdef int cell, i
    data, eggs, p.turn = fields
    board = <bytes>data
    for cell in range(81):
        if board[cell] == BLACK:
            add(&p.turtles[BLACK_SIDE], bit_of(cell))
        elif board[cell] == WHITE:
            add(&p.turtles[WHITE_SIDE], bit_of(cell))
        elif board[cell] == EGG:
            add(&p.eggs, bit_of(cell))
    for i, cell in enumerate(eggs):
        p.egg_order[i] = <uint8_t>bit_of(cell)
    p.egg_count = <uint8_t>len(eggs)
    settle(p)
    return position


cdef Position from_encoding(bytes encoded):
    """Decode the bytes of to_bytes; for other bytes, notation.decode raises the error."""
    cdef Position position = Position.__new__(Position)
    cdef Py_ssize_t egg_count = len(encoded) - HEADER_BYTES
    if egg_count >= 0 and read_encoding(encoded, egg_count, &position.state):
        return position
    return from_fields(notation.decode(encoded))


cdef bytes board_of(const position_t *p):
    """Return the contents of the 81 cells, as notation takes them."""
    cdef uint8_t board[81]
    cdef int cell, bit
    for cell in range(81):
        bit = bit_of(cell)
        board[cell] = <uint8_t>(
            BLACK * contains(p.turtles[BLACK_SIDE], bit)
            + WHITE * contains(p.turtles[WHITE_SIDE], bit)
            + EGG * contains(p.eggs, bit)
        )
    return board[:81]


cdef tuple eggs_of(const position_t *p):
    cdef int i
    return tuple([cell_of(p.egg_order[i]) for i in range(p.egg_count)])


cdef object mask_of(Bitboard b):
    """Return the board as an 81-bit int, bit = cell, without the padding column."""
    cdef uint64_t low = 0, high = 0
    cdef int cell
    while not is_empty(b):
        cell = cell_of(pop_lowest(&b))
        if cell < 64:
            low |= <uint64_t>1 << cell
        else:
            high |= <uint64_t>1 << (cell - 64)
    return (<object>high << 64) | low if high else low


cdef list cells_of(Bitboard b):
    cdef list cells = [None] * popcount(b)
    cdef Py_ssize_t i
    for i in range(len(cells)):
        cells[i] = cell_of(pop_lowest(&b))
    return cells


# --- picks ------------------------------------------------------------------------------


cdef int pick_of(const position_t *p, int player, object cell) except -1:
    """T1: return the bit of a picked cell; IllegalMoveError if it is not a legal pick."""
    cdef long number = -1
    cdef int bit
    if PyLong_CheckExact(cell):
        try:
            number = PyLong_AsLong(cell)
        except OverflowError:
            pass
    if not 0 <= number <= 80:
        try:
            number = notation.cell_index(cell)
        except ValueError:
            expected = "cells are 0..80 or a1..i9"
            raise IllegalMoveError.of_pick(player, shown(cell), expected, None) from None
    bit = bit_of(<int>number)
    if p.outcome != UNDECIDED:
        reason = f"the game is over ({OUTCOMES[p.outcome].name})"
        raise IllegalMoveError.of_pick(player, notation.CELL_NAMES[number], reason, number)
    if not contains(empty_cells(p), bit):
        reason = f"the cell holds {CONTENT_NAMES[board_of(p)[number]]}"
        raise IllegalMoveError.of_pick(player, notation.CELL_NAMES[number], reason, number)
    return bit


# --- symmetry ---------------------------------------------------------------------------


cdef Bitboard image_of(Bitboard b, int symmetry) noexcept nogil:
    cdef Bitboard image
    image.lo = image.hi = 0
    while not is_empty(b):
        add(&image, IMAGES[symmetry][pop_lowest(&b)])
    return image


cdef void transform(position_t *p, int symmetry) noexcept nogil:
    cdef int i
    p.turtles[BLACK_SIDE] = image_of(p.turtles[BLACK_SIDE], symmetry)
    p.turtles[WHITE_SIDE] = image_of(p.turtles[WHITE_SIDE], symmetry)
    p.eggs = image_of(p.eggs, symmetry)
    for i in range(p.egg_count):
        p.egg_order[i] = IMAGES[symmetry][p.egg_order[i]]


cdef void swap_colors(position_t *p) noexcept nogil:
    p.turtles[BLACK_SIDE], p.turtles[WHITE_SIDE] = p.turtles[WHITE_SIDE], p.turtles[BLACK_SIDE]
    settle(p)


cdef int compare_boards(Bitboard a, Bitboard b) noexcept nogil:
    """Compare as numbers; the padding column does not change the order of masks."""
    if a.hi != b.hi:
        return 1 if a.hi > b.hi else -1
    return (a.lo > b.lo) - (a.lo < b.lo)


cdef int compare(const position_t *a, const position_t *b) noexcept nogil:
    """Compare by black turtles, then white turtles, then the eggs in order."""
    cdef int order = compare_boards(a.turtles[BLACK_SIDE], b.turtles[BLACK_SIDE])
    if order == 0:
        order = compare_boards(a.turtles[WHITE_SIDE], b.turtles[WHITE_SIDE])
    if order == 0:
        order = (a.egg_count > b.egg_count) - (a.egg_count < b.egg_count)
    if order == 0:
        order = memcmp(a.egg_order, b.egg_order, a.egg_count)
    return order


# --- the class --------------------------------------------------------------------------


@cython.final
@cython.freelist(64)
cdef class Position:
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

    def __init__(self, *arguments, **named):
        if arguments or named:
            raise TypeError(NO_ARGUMENTS)

    @classmethod
    def from_string(cls, text):
        """Return the position that a position string describes.

        The string has three fields: nine rows from row 1 down, joined by `/`, with `b`,
        `w`, `e` for pieces and a digit for a run of empty cells; the eggs, oldest first,
        as cell names joined by commas, or `-`; the turns completed.

        Raises `ValueError` saying what was found, where, and what was expected; `TypeError`
        for anything but a string.
        """
        return from_fields(notation.parse_position(text))

    @classmethod
    def from_cells(cls, black, white, eggs=(), turn=0):
        """Return the position with the given turtles and eggs, the eggs oldest first.

        Raises `ValueError` if a cell does not exist or is given twice, or if `turn` is outside
        0..4294967295; `TypeError` if a cell is neither an int nor a string.
        """
        return from_fields(notation.from_cells(black, white, eggs, turn))

    @classmethod
    def from_array(cls, board, eggs=None, turn=0):
        """Return the position of an integer array of shape (9, 9): `board[row, column]`.

        Values are `EMPTY` 0, `BLACK` 1, `WHITE` 2, `EGG` 3. `eggs` names the eggs, oldest
        first; it may be omitted for a board with at most one egg.

        Raises `ValueError` for another shape, another value, or eggs that do not match the
        board; `TypeError` for an array that is not of integers.
        """
        return from_fields(notation.from_array(board, eggs, turn))

    @classmethod
    def from_bytes(cls, data):
        """Return the position that `to_bytes` of either engine encoded.

        Raises `ValueError` for bytes that are not such an encoding, `TypeError` for anything
        but a bytes-like object.
        """
        return from_encoding(bytes(memoryview(data)))

    def to_bytes(self):
        """Return a compact encoding: 27 bytes, and one more for each egg.

        Byte 0 is the version of the encoding, 1; then the turn in 4 bytes, the black and
        the white turtles as masks (bit = cell) in 11 bytes each, all little-endian; then
        the cells of the eggs, oldest first.
        """
        return notation.encode(self.black, self.white, self.eggs, self.state.turn)

    def to_array(self):
        """Return the contents of the cells as a new `int8` array of shape (9, 9)."""
        return notation.to_array(board_of(&self.state))

    @property
    def black(self):
        """The black turtles as an 81-bit mask, bit = cell."""
        return mask_of(self.state.turtles[BLACK_SIDE])

    @property
    def white(self):
        """The white turtles as an 81-bit mask, bit = cell."""
        return mask_of(self.state.turtles[WHITE_SIDE])

    @property
    def empty(self):
        """The empty cells as an 81-bit mask, bit = cell."""
        return mask_of(empty_cells(&self.state))

    @property
    def eggs(self):
        """The cells of the eggs, oldest first (B2)."""
        return eggs_of(&self.state)

    @property
    def turn(self):
        """The number of turns completed, 0..4294967295; it changes no rule (R7)."""
        return self.state.turn

    @property
    def outcome(self):
        """The outcome, from the board alone (W3, S1, D1, R4, R6)."""
        return OUTCOMES[self.state.outcome]

    @property
    def is_over(self):
        """Whether the game is over; there is no limit of turns (R8)."""
        return self.state.outcome != UNDECIDED

    @property
    def sudden_death(self):
        """Whether both sides have equally many winning turtles, not 0; play goes on (S1, R6)."""
        return self.state.outcome == UNDECIDED and self.state.winning[BLACK_SIDE] > 0

    @property
    def winning_turtles(self):
        """Black's and White's turtles in lines of five or more, each counted once (W2)."""
        return self.state.winning[BLACK_SIDE], self.state.winning[WHITE_SIDE]

    @property
    def key(self):
        """A 64-bit hash: the same in every process, on every platform, in both engines.

        Egg order counts, the turn does not (R7). It stays the same in all releases of a
        major version. With mix as the finalizer of SplitMix64 and g = 0x9E3779B97F4A7C15, it
        starts at 0 and becomes mix((key ^ word) + g) for each word in turn: the black
        turtles, then the white, as a 90-bit mask with bit 10 * row + column, the low 64
        bits before the high; then the cell of each egg, oldest first.
        """
        return key_of(&self.state)

    def legal_moves(self):
        """Return the cells that each player may pick, in ascending order (T1).

        They are the same for both players, who may also pick the same one. None is legal
        once the game is over.
        """
        if self.state.outcome != UNDECIDED:
            return []
        return cells_of(empty_cells(&self.state))

    def legal_mask(self):
        """Return `legal_moves` as a new `bool` array of shape (81,)."""
        return notation.to_mask(self.legal_moves())

    def is_legal(self, black, white):
        """Return whether `play(black, white)` would play a turn.

        Raises `TypeError` if a cell is neither an int nor a string.
        """
        try:
            pick_of(&self.state, BLACK, black)
            pick_of(&self.state, WHITE, white)
        except IllegalMoveError:
            return False
        return True

    def play(self, black, white):
        """Return the position after one turn in which the players pick these cells (T1, T2).

        The turn number goes up by one, and stays at 4294967295 once it is reached.

        Raises `IllegalMoveError` if the game is over, or a cell does not exist or is not
        empty; `TypeError` if a cell is neither an int nor a string.
        """
        cdef int black_bit = pick_of(&self.state, BLACK, black)
        cdef int white_bit = pick_of(&self.state, WHITE, white)
        cdef Position after = wrap(&self.state)
        play_turn(&after.state, black_bit, white_bit)
        return after

    def transform(self, symmetry):
        """Return the position under one of the 8 symmetries of the board, the turn unchanged.

        Raises `ValueError` for anything but a `Symmetry` or an int 0..7.
        """
        cdef Position image = wrap(&self.state)
        transform(&image.state, check_symmetry(symmetry))
        return image

    def swap_colors(self):
        """Return the position with black and white turtles exchanged, the turn unchanged."""
        cdef Position swapped = wrap(&self.state)
        swap_colors(&swapped.state)
        return swapped

    def canonical(self):
        """Return the representative of the position's class, and the transformation to it.

        A class has up to 16 positions, which the symmetries of the board and the exchange
        of colors transform into each other; its representative is the one with the smallest
        (`black`, `white`, `eggs`). The result is `(representative, symmetry, swapped)`:
        exchange the colors if `swapped`, then transform by `symmetry`. If several
        transformations give the representative, the first is returned: unswapped before
        swapped, then by symmetry. The turn is unchanged.
        """
        cdef position_t best, unturned, image
        cdef int way, best_way = 0
        best = unturned = self.state
        for way in range(16):
            if way == 8:
                swap_colors(&unturned)
            image = unturned
            transform(&image, way & 7)
            if compare(&image, &best) < 0:
                best = image
                best_way = way
        return wrap(&best), SYMMETRIES[best_way & 7], best_way >= 8

    def __eq__(self, other):
        """R7: the three sets of cells and the order of the eggs; not the turn."""
        cdef Position b
        if not isinstance(other, Position):
            return NotImplemented
        b = other
        return compare(&self.state, &b.state) == 0

    def __hash__(self):
        return hash(self.key)

    def __str__(self):
        return notation.format_position(board_of(&self.state), self.eggs, self.state.turn)

    def __repr__(self):
        return f"Position.from_string('{self}')"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return Position.from_bytes, (self.to_bytes(),)

    def _repr_svg_(self):
        """Return the picture of the board, as shown by notebooks."""
        from wts_fast import svg

        return svg.board(self)


name_type(Position, b"wts_fast.Position")


# --- perft ------------------------------------------------------------------------------

cdef enum:
    # Turns between two looks at whether the user has pressed Ctrl-C.
    TURNS_A_LOOK = 1 << 20


cdef int64_t count_leaves(const position_t *p, int depth, int64_t *to_look) except -1 nogil:
    """Play all sequences of `depth` turns, depth > 0, and count them."""
    cdef position_t after
    cdef Bitboard blacks, whites
    cdef int black
    cdef int64_t leaves = 0
    if p.outcome != UNDECIDED:
        return 0
    blacks = empty_cells(p)
    while not is_empty(blacks):
        black = pop_lowest(&blacks)
        whites = empty_cells(p)
        to_look[0] -= popcount(whites)
        if to_look[0] < 0:
            to_look[0] = TURNS_A_LOOK
            with gil:
                PyErr_CheckSignals()
        while not is_empty(whites):
            after = p[0]
            play_turn(&after, black, pop_lowest(&whites))
            leaves += 1 if depth == 1 else count_leaves(&after, depth - 1, to_look)
    return leaves


def perft(position, depth):
    """Return the number of joint-move sequences of exactly `depth` turns from `position`.

    Every turn is played, including the last ones, by the engine of this function;
    `position` may be of either engine. Finished positions are not expanded.

    Raises `ValueError` for a depth outside 0..255, `TypeError` for a depth that is not an
    integer or anything but a position.
    """
    cdef Position root
    cdef int64_t to_look = TURNS_A_LOOK
    cdef int64_t leaves
    cdef int turns
    root = of_this_engine(position)
    turns = check_int("depth", depth, 0, MAX_DEPTH)
    if turns == 0:
        return 1
    with nogil:
        leaves = count_leaves(&root.state, turns, &to_look)
    return leaves
