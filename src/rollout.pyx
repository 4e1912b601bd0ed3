"""Random games by the million, counted."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint64_t

from playout cimport Game, playout, start_game, start_stream
from windows cimport fill_tables
from wts_fast._position cimport Position, of_this_engine

from wts_fast.randomness import seed_of
from wts_fast.types import MAX_COUNT, Rollouts, check_int

cdef enum:
    # Games between two looks at whether the user has pressed Ctrl-C.
    GAMES_A_LOOK = 4096
    NO_LIMIT = 0x7FFFFFFF

fill_tables()


def rollouts(position, n, *, rng=None, max_turns=None):
    """Play `n` random games from `position` to their end, and count the results.

    In each turn both players pick uniformly and independently among the empty cells.
    `rng` is a seed 0..2**64 - 1, a `numpy.random.Generator`, from which a seed is drawn,
    or `None` for a fresh one; the games of a seed are the same on every platform.
    `max_turns` cuts a game after so many turns from `position`; it then counts as
    `truncated`, never as a draw (R8). A finished position gives its outcome n times.

    Raises `ValueError` where `n` is outside 0..2**63 - 1, `max_turns` outside 1..2**63 - 1
    or the seed out of range; `TypeError` for numbers that are no integers, and for what is
    no position of either engine. Runs without the GIL, and stops on Ctrl-C.
    """
    cdef Position start = of_this_engine(position)
    cdef uint64_t seed = seed_of(rng)
    cdef int64_t games = check_int("n", n, 0, MAX_COUNT)
    cdef int64_t played = 0, turns = 0, stop
    cdef int64_t results[4]
    cdef int limit = NO_LIMIT
    cdef Game start_of_game, game
    cdef uint64_t state
    if max_turns is not None:
        limit = min(check_int("max_turns", max_turns, 1, MAX_COUNT), <int>NO_LIMIT)
    results[:] = [0, 0, 0, 0]
    start_game(&start_of_game, &start.state)
    while played < games:
        stop = min(games, played + GAMES_A_LOOK)
        with nogil:
            while played < stop:
                game = start_of_game
                state = start_stream(seed, <uint64_t>played)
                turns += playout(&game, &state, limit)
                results[game.position.outcome] += 1
                played += 1
        PyErr_CheckSignals()
    return Rollouts(
        black_wins=results[1],
        white_wins=results[2],
        draws=results[3],
        truncated=results[0],
        mean_turns=<double>turns / <double>games if games else 0.0,
    )
