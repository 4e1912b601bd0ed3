"""The results of random games, counted."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.math cimport NAN
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from position.arrays cimport array_for, memory_of, opened
from batch.kernel.groups cimport FEW_GAMES, count_undecided, play_on
from batch.playout cimport Game, limit_of, playout, start_game
from batch.kernel.slices cimport (
    GROUP_WORDS,
    KERNEL,
    Group,
    Kernel,
    Streams,
    VECTOR_ALIGNMENT,
    aligned,
    game_at,
    note_bytes,
    note_planes,
    update_board,
    write_stream,
)
from batch.streams cimport Stream, start_stream
from batch.lines cimport fill_tables
from wts_fast.core.position cimport Position, of_this_engine
from wts_fast.core.bitboard cimport bit_of, contains, lowest_bit
from wts_fast.core.rules cimport (
    BLACK_WINS,
    UNDECIDED,
    WHITE_WINS,
    empty_cells,
    play_turn,
    position_t,
)

import numpy as np

from wts_fast.core.levels import kernel as _kernel
from wts_fast.randomness import seed_of
from wts_fast.threads import in_shares
from wts_fast.types import MAX_COUNT, Rollouts, check_int

cdef enum:
    # Turns of a group between two checks for Ctrl-C.
    TURNS_A_LOOK = 1024

cdef Kernel *kernel = <Kernel *>PyCapsule_GetPointer(_kernel, KERNEL)

cdef object FLOAT32 = np.dtype(np.float32)

fill_tables()


# --- the games of one thread ------------------------------------------------------------


cdef struct Tally:
    int64_t games[4]  # by outcome; an undecided game was cut
    int64_t turns


cdef struct Plan:
    # The same number of games from each start, whose streams have consecutive numbers.
    const position_t *starts
    const uint64_t *numbers
    int64_t games
    uint64_t seed
    int limit


cdef struct Place:
    # Where the next game is among those of a plan.
    int start
    int64_t game


cdef struct Table:
    # Where a thread plays its games.
    Group group
    Streams streams
    int start_of[512]
    Place next
    int64_t to_start  # games
    int to_look  # turns until a game may reach the limit
    Tally *tallies  # by start


cdef inline void draw_stream(const Plan *plan, const Place *place, Stream *stream) noexcept nogil:
    start_stream(stream, plan.seed, plan.numbers[place.start] + <uint64_t>place.game)


cdef inline void skip(const Plan *plan, Place *place, int64_t games) noexcept nogil:
    """Go on by games of one start."""
    place.game += games
    if place.game == plan.games:
        place.game = 0
        place.start += 1


cdef void play_alone(const Plan *plan, Place next, int64_t games, Tally *tallies) noexcept nogil:
    """Play so many games one by one to their end."""
    cdef Game start, game
    cdef Stream stream
    cdef int64_t i
    for i in range(games):
        if i == 0 or next.game == 0:
            start_game(&start, plan.starts + next.start)
        game = start
        draw_stream(plan, &next, &stream)
        tallies[next.start].turns += playout(&game, &stream, plan.limit)
        tallies[next.start].games[game.position.outcome] += 1
        skip(plan, &next, 1)


cdef void finish_alone(const Plan *plan, Table *t, int game) noexcept nogil:
    """Play on a game of the group to its end."""
    cdef Game alone
    cdef position_t before
    cdef int played = <int>t.group.turns[game]
    cdef Tally *tally = t.tallies + t.start_of[game]
    played += play_on(&t.group, &t.streams, game, plan.limit - played, &before, &alone)
    tally.turns += played
    tally.games[alone.position.outcome] += 1


cdef bint start_next(const Plan *plan, Table *t, int game) noexcept nogil:
    """Start the next game that is not over at once; the planes hold the first start."""
    cdef const position_t *start
    cdef Stream stream
    cdef int64_t over
    while t.to_start > 0:
        start = plan.starts + t.next.start
        if start.outcome == UNDECIDED:
            draw_stream(plan, &t.next, &stream)
            write_stream(&t.streams, game, &stream)
            t.start_of[game] = t.next.start
            note_bytes(&t.group, game, start)
            if start != plan.starts:
                update_board(&t.group, game, plan.starts, start)
                note_planes(&t.group, game, start)
            t.to_start -= 1
            skip(plan, &t.next, 1)
            return True
        over = min(t.to_start, plan.games - t.next.game)
        t.tallies[t.next.start].games[start.outcome] += over
        t.to_start -= over
        skip(plan, &t.next, over)
    return False


cdef void fill_group(const Plan *plan, Table *t) noexcept nogil:
    """Start a game wherever none is going on, as long as there are some."""
    cdef uint64_t free
    cdef int word
    for word in range(GROUP_WORDS):
        t.group.chosen[word] = ~t.group.undecided[word]
    kernel.fill(&t.group, plan.starts)
    for word in range(GROUP_WORDS):
        free = t.group.chosen[word]
        while free and start_next(plan, t, game_at(word, lowest_bit(free))):
            free &= free - 1
        t.group.undecided[word] &= ~free


cdef inline void count_game(Table *t, int game, int outcome) noexcept nogil:
    cdef Tally *tally = t.tallies + t.start_of[game]
    tally.games[outcome] += 1
    tally.turns += t.group.turns[game]


cdef void cut(const Plan *plan, Table *t) noexcept nogil:
    """End the games that have reached the limit; see when the next may."""
    cdef uint64_t going
    cdef int word, game, left
    t.to_look = plan.limit
    for word in range(GROUP_WORDS):
        going = t.group.undecided[word]
        while going:
            game = game_at(word, lowest_bit(going))
            left = plan.limit - <int>t.group.turns[game]
            if left > 0:
                t.to_look = min(t.to_look, left)
            else:
                count_game(t, game, UNDECIDED)
                t.group.undecided[word] &= ~(going & (0 - going))
            going &= going - 1


cdef bint play_group_turn(const Plan *plan, Table *t) noexcept nogil:
    """Play a turn in all games of the group; returns whether it is worth playing another."""
    cdef uint64_t before[GROUP_WORDS]
    cdef uint64_t ended
    cdef int word, game
    if t.to_start > 0:
        fill_group(plan, t)
    for word in range(GROUP_WORDS):
        before[word] = t.group.undecided[word]
    kernel.pick_at_random(&t.group, &t.streams)
    kernel.play(&t.group)
    for word in range(GROUP_WORDS):
        ended = before[word] & ~t.group.undecided[word]
        while ended:
            game = game_at(word, lowest_bit(ended))
            count_game(t, game, t.group.outcomes[game])
            ended &= ended - 1
    t.to_look -= 1
    if t.to_look == 0:
        cut(plan, t)
    return t.to_start > 0 or count_undecided(&t.group) > FEW_GAMES


cdef bint play_some_turns(const Plan *plan, Table *t) noexcept nogil:
    """Play turns until the next check for Ctrl-C; returns whether all games have ended."""
    cdef int _turn, word
    cdef uint64_t going
    for _turn in range(TURNS_A_LOOK):
        if not play_group_turn(plan, t):
            break
    else:
        return False
    for word in range(GROUP_WORDS):
        going = t.group.undecided[word]
        while going:
            finish_alone(plan, t, game_at(word, lowest_bit(going)))
            going &= going - 1
    return True


cdef int play_together(
    const Plan *plan, Place first, int64_t games, Tally *tallies, stopped
) except -1:
    """Play games in a group, without the GIL except to check for Ctrl-C and `stopped`."""
    cdef bint over = False
    cdef void *memory = PyMem_RawCalloc(1, sizeof(Table) + VECTOR_ALIGNMENT)
    cdef Table *t = <Table *>aligned(memory)
    if memory == NULL:
        raise MemoryError
    t.next = first
    t.to_start = games
    t.to_look = plan.limit
    t.tallies = tallies
    try:
        while not over and not stopped.is_set():
            with nogil:
                over = play_some_turns(plan, t)
            PyErr_CheckSignals()
    finally:
        PyMem_RawFree(memory)
    return 0


cdef int play_games(
    const Plan *plan, int64_t first, int64_t stop, Tally *tallies, stopped
) except -1:
    """Play the games of a plan from number `first` up to `stop`, and count their results."""
    cdef Place place
    if first == stop:
        return 0
    place.start, place.game = <int>(first // plan.games), first % plan.games
    if stop - first > FEW_GAMES:
        return play_together(plan, place, stop - first, tallies, stopped)
    with nogil:
        play_alone(plan, place, stop - first, tallies)
    return 0


# --- counts -----------------------------------------------------------------------------


cdef tuple count_share(
    Position position, uint64_t seed, int64_t games, int limit, int share, int shares, stopped
):
    """Return the games by outcome, and the turns, of one of equal shares of the games."""
    cdef Plan plan
    cdef Tally tally
    cdef uint64_t number = 0
    cdef position_t start = position.state
    start.turn = 0
    memset(&tally, 0, sizeof(Tally))
    plan.starts, plan.numbers = &start, &number
    plan.games, plan.seed, plan.limit = games, seed, limit
    play_games(
        &plan,
        games // shares * share + min(games % shares, share),
        games // shares * (share + 1) + min(games % shares, share + 1),
        &tally,
        stopped,
    )
    return tally.games[0], tally.games[1], tally.games[2], tally.games[3], tally.turns


def rollouts(position, n, *, rng=None, max_turns=None, threads=1):
    """Play `n` random games from `position` to their end, and count the results.

    In each turn both players pick uniformly and independently among the empty cells.
    `rng` is a seed 0..2**64 - 1, a `numpy.random.Generator`, from which a seed is drawn,
    or `None` for a fresh one; the games of a seed are the same on every platform and for
    any number of `threads`. A game still undecided `max_turns` turns after `position` is
    cut, and counts as `truncated`, not as a draw (R8). For a finished position, its outcome
    is counted n times. `position` may be of either engine.

    Raises `ValueError` if `n` is outside 0..2**63 - 1, `max_turns` outside 1..2**63 - 1,
    `threads` outside 1..1024 or the seed out of range; `TypeError` for numbers that are not
    integers, and for anything but a position. Runs without the GIL, and stops on Ctrl-C.
    """
    cdef int64_t games = check_int("n", n, 0, MAX_COUNT)
    start = of_this_engine(position)
    seed = seed_of(rng)
    limit = limit_of(max_turns)

    def work(share, shares, stopped):
        return count_share(start, seed, games, limit, share, shares, stopped)

    cut, black, white, draws, turns = map(sum, zip(*in_shares(work, threads)))
    return Rollouts(black, white, draws, cut, turns / games if games else 0.0)


# --- a matrix of means ------------------------------------------------------------------


cdef struct JointMoves:
    # What a matrix is made from, for each legal joint move.
    int count
    position_t starts[6561]
    uint64_t numbers[6561]
    int places[6561]
    Tally tallies[6561]


cdef void list_joint_moves(const position_t *p, int64_t games, JointMoves *moves) noexcept nogil:
    cdef int black, white
    cdef position_t *start
    moves.count = 0
    if p.outcome != UNDECIDED:
        return
    for black in range(81):
        if not contains(empty_cells(p), bit_of(black)):
            continue
        for white in range(81):
            if not contains(empty_cells(p), bit_of(white)):
                continue
            start = moves.starts + moves.count
            start[0] = p[0]
            play_turn(start, bit_of(black), bit_of(white))
            start.turn = 0
            moves.places[moves.count] = 81 * black + white
            moves.numbers[moves.count] = <uint64_t>(81 * black + white) * <uint64_t>games
            moves.count += 1


cdef int play_share(
    JointMoves *moves, int64_t games, uint64_t seed, int limit, int share, int shares, stopped
) except -1:
    """Play the games after one of equal shares of the joint moves."""
    cdef Plan plan
    cdef int64_t first = moves.count * share // shares, stop = moves.count * (share + 1) // shares
    plan.starts, plan.numbers = moves.starts, moves.numbers
    plan.games, plan.seed, plan.limit = games, seed, limit
    return play_games(&plan, first * games, stop * games, moves.tallies, stopped)


cdef inline float mean_value(const Tally *tally, int64_t games) noexcept nogil:
    """The mean value for Black."""
    return <float>(<double>(tally.games[BLACK_WINS] - tally.games[WHITE_WINS]) / <double>games)


def rollout_matrix(position, n, *, rng=None, max_turns=None, threads=1, out=None):
    """Return the mean value for Black of `n` random games after each joint move.

    The array is `float32` of shape (81, 81): `[black, white]` is the mean over games of 1
    if Black wins, -1 if White wins and 0 otherwise, or NaN if the turn is not legal. The games
    after a joint move have the n numbers from (81 * black + white) * n; `max_turns` counts
    the turns after the joint move. `out`
    is an array to write to and return: `float32`, of that shape, C-contiguous and writable;
    Ctrl-C leaves it as it was. `rng` and `threads` are those of `rollouts`.

    Raises `ValueError` if `n` is outside 1..2**32 - 1 or `out` is not such an array, and
    what `rollouts` raises.
    """
    cdef int64_t games = check_int("n", n, 1, 2**32 - 1)
    cdef JointMoves *moves
    cdef float *matrix
    cdef int i
    start = of_this_engine(position)
    seed = seed_of(rng)
    limit = limit_of(max_turns)
    out = array_for(out, FLOAT32, (81, 81))
    view = opened(out, FLOAT32, (81, 81))
    # Threads may still use it for a moment after Ctrl-C; they keep it alive.
    memory = bytearray(sizeof(JointMoves))
    moves = <JointMoves *>PyByteArray_AS_STRING(memory)
    list_joint_moves(&(<Position>start).state, games, moves)

    def work(share, shares, stopped):
        cdef JointMoves *all_moves = <JointMoves *>PyByteArray_AS_STRING(memory)
        play_share(all_moves, games, seed, limit, share, shares, stopped)

    in_shares(work, threads)
    matrix = <float *>memory_of(view)
    for i in range(81 * 81):
        matrix[i] = NAN
    for i in range(moves.count):
        matrix[moves.places[i]] = mean_value(moves.tallies + i, games)
    return out
