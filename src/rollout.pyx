"""Random games by the million, counted."""

from cpython.buffer cimport PyBuffer_Release
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport NAN
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from matrix cimport open_matrix
from playout cimport Game, playout, start_game, start_stream
from windows cimport fill_tables
from wts_fast._position cimport Position, of_this_engine
from wts_fast.bitboard cimport bit_of, contains
from wts_fast.rules cimport (
    BLACK_WINS,
    UNDECIDED,
    WHITE_WINS,
    empty_cells,
    play_turn,
    position_t,
)

from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event

import numpy as np

from wts_fast.randomness import seed_of
from wts_fast.types import MAX_COUNT, Rollouts, check_int

cdef enum:
    # Games between two looks at whether the user has pressed Ctrl-C.
    GAMES_A_LOOK = 4096
    NO_LIMIT = 0x7FFFFFFF
    MAX_THREADS = 1024

fill_tables()


cdef struct Tally:
    int64_t games[4]  # by outcome; an undecided game was cut
    int64_t turns


cdef void play_games(
    const Game *start, uint64_t seed, int64_t first, int64_t stop, int limit, Tally *tally
) noexcept nogil:
    """Play the games of a seed from number `first` up to `stop`, and add their results."""
    cdef Game game
    cdef uint64_t state
    cdef int64_t number
    for number in range(first, stop):
        game = start[0]
        state = start_stream(seed, <uint64_t>number)
        tally.turns += playout(&game, &state, limit)
        tally.games[game.position.outcome] += 1


cdef int limit_of(max_turns) except -1:
    if max_turns is None:
        return NO_LIMIT
    return min(check_int("max_turns", max_turns, 1, MAX_COUNT), <int>NO_LIMIT)


cdef int play_stoppable(
    const Game *start, uint64_t seed, int64_t first, int64_t stop, int limit, Tally *tally, stopped
) except -1:
    """Play these games without the GIL, but for a look now and then at Ctrl-C and `stopped`."""
    cdef int64_t pause
    while first < stop and not stopped.is_set():
        pause = min(stop, first + GAMES_A_LOOK)
        with nogil:
            play_games(start, seed, first, pause, limit, tally)
        PyErr_CheckSignals()
        first = pause
    return 0


cdef list in_shares(work, threads):
    """Return what `work(share, shares, stopped)` returns for every share of it.

    One share is done in this thread, several in as many of their own. `stopped` is an event
    that is set on Ctrl-C or when a share fails, for the others to end soon.
    """
    cdef int shares = check_int("threads", threads, 1, MAX_THREADS)
    stopped = Event()
    if shares == 1:
        return [work(0, 1, stopped)]
    with ThreadPoolExecutor(shares) as pool:
        try:
            futures = []
            for share in range(shares):
                futures.append(pool.submit(work, share, shares, stopped))
            # Ctrl-C may come to another thread; this one has to wake up to see it.
            pending = set(futures)
            while pending:
                done, pending = wait(pending, timeout=0.05, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
            return [future.result() for future in futures]
        finally:
            stopped.set()


cdef tuple count_share(
    Position position, uint64_t seed, int64_t games, int limit, int share, int shares, stopped
):
    """Return the games by outcome, and the turns, of one of equal shares of the games."""
    cdef Game start
    cdef Tally tally
    memset(&tally, 0, sizeof(Tally))
    start_game(&start, &position.state)
    play_stoppable(
        &start,
        seed,
        games // shares * share + min(games % shares, share),
        games // shares * (share + 1) + min(games % shares, share + 1),
        limit,
        &tally,
        stopped,
    )
    return tally.games[0], tally.games[1], tally.games[2], tally.games[3], tally.turns


def rollouts(position, n, *, rng=None, max_turns=None, threads=1):
    """Play `n` random games from `position` to their end, and count the results.

    In each turn both players pick uniformly and independently among the empty cells.
    `rng` is a seed 0..2**64 - 1, a `numpy.random.Generator`, from which a seed is drawn,
    or `None` for a fresh one; the games of a seed are the same on every platform and for
    any number of `threads`. `max_turns` cuts a game after so many turns from `position`; it
    then counts as `truncated`, never as a draw (R8). A finished position gives its outcome
    n times. `position` may come from either engine.

    Raises `ValueError` where `n` is outside 0..2**63 - 1, `max_turns` outside 1..2**63 - 1,
    `threads` outside 1..1024 or the seed out of range; `TypeError` for numbers that are no
    integers, and for what is no position. Runs without the GIL, and stops on Ctrl-C.
    """
    cdef int64_t games = check_int("n", n, 0, MAX_COUNT)
    start = of_this_engine(position)
    seed = seed_of(rng)
    limit = limit_of(max_turns)

    def work(share, shares, stopped):
        return count_share(start, seed, games, limit, share, shares, stopped)

    cut, black, white, draws, turns = map(sum, zip(*in_shares(work, threads)))
    return Rollouts(black, white, draws, cut, turns / games if games else 0.0)


cdef int fill_share(
    Position position,
    float *matrix,
    uint64_t seed,
    int64_t games,
    int limit,
    int share,
    int shares,
    stopped,
) except -1:
    """Fill the rows of one share: every so many-th pick of Black's."""
    cdef position_t *p = &position.state
    cdef position_t after
    cdef Game start
    cdef Tally tally
    cdef int black, white, pair
    for black in range(share, 81, shares):
        for white in range(81):
            pair = 81 * black + white
            if (
                p.outcome != UNDECIDED
                or not contains(empty_cells(p), bit_of(black))
                or not contains(empty_cells(p), bit_of(white))
            ):
                matrix[pair] = NAN
                continue
            after = p[0]
            play_turn(&after, bit_of(black), bit_of(white))
            start_game(&start, &after)
            memset(&tally, 0, sizeof(Tally))
            play_stoppable(&start, seed, pair * games, (pair + 1) * games, limit, &tally, stopped)
            if stopped.is_set():
                return 0
            matrix[pair] = <float>(
                <double>(tally.games[BLACK_WINS] - tally.games[WHITE_WINS]) / <double>games
            )
    return 0


def rollout_matrix(position, n, *, rng=None, max_turns=None, threads=1, out=None):
    """Return the mean value for Black of `n` random games after each joint move.

    The array is `float32` of shape (81, 81): `[black, white]` is the mean over games of 1
    for a win of Black's, -1 for one of White's and 0 for any other end, or NaN where the
    turn is not legal. The games after a joint move are those of numbers (81 * black +
    white) * n and following of the seed; `max_turns` counts from after the joint move. `out`
    is an array to write to and return: `float32`, of that shape, C-contiguous and writable;
    Ctrl-C leaves it filled in part. `rng` and `threads` are those of `rollouts`.

    Raises `ValueError` where `n` is outside 1..2**32 - 1 or `out` is not such an array, and
    what `rollouts` raises.
    """
    cdef Py_buffer view
    cdef int64_t games = check_int("n", n, 1, 2**32 - 1)
    cdef size_t matrix
    start = of_this_engine(position)
    seed = seed_of(rng)
    limit = limit_of(max_turns)
    if out is None:
        out = np.empty((81, 81), dtype=np.float32)
    open_matrix(out, &view, b"f", "float32")
    matrix = <size_t>view.buf

    def work(share, shares, stopped):
        fill_share(start, <float *>matrix, seed, games, limit, share, shares, stopped)

    try:
        in_shares(work, threads)
    finally:
        PyBuffer_Release(&view)
    return out
