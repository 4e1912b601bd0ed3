"""512 games as slices: a 64-bit word holds one cell of 64 games, a bit for each.

A group keeps two planes of eight words for every cell: the games in which it holds an enemy
piece of Black (a white turtle or an egg), and of White (a black turtle or an egg). A cell in
neither is empty, a cell in both holds an egg.

Bytes and words of single games are in the order of the games 0..511. In the
planes game i is bit 8 * (i % 8) + i // 64 of word i // 8 % 8, so that bytes become
planes, and planes bytes, by exchanging bits between eight vectors that keep their places.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from batch.streams cimport Stream
from wts_fast.core.bitboard cimport (
    Bitboard,
    cell_of,
    common,
    is_empty,
    lowest_bit,
    padded,
    pop_lowest,
    union_of,
    without,
)
from wts_fast.core.rules cimport BLACK_SIDE, UNDECIDED, WHITE_SIDE, position_t


cdef enum:
    GAMES = 512
    GROUP_WORDS = 8  # of a plane
    CELLS = 81
    VECTOR_ALIGNMENT = 64
    NO_CELL = 0xFF  # the pick in a game that is over
    ILLEGAL = 0xFE  # a number that is not a cell


cdef enum:
    # Planes of picks: for each side nine rows, then for each side nine columns.
    ROWS = 0
    COLUMNS = 18
    PICK_PLANES = 36


ctypedef struct Group:
    # Its address is a multiple of 64 bytes, for vectors.
    uint64_t foes_of_black[81][8]
    uint64_t foes_of_white[81][8]
    uint64_t picks[36][8]  # of the turn to be played
    uint64_t chosen[8]  # games to be changed
    uint64_t undecided[8]
    uint64_t with_eggs[8]
    uint64_t with_lines[8]  # undecided games in which both sides have winning turtles
    uint8_t outcomes[512]
    uint32_t turns[512]
    uint8_t egg_counts[512]
    uint8_t egg_orders[81][512]  # as in position_t; first the oldest of all games


ctypedef struct Streams:
    # One for each game, by the words of their states.
    uint32_t state[4][512]


ctypedef struct Moves:
    # The numbers of the cells that a player picks, game by game, of 1, 2, 4 or 8 bytes each.
    const char *first
    Py_ssize_t stride
    int size


ctypedef struct Kernel:
    # The functions compiled at every CPU level, for a whole group.
    #
    # Read the picks of one player for the `count` games from `first` on: 0..80, NO_CELL in
    # games that are over, or ILLEGAL.
    void (*read_cells)(
        const Moves *, Py_ssize_t first, int count, const uint8_t *outcomes, uint8_t *cells
    ) noexcept nogil
    # Take the cells that the players pick, 0..80, or NO_CELL in games that are over; returns
    # whether all are empty.
    bint (*pick)(Group *, const uint8_t *black, const uint8_t *white) noexcept nogil
    # Draw picks for the games that go on.
    void (*pick_at_random)(Group *, Streams *) noexcept nogil
    # Play the turn that was picked.
    void (*play)(Group *) noexcept nogil
    # Set the games in `chosen` to a position, but for their bytes and turns.
    void (*fill)(Group *, const position_t *) noexcept nogil
    # Write planes game by game: bit k of bytes[i][game] is whether the game is in plane
    # 8 * i + k of `count`.
    void (*bytes_of)(const uint64_t planes[][8], int count, uint8_t bytes[][512]) noexcept nogil


cdef extern from *:
    """
    #define WTS_KERNEL "wts_fast.kernel"
    """
    const char *KERNEL "WTS_KERNEL"  # the name of a capsule with a Kernel


# --- single games -----------------------------------------------------------------------


cdef inline int word_of(int game) noexcept nogil:
    """The word of a plane that holds the game."""
    return game >> 3 & 7


cdef inline int shift_of(int game) noexcept nogil:
    """The bit of that word."""
    return (game & 7) << 3 | game >> 6


cdef inline int game_at(int word, int shift) noexcept nogil:
    return (shift & 7) << 6 | word << 3 | shift >> 3


cdef inline bint holds(const uint64_t *plane, int game) noexcept nogil:
    return plane[word_of(game)] >> shift_of(game) & 1


cdef inline void change(uint64_t *plane, int game, bint value) noexcept nogil:
    cdef int shift = shift_of(game)
    cdef uint64_t *word = plane + word_of(game)
    word[0] = word[0] & ~(<uint64_t>1 << shift) | <uint64_t>value << shift


cdef inline Bitboard board_of_mask(const uint8_t masks[11][512], int game) noexcept nogil:
    """The board of a game in bytes that hold eight cells each."""
    cdef uint64_t low = 0, high = 0
    cdef int i
    for i in range(8):
        low |= <uint64_t>masks[i][game] << 8 * i
    for i in range(3):
        high |= <uint64_t>masks[8 + i][game] << 8 * i
    return padded(low, high)


cdef inline Bitboard read_board(const uint64_t planes[81][8], int game) noexcept nogil:
    """The cells that hold the game in their planes."""
    cdef uint64_t low = 0, high = 0
    cdef int cell
    for cell in range(64):
        low |= <uint64_t>holds(planes[cell], game) << cell
    for cell in range(64, CELLS):
        high |= <uint64_t>holds(planes[cell], game) << (cell - 64)
    return padded(low, high)


cdef inline void flip(uint64_t planes[81][8], int game, Bitboard board) noexcept nogil:
    """Change the cells of `board` in a game."""
    cdef uint64_t one = <uint64_t>1 << shift_of(game)
    while not is_empty(board):
        planes[cell_of(pop_lowest(&board))][word_of(game)] ^= one


cdef inline void set_board(
    position_t *p, Bitboard foes_of_black, Bitboard foes_of_white
) noexcept nogil:
    """Set the board; what is counted in lines becomes 0, turn and egg order stay unset."""
    p.eggs = common(foes_of_black, foes_of_white)
    p.turtles[BLACK_SIDE] = without(foes_of_white, p.eggs)
    p.turtles[WHITE_SIDE] = without(foes_of_black, p.eggs)
    p.winning[BLACK_SIDE] = p.winning[WHITE_SIDE] = p.outcome = 0


cdef inline void read_bytes(const Group *g, int game, position_t *p) noexcept nogil:
    """Read the values of a game that are not in planes, except the outcome."""
    cdef int i
    p.turn = g.turns[game]
    p.egg_count = g.egg_counts[game]
    for i in range(p.egg_count):
        p.egg_order[i] = g.egg_orders[i][game]


cdef inline void read_game(const Group *g, int game, position_t *p) noexcept nogil:
    """Read a game's position, but for lines: `winning` and `outcome` are 0."""
    set_board(p, read_board(g.foes_of_black, game), read_board(g.foes_of_white, game))
    read_bytes(g, game, p)


cdef inline void note_bytes(Group *g, int game, const position_t *p) noexcept nogil:
    """Set the values of a game that are not in planes."""
    cdef int i
    g.turns[game] = p.turn
    g.outcomes[game] = p.outcome
    g.egg_counts[game] = p.egg_count
    for i in range(p.egg_count):
        g.egg_orders[i][game] = p.egg_order[i]


cdef inline void note_planes(Group *g, int game, const position_t *p) noexcept nogil:
    """Set the planes of a game that are not the board."""
    change(g.undecided, game, p.outcome == UNDECIDED)
    change(g.with_eggs, game, p.egg_count > 0)
    change(g.with_lines, game, p.outcome == UNDECIDED and p.winning[BLACK_SIDE] > 0)


cdef inline void note(Group *g, int game, const position_t *p) noexcept nogil:
    """Set all values of a game except the board."""
    note_bytes(g, game, p)
    note_planes(g, game, p)


cdef inline void read_stream(const Streams *streams, int game, Stream *stream) noexcept nogil:
    cdef int i
    for i in range(4):
        stream.state[i] = streams.state[i][game]


cdef inline void write_stream(Streams *streams, int game, const Stream *stream) noexcept nogil:
    cdef int i
    for i in range(4):
        streams.state[i][game] = stream.state[i]


cdef inline void *aligned(void *memory) noexcept nogil:
    """The first address from there on that is aligned for a group."""
    return <void *>((<size_t>memory + VECTOR_ALIGNMENT - 1) & ~<size_t>(VECTOR_ALIGNMENT - 1))


cdef inline Bitboard foes_of(const position_t *p, int side) noexcept nogil:
    """C2: the pieces that `side` may capture."""
    return union_of(p.turtles[1 - side], p.eggs)


cdef inline Bitboard differing(Bitboard a, Bitboard b) noexcept nogil:
    a.lo ^= b.lo
    a.hi ^= b.hi
    return a


cdef inline void update_board(
    Group *g, int game, const position_t *before, const position_t *after
) noexcept nogil:
    """Change the planes where two positions differ."""
    flip(g.foes_of_black, game, differing(foes_of(before, BLACK_SIDE), foes_of(after, BLACK_SIDE)))
    flip(g.foes_of_white, game, differing(foes_of(before, WHITE_SIDE), foes_of(after, WHITE_SIDE)))


cdef inline void write_game(
    Group *g, int game, const position_t *before, const position_t *after
) noexcept nogil:
    """Set a game from one position to another."""
    update_board(g, game, before, after)
    note(g, game, after)


cdef inline int picked_cell(const uint8_t picks[5][512], int side, int game) noexcept nogil:
    """The cell that a player picked, of which `picks` holds the planes by bytes."""
    cdef uint64_t planes = 0
    cdef int i
    for i in range(5):
        planes |= <uint64_t>picks[i][game] << 8 * i
    planes >>= 9 * side
    return 9 * lowest_bit(planes & 0x1FF) + lowest_bit(planes >> 18 & 0x1FF)
