"""The outcomes of all joint moves of a position, most of them without playing the turn.

For each empty cell, the effects of a turtle of either side are computed once. They determine
the outcome of a joint move, unless it has a capture that may change a line or hatch an egg, or
a capture that needs both picks: those turns are played.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from position.arrays cimport array_for, memory_of, opened
from wts_fast.core.position cimport Position, of_this_engine
from wts_fast.core.bitboard cimport (
    Bitboard,
    add,
    cell_of,
    is_empty,
    lowest_bit,
    pop_lowest,
    single,
    union_of,
    window_above,
    window_below,
)
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    BLACK_WINS,
    DOWN,
    DOWN_LEFT,
    DOWN_RIGHT,
    DRAWN,
    LANE,
    RIGHT,
    UNDECIDED,
    WHITE_SIDE,
    WHITE_WINS,
    Surroundings,
    count_winning_turtles,
    empty_cells,
    in_lane,
    look_around,
    mark,
    near_five_around,
    nothing_around,
    play_turn,
    position_t,
    step_of_mark,
    traps_around,
)

import numpy as np

cdef object INT8 = np.dtype(np.int8)

cdef enum:
    ILLEGAL = -1


cdef struct Prospect:
    # The effects of a turtle that arrives on one empty cell, without another, for each side.
    int bit
    bint captures[2]
    uint8_t winning[2]  # its side's winning turtles, before anything is captured
    Bitboard baits[2]  # where a turtle of the other side would complete a trap for it


cdef struct Prospects:
    int count
    Prospect cells[81]
    # Places in `cells` of those that capture, and of those that leave its side with a line.
    int capturing[2]
    int captures[2][81]
    int lining[2]
    int lines[2][81]


# --- the effects of a turtle ------------------------------------------------------------


cdef inline uint64_t baits_along(
    const Surroundings *s, uint64_t empty_ahead, uint64_t empty_behind, int step, bint near
) noexcept nogil:
    """Marks where one of the two pieces of a trap is missing: the near or the far one."""
    cdef uint64_t ahead = s.ends_ahead >> (2 * step - 2) & mark(step - 1)
    cdef uint64_t behind = s.ends_behind << (2 * step - 1) & mark(LANE - step)
    if near:
        ahead &= empty_ahead & s.enemy_ahead >> step
        behind &= empty_behind & s.enemy_behind << step
    else:
        ahead &= s.enemy_ahead & empty_ahead >> step
        behind &= s.enemy_behind & empty_behind << step
    return ahead | behind


cdef inline uint64_t baits_around(
    const Surroundings *s, uint64_t empty_ahead, uint64_t empty_behind, bint near
) noexcept nogil:
    return (
        baits_along(s, empty_ahead, empty_behind, RIGHT, near)
        | baits_along(s, empty_ahead, empty_behind, DOWN_LEFT, near)
        | baits_along(s, empty_ahead, empty_behind, DOWN, near)
        | baits_along(s, empty_ahead, empty_behind, DOWN_RIGHT, near)
    )


cdef inline void add_baits(Bitboard *baits, uint32_t marks, int bit, int distance) noexcept nogil:
    while marks:
        add(baits, bit + distance * step_of_mark(lowest_bit(marks)))
        marks &= marks - 1


cdef inline uint8_t winning_with(
    const position_t *p, int side, int bit, bint near_five
) noexcept nogil:
    """W2: the winning turtles of a side that has one more on `bit`."""
    if not near_five:
        return p.winning[side]
    return <uint8_t>count_winning_turtles(union_of(p.turtles[side], single(bit)))


cdef inline void look_at(
    const position_t *p, Bitboard empty, int bit, Prospect *cell
) noexcept nogil:
    cdef Surroundings around = nothing_around()
    cdef uint64_t ahead = window_above(empty, bit), behind = window_below(empty, bit) >> 32
    cdef uint64_t traps, near_five, near, far
    look_around(&around, 0, p.turtles[BLACK_SIDE], union_of(p.turtles[WHITE_SIDE], p.eggs), bit)
    look_around(&around, LANE, p.turtles[WHITE_SIDE], union_of(p.turtles[BLACK_SIDE], p.eggs), bit)
    ahead = in_lane(ahead, 0) | in_lane(ahead, LANE)
    behind = in_lane(behind, 0) | in_lane(behind, LANE)
    traps = traps_around(&around)
    near_five = near_five_around(&around)
    near = baits_around(&around, ahead, behind, True)
    far = baits_around(&around, ahead, behind, False)
    memset(cell, 0, sizeof(Prospect))
    cell.bit = bit
    cell.captures[BLACK_SIDE] = <uint32_t>traps != 0
    cell.captures[WHITE_SIDE] = traps >> LANE != 0
    cell.winning[BLACK_SIDE] = winning_with(p, BLACK_SIDE, bit, <uint32_t>near_five != 0)
    cell.winning[WHITE_SIDE] = winning_with(p, WHITE_SIDE, bit, near_five >> LANE != 0)
    if near | far:
        add_baits(&cell.baits[BLACK_SIDE], <uint32_t>near, bit, 1)
        add_baits(&cell.baits[BLACK_SIDE], <uint32_t>far, bit, 2)
        add_baits(&cell.baits[WHITE_SIDE], near >> LANE, bit, 1)
        add_baits(&cell.baits[WHITE_SIDE], far >> LANE, bit, 2)


cdef void look_everywhere(const position_t *p, Prospects *all) noexcept nogil:
    cdef Bitboard empty = empty_cells(p), left = empty
    cdef Prospect *cell
    cdef int side
    all.count = 0
    all.capturing[BLACK_SIDE] = all.capturing[WHITE_SIDE] = 0
    all.lining[BLACK_SIDE] = all.lining[WHITE_SIDE] = 0
    while not is_empty(left):
        cell = &all.cells[all.count]
        look_at(p, empty, pop_lowest(&left), cell)
        for side in range(2):
            if cell.captures[side]:
                all.captures[side][all.capturing[side]] = all.count
                all.capturing[side] += 1
            if cell.winning[side]:
                all.lines[side][all.lining[side]] = all.count
                all.lining[side] += 1
        all.count += 1


# --- the matrix -------------------------------------------------------------------------


cdef inline int8_t decided(int black, int white, bint full) noexcept nogil:
    """W3, S1, D1, R4: the outcome of two counts, and whether the board is full."""
    if black != white:
        return BLACK_WINS if black > white else WHITE_WINS
    return DRAWN if full else UNDECIDED


cdef void fill_row(const Prospects *all, int black_count, int8_t *row) noexcept nogil:
    """The outcomes of one pick of Black's where nothing is captured, by White's pick."""
    cdef int i
    memset(row, ILLEGAL, 81)
    for i in range(all.count):
        row[cell_of(all.cells[i].bit)] = decided(
            black_count, all.cells[i].winning[WHITE_SIDE], all.count == 2
        )


cdef inline void play_pair(
    const position_t *p, int black, int white, int8_t *matrix
) noexcept nogil:
    """Play the turn of these two bits."""
    cdef position_t after
    if black != white:
        after = p[0]
        play_turn(&after, black, white)
        matrix[81 * cell_of(black) + cell_of(white)] = <int8_t>after.outcome


cdef void play_captures(const position_t *p, const Prospects *all, int8_t *matrix) noexcept nogil:
    """Play the turns in which a capture changes more than the cells that it empties.

    Without an egg nothing hatches, and the capturing side's own line stays whole; so it
    matters only to a line of the other side, or to a board that would be full.
    """
    cdef bint always = p.egg_count > 0 or all.count == 2
    cdef int side, other, i, j, count, capturing, picked
    for side in range(2):
        other = 1 - side
        count = all.count if always else all.lining[other]
        for i in range(all.capturing[side]):
            capturing = all.cells[all.captures[side][i]].bit
            for j in range(count):
                picked = all.cells[j if always else all.lines[other][j]].bit
                if side == BLACK_SIDE:
                    play_pair(p, capturing, picked, matrix)
                else:
                    play_pair(p, picked, capturing, matrix)


cdef void play_baits(const position_t *p, const Prospects *all, int8_t *matrix) noexcept nogil:
    """Play the turns in which one pick completes a trap for the other."""
    cdef Bitboard baits
    cdef int i
    for i in range(all.count):
        baits = all.cells[i].baits[BLACK_SIDE]
        while not is_empty(baits):
            play_pair(p, all.cells[i].bit, pop_lowest(&baits), matrix)
        baits = all.cells[i].baits[WHITE_SIDE]
        while not is_empty(baits):
            play_pair(p, pop_lowest(&baits), all.cells[i].bit, matrix)


cdef void fill_matrix(const position_t *p, int8_t *matrix) noexcept nogil:
    cdef Prospects all
    cdef int8_t usual[81]
    cdef int8_t *row
    cdef int i
    memset(matrix, ILLEGAL, 81 * 81)
    if p.outcome != UNDECIDED:
        return
    look_everywhere(p, &all)
    fill_row(&all, p.winning[BLACK_SIDE], usual)
    for i in range(all.count):
        row = matrix + 81 * cell_of(all.cells[i].bit)
        if all.cells[i].winning[BLACK_SIDE] == p.winning[BLACK_SIDE]:
            memcpy(row, usual, 81)
        else:
            fill_row(&all, all.cells[i].winning[BLACK_SIDE], row)
        # E2: a collision changes no line.
        row[cell_of(all.cells[i].bit)] = DRAWN if all.count == 1 else UNDECIDED
    play_captures(p, &all, matrix)
    play_baits(p, &all, matrix)


def outcomes(position, *, out=None):
    """Return the outcome of every joint move as an `int8` array of shape (81, 81).

    `outcomes(position)[black, white]` is the `Outcome` of `position.play(black, white)`, or
    -1 if that turn is not legal; if the game is over, all are -1. `position` may be of either
    engine. `out` is an array to write to and return: `int8`, of that shape, C-contiguous and
    writable.

    Raises `TypeError` for anything but a position, `ValueError` if `out` is not such an array.
    """
    cdef Position source = of_this_engine(position)
    out = array_for(out, INT8, (81, 81))
    view = opened(out, INT8, (81, 81))
    fill_matrix(&source.state, <int8_t *>memory_of(view))
    return out
