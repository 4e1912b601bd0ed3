"""Many games in one block of memory, played by arrays."""

cimport cython
from position.arrays cimport array_for, memory_of, opened
from position.encoding cimport HEADER_BYTES, read_encoding, write_header
from position.naming cimport name_type
from cpython.exc cimport PyErr_CheckSignals
from cpython.memoryview cimport PyMemoryView_GET_BUFFER
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy, memset

from batch.kernel.groups cimport FEW_GAMES, count_undecided, play_on
from batch.playout cimport Game, limit_of
from batch.kernel.slices cimport (
    CELLS,
    GAMES,
    GROUP_WORDS,
    ILLEGAL,
    KERNEL,
    PICK_PLANES,
    VECTOR_ALIGNMENT,
    Group,
    Kernel,
    Moves,
    Streams,
    aligned,
    board_of_mask,
    change,
    game_at,
    holds,
    note_bytes,
    picked_cell,
    read_bytes,
    read_game,
    set_board,
    shift_of,
    update_board,
    word_of,
    write_game,
    write_stream,
)
from batch.streams cimport Stream, start_stream
from batch.lines cimport fill_tables
from wts_fast.core.position cimport Position, of_this_engine, transform, wrap
from wts_fast.core.bitboard cimport cell_of, lowest_bit
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    BLACK_WINS,
    DRAWN,
    UNDECIDED,
    WHITE_SIDE,
    WHITE_WINS,
    key_of,
    position_t,
    settle,
)

from numbers import Real
from operator import index
from threading import RLock

import numpy as np

from wts_fast import notation
from wts_fast.core.levels import kernel as _kernel
from wts_fast.randomness import seed_of
from wts_fast.symmetry import check_symmetries
from wts_fast.threads import MAX_THREADS, in_shares
from wts_fast.types import (
    BLACK,
    WHITE,
    IllegalMoveError,
    check_int,
    check_player,
    shown,
)

cdef Kernel *kernel = <Kernel *>PyCapsule_GetPointer(_kernel, KERNEL)

cdef object BOOL = np.dtype(np.bool_)
cdef object INT8 = np.dtype(np.int8)
cdef object UINT8 = np.dtype(np.uint8)
cdef object UINT32 = np.dtype(np.uint32)
cdef object UINT64 = np.dtype(np.uint64)
cdef object INTP = np.dtype(np.intp)
cdef object FLOAT32 = np.dtype(np.float32)

cdef object MAX_GAMES = 2**31 - 1

cdef enum:
    PLANES = 5  # of an observation
    ROW_BYTES = HEADER_BYTES + CELLS
    NO_EGG = 0xFF  # fills a row up

# Groups stand one behind another, and vectors in all of them.
assert sizeof(Group) % VECTOR_ALIGNMENT == 0

fill_tables()

# What eight cells, given as the bits of a byte, become in an array.
cdef uint8_t BYTES_OF[256][8]
cdef uint8_t SHADES_OF[256][8]
cdef float FLOATS_OF[256][8]

cdef int _byte, _bit
for _byte in range(256):
    for _bit in range(8):
        BYTES_OF[_byte][_bit] = _byte >> _bit & 1
        SHADES_OF[_byte][_bit] = 255 * (_byte >> _bit & 1)
        FLOATS_OF[_byte][_bit] = _byte >> _bit & 1


# --- picks ------------------------------------------------------------------------------


cdef object open_moves(name, picks, Py_ssize_t n, Moves *m):
    """Return a view of the picks of one player, to keep as long as `m` is used.

    Raises ValueError or TypeError for what are no n integers.
    """
    cdef Py_buffer *buffer
    array = np.asarray(picks)
    if array.dtype.kind not in "iu" and array.size:  # NumPy makes no list of none integers
        raise TypeError(f"{name} must be an array of integers, not of {array.dtype}")
    if array.shape != (n,):
        raise ValueError(f"{name} has shape {array.shape}: expected ({n},)")
    if not (array.flags.aligned and array.dtype.isnative):
        array = array.astype(array.dtype.newbyteorder("="))
    view = memoryview(array)
    buffer = PyMemoryView_GET_BUFFER(view)
    m.first, m.stride, m.size = <const char *>buffer.buf, buffer.strides[0], buffer.itemsize
    return view


# --- out to arrays ----------------------------------------------------------------------


cdef struct Masks:
    # The boards of a group, by bytes that hold eight cells each.
    uint8_t foes_of_black[11][512]
    uint8_t foes_of_white[11][512]


ctypedef fused element:
    uint8_t
    float


cdef inline void write_cells(
    element *out, const element table[256][8], const uint8_t *mask
) noexcept nogil:
    """Write 81 cells, given as bits, as elements of an array."""
    cdef int i
    for i in range(10):
        memcpy(out + 8 * i, table[mask[i]], 8 * sizeof(element))
    out[80] = table[mask[10]][0]


cdef inline void read_sides(
    const Masks *m, int game, uint8_t *black, uint8_t *white, uint8_t *eggs
) noexcept nogil:
    """Read the turtles and the eggs of a game, as 11 bytes each."""
    cdef int i
    for i in range(11):
        eggs[i] = m.foes_of_black[i][game] & m.foes_of_white[i][game]
        black[i] = m.foes_of_white[i][game] & ~eggs[i]
        white[i] = m.foes_of_black[i][game] & ~eggs[i]


cdef inline void read_masked(
    const Group *g, const Masks *m, int game, position_t *p
) noexcept nogil:
    """Read a game's position as `read_game` does, sooner where all games are read."""
    set_board(p, board_of_mask(m.foes_of_black, game), board_of_mask(m.foes_of_white, game))
    read_bytes(g, game, p)


cdef inline void write_ages(
    element *out, element highest, const Group *g, int game
) noexcept nogil:
    """Write the eggs' places in the order of hatching: the next to hatch is the highest."""
    cdef int egg_count = g.egg_counts[game], i
    memset(out, 0, CELLS * sizeof(element))
    for i in range(egg_count):
        out[cell_of(g.egg_orders[i][game])] = <element>(
            <float>highest * <float>(egg_count - i) / <float>egg_count + <float>0.5
            if element is uint8_t
            else <float>(egg_count - i) / <float>egg_count
        )


cdef inline void fill_cells(element *out, element value) noexcept nogil:
    cdef int cell
    for cell in range(CELLS):
        out[cell] = value


cdef void observe_group(
    const Group *g,
    const Masks *m,
    int count,
    bint as_black,
    element *out,
    element highest,
    const element table[256][8],
) noexcept nogil:
    """Write the planes of the first `count` games of a group, as one player sees them."""
    cdef uint8_t turtles[2][11]
    cdef uint8_t eggs[11]
    cdef int own = BLACK_SIDE if as_black else WHITE_SIDE
    cdef int game
    for game in range(count):
        read_sides(m, game, turtles[BLACK_SIDE], turtles[WHITE_SIDE], eggs)
        write_cells(out, table, turtles[own])
        write_cells(out + CELLS, table, turtles[1 - own])
        write_cells(out + 2 * CELLS, table, eggs)
        write_ages(out + 3 * CELLS, highest, g, game)
        fill_cells(out + 4 * CELLS, highest if holds(g.with_lines, game) else <element>0)
        out += PLANES * CELLS


cdef void write_boards(const Masks *m, int count, uint8_t *out) noexcept nogil:
    """Write the contents of all cells: their codes are sums of 1 and 2 (types.py)."""
    cdef uint64_t ones, twos
    cdef int game, i
    for game in range(count):
        for i in range(10):
            memcpy(&ones, BYTES_OF[m.foes_of_white[i][game]], 8)
            memcpy(&twos, BYTES_OF[m.foes_of_black[i][game]], 8)
            ones += 2 * twos
            memcpy(out + 8 * i, &ones, 8)
        out[80] = (m.foes_of_white[10][game] & 1) + 2 * (m.foes_of_black[10][game] & 1)
        out += CELLS


cdef void write_legal(const Group *g, const Masks *m, int count, uint8_t *out) noexcept nogil:
    """T1: write which cells may be picked."""
    cdef uint8_t empty[11]
    cdef int game, i
    for game in range(count):
        for i in range(11):
            empty[i] = ~(m.foes_of_black[i][game] | m.foes_of_white[i][game])
            if g.outcomes[game] != UNDECIDED:
                empty[i] = 0
        write_cells(out, BYTES_OF, empty)
        out += CELLS


cdef void write_picks(const Group *g, int count, int8_t *black, int8_t *white) noexcept nogil:
    """Write the cells that are picked, or -1 where the game is over."""
    cdef uint8_t picks[5][512]
    cdef int game
    kernel.bytes_of(g.picks, PICK_PLANES, picks)
    for game in range(count):
        black[game] = white[game] = -1
        if g.outcomes[game] == UNDECIDED:
            black[game] = <int8_t>picked_cell(picks, BLACK_SIDE, game)
            white[game] = <int8_t>picked_cell(picks, WHITE_SIDE, game)


cdef void write_rows(const Group *g, const Masks *m, int count, uint8_t *out) noexcept nogil:
    """Write the encodings of games, each filled up to the same number of bytes."""
    cdef uint8_t eggs[11]
    cdef int game, i
    for game in range(count):
        write_header(out, g.turns[game])
        read_sides(m, game, out + 5, out + 16, eggs)
        memset(out + HEADER_BYTES, NO_EGG, CELLS)
        for i in range(g.egg_counts[game]):
            out[HEADER_BYTES + i] = <uint8_t>cell_of(g.egg_orders[i][game])
        out += ROW_BYTES


cdef inline Py_ssize_t eggs_in(const uint8_t *row, Py_ssize_t width) noexcept nogil:
    """The number of eggs in a row, which may name cells that are none."""
    while width > HEADER_BYTES and row[width - 1] == NO_EGG:
        width -= 1
    return width - HEADER_BYTES


# --- symmetries -------------------------------------------------------------------------


cdef void transform_group(
    Group *g, const Masks *m, int count, const uint8_t *symmetries
) noexcept nogil:
    """Transform the first `count` games of a group, whose boards are in `m` too."""
    cdef position_t before, after
    cdef int game, i
    for game in range(count):
        if symmetries[game] == 0:
            continue
        read_masked(g, m, game, &before)
        after = before
        transform(&after, symmetries[game])
        update_board(g, game, &before, &after)
        for i in range(after.egg_count):
            g.egg_orders[i][game] = after.egg_order[i]


cdef void swap_group(Group *g) noexcept nogil:
    """Exchange the colors of the chosen games: each side's foes become the other's."""
    cdef uint64_t differing
    cdef int cell, word, game
    for cell in range(CELLS):
        for word in range(GROUP_WORDS):
            differing = (g.foes_of_black[cell][word] ^ g.foes_of_white[cell][word]) & g.chosen[word]
            g.foes_of_black[cell][word] ^= differing
            g.foes_of_white[cell][word] ^= differing
    for game in range(GAMES):
        if holds(g.chosen, game) and g.outcomes[game] in (BLACK_WINS, WHITE_WINS):
            g.outcomes[game] = BLACK_WINS + WHITE_WINS - g.outcomes[game]


# --- random games -----------------------------------------------------------------------


cdef void start_streams(Streams *s, uint64_t seed, uint64_t first) noexcept nogil:
    """Start the streams of the games of a group, the first of which has this number."""
    cdef Stream stream
    cdef int game
    for game in range(GAMES):
        start_stream(&stream, seed, first + <uint64_t>game)
        write_stream(s, game, &stream)


cdef void play_out(Group *g, Streams *s, int limit) noexcept nogil:
    """Play the games of a group to their end, or for `limit` turns."""
    cdef position_t before
    cdef Game alone
    cdef uint64_t undecided
    cdef int word, game
    while limit > 0 and count_undecided(g) > FEW_GAMES:
        kernel.pick_at_random(g, s)
        kernel.play(g)
        limit -= 1
    if limit == 0:
        return
    for word in range(GROUP_WORDS):
        undecided = g.undecided[word]
        while undecided:
            game = game_at(word, lowest_bit(undecided))
            play_on(g, s, game, limit, &before, &alone)
            write_game(g, game, &before, &alone.position)
            undecided &= undecided - 1


# --- the class --------------------------------------------------------------------------


@cython.final
cdef class Batch:
    """`n` games in one block of memory, changed in place and driven by arrays.

    `Batch(n)` starts n games from the empty board, 0 <= n < 2**31. The games go on
    independently of each other; a game that is over stays as it is until it is reset.

    `len(batch)` is n. `batch[i]` is the position of a game; `batch[2:9]`, `batch[[4, 1]]` and
    `batch[mask]` are new batches. All of these can be set.

    Arrays for results may be brought as `out`: C-contiguous, writable, of the shape and
    dtype that the method names. They are written to and returned, so that a loop of steps
    allocates nothing. A method that raises leaves batch and arrays as they were.

    Games are moved 512 at once, so a batch is fastest where n is a multiple of 512. Threads
    may share a batch: one call at a time goes on, the others wait. The type cannot be
    subclassed.

    Raises `ValueError` where `n` is out of range, `TypeError` where it is no integer,
    `MemoryError` where there is no room: 512 games, begun or not, take 57 KB.
    """

    cdef object lock
    cdef void *memory
    cdef Group *groups
    cdef Py_ssize_t group_count
    cdef Py_ssize_t n
    cdef uint64_t changes  # so far, by calls

    def __cinit__(self, n):
        self.n = check_int("n", n, 0, MAX_GAMES)
        self.lock = RLock()
        self.group_count = self.n // GAMES + (self.n % GAMES != 0)
        # One group more is room to align them.
        self.memory = PyMem_RawCalloc(self.group_count + 1, sizeof(Group))
        if self.memory == NULL:
            raise MemoryError(f"no room for a batch of {self.n} games")
        self.groups = <Group *>aligned(self.memory)
        self.start_all()

    def __dealloc__(self):
        PyMem_RawFree(self.memory)

    @classmethod
    def from_positions(cls, positions):
        """Return a batch of games that stand at these positions, of either engine.

        Raises `TypeError` for anything else among them.
        """
        cdef list games = [of_this_engine(position) for position in positions]
        batch = Batch(len(games))
        for game, position in enumerate(games):
            batch[game] = position
        return batch

    @classmethod
    def from_rows(cls, rows):
        """Return a batch of the games that `to_rows` encoded.

        `rows` is a `uint8` array of shape (n, width), strided or not, 27 <= width <= 108.
        Columns on the right that hold nothing but 255 may have been left out.

        Raises `ValueError` for another shape, and for a row that `to_rows` could not have
        written, whose number it names; `TypeError` for another dtype.
        """
        cdef const uint8_t *data
        cdef Py_ssize_t width, bad
        cdef Batch batch
        rows = np.array(rows, order="C")  # nobody else can change a copy
        if rows.dtype != UINT8:
            raise TypeError(f"rows must be an array of uint8, not of {rows.dtype}")
        if rows.ndim != 2 or not HEADER_BYTES <= rows.shape[1] <= ROW_BYTES:
            raise ValueError(
                f"rows has shape {rows.shape}: "
                f"expected (n, width) with width {HEADER_BYTES}..{ROW_BYTES}"
            )
        batch, width = Batch(rows.shape[0]), rows.shape[1]
        view = memoryview(rows)
        data = <const uint8_t *>memory_of(view)
        with nogil:
            bad = batch.read_rows(data, width)
        if bad >= 0:
            row = rows[bad, : HEADER_BYTES + eggs_in(data + bad * width, width)]
            try:
                notation.decode(row.tobytes())
            except ValueError as error:
                raise ValueError(f"row {bad}: {error}") from None
        return batch

    @classmethod
    def concatenate(cls, batches):
        """Return a new batch of the games of all batches, one batch behind another.

        Raises `TypeError` for anything but batches, `ValueError` for more than 2**31 - 1
        games.
        """
        cdef Batch source, result
        cdef Py_ssize_t game, first = 0
        cdef list sources = list(batches)
        for batch in sources:
            if not isinstance(batch, Batch):
                raise TypeError(f"expected batches, not {type(batch).__name__}")
        result = Batch(sum(map(len, sources)))
        for source in sources:
            with source.lock, nogil:
                for game in range(source.n):
                    result.start_game(first + game, source.state_of(game))
            first += source.n
        return result

    # -- inside: no locks, no checks

    cdef void start_all(self) noexcept:
        """Set all games to the empty board; what fills the last group up is over."""
        cdef Py_ssize_t game
        memset(self.groups, 0, <size_t>self.group_count * sizeof(Group))
        for game in range(self.group_count * GAMES):
            if game < self.n:
                change(self.group(game).undecided, game % GAMES, True)
            else:
                self.group(game).outcomes[game % GAMES] = DRAWN

    cdef void take(self, Batch other) noexcept:
        """Become the same games as another batch of as many."""
        memcpy(self.groups, other.groups, <size_t>self.group_count * sizeof(Group))
        self.changes += 1

    cdef inline Group *group(self, Py_ssize_t game) noexcept nogil:
        return self.groups + game // GAMES

    cdef inline int count_in(self, Py_ssize_t i) noexcept nogil:
        """The number of games in group i."""
        return <int>min(self.n - i * GAMES, <Py_ssize_t>GAMES)

    cdef Py_ssize_t index_of(self, game) except -1:
        cdef Py_ssize_t i
        try:
            i = index(game)
        except OverflowError:
            i = self.n
        if not -self.n <= i < self.n:
            raise IndexError(f"game {shown(game)} of a batch of {self.n}")
        return i + self.n if i < 0 else i

    cdef object indices_of(self, games):
        """Return the numbers of the games that a slice, a list or an array chooses, as intp."""
        if isinstance(games, slice):
            return np.arange(*games.indices(self.n), dtype=INTP)
        array = None if isinstance(games, tuple) else np.array(games)  # no one changes a copy
        if array is None or array.ndim == 0:
            kind = type(games).__name__
            raise TypeError(
                f"games are chosen by an int, a slice, or an array of ints or bools, not {kind}"
            )
        if array.dtype == BOOL:
            if array.shape != (self.n,):
                raise IndexError(f"the mask has shape {array.shape}: expected ({self.n},)")
            return np.flatnonzero(array)
        if array.dtype.kind not in "iu" and array.size:  # NumPy makes no list of none integers
            raise IndexError(f"games are chosen by integers or bools, not by {array.dtype}")
        if array.ndim != 1:
            raise IndexError(f"the array of games has shape {array.shape}: expected one axis")
        outside = array[(array < -self.n) | (array >= self.n)]
        if outside.size:
            raise IndexError(f"game {outside[0]} of a batch of {self.n}")
        array = array.astype(INTP)
        array[array < 0] += self.n
        return array

    cdef object chosen_by(self, where):
        """Return a mask of games as bytes; all are chosen where it is None."""
        if where is None:
            return np.ones(self.n, dtype=UINT8)
        mask = np.asarray(where)
        if mask.dtype != BOOL:
            raise TypeError(f"where must be an array of bool, not of {mask.dtype}")
        if mask.shape != (self.n,):
            raise ValueError(f"where has shape {mask.shape}: expected ({self.n},)")
        return mask.view(UINT8)

    cdef inline void choose(self, Py_ssize_t i, const uint8_t[:] chosen) noexcept nogil:
        """Write the chosen games of group i to its plane `chosen`."""
        cdef Group *g = self.groups + i
        cdef int game
        memset(g.chosen, 0, sizeof(g.chosen))
        for game in range(self.count_in(i)):
            if chosen[i * GAMES + game]:
                g.chosen[word_of(game)] |= <uint64_t>1 << shift_of(game)

    cdef void start_game(self, Py_ssize_t game, position_t position) noexcept nogil:
        """Set a game that stands at the empty board."""
        cdef position_t empty
        memset(&empty, 0, sizeof(empty))
        write_game(self.group(game), <int>(game % GAMES), &empty, &position)

    cdef void set_game(self, Py_ssize_t game, position_t position) noexcept nogil:
        cdef position_t before
        read_game(self.group(game), <int>(game % GAMES), &before)
        write_game(self.group(game), <int>(game % GAMES), &before, &position)

    cdef Py_ssize_t read_rows(self, const uint8_t *rows, Py_ssize_t width) noexcept nogil:
        """Set games that stand at the empty board; returns the first malformed row, or -1."""
        cdef position_t p
        cdef Py_ssize_t game
        for game in range(self.n):
            if not read_encoding(rows, eggs_in(rows, width), &p):
                return game
            self.start_game(game, p)
            rows += width
        return -1

    cdef int set_games(self, games, positions) except -1:
        """Set games, an array of intp, to positions: one for all or one for each."""
        cdef const Py_ssize_t[:] targets = games
        cdef Batch source
        cdef Py_ssize_t i, count = len(games)
        if isinstance(positions, Batch):
            source = positions.copy()  # it may be this one, and two locks could wait for ever
        else:
            source = Batch.from_positions(
                [positions] if hasattr(positions, "eggs") else positions
            )
        if source.n != count and source.n != 1:
            raise ValueError(
                f"{source.n} positions for {count} games: expected one for all or one for each"
            )
        with self.lock, nogil:
            self.changes += 1
            for i in range(count):
                self.set_game(targets[i], source.state_of(i if source.n > 1 else 0))
        return 0

    cdef position_t state_of(self, Py_ssize_t game) noexcept nogil:
        cdef position_t p
        read_game(self.group(game), <int>(game % GAMES), &p)
        settle(&p)
        return p

    cdef Py_ssize_t pick(self, const Moves *black, const Moves *white) noexcept nogil:
        """Take the picks of all games; returns a group with one that is not legal, or -1."""
        cdef uint8_t blacks[GAMES]
        cdef uint8_t whites[GAMES]
        cdef Group *g
        cdef Py_ssize_t i
        for i in range(self.group_count):
            g = self.groups + i
            kernel.read_cells(black, i * GAMES, self.count_in(i), g.outcomes, blacks)
            kernel.read_cells(white, i * GAMES, self.count_in(i), g.outcomes, whites)
            if (
                memchr(blacks, ILLEGAL, GAMES) != NULL
                or memchr(whites, ILLEGAL, GAMES) != NULL
                or not kernel.pick(g, blacks, whites)
            ):
                return i
        return -1

    cdef int refuse(self, Py_ssize_t group, blacks, whites) except -1:
        """Raise IllegalMoveError for the first pick of a group that is not legal."""
        cdef Py_ssize_t game
        cdef position_t p
        for game in range(group * GAMES, group * GAMES + self.count_in(group)):
            p = self.state_of(game)
            if p.outcome == UNDECIDED:
                try:
                    wrap(&p).play(int(blacks[game]), int(whites[game]))
                except IllegalMoveError as error:
                    raise error.in_game(game, f"game {game}") from None
        raise IllegalMoveError("the picks were changed while they were read")

    cdef void write_outcomes(self, int8_t *out) noexcept nogil:
        cdef Py_ssize_t i
        for i in range(self.group_count):
            memcpy(out + i * GAMES, self.groups[i].outcomes, self.count_in(i))

    cdef inline void read_masks(self, Py_ssize_t i, Masks *m) noexcept nogil:
        kernel.bytes_of(self.groups[i].foes_of_black, CELLS, m.foes_of_black)
        kernel.bytes_of(self.groups[i].foes_of_white, CELLS, m.foes_of_white)

    # -- steps

    def play(self, black, white, *, out=None):
        """Play one turn in every game that is not over; return all outcomes (T1, T2).

        `black` and `white` are the cells that the players pick: integer arrays of shape
        (n,), strided or not, of any integer dtype, or what NumPy makes such arrays of; only
        one that is not aligned or of another byte order is copied. The entries of finished
        games are ignored. The outcomes are an `int8` array of shape (n,), with the codes of
        `Outcome`.

        Raises `IllegalMoveError` that names the first game with an illegal pick, and the
        cell; `ValueError` for another shape or an unfit `out`, `TypeError` for an array that
        is not of integers. The batch is then as it was.
        """
        cdef Moves blacks, whites
        cdef int8_t *results
        cdef Py_ssize_t i
        black = open_moves("black", black, self.n, &blacks)
        white = open_moves("white", white, self.n, &whites)
        out = array_for(out, INT8, (self.n,))
        view = opened(out, INT8, (self.n,))
        results = <int8_t *>memory_of(view)
        with self.lock:
            with nogil:
                i = self.pick(&blacks, &whites)
            if i >= 0:
                self.refuse(i, black, white)
            self.changes += 1
            with nogil:
                for i in range(self.group_count):
                    kernel.play(self.groups + i)
                self.write_outcomes(results)
        return out

    def random_moves(self, rng=None, *, out=None):
        """Return a random legal turn for every game: an `int8` array of shape (2, n).

        Row 0 holds Black's picks, row 1 White's: uniform and independent among the empty
        cells, -1 where the game is over. `rng` is a seed 0..2**64 - 1, a
        `numpy.random.Generator`, from which a seed is drawn, or `None` for a fresh one.

        The same seed gives the same random numbers at every call: called twice with one int,
        it returns the same picks, and in a loop the same numbers decide every turn. Create a
        generator before the loop and pass it to every call:

            rng = np.random.default_rng(7)
            for _ in range(100):
                batch.play(*batch.random_moves(rng))

        `playout` plays these picks first for the same seed.

        Raises `ValueError` for a seed out of range or an unfit `out`, `TypeError` for
        another `rng`.
        """
        cdef Streams streams
        cdef int8_t *black
        cdef uint64_t seed = seed_of(rng)
        cdef Py_ssize_t i
        out = array_for(out, INT8, (2, self.n))
        view = opened(out, INT8, (2, self.n))
        black = <int8_t *>memory_of(view)
        with self.lock, nogil:
            for i in range(self.group_count):
                start_streams(&streams, seed, <uint64_t>(i * GAMES))
                kernel.pick_at_random(self.groups + i, &streams)
                write_picks(
                    self.groups + i,
                    self.count_in(i),
                    black + i * GAMES,
                    black + self.n + i * GAMES,
                )
        return out

    def playout(self, rng=None, *, max_turns=None, threads=1, out=None):
        """Play random turns in every game, in place, to its end; return all outcomes.

        `rng` is a seed 0..2**64 - 1, a `numpy.random.Generator`, from which a seed is drawn,
        or `None` for a fresh one. Game i plays as game number i of `rollouts` from its
        position does for the same seed. `max_turns` stops every game after so many more
        turns; it may then be undecided. `threads` changes no result. The outcomes, and
        `out`, are those of `play`.

        Raises `ValueError` where `max_turns` is outside 1..2**63 - 1, `threads` outside
        1..1024, or for a seed out of range or an unfit `out`; `TypeError` for numbers that
        are no integers; `RuntimeError` where a signal handler has changed the batch
        meanwhile. Runs without the GIL, and stops on Ctrl-C, with the batch as it was.
        """
        cdef int limit = limit_of(max_turns)
        cdef Batch played
        cdef uint64_t changes
        seed = seed_of(rng)
        out = array_for(out, INT8, (self.n,))
        view = opened(out, INT8, (self.n,))
        threads = check_int("threads", threads, 1, MAX_THREADS)
        with self.lock:
            # Threads that Ctrl-C leaves behind for a moment have games of their own.
            played, changes = self.copy(), self.changes

            def work(share, shares, stopped):
                played.play_out_share(seed, limit, share, shares, stopped)

            in_shares(work, max(1, min(threads, self.group_count)))
            if self.changes != changes:
                raise RuntimeError("the batch was changed by a signal handler during playout")
            self.take(played)
            self.write_outcomes(<int8_t *>memory_of(view))
        return out

    cdef int play_out_share(
        self, uint64_t seed, int limit, Py_ssize_t share, Py_ssize_t shares, stopped
    ) except -1:
        """Play out every so many-th group."""
        cdef Streams streams
        cdef Py_ssize_t i
        for i in range(share, self.group_count, shares):
            with nogil:
                start_streams(&streams, seed, <uint64_t>(i * GAMES))
                play_out(self.groups + i, &streams, limit)
            PyErr_CheckSignals()
            if stopped.is_set():
                break
        return 0

    def reset(self, where=None, positions=None):
        """Set games to positions, or back to the empty board: all, or those where a mask is true.

        `where` is a `bool` array of shape (n,), or what NumPy makes such an array of.
        `positions` is a position of either engine for all these games, or one for each of
        them, in order: a `Batch` or an iterable.

        Raises `ValueError` for another shape or number of positions, `TypeError` for another
        dtype and for anything but a position.
        """
        chosen = self.chosen_by(where)
        if positions is None:
            positions = Position()
        if hasattr(positions, "eggs"):
            self.fill(chosen, of_this_engine(positions))
        else:
            self.set_games(np.flatnonzero(chosen), positions)

    cdef int fill(self, const uint8_t[:] chosen, Position position) except -1:
        """Set the chosen games to one position."""
        cdef position_t p = position.state
        cdef Group *g
        cdef Py_ssize_t i
        cdef int game
        with self.lock, nogil:
            self.changes += 1
            for i in range(self.group_count):
                g = self.groups + i
                self.choose(i, chosen)
                kernel.fill(g, &p)
                for game in range(self.count_in(i)):
                    if holds(g.chosen, game):
                        note_bytes(g, game, &p)
        return 0

    def transform(self, symmetry):
        """Transform all games in place by symmetries of the board, as `Position.transform` does.

        `symmetry` is a `Symmetry` or an int 0..7 for all games, or an integer array of shape
        (n,). Turns and outcomes stay the same.

        Raises `ValueError` for another shape and for a number outside 0..7, `TypeError` for an
        array that is not of integers.
        """
        cdef const uint8_t[:] numbers = check_symmetries(symmetry, (self.n,))
        cdef Masks masks
        cdef Py_ssize_t i
        with self.lock, nogil:
            self.changes += 1
            for i in range(self.group_count):
                self.read_masks(i, &masks)
                transform_group(self.groups + i, &masks, self.count_in(i), &numbers[i * GAMES])

    def swap_colors(self, where=None):
        """Exchange black and white turtles in place: in all games, or where a mask is true.

        `where` is a `bool` array of shape (n,), or what NumPy makes such an array of. Turns
        stay the same; a win of one side becomes a win of the other.

        Raises `ValueError` for another shape, `TypeError` for another dtype.
        """
        cdef const uint8_t[:] chosen = self.chosen_by(where)
        cdef Py_ssize_t i
        with self.lock, nogil:
            self.changes += 1
            for i in range(self.group_count):
                self.choose(i, chosen)
                swap_group(self.groups + i)

    # -- what stands

    @property
    def outcomes(self):
        """The outcomes as a new `int8` array of shape (n,), with the codes of `Outcome`."""
        out = array_for(None, INT8, (self.n,))
        view = opened(out, INT8, (self.n,))
        with self.lock:
            self.write_outcomes(<int8_t *>memory_of(view))
        return out

    @property
    def turns(self):
        """The numbers of turns completed as a new `uint32` array of shape (n,)."""
        cdef Py_ssize_t i
        out = array_for(None, UINT32, (self.n,))
        view = opened(out, UINT32, (self.n,))
        with self.lock:
            for i in range(self.group_count):
                memcpy(
                    <uint32_t *>memory_of(view) + i * GAMES,
                    self.groups[i].turns,
                    self.count_in(i) * sizeof(uint32_t),
                )
        return out

    @property
    def winning_turtles(self):
        """Turtles in lines of five or more (W2): a new `int8` array of shape (n, 2).

        Column 0 counts Black's, column 1 White's, each turtle once.
        """
        cdef int8_t *counts
        cdef position_t p
        cdef Group *g
        cdef Py_ssize_t game
        cdef int i
        out = array_for(None, INT8, (self.n, 2))
        view = opened(out, INT8, (self.n, 2))
        counts = <int8_t *>memory_of(view)
        with self.lock, nogil:
            memset(counts, 0, 2 * self.n)
            for game in range(self.n):
                g, i = self.group(game), <int>(game % GAMES)
                if g.outcomes[i] != UNDECIDED or holds(g.with_lines, i):
                    p = self.state_of(game)
                    counts[2 * game] = <int8_t>p.winning[BLACK_SIDE]
                    counts[2 * game + 1] = <int8_t>p.winning[WHITE_SIDE]
        return out

    def values(self, player, *, undecided=float("nan"), out=None):
        """Return what the games are worth to `player` (`BLACK` or `WHITE`): `float32`, (n,).

        1 for a win, 0 for a draw, -1 for a loss, and `undecided`, a number, for games that go
        on.

        Raises `ValueError` for another player and for an unfit `out`; `TypeError` where
        `undecided` is no real number.
        """
        cdef float worth[4]
        cdef float *results
        cdef Py_ssize_t game
        check_player(player)
        if not isinstance(undecided, Real):
            raise TypeError(f"undecided must be a number, not {type(undecided).__name__}")
        worth[UNDECIDED] = np.float32(undecided)
        worth[DRAWN] = 0
        worth[BLACK] = 1 if player == BLACK else -1
        worth[WHITE] = -worth[BLACK]
        out = array_for(out, FLOAT32, (self.n,))
        view = opened(out, FLOAT32, (self.n,))
        results = <float *>memory_of(view)
        with self.lock, nogil:
            for game in range(self.n):
                results[game] = worth[self.group(game).outcomes[game % GAMES]]
        return out

    def keys(self, *, out=None):
        """Return the keys of the positions, as `Position.key`: `uint64` of shape (n,).

        Raises `ValueError` for an unfit `out`.
        """
        cdef Masks masks
        cdef position_t p
        cdef uint64_t *results
        cdef Py_ssize_t i
        cdef int game
        out = array_for(out, UINT64, (self.n,))
        view = opened(out, UINT64, (self.n,))
        results = <uint64_t *>memory_of(view)
        with self.lock, nogil:
            for i in range(self.group_count):
                self.read_masks(i, &masks)
                for game in range(self.count_in(i)):
                    read_masked(self.groups + i, &masks, game, &p)
                    results[i * GAMES + game] = key_of(&p)
        return out

    def to_rows(self, *, out=None):
        """Return encodings of the games, to be saved: `uint8` of shape (n, 108).

        A row is what `Position.to_bytes` returns, filled up with 255. Most positions have few
        eggs, so that many columns on the right hold nothing but 255; `from_rows` needs none
        of them. Raises `ValueError` for an unfit `out`.
        """
        cdef Masks masks
        cdef uint8_t *rows
        cdef Py_ssize_t i
        out = array_for(out, UINT8, (self.n, ROW_BYTES))
        view = opened(out, UINT8, (self.n, ROW_BYTES))
        rows = <uint8_t *>memory_of(view)
        with self.lock, nogil:
            for i in range(self.group_count):
                self.read_masks(i, &masks)
                write_rows(
                    self.groups + i,
                    &masks,
                    self.count_in(i),
                    rows + i * GAMES * ROW_BYTES,
                )
        return out

    def legal_mask(self, *, out=None):
        """Return which cells may be picked, by either player: `bool` of shape (n, 81) (T1).

        None where the game is over. Raises `ValueError` for an unfit `out`.
        """
        cdef Masks masks
        cdef uint8_t *cells
        cdef Py_ssize_t i
        out = array_for(out, BOOL, (self.n, CELLS))
        view = opened(out, BOOL, (self.n, CELLS))
        cells = <uint8_t *>memory_of(view)
        with self.lock, nogil:
            for i in range(self.group_count):
                self.read_masks(i, &masks)
                write_legal(
                    self.groups + i,
                    &masks,
                    self.count_in(i),
                    cells + i * GAMES * CELLS,
                )
        return out

    def boards(self, *, out=None):
        """Return the contents of the cells: `int8` of shape (n, 9, 9), `[game, row, column]`.

        `EMPTY` is 0, `BLACK` 1, `WHITE` 2, `EGG` 3. Raises `ValueError` for an unfit `out`.
        """
        cdef Masks masks
        cdef uint8_t *cells
        cdef Py_ssize_t i
        out = array_for(out, INT8, (self.n, 9, 9))
        view = opened(out, INT8, (self.n, 9, 9))
        cells = <uint8_t *>memory_of(view)
        with self.lock, nogil:
            for i in range(self.group_count):
                self.read_masks(i, &masks)
                write_boards(&masks, self.count_in(i), cells + i * GAMES * CELLS)
        return out

    def observe(self, player, *, dtype=None, out=None):
        """Return what `player` (`BLACK` or `WHITE`) sees: planes of shape (n, 5, 9, 9).

        Plane 0 holds the player's own turtles, plane 1 the other's, plane 2 the eggs, plane
        3 the order in which eggs hatch: of m eggs the oldest is 1, the next (m - 1) / m, the
        newest 1 / m. Plane 4 is 1 everywhere in Sudden Death (S1), else 0.

        The array is `float32`, or `uint8` where `dtype` says so or `out` is. The planes in
        `uint8` are those of an image: 255 stands for 1, so that they divided by 255 are, but
        for rounding, those in `float32`. Games that are over are seen as they ended.

        Raises `ValueError` for another player or dtype, and for an unfit `out`; `TypeError`
        for an invalid dtype.
        """
        cdef Masks masks
        cdef Py_ssize_t i, size = PLANES * CELLS * GAMES
        cdef bint as_black = check_player(player) == BLACK
        cdef bint as_bytes
        cdef void *planes
        cdef int count
        if dtype is None:
            dtype = getattr(out, "dtype", FLOAT32)
        dtype = np.dtype(dtype)
        if dtype != UINT8 and dtype != FLOAT32:
            raise ValueError(f"planes are float32 or uint8, not {dtype}")
        as_bytes = dtype == UINT8
        out = array_for(out, dtype, (self.n, PLANES, 9, 9))
        view = opened(out, dtype, (self.n, PLANES, 9, 9))
        planes = memory_of(view)
        with self.lock, nogil:
            for i in range(self.group_count):
                self.read_masks(i, &masks)
                count = self.count_in(i)
                if as_bytes:
                    observe_group[uint8_t](
                        self.groups + i,
                        &masks,
                        count,
                        as_black,
                        <uint8_t *>planes + i * size,
                        255,
                        SHADES_OF,
                    )
                else:
                    observe_group[float](
                        self.groups + i,
                        &masks,
                        count,
                        as_black,
                        <float *>planes + i * size,
                        1.0,
                        FLOATS_OF,
                    )
        return out

    # -- single games, and the whole

    def __len__(self):
        return self.n

    def __getitem__(self, games):
        """Return the position of a game, or a new batch of several; -1 is the last game.

        Several are chosen by a slice, an array of integers of shape (k,), or a `bool` array
        of shape (n,), and what NumPy makes such arrays of.

        Raises `IndexError` for a game out of range and for an array of another shape or
        dtype, `TypeError` for anything else.
        """
        cdef const Py_ssize_t[:] chosen
        cdef position_t p
        cdef Batch result
        cdef Py_ssize_t i
        if hasattr(games, "__index__") and getattr(games, "ndim", 0) == 0:
            i = self.index_of(games)
            with self.lock:
                p = self.state_of(i)
            return wrap(&p)
        chosen = self.indices_of(games)
        result = Batch(len(chosen))
        with self.lock, nogil:
            for i in range(result.n):
                result.start_game(i, self.state_of(chosen[i]))
        return result

    def __setitem__(self, games, positions):
        """Set games, chosen as for `batch[games]`, to a position, or each to one of several.

        Several are a `Batch` or an iterable of positions, of either engine. Where a game is
        chosen more than once, the last holds.

        Raises, beside what `batch[games]` raises, `ValueError` for another number of
        positions, `TypeError` for anything but a position.
        """
        cdef Position given
        cdef Py_ssize_t i
        if hasattr(games, "__index__") and getattr(games, "ndim", 0) == 0:
            i = self.index_of(games)
            given = of_this_engine(positions)
            with self.lock:
                self.changes += 1
                self.set_game(i, given.state)
        else:
            self.set_games(self.indices_of(games), positions)

    def __iter__(self):
        for i in range(self.n):
            yield self[i]

    def copy(self):
        """Return a batch of the same games, which go on by themselves."""
        cdef Batch other = Batch(self.n)
        with self.lock:
            other.take(self)
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        rows = self.to_rows()
        eggs = np.count_nonzero((rows[:, HEADER_BYTES:] != NO_EGG).any(axis=0))
        return Batch, (self.n,), rows[:, : HEADER_BYTES + eggs].tobytes()

    def __setstate__(self, state):
        """Set all games to what a pickle keeps of them. Raises as `from_rows` does."""
        width = len(state) // self.n if self.n else HEADER_BYTES
        games = Batch.from_rows(np.frombuffer(state, dtype=UINT8).reshape(self.n, width))
        with self.lock:
            self.take(games)

    def __eq__(self, other):
        """Whether all games stand at equal positions (R7)."""
        if not isinstance(other, Batch):
            return NotImplemented
        return list(self.copy()) == list(other.copy())

    __hash__ = None

    def __repr__(self):
        return f"<Batch of {self.n} games, {np.count_nonzero(self.outcomes)} of them over>"


name_type(Batch, b"wts_fast.Batch")
