"""Random games on the position struct, one at a time."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy

from streams cimport Stream, random_pair
from windows cimport (
    EVENTS,
    FIVES,
    TRAPS,
    Lines,
    clear,
    clear_all,
    draw_lines,
    events_around,
    put,
    put_all,
    step_of,
)
from wts_fast.bitboard cimport (
    Bitboard,
    add,
    below,
    common,
    is_empty,
    lowest_bit,
    pop_lowest,
    popcount,
    single,
    union_of,
    without,
)
from wts_fast.rules cimport (
    BLACK_SIDE,
    UNDECIDED,
    WHITE_SIDE,
    count_winning_turtles,
    decide,
    empty_cells,
    play_turn,
    position_t,
)


from wts_fast.types import MAX_COUNT, check_int

cdef enum:
    NO_LIMIT = 0x7FFFFFFF  # of turns
    FEW_GAMES = 128  # as many are played sooner one by one than in a group

cdef enum:
    TAIL = 80  # bytes: as many cells as can follow another


ctypedef struct EmptyCells:
    # The bits of the empty cells in ascending order, so that a pick is one load; behind them
    # is room for any tail to be moved whole, which is faster than a loop.
    int count
    uint8_t bits[162]


cdef inline void list_cells(EmptyCells *cells, Bitboard board) noexcept nogil:
    """List the cells of `board`."""
    cells.count = 0
    while not is_empty(board):
        cells.bits[cells.count] = <uint8_t>pop_lowest(&board)
        cells.count += 1


cdef inline void list_one(EmptyCells *cells, int place, int bit) noexcept nogil:
    """Insert a cell at its place."""
    cdef uint8_t behind[TAIL]
    memcpy(behind, cells.bits + place, TAIL)
    memcpy(cells.bits + place + 1, behind, TAIL)
    cells.bits[place] = <uint8_t>bit
    cells.count += 1


cdef inline void list_emptied(EmptyCells *cells, Bitboard emptied, Bitboard empty) noexcept nogil:
    """Insert the cells that a turn has emptied; `empty` holds all that are empty after it."""
    cdef int bit
    while not is_empty(emptied):
        bit = pop_lowest(&emptied)
        list_one(cells, popcount(common(empty, below(bit))), bit)


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
    # A game in play, in all the forms that make its next turn cheap.
    position_t position
    Lines lines
    EmptyCells cells


cdef inline void start_game(Game *g, const position_t *p) noexcept nogil:
    g.position = p[0]
    draw_lines(&g.lines, p)
    list_cells(&g.cells, empty_cells(p))


cdef inline void capture_one(Game *g, int bit, int enemy, unsigned trap) noexcept nogil:
    """C1: the turtle on `bit` captures two turtles, by the one trap that it closes."""
    cdef int event = lowest_bit(trap)
    cdef int step = step_of(event // EVENTS)
    cdef int first = bit + (step if event % EVENTS == 0 else -step)
    cdef int second = 2 * first - bit
    cdef Bitboard captured = union_of(single(first), single(second))
    g.position.turtles[enemy] = without(g.position.turtles[enemy], captured)
    clear(&g.lines, first)
    clear(&g.lines, second)
    list_emptied(&g.cells, captured, empty_cells(&g.position))


cdef inline void play_by_the_rules(Game *g, int black, int white) noexcept nogil:
    """Play a turn on the position, whatever happens in it, and keep the other forms up."""
    cdef position_t before = g.position
    cdef position_t *p = &g.position
    cdef Bitboard emptied, hatched
    cdef Bitboard occupied = union_of(single(black), single(white))
    play_turn(p, black, white)
    emptied = without(empty_cells(p), without(empty_cells(&before), occupied))
    list_emptied(&g.cells, emptied, empty_cells(p))
    hatched = without(without(before.eggs, p.eggs), emptied)
    clear_all(&g.lines, union_of(emptied, hatched))
    put_all(&g.lines, common(hatched, p.turtles[BLACK_SIDE]), 1)
    put_all(&g.lines, common(hatched, p.turtles[WHITE_SIDE]), 2)


cdef inline void land(Game *g, int black, int white) noexcept nogil:
    """Play a turn in which both turtles land; look closer only where something happens."""
    cdef position_t *p = &g.position
    cdef unsigned by_black, by_white, traps
    put(&g.lines, black, 1)
    put(&g.lines, white, 2)
    by_black = events_around(&g.lines, black)
    by_white = events_around(&g.lines, white)
    traps = (by_black | by_white << 12) & (TRAPS | TRAPS << 12)
    if traps and (
        traps & (traps - 1) or (by_black | by_white) & FIVES or p.egg_count or p.winning[BLACK_SIDE]
    ):
        play_by_the_rules(g, black, white)
        return
    add(&p.turtles[BLACK_SIDE], black)
    add(&p.turtles[WHITE_SIDE], white)
    p.turn += p.turn != <uint32_t>0xFFFFFFFF
    if traps:
        if by_black & TRAPS:
            capture_one(g, black, WHITE_SIDE, by_black)
        else:
            capture_one(g, white, BLACK_SIDE, by_white)
        return
    if by_black:
        p.winning[BLACK_SIDE] = <uint8_t>count_winning_turtles(p.turtles[BLACK_SIDE])
    if by_white:
        p.winning[WHITE_SIDE] = <uint8_t>count_winning_turtles(p.turtles[WHITE_SIDE])
    if by_black | by_white or g.cells.count == 0:
        decide(p)


cdef inline int playout(Game *g, Stream *stream, int max_turns) noexcept nogil:
    """Play random turns in place, to the end or `max_turns`; returns the turns played."""
    cdef int turns = 0, i, j, black, white
    while g.position.outcome == UNDECIDED and turns < max_turns:
        random_pair(stream, <uint32_t>g.cells.count, &i, &j)
        black, white = g.cells.bits[i], g.cells.bits[j]
        if i == j:
            unlist_one(&g.cells, i)
            put(&g.lines, black, 3)
            play_turn(&g.position, black, black)
        else:
            unlist_two(&g.cells, min(i, j), max(i, j))
            land(g, black, white)
        turns += 1
    return turns


cdef inline int limit_of(max_turns) except -1:
    """Return the most turns to play, for what users give."""
    if max_turns is None:
        return NO_LIMIT
    return min(check_int("max_turns", max_turns, 1, MAX_COUNT), <int>NO_LIMIT)
