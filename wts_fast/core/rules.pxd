"""The rules over bitboards: the position struct, and the functions that play a turn.

Everything here is inline, allocates nothing, touches no Python object and needs no GIL.
Nothing is checked: callers pass legal picks, as bits of the board (see bitboard.pxd).
Ids such as C6 or R2 name rules and rulings. wts_fast/reference/rules.py holds the same rules in
Python, in the same order, under the same names.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memmove

from wts_fast.core.bitboard cimport (
    Bitboard,
    add,
    cell_of,
    common,
    contains,
    full_board,
    is_empty,
    lowest_bit,
    popcount,
    shifted_down,
    shifted_up,
    single,
    union_of,
    window_above,
    window_below,
    without,
)


cdef enum:
    # Indices of position_t.turtles and position_t.winning.
    BLACK_SIDE = 0
    WHITE_SIDE = 1

cdef enum:
    # The values of Outcome, in wts_fast/types.py.
    UNDECIDED = 0
    BLACK_WINS = 1
    WHITE_WINS = 2
    DRAWN = 3

cdef enum:
    # The steps from a cell to its next on a line: right, down left, down, down right.
    RIGHT = 1
    DOWN_LEFT = 9
    DOWN = 10
    DOWN_RIGHT = 11


ctypedef struct position_t:
    # All zero is the empty board. What follows from the turtles and eggs (winning, outcome)
    # is kept by play_turn, and brought up to date with settle after any other change.
    Bitboard turtles[2]
    Bitboard eggs
    uint32_t turn
    uint8_t winning[2]
    uint8_t outcome
    uint8_t egg_count
    uint8_t egg_order[81]  # the bits of the eggs, oldest first


# --- placement (T1, T2, E1) -------------------------------------------------------------


cdef inline Bitboard empty_cells(const position_t *p) noexcept nogil:
    """T1: the cells that may be picked while the game is not over."""
    return without(
        full_board(), union_of(union_of(p.turtles[BLACK_SIDE], p.turtles[WHITE_SIDE]), p.eggs)
    )


cdef inline void place(position_t *p, int black, int white) noexcept nogil:
    """T2: both turtles land."""
    add(&p.turtles[BLACK_SIDE], black)
    add(&p.turtles[WHITE_SIDE], white)


cdef inline void lay_egg(position_t *p, int bit) noexcept nogil:
    """E1: an egg is laid as the newest."""
    add(&p.eggs, bit)
    p.egg_order[p.egg_count] = <uint8_t>bit
    p.egg_count += 1


# --- around the turtles that arrive ------------------------------------------------------

# Two turtles arrive in a turn, and both are checked in the same words: Black's in the low
# 32 bits (its lane), White's in the high. Bit d - 1 of an "ahead" lane is the cell d bits above
# the turtle, bit 32 - d of a "behind" lane the cell d bits below it. A step of a line is 1, 9,
# 10 or 11 bits, so the cell at step s ahead is marked at bit s - 1 of the lane, behind at
# bit 32 - s, and no shift below carries a cell of one lane to a marked bit of the other.

cdef enum:
    LANE = 32


ctypedef struct Surroundings:
    uint64_t own_ahead
    uint64_t own_behind
    uint64_t enemy_ahead
    uint64_t enemy_behind
    # The ends of traps are 3, 27, 30 or 33 bits away: own turtles shifted until those fit.
    uint64_t ends_ahead
    uint64_t ends_behind


cdef inline Surroundings nothing_around() noexcept nogil:
    cdef Surroundings s
    s.own_ahead = s.own_behind = s.enemy_ahead = s.enemy_behind = 0
    s.ends_ahead = s.ends_behind = 0
    return s


cdef inline uint64_t in_lane(uint64_t word, int lane) noexcept nogil:
    """The low half of a word, moved to the lane."""
    return <uint64_t><uint32_t>word << lane


cdef inline void look_around(
    Surroundings *s, int lane, Bitboard own, Bitboard enemy, int bit
) noexcept nogil:
    """C2: read the cells around `bit`; `enemy` holds the other side's turtles and the eggs."""
    cdef uint64_t own_above = window_above(own, bit), own_below = window_below(own, bit)
    s.own_ahead |= in_lane(own_above, lane)
    s.own_behind |= in_lane(own_below >> 32, lane)
    s.ends_ahead |= in_lane(own_above >> 2, lane)
    s.ends_behind |= in_lane(own_below << 1 >> 32, lane)
    s.enemy_ahead |= in_lane(window_above(enemy, bit), lane)
    s.enemy_behind |= in_lane(window_below(enemy, bit) >> 32, lane)


cdef inline uint64_t mark(int bit) noexcept nogil:
    """The bit in both lanes."""
    return (<uint64_t>1 << LANE | 1) << bit


# --- captures (C1 to C6) ----------------------------------------------------------------


cdef inline uint64_t traps_along(const Surroundings *s, int step) noexcept nogil:
    """C1, C3: marks where two enemy pieces, then an own turtle, follow at `step` or -`step`.

    No step wraps round an edge: of three cells that would, one falls on the padding column
    or outside, where no piece stands.
    """
    cdef uint64_t ahead = s.enemy_ahead & s.enemy_ahead >> step & s.ends_ahead >> (2 * step - 2)
    cdef uint64_t behind = s.enemy_behind & s.enemy_behind << step & s.ends_behind << (2 * step - 1)
    return ahead & mark(step - 1) | behind & mark(LANE - step)


cdef inline uint64_t traps_around(const Surroundings *s) noexcept nogil:
    """C1, C3, C5: the marks of all directions in which a trap closes."""
    return (
        traps_along(s, RIGHT)
        | traps_along(s, DOWN_LEFT)
        | traps_along(s, DOWN)
        | traps_along(s, DOWN_RIGHT)
    )


cdef inline int step_of_mark(int place) noexcept nogil:
    """The step, ahead or behind, whose mark is this bit of a lane."""
    return place + 1 if place < LANE // 2 else place - LANE


cdef inline int captures_of(uint64_t traps, int bit, Bitboard *captured) noexcept nogil:
    """C1, C5: add the pair of each marked direction, seen from `bit`; returns their number."""
    cdef int captures = 0, step
    while traps:
        step = step_of_mark(lowest_bit(traps))
        traps &= traps - 1
        add(captured, bit + step)
        add(captured, bit + 2 * step)
        captures += 1
    return captures


cdef inline void forget_captured_eggs(position_t *p) noexcept nogil:
    """H5: an egg that has left p.eggs by capture will not hatch."""
    cdef int i, kept = 0
    for i in range(p.egg_count):
        if contains(p.eggs, p.egg_order[i]):
            p.egg_order[kept] = p.egg_order[i]
            kept += 1
    p.egg_count = <uint8_t>kept


cdef inline void remove_captured(position_t *p, Bitboard captured) noexcept nogil:
    """T3: captured pieces leave the board, an egg also its place in the order."""
    cdef bint egg_captured = not is_empty(common(p.eggs, captured))
    p.turtles[BLACK_SIDE] = without(p.turtles[BLACK_SIDE], captured)
    p.turtles[WHITE_SIDE] = without(p.turtles[WHITE_SIDE], captured)
    if egg_captured:
        p.eggs = without(p.eggs, captured)
        forget_captured_eggs(p)


cdef inline void capture_together(
    position_t *p, uint64_t traps, int black, int white, int *by_black, int *by_white
) noexcept nogil:
    """C6: both players' captures are computed on one board, before anything is removed.

    `traps` are the marks around both turtles; the numbers of captures are written to the last
    two arguments.
    """
    cdef Bitboard captured
    captured.lo = captured.hi = 0
    by_black[0] = captures_of(<uint32_t>traps, black, &captured)
    by_white[0] = captures_of(traps >> LANE, white, &captured)
    remove_captured(p, captured)


# --- hatching (H1 to H5) ----------------------------------------------------------------


cdef inline void drop_oldest_eggs(position_t *p, int count) noexcept nogil:
    """Remove the oldest eggs from the board."""
    cdef int i
    for i in range(count):
        p.eggs = without(p.eggs, single(p.egg_order[i]))
    p.egg_count -= <uint8_t>count
    memmove(p.egg_order, p.egg_order + count, p.egg_count)


cdef inline void vanish_together(position_t *p, int claims) noexcept nogil:
    """H3, R1: one capture of each side is spent for each oldest egg, and it vanishes."""
    drop_oldest_eggs(p, min(claims, <int>p.egg_count))


cdef inline void hatch_in_turn(position_t *p, int side, int captures) noexcept nogil:
    """H1, H2, H4, H5, R2, R3: eggs hatch one after another for `side`, the oldest first.

    What a hatched turtle captures is removed, and adds to the captures left to spend,
    before the next egg hatches.
    """
    cdef Bitboard captured
    cdef Surroundings around
    cdef int bit
    while captures > 0 and p.egg_count > 0:
        bit = p.egg_order[0]
        drop_oldest_eggs(p, 1)
        add(&p.turtles[side], bit)
        captured.lo = captured.hi = 0
        around = nothing_around()
        look_around(&around, 0, p.turtles[side], union_of(p.turtles[1 - side], p.eggs), bit)
        captures += captures_of(traps_around(&around), bit, &captured) - 1
        remove_captured(p, captured)


cdef inline bint hatch(position_t *p, int by_black, int by_white) noexcept nogil:
    """H3, R1: eggs vanish while both have captures to spend; then one side hatches.

    Returns whether any egg hatched.
    """
    cdef int both = min(by_black, by_white)
    vanish_together(p, both)
    if by_black == by_white or p.egg_count == 0:
        return False
    hatch_in_turn(p, BLACK_SIDE if by_black > both else WHITE_SIDE, by_black + by_white - 2 * both)
    return True


# --- winning and Sudden Death (W1 to W3, S1, S2, D1) ------------------------------------


cdef inline Bitboard starts_of_fives(Bitboard own, int step) noexcept nogil:
    """The lowest bit of each five in a row along `step`."""
    cdef Bitboard twos = common(own, shifted_down(own, step))
    cdef Bitboard fours = common(twos, shifted_down(twos, 2 * step))
    return common(fours, shifted_down(own, 4 * step))


cdef inline Bitboard cells_of_fives(Bitboard starts, int step) noexcept nogil:
    """All bits of the fives along `step` that start there."""
    cdef Bitboard twos = union_of(starts, shifted_up(starts, step))
    return union_of(union_of(twos, shifted_up(twos, 2 * step)), shifted_up(starts, 4 * step))


cdef inline int count_winning_turtles(Bitboard own) noexcept nogil:
    """W2: the turtles in lines of five or more, each counted once."""
    cdef Bitboard right = starts_of_fives(own, RIGHT)
    cdef Bitboard down_left = starts_of_fives(own, DOWN_LEFT)
    cdef Bitboard down = starts_of_fives(own, DOWN)
    cdef Bitboard down_right = starts_of_fives(own, DOWN_RIGHT)
    if is_empty(union_of(union_of(right, down_left), union_of(down, down_right))):
        return 0
    return popcount(
        union_of(
            union_of(cells_of_fives(right, RIGHT), cells_of_fives(down_left, DOWN_LEFT)),
            union_of(cells_of_fives(down, DOWN), cells_of_fives(down_right, DOWN_RIGHT)),
        )
    )


cdef inline void count_lines(position_t *p) noexcept nogil:
    """W1, W2: count both sides' winning turtles."""
    p.winning[BLACK_SIDE] = <uint8_t>count_winning_turtles(p.turtles[BLACK_SIDE])
    p.winning[WHITE_SIDE] = <uint8_t>count_winning_turtles(p.turtles[WHITE_SIDE])


cdef inline void decide(position_t *p) noexcept nogil:
    """W3, S1, S2, D1, R4, R5, R6: the outcome, from both counts and a full board."""
    if p.winning[BLACK_SIDE] != p.winning[WHITE_SIDE]:
        p.outcome = BLACK_WINS if p.winning[BLACK_SIDE] > p.winning[WHITE_SIDE] else WHITE_WINS
    else:
        p.outcome = DRAWN if is_empty(empty_cells(p)) else UNDECIDED


cdef inline void settle(position_t *p) noexcept nogil:
    """Update the counts and the outcome from the board."""
    count_lines(p)
    decide(p)


# --- which turtles may be in a line -------------------------------------------------------


cdef inline uint64_t near_five_along(const Surroundings *s, int step) noexcept nogil:
    """Marks where a five with the arrived turtle may lie along `step`.

    Of the four others in a five, either three follow at -`step`, or two at `step` and a
    third behind these or next on the other side.
    """
    cdef uint64_t ahead = s.own_ahead & s.own_ahead >> step
    cdef uint64_t behind = s.own_behind & s.own_behind << step
    ahead &= s.ends_ahead >> (2 * step - 2) | s.own_behind >> (LANE + 1 - 2 * step)
    behind &= s.ends_behind << (2 * step - 1)
    return ahead & mark(step - 1) | behind & mark(LANE - step)


cdef inline uint64_t near_five_around(const Surroundings *s) noexcept nogil:
    """The marks of all directions; a turtle without any completes no five."""
    return (
        near_five_along(s, RIGHT)
        | near_five_along(s, DOWN_LEFT)
        | near_five_along(s, DOWN)
        | near_five_along(s, DOWN_RIGHT)
    )


# --- a turn -----------------------------------------------------------------------------


cdef inline int play_turn(position_t *p, int black, int white) noexcept nogil:
    """T1, T2: play one turn in place; `black` and `white` are bits of empty cells.

    Returns the number of captures of the two placed turtles: where it is 0, no cell was
    emptied.
    """
    cdef Surroundings around
    cdef uint64_t traps, near_five
    cdef int by_black, by_white
    p.turn += p.turn != <uint32_t>0xFFFFFFFF
    if black == white:
        # E1, E2: nothing is captured, nothing hatches, and no line can have changed.
        lay_egg(p, black)
        decide(p)
        return 0
    place(p, black, white)
    around = nothing_around()
    look_around(
        &around, 0, p.turtles[BLACK_SIDE], union_of(p.turtles[WHITE_SIDE], p.eggs), black
    )
    look_around(
        &around, LANE, p.turtles[WHITE_SIDE], union_of(p.turtles[BLACK_SIDE], p.eggs), white
    )
    near_five = near_five_around(&around)
    traps = traps_around(&around)
    by_black = by_white = 0
    if traps:
        capture_together(p, traps, black, white, &by_black, &by_white)
        if hatch(p, by_black, by_white):
            near_five = mark(0)
    if p.winning[BLACK_SIDE]:
        near_five = mark(0)
    # W1: lines are counted only if there was one before, or an arrived turtle may be in one.
    if <uint32_t>near_five:
        p.winning[BLACK_SIDE] = <uint8_t>count_winning_turtles(p.turtles[BLACK_SIDE])
    if near_five >> LANE:
        p.winning[WHITE_SIDE] = <uint8_t>count_winning_turtles(p.turtles[WHITE_SIDE])
    decide(p)
    return by_black + by_white


# --- the key ----------------------------------------------------------------------------


cdef inline uint64_t mix(uint64_t word) noexcept nogil:
    """The finalizer of SplitMix64 (Steele, Lea, Flood, 2014), a bijection of 64-bit words."""
    word = (word ^ word >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * <uint64_t>0x94D049BB133111EB
    return word ^ word >> 31


cdef inline uint64_t key_of(const position_t *p) noexcept nogil:
    """R7: a hash of the three sets of cells and the egg order, without the turn."""
    cdef uint64_t key = 0
    cdef int side, i
    for side in range(2):
        key = mix((key ^ p.turtles[side].lo) + <uint64_t>0x9E3779B97F4A7C15)
        key = mix((key ^ p.turtles[side].hi) + <uint64_t>0x9E3779B97F4A7C15)
    for i in range(p.egg_count):
        key = mix((key ^ <uint64_t>cell_of(p.egg_order[i])) + <uint64_t>0x9E3779B97F4A7C15)
    return key
