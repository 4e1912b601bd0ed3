# The turns of a group of games, vector by vector. Each CPU level has a module that includes
# this, compiled with that level's instructions; all give the same results.
#
# Vector j of a plane holds its words from WORDS * j on: 64 * WORDS games.

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from batch.kernel.slices cimport (
    COLUMNS,
    PICK_PLANES,
    ROWS,
    CELLS,
    GAMES,
    ILLEGAL,
    KERNEL,
    NO_CELL,
    Group,
    Kernel,
    Moves,
    Streams,
    board_of_mask,
    change,
    differing,
    flip,
    foes_of,
    game_at,
    holds,
    note,
    picked_cell,
    read_bytes,
    set_board,
)
from batch.streams cimport favours, step_stream
from batch.kernel.vector cimport (
    VECTORS,
    WORDS,
    any_of,
    load,
    load_bytes,
    repeated,
    store,
    store_bytes,
    vector,
    word_of_vector,
)
from wts_fast.core.bitboard cimport (
    Bitboard,
    bit_of,
    cell_of,
    is_empty,
    lowest_bit,
    pop_lowest,
    single,
    without,
)
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    BLACK_WINS,
    DRAWN,
    UNDECIDED,
    WHITE_SIDE,
    WHITE_WINS,
    play_turn,
    position_t,
    settle,
)

cdef enum:
    # The steps from a cell to its next on a line, in cells: planes have no padding column.
    CELL_RIGHT = 1
    CELL_DOWN_LEFT = 8
    CELL_DOWN = 9
    CELL_DOWN_RIGHT = 10

cdef enum:
    BYTES = 8 * WORDS  # of a vector: for as many games in a row
    NUMBER_BITS = 7  # of a number of cells, 0..81


# --- bytes and planes -------------------------------------------------------------------


cdef inline void exchange(vector *a, vector *b, int n, uint64_t low) noexcept nogil:
    """Exchange the bits of `a` that `low` selects, n bits up, with those of `b`."""
    cdef vector differing = (a[0] >> n ^ b[0]) & repeated(low)
    b[0] ^= differing
    a[0] ^= differing << n


cdef inline void transpose(vector rows[8]) noexcept nogil:
    """Exchange bit i of every byte of vector k with bit k of the same byte of vector i."""
    cdef int i
    for i in range(4):
        exchange(&rows[i], &rows[i + 4], 4, <uint64_t>0x0F0F0F0F0F0F0F0F)
    for i in range(2):
        exchange(&rows[i], &rows[i + 2], 2, <uint64_t>0x3333333333333333)
        exchange(&rows[i + 4], &rows[i + 6], 2, <uint64_t>0x3333333333333333)
    for i in range(0, 8, 2):
        exchange(&rows[i], &rows[i + 1], 1, <uint64_t>0x5555555555555555)


cdef inline void planes_of_bytes(const uint8_t *bytes, int j, vector planes[8]) noexcept nogil:
    """Plane k: the games with bit k set in their byte."""
    cdef int i
    for i in range(8):
        planes[i] = load_bytes(bytes + 64 * i + BYTES * j)
    transpose(planes)


cdef inline void bytes_of_planes(
    const uint64_t planes[][8], int count, int j, uint8_t bytes[][512]
) noexcept nogil:
    """Bit k of bytes[i][game] is whether the game is in plane 8 * i + k."""
    cdef vector rows[8]
    cdef int i, k
    for i in range((count + 7) // 8):
        for k in range(8):
            rows[k] = load(planes[8 * i + k], j) if 8 * i + k < count else repeated(0)
        transpose(rows)
        for k in range(8):
            store_bytes(bytes[i] + 64 * k + BYTES * j, rows[k])


cdef void bytes_of(const uint64_t planes[][8], int count, uint8_t bytes[][512]) noexcept nogil:
    cdef int j
    for j in range(VECTORS):
        bytes_of_planes(planes, count, j, bytes)


# --- given picks ------------------------------------------------------------------------


ctypedef fused number:
    # Negative numbers are too large ones here.
    uint8_t
    uint16_t
    uint32_t
    uint64_t


cdef inline void read_numbers(
    const number *first, Py_ssize_t stride, int count, uint8_t *cells
) noexcept nogil:
    """Read numbers as bytes, those above 127 with their high bit set."""
    cdef number cell
    cdef int i
    for i in range(count):
        cell = (<const number *>(<const char *>first + i * stride))[0]
        cells[i] = <uint8_t>(cell & 127 | <number>(cell > 127) << 7)


cdef void read_cells(
    const Moves *m, Py_ssize_t first, int count, const uint8_t *outcomes, uint8_t *cells
) noexcept nogil:
    cdef const char *start = m.first + first * m.stride
    cdef int i
    memset(cells + count, NO_CELL, GAMES - count)
    if m.size == 8 and m.stride == 8:  # a known stride makes it a loop over vectors
        read_numbers(<const uint64_t *>start, 8, count, cells)
    elif m.size == 8:
        read_numbers(<const uint64_t *>start, m.stride, count, cells)
    elif m.size == 4:
        read_numbers(<const uint32_t *>start, m.stride, count, cells)
    elif m.size == 2:
        read_numbers(<const uint16_t *>start, m.stride, count, cells)
    else:
        read_numbers(<const uint8_t *>start, m.stride, count, cells)
    for i in range(count):
        cells[i] = ILLEGAL if cells[i] >= CELLS else cells[i]
        cells[i] = cells[i] if outcomes[i] == UNDECIDED else NO_CELL


cdef inline void store_decoded(const vector *bits, uint64_t planes[][8], int j) noexcept nogil:
    """Store nine planes: the games in which the four-bit number `bits` is 0, 1, .. 8."""
    cdef vector low[4]
    cdef vector high[3]
    cdef int i
    low[0] = ~(bits[0] | bits[1])
    low[1] = bits[0] & ~bits[1]
    low[2] = bits[1] & ~bits[0]
    low[3] = bits[0] & bits[1]
    high[0] = ~(bits[2] | bits[3])
    high[1] = bits[2] & ~bits[3]
    high[2] = bits[3] & ~bits[2]
    for i in range(9):
        store(planes[i], j, low[i & 3] & high[i >> 2])


cdef inline void pick_side(Group *g, int side, const uint8_t *cells) noexcept nogil:
    cdef uint8_t places[GAMES]  # the row in the low half, the column in the high
    cdef vector planes[8]
    cdef int i, j
    for i in range(GAMES):
        places[i] = <uint8_t>(cells[i] // 9 | cells[i] % 9 << 4 if cells[i] < CELLS else 0xFF)
    for j in range(VECTORS):
        planes_of_bytes(places, j, planes)
        store_decoded(planes, g.picks + ROWS + 9 * side, j)
        store_decoded(planes + 4, g.picks + COLUMNS + 9 * side, j)


cdef inline vector picked(const Group *g, int side, int row, int column, int j) noexcept nogil:
    """The games in which a player picks this cell."""
    return load(g.picks[ROWS + 9 * side + row], j) & load(g.picks[COLUMNS + 9 * side + column], j)


cdef bint pick(Group *g, const uint8_t *black, const uint8_t *white) noexcept nogil:
    """T1: set the picks; returns whether all are of empty cells."""
    cdef vector taken = repeated(0)
    cdef int row, column, j
    pick_side(g, BLACK_SIDE, black)
    pick_side(g, WHITE_SIDE, white)
    for j in range(VECTORS):
        for row in range(9):
            for column in range(9):
                taken |= (
                    picked(g, BLACK_SIDE, row, column, j) | picked(g, WHITE_SIDE, row, column, j)
                ) & (
                    load(g.foes_of_black[9 * row + column], j)
                    | load(g.foes_of_white[9 * row + column], j)
                )
    return not any_of(taken)


# --- random picks -----------------------------------------------------------------------

# Numbers of cells in many games at once: vector k of a number holds its bit k.


cdef inline vector parity(vector a, vector b, vector c) noexcept nogil:
    return a ^ b ^ c


cdef inline vector majority(vector a, vector b, vector c) noexcept nogil:
    return a & b | c & (a ^ b)


cdef inline void count_nine(const vector *cells, vector number[4]) noexcept nogil:
    """Count nine cells: three full adders of three cells, then adders of their results."""
    cdef vector sums[3]
    cdef vector carries[3]
    cdef vector twos, carry
    cdef int i
    for i in range(3):
        sums[i] = parity(cells[3 * i], cells[3 * i + 1], cells[3 * i + 2])
        carries[i] = majority(cells[3 * i], cells[3 * i + 1], cells[3 * i + 2])
    number[0] = parity(sums[0], sums[1], sums[2])
    carry = majority(sums[0], sums[1], sums[2])
    twos = parity(carries[0], carries[1], carries[2])
    number[1] = twos ^ carry
    carry &= twos
    twos = majority(carries[0], carries[1], carries[2])
    number[2] = twos ^ carry
    number[3] = twos & carry


cdef inline void add_number(const vector *a, const vector *b, vector *total) noexcept nogil:
    """Add a number of four bits to one of seven."""
    cdef vector carry = repeated(0), new_carry
    cdef int i
    for i in range(4):
        new_carry = majority(a[i], b[i], carry)
        total[i] = parity(a[i], b[i], carry)
        carry = new_carry
    for i in range(4, NUMBER_BITS):
        total[i] = a[i] ^ carry
        carry &= a[i]


cdef inline vector is_less(const vector *a, const vector *b) noexcept nogil:
    """The games in which a < b."""
    cdef vector less = repeated(0)
    cdef int i
    for i in range(NUMBER_BITS):
        less = ~a[i] & b[i] | less & ~(a[i] ^ b[i])
    return less


cdef struct EmptyCells:
    vector cells[81]
    vector up_to[9][7]  # the number of empty cells in the rows 0 to i


cdef inline void count_empty(const Group *g, int j, EmptyCells *e) noexcept nogil:
    cdef vector in_row[7]
    cdef int cell, row, i
    for cell in range(CELLS):
        e.cells[cell] = ~(load(g.foes_of_black[cell], j) | load(g.foes_of_white[cell], j))
    for i in range(4, NUMBER_BITS):
        e.up_to[0][i] = repeated(0)
    count_nine(e.cells, e.up_to[0])
    for row in range(1, 9):
        count_nine(e.cells + 9 * row, in_row)
        add_number(e.up_to[row - 1], in_row, e.up_to[row])


cdef inline void store_pick(
    Group *g, int side, int j, const EmptyCells *e, const vector *rank, vector undecided
) noexcept nogil:
    """Pick the empty cell of this rank: first its row, then the cell among the row's."""
    cdef vector in_row[9]
    cdef vector left[4]  # the rank among the cells of the row
    cdef vector here, reached, reached_before = repeated(0), hit, borrow, new_borrow
    cdef int row, column, i
    for i in range(4):
        left[i] = repeated(0)
    for column in range(9):
        in_row[column] = repeated(0)
    for row in range(9):
        reached = undecided & is_less(rank, e.up_to[row]) if row < 8 else undecided
        here = reached & ~reached_before
        reached_before = reached
        store(g.picks[ROWS + 9 * side + row], j, here)
        if row > 0:
            for i in range(4):
                left[i] |= here & e.up_to[row - 1][i]
        for column in range(9):
            in_row[column] |= here & e.cells[9 * row + column]
    borrow = repeated(0)
    for i in range(4):
        new_borrow = ~rank[i] & left[i] | borrow & ~(rank[i] ^ left[i])
        left[i] = rank[i] ^ left[i] ^ borrow
        borrow = new_borrow
    for column in range(9):
        hit = in_row[column] & ~(left[0] | left[1] | left[2] | left[3])
        store(g.picks[COLUMNS + 9 * side + column], j, hit)
        borrow = in_row[column]
        for i in range(4):
            left[i] ^= borrow
            borrow &= left[i]


cdef inline void redraw(
    Streams *s, int game, uint8_t count, uint32_t high, uint32_t low,
    uint8_t *black, uint8_t *white,
) noexcept nogil:
    """Skip words of which a half favours some ranks."""
    cdef uint32_t word
    while count and (favours(high, count) or favours(low, count)):
        word = step_stream(
            &s.state[0][game], &s.state[1][game], &s.state[2][game], &s.state[3][game]
        )
        high, low = word >> 16, word & 0xFFFF
        black[game] = <uint8_t>(high * count >> 16)
        white[game] = <uint8_t>(low * count >> 16)


cdef inline void draw_ranks(
    Streams *s, int j, const uint8_t *counts, uint8_t *black, uint8_t *white
) noexcept nogil:
    """Draw the ranks of both picks among the empty cells."""
    cdef uint16_t high[BYTES]
    cdef uint16_t low[BYTES]
    cdef uint16_t suspect
    cdef uint16_t count
    cdef uint32_t word
    cdef int i, k, game
    for i in range(8):
        game = 64 * i + BYTES * j
        for k in range(BYTES):
            word = step_stream(
                &s.state[0][game + k],
                &s.state[1][game + k],
                &s.state[2][game + k],
                &s.state[3][game + k],
            )
            high[k] = <uint16_t>(word >> 16)
            low[k] = <uint16_t>word
        suspect = 0
        for k in range(BYTES):
            count = counts[game + k]
            black[game + k] = <uint8_t>(<uint32_t>high[k] * count >> 16)
            white[game + k] = <uint8_t>(<uint32_t>low[k] * count >> 16)
            suspect |= <uint16_t>(high[k] * count) < count
            suspect |= <uint16_t>(low[k] * count) < count
        if suspect:
            for k in range(BYTES):
                redraw(s, game + k, counts[game + k], high[k], low[k], black, white)


cdef void pick_at_random(Group *g, Streams *s) noexcept nogil:
    cdef EmptyCells empty
    cdef uint8_t counts[GAMES]
    cdef uint8_t black[GAMES]
    cdef uint8_t white[GAMES]
    cdef vector planes[8]
    cdef vector undecided
    cdef int i, j
    for j in range(VECTORS):
        undecided = load(g.undecided, j)
        count_empty(g, j, &empty)
        for i in range(NUMBER_BITS):
            planes[i] = empty.up_to[8][i] & undecided  # 0 where no stream may have been started
        planes[7] = repeated(0)
        transpose(planes)
        for i in range(8):
            store_bytes(counts + 64 * i + BYTES * j, planes[i])
        draw_ranks(s, j, counts, black, white)
        planes_of_bytes(black, j, planes)
        store_pick(g, BLACK_SIDE, j, &empty, planes, undecided)
        planes_of_bytes(white, j, planes)
        store_pick(g, WHITE_SIDE, j, &empty, planes, undecided)


# --- a turn -----------------------------------------------------------------------------


cdef struct Turn:
    # The turtles after placement, and then after captures.
    vector black[81]
    vector white[81]
    vector arrived[81]
    vector captured[81]
    # Games: both players picked one cell, the board is full.
    vector collided
    vector full


cdef inline void place(Group *g, int j, Turn *t) noexcept nogil:
    """T2, E1: put both picks on the board; what both players picked becomes an egg."""
    cdef vector black, white, foes_of_black, foes_of_white
    cdef int row, column, cell
    t.collided = repeated(0)
    for row in range(9):
        for column in range(9):
            cell = 9 * row + column
            black = picked(g, BLACK_SIDE, row, column, j)
            white = picked(g, WHITE_SIDE, row, column, j)
            foes_of_black = load(g.foes_of_black[cell], j) | white
            foes_of_white = load(g.foes_of_white[cell], j) | black
            store(g.foes_of_black[cell], j, foes_of_black)
            store(g.foes_of_white[cell], j, foes_of_white)
            t.black[cell] = foes_of_white & ~foes_of_black
            t.white[cell] = foes_of_black & ~foes_of_white
            t.arrived[cell] = black | white
            t.captured[cell] = repeated(0)
            t.collided |= black & white


cdef inline void trap_along(
    const Group *g, int j, Turn *t, int step, int rows, int first, int last
) noexcept nogil:
    """C1, C3, C5, C6: mark what is captured along a step, either way, in these columns."""
    cdef vector by_black, by_white, traps
    cdef int row, column, a, b, c, d
    for row in range(rows):
        for column in range(first, last):
            a = 9 * row + column
            b, c, d = a + step, a + 2 * step, a + 3 * step
            by_black = t.black[a] & t.black[d] & load(g.foes_of_black[b], j)
            by_white = t.white[a] & t.white[d] & load(g.foes_of_white[b], j)
            by_black &= load(g.foes_of_black[c], j)
            by_white &= load(g.foes_of_white[c], j)
            traps = (t.arrived[a] | t.arrived[d]) & (by_black | by_white)
            t.captured[b] |= traps
            t.captured[c] |= traps


cdef inline vector trap(const Group *g, int j, Turn *t) noexcept nogil:
    """Mark captured pieces; returns the games with captures."""
    cdef vector trapped = repeated(0)
    cdef int cell
    trap_along(g, j, t, CELL_RIGHT, 9, 0, 6)
    trap_along(g, j, t, CELL_DOWN_LEFT, 6, 3, 9)
    trap_along(g, j, t, CELL_DOWN, 6, 0, 9)
    trap_along(g, j, t, CELL_DOWN_RIGHT, 6, 0, 6)
    for cell in range(CELLS):
        trapped |= t.captured[cell]
    return trapped


cdef inline void remove_captured(Group *g, int j, Turn *t, vector kept) noexcept nogil:
    """T3: remove captured pieces from the board, except in the games `kept`."""
    cdef vector captured, foes_of_black, foes_of_white
    cdef int cell
    t.full = repeated(~<uint64_t>0)
    for cell in range(CELLS):
        captured = t.captured[cell] & ~kept
        foes_of_black = load(g.foes_of_black[cell], j) & ~captured
        foes_of_white = load(g.foes_of_white[cell], j) & ~captured
        store(g.foes_of_black[cell], j, foes_of_black)
        store(g.foes_of_white[cell], j, foes_of_white)
        t.black[cell] = t.black[cell] & ~captured
        t.white[cell] = t.white[cell] & ~captured
        t.full &= foes_of_black | foes_of_white


cdef inline vector five_on(const vector *own, int first, int step, int length) noexcept nogil:
    """W2: the games with a five on a line of 5 to 9 cells; every five holds its fifth cell."""
    cdef vector behind[5]
    cdef vector ahead = repeated(~<uint64_t>0), found = repeated(0)
    cdef int i
    behind[4] = own[first + 4 * step]
    for i in range(3, -1, -1):
        behind[i] = behind[i + 1] & own[first + i * step]
    for i in range(length - 4):
        if i > 0:
            ahead &= own[first + (4 + i) * step]
        found |= behind[i] & ahead
    return found


cdef inline vector fives_of(const vector *own) noexcept nogil:
    """W2: the games with a five on any line."""
    cdef vector found = repeated(0)
    cdef int i
    for i in range(9):
        found |= five_on(own, 9 * i, CELL_RIGHT, 9)
        found |= five_on(own, i, CELL_DOWN, 9)
    for i in range(5):
        found |= five_on(own, i, CELL_DOWN_RIGHT, 9 - i)
        found |= five_on(own, 8 - i, CELL_DOWN_LEFT, 9 - i)
    for i in range(1, 5):
        found |= five_on(own, 9 * i, CELL_DOWN_RIGHT, 9 - i)
        found |= five_on(own, 9 * i + 8, CELL_DOWN_LEFT, 9 - i)
    return found


# --- turns played by the rules on the position struct -----------------------------------


cdef struct Readable:
    # Some games, by bytes of eight planes each.
    uint8_t foes_of_black[11][512]
    uint8_t foes_of_white[11][512]
    uint8_t picks[5][512]


cdef inline void make_readable(const Group *g, int j, Readable *r) noexcept nogil:
    bytes_of_planes(g.foes_of_black, CELLS, j, r.foes_of_black)
    bytes_of_planes(g.foes_of_white, CELLS, j, r.foes_of_white)
    bytes_of_planes(g.picks, PICK_PLANES, j, r.picks)


cdef inline int picked_bit(const Readable *r, int side, int game) noexcept nogil:
    return bit_of(picked_cell(r.picks, side, game))


cdef inline void collide(Group *g, const Readable *r, int game) noexcept nogil:
    """E1: the egg that was laid is the newest."""
    g.egg_orders[g.egg_counts[game]][game] = <uint8_t>picked_bit(r, BLACK_SIDE, game)
    g.egg_counts[game] += 1
    change(g.with_eggs, game, True)


cdef void play_by_the_rules(Group *g, const Readable *r, int game) noexcept nogil:
    """Play the turn of a game whose turtles have been placed, and no more."""
    cdef int black = picked_bit(r, BLACK_SIDE, game)
    cdef int white = picked_bit(r, WHITE_SIDE, game)
    cdef Bitboard foes_of_black = board_of_mask(r.foes_of_black, game)
    cdef Bitboard foes_of_white = board_of_mask(r.foes_of_white, game)
    cdef position_t p
    set_board(&p, without(foes_of_black, single(white)), without(foes_of_white, single(black)))
    read_bytes(g, game, &p)
    if holds(g.with_lines, game):
        settle(&p)
    play_turn(&p, black, white)
    p.turn = g.turns[game]  # it was counted before
    flip(g.foes_of_black, game, differing(foes_of_black, foes_of(&p, BLACK_SIDE)))
    flip(g.foes_of_white, game, differing(foes_of_white, foes_of(&p, WHITE_SIDE)))
    note(g, game, &p)


cdef void count_lines(Group *g, const Readable *r, int game) noexcept nogil:
    """W3, S1, D1: decide a game in which both sides have a five."""
    cdef position_t p
    set_board(&p, board_of_mask(r.foes_of_black, game), board_of_mask(r.foes_of_white, game))
    read_bytes(g, game, &p)
    settle(&p)
    note(g, game, &p)


cdef inline void end(Group *g, int word, uint64_t games, uint8_t outcome) noexcept nogil:
    g.undecided[word] &= ~games
    while games:
        g.outcomes[game_at(word, lowest_bit(games))] = outcome
        games &= games - 1


cdef inline void resolve(
    Group *g, const Readable *r, int word, uint64_t collided, uint64_t left, uint64_t both
) noexcept nogil:
    """Finish the turns of a word that the vectors did not finish."""
    while collided:
        collide(g, r, game_at(word, lowest_bit(collided)))
        collided &= collided - 1
    while left:
        play_by_the_rules(g, r, game_at(word, lowest_bit(left)))
        left &= left - 1
    while both:
        count_lines(g, r, game_at(word, lowest_bit(both)))
        both &= both - 1


cdef inline void count_turns(Group *g) noexcept nogil:
    cdef int i
    for i in range(GAMES):
        g.turns[i] += g.outcomes[i] == UNDECIDED and g.turns[i] != <uint32_t>0xFFFFFFFF


cdef void play(Group *g) noexcept nogil:
    """T2: play the turn that was picked, in the games that are not over."""
    cdef Turn t
    cdef Readable readable
    cdef vector left, going, black_fives, white_fives, both_fives, full
    cdef int i, j
    count_turns(g)
    for j in range(VECTORS):
        place(g, j, &t)
        # Where a turtle captures eggs may hatch: one game at a time.
        left = trap(g, j, &t) & load(g.with_eggs, j)
        remove_captured(g, j, &t, left)
        going = load(g.undecided, j) & ~left
        black_fives = going & fives_of(t.black)
        white_fives = going & fives_of(t.white)
        both_fives = black_fives & white_fives
        black_fives &= ~both_fives
        white_fives &= ~both_fives
        full = going & t.full & ~(black_fives | white_fives | both_fives)
        # The games in these two are decided below; in no other game do both sides have lines.
        store(g.with_lines, j, load(g.with_lines, j) & (both_fives | left))
        for i in range(WORDS):
            # W1, W3, D1
            end(g, WORDS * j + i, word_of_vector(&black_fives, i), BLACK_WINS)
            end(g, WORDS * j + i, word_of_vector(&white_fives, i), WHITE_WINS)
            end(g, WORDS * j + i, word_of_vector(&full, i), DRAWN)
        if any_of(t.collided | left | both_fives):
            make_readable(g, j, &readable)
            for i in range(WORDS):
                resolve(
                    g,
                    &readable,
                    WORDS * j + i,
                    word_of_vector(&t.collided, i),
                    word_of_vector(&left, i),
                    word_of_vector(&both_fives, i),
                )


# --- setting up -------------------------------------------------------------------------


cdef inline void fill_planes(
    uint64_t planes[81][8], const uint64_t *games, Bitboard board
) noexcept nogil:
    cdef int cell, j
    for cell in range(CELLS):
        for j in range(VECTORS):
            store(planes[cell], j, load(planes[cell], j) & ~load(games, j))
    while not is_empty(board):
        cell = cell_of(pop_lowest(&board))
        for j in range(VECTORS):
            store(planes[cell], j, load(planes[cell], j) | load(games, j))


cdef inline void set_plane(uint64_t *plane, const uint64_t *games, bint value) noexcept nogil:
    cdef int j
    for j in range(VECTORS):
        store(plane, j, load(plane, j) & ~load(games, j))
        if value:
            store(plane, j, load(plane, j) | load(games, j))


cdef void fill(Group *g, const position_t *p) noexcept nogil:
    """Set the games in `chosen` to a position, but for their bytes and turns."""
    fill_planes(g.foes_of_black, g.chosen, foes_of(p, BLACK_SIDE))
    fill_planes(g.foes_of_white, g.chosen, foes_of(p, WHITE_SIDE))
    set_plane(g.undecided, g.chosen, p.outcome == UNDECIDED)
    set_plane(g.with_eggs, g.chosen, p.egg_count > 0)
    set_plane(g.with_lines, g.chosen, p.outcome == UNDECIDED and p.winning[BLACK_SIDE] > 0)


cdef Kernel table
table.read_cells = read_cells
table.pick = pick
table.pick_at_random = pick_at_random
table.play = play
table.fill = fill
table.bytes_of = bytes_of

kernel = PyCapsule_New(&table, KERNEL, NULL)
