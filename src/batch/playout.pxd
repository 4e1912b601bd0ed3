"""Random games on the position struct, one at a time."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from batch.lines cimport (
    EGGS,
    LANE,
    Around,
    Lines,
    board_of,
    clear,
    clear_all,
    draw_lines,
    fives,
    look,
    put,
    put_all,
    step_of,
    traps_ahead,
    traps_behind,
)
from batch.streams cimport Stream, random_pair
from wts_fast.core.bitboard cimport (
    Bitboard,
    common,
    full_board,
    is_empty,
    lowest_bit,
    pop_lowest,
    single,
    union_of,
    without,
)
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    UNDECIDED,
    WHITE_SIDE,
    empty_cells,
    play_turn,
    position_t,
    settle,
)


cdef enum:
    NO_LIMIT = 0x7FFFFFFF  # of turns

cdef enum:
    TAIL = 80  # bytes: as many cells as can follow another
    NO_BIT = 0xFF


ctypedef struct EmptyCells:
    # The bits of the empty cells in ascending order, so that a pick is one load; after them
    # is room to move any tail as a block, which is faster than a loop. It holds NO_BIT.
    int count
    uint8_t bits[176]


cdef inline void list_cells(EmptyCells *cells, Bitboard board) noexcept nogil:
    """List the cells of `board`."""
    memset(cells.bits, NO_BIT, sizeof(cells.bits))
    cells.count = 0
    while not is_empty(board):
        cells.bits[cells.count] = <uint8_t>pop_lowest(&board)
        cells.count += 1


cdef inline void list_one(EmptyCells *cells, int bit) noexcept nogil:
    """Insert a cell at its place, after all lower cells."""
    cdef uint8_t behind[TAIL]
    cdef uint8_t place = 0, limit = <uint8_t>bit
    cdef int i
    for i in range(TAIL):
        place += cells.bits[i] < limit
    memcpy(behind, cells.bits + place, TAIL)
    memcpy(cells.bits + place + 1, behind, TAIL)
    cells.bits[place] = limit
    cells.count += 1


cdef inline void unlist_one(EmptyCells *cells, int place) noexcept nogil:
    """Remove the cell at a place."""
    cdef uint8_t behind[TAIL]
    memcpy(behind, cells.bits + place + 1, TAIL)
    memcpy(cells.bits + place, behind, TAIL)
    cells.count -= 1


cdef inline void unlist_two(EmptyCells *cells, int first, int second) noexcept nogil:
    """Remove the cells at two places, first < second, whose tails move at once."""
    cdef uint8_t behind_first[TAIL]
    cdef uint8_t behind_second[TAIL]
    memcpy(behind_first, cells.bits + first + 1, TAIL)
    memcpy(behind_second, cells.bits + second + 1, TAIL)
    memcpy(cells.bits + first, behind_first, TAIL)
    memcpy(cells.bits + second - 1, behind_second, TAIL)
    cells.count -= 2


ctypedef struct Game:
    # A game in play, in all the forms that make its next turn cheap. The turtles of the
    # position are brought up to date only where something other than these forms needs them.
    position_t position
    Lines lines
    EmptyCells cells


cdef inline void start_game(Game *g, const position_t *p) noexcept nogil:
    g.position = p[0]
    draw_lines(&g.lines, p)
    list_cells(&g.cells, empty_cells(p))


cdef inline void update_turtles(Game *g) noexcept nogil:
    g.position.turtles[BLACK_SIDE] = board_of(&g.lines, BLACK_SIDE)
    g.position.turtles[WHITE_SIDE] = board_of(&g.lines, WHITE_SIDE)


cdef inline void capture_one(Game *g, int bit, int step) noexcept nogil:
    """C1: the turtle on `bit` captures the two turtles that follow it at `step`."""
    cdef int i
    for i in range(1, 3):
        clear(&g.lines, bit + i * step)
        list_one(&g.cells, bit + i * step)


cdef inline int step_to(uint64_t ahead, uint64_t behind) noexcept nogil:
    """The step to where one trap closes."""
    return step_of(lowest_bit(ahead) // LANE) if ahead else -step_of(lowest_bit(behind) // LANE)


cdef inline void play_by_the_rules(Game *g, int black, int white) noexcept nogil:
    """Play any turn on the position, and update the other forms."""
    cdef position_t *p = &g.position
    cdef Bitboard eggs = p.eggs
    cdef Bitboard picked = union_of(single(black), single(white))
    cdef Bitboard occupied, emptied, hatched
    update_turtles(g)
    occupied = without(full_board(), empty_cells(p))
    p.turtles[BLACK_SIDE] = without(p.turtles[BLACK_SIDE], picked)
    p.turtles[WHITE_SIDE] = without(p.turtles[WHITE_SIDE], picked)
    play_turn(p, black, white)
    emptied = common(occupied, empty_cells(p))
    hatched = without(without(eggs, p.eggs), emptied)
    clear_all(&g.lines, union_of(emptied, hatched))
    put_all(&g.lines, common(hatched, p.turtles[BLACK_SIDE]), BLACK_SIDE)
    put_all(&g.lines, common(hatched, p.turtles[WHITE_SIDE]), WHITE_SIDE)
    while not is_empty(emptied):
        list_one(&g.cells, pop_lowest(&emptied))


cdef inline bint is_one(uint64_t a, uint64_t b, uint64_t c, uint64_t d) noexcept nogil:
    """Whether there is exactly one bit in four words."""
    cdef uint64_t any_of = a | b | c | d
    return any_of & (any_of - 1) == 0 and (a != 0) + (b != 0) + (c != 0) + (d != 0) == 1


cdef inline void land(Game *g, int black, int white) noexcept nogil:
    """Play a turn in which both turtles land; check further only if something may happen."""
    cdef position_t *p = &g.position
    cdef Around a, b
    cdef uint64_t ahead_a, behind_a, ahead_b, behind_b, black_fives, white_fives
    cdef uint64_t own_black = put(&g.lines, black, BLACK_SIDE)
    cdef uint64_t own_white = put(&g.lines, white, WHITE_SIDE)
    a = look(&g.lines, BLACK_SIDE, black, own_black, p.egg_count > 0)
    b = look(&g.lines, WHITE_SIDE, white, own_white, p.egg_count > 0)
    ahead_a, behind_a = traps_ahead(&a), traps_behind(&a)
    ahead_b, behind_b = traps_ahead(&b), traps_behind(&b)
    black_fives, white_fives = fives(&a), fives(&b)
    if ahead_a | behind_a | ahead_b | behind_b:
        if (
            black_fives | white_fives
            or p.egg_count
            or p.winning[BLACK_SIDE]
            or not is_one(ahead_a, behind_a, ahead_b, behind_b)
        ):
            play_by_the_rules(g, black, white)
            return
    if ahead_a | behind_a:
        capture_one(g, black, step_to(ahead_a, behind_a))
    elif ahead_b | behind_b:
        capture_one(g, white, step_to(ahead_b, behind_b))
    elif black_fives | white_fives or g.cells.count == 0:
        update_turtles(g)
        settle(p)


cdef inline void collide(Game *g, int bit) noexcept nogil:
    """E1: lay an egg."""
    put(&g.lines, bit, EGGS)
    update_turtles(g)
    play_turn(&g.position, bit, bit)


cdef inline int playout(Game *g, Stream *stream, int max_turns) noexcept nogil:
    """Play random turns in place, to the end or `max_turns`; returns the turns played."""
    cdef int turns = 0, i, j, black, white
    cdef uint32_t turn = g.position.turn
    while g.position.outcome == UNDECIDED and turns < max_turns:
        random_pair(stream, <uint32_t>g.cells.count, &i, &j)
        black, white = g.cells.bits[i], g.cells.bits[j]
        if i == j:
            unlist_one(&g.cells, i)
            collide(g, black)
        else:
            unlist_two(&g.cells, min(i, j), max(i, j))
            land(g, black, white)
        turns += 1
    update_turtles(g)
    g.position.turn = turn + min(<uint32_t>turns, <uint32_t>0xFFFFFFFF - turn)
    return turns


cdef inline int limit_of(max_turns) except -1:
    """Return the maximum number of turns for the argument of users."""
    from wts_fast.types import MAX_COUNT, check_int  # a header has no names of its own

    if max_turns is None:
        return NO_LIMIT
    return min(check_int("max_turns", max_turns, 1, MAX_COUNT), <int>NO_LIMIT)
