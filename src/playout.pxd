"""Random games on the position struct, and the random numbers that they take.

The generator is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
Generators, OOPSLA 2014). The state of game number i of a seed starts at
mix(mix(seed) + (i + 1) * 0x9E3779B97F4A7C15). Each turn takes one 64-bit word, whose high half
picks for Black and low half for White: place half * n >> 32 in a list of the n empty cells.
A word of which one half would favour some places is passed over (Lemire: Fast Random
Integer Generation in an Interval, 2019), so picks are exactly uniform.

The list starts in ascending order. A picked cell, the one at the higher place first, gives
its place to the last of the list; cells that the turn has emptied follow in ascending order.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

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
    common,
    is_empty,
    lowest_bit,
    pop_lowest,
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
    mix,
    play_turn,
    position_t,
)


cdef struct EmptyCells:
    # The bits of the empty cells in no order that matters, so that a pick is one load.
    int count
    uint8_t bits[81]


cdef inline uint64_t start_stream(uint64_t seed, uint64_t game) noexcept nogil:
    """The state of the generator at the start of a game."""
    return mix(mix(seed) + (game + 1) * <uint64_t>0x9E3779B97F4A7C15)


cdef inline uint64_t next_word(uint64_t *state) noexcept nogil:
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    return mix(state[0])


cdef inline bint favours(uint64_t product, uint32_t count) noexcept nogil:
    """Whether this product falls among those that would favour some of `count` values."""
    cdef uint32_t low = <uint32_t>product
    return low < count and low < (<uint32_t>0 - count) % count


cdef inline void random_pair(uint64_t *state, int count, int *black, int *white) noexcept nogil:
    """Two independent uniform numbers below `count`."""
    cdef uint64_t word, high, low
    while True:
        word = next_word(state)
        high = (word >> 32) * <uint64_t>count
        low = (word & <uint64_t>0xFFFFFFFF) * <uint64_t>count
        if not (favours(high, <uint32_t>count) or favours(low, <uint32_t>count)):
            break
    black[0] = <int>(high >> 32)
    white[0] = <int>(low >> 32)


cdef inline void list_cells(EmptyCells *cells, Bitboard board) noexcept nogil:
    """Append the cells of `board`."""
    while not is_empty(board):
        cells.bits[cells.count] = <uint8_t>pop_lowest(&board)
        cells.count += 1


cdef inline void unlist(EmptyCells *cells, int i) noexcept nogil:
    cells.count -= 1
    cells.bits[i] = cells.bits[cells.count]


ctypedef struct Game:
    # A game in play, in all the forms that make its next turn cheap.
    position_t position
    Lines lines
    EmptyCells cells


cdef inline void start_game(Game *g, const position_t *p) noexcept nogil:
    g.position = p[0]
    draw_lines(&g.lines, p)
    g.cells.count = 0
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
    g.cells.bits[g.cells.count] = <uint8_t>min(first, second)
    g.cells.bits[g.cells.count + 1] = <uint8_t>max(first, second)
    g.cells.count += 2


cdef inline void play_by_the_rules(Game *g, int black, int white) noexcept nogil:
    """Play a turn on the position, whatever happens in it, and keep the other forms up."""
    cdef position_t before = g.position
    cdef position_t *p = &g.position
    cdef Bitboard emptied, hatched
    cdef Bitboard occupied = union_of(single(black), single(white))
    play_turn(p, black, white)
    emptied = without(empty_cells(p), without(empty_cells(&before), occupied))
    list_cells(&g.cells, emptied)
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


cdef inline int playout(Game *g, uint64_t *state, int max_turns) noexcept nogil:
    """Play random turns in place, to the end or `max_turns`; returns the turns played."""
    cdef int turns = 0, i, j, black, white
    while g.position.outcome == UNDECIDED and turns < max_turns:
        random_pair(state, g.cells.count, &i, &j)
        black, white = g.cells.bits[i], g.cells.bits[j]
        unlist(&g.cells, max(i, j))
        if i == j:
            put(&g.lines, black, 3)
            play_turn(&g.position, black, black)
        else:
            unlist(&g.cells, min(i, j))
            land(g, black, white)
        turns += 1
    return turns
