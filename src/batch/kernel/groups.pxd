"""Operations on a group of games, shared by batches and rollouts."""

from libc.stdint cimport uint64_t

from batch.playout cimport Game, playout, start_game
from batch.kernel.slices cimport GROUP_WORDS, Group, Streams, read_game, read_stream
from batch.streams cimport Stream
from wts_fast.core.bitboard cimport popcount64
from wts_fast.core.rules cimport position_t, settle


cdef enum:
    FEW_GAMES = 128  # up to this many, one by one is faster than in a group


cdef inline int count_undecided(const Group *g) noexcept nogil:
    cdef int word, count = 0
    for word in range(GROUP_WORDS):
        count += popcount64(g.undecided[word])
    return count


cdef inline int play_on(
    const Group *g, const Streams *streams, int game, int limit, position_t *before, Game *alone
) noexcept nogil:
    """Continue a game of the group by itself, to its end or for `limit` turns.

    Returns the turns played; `before` is set to its position in the group, `alone` to its end.
    """
    cdef Stream stream
    read_game(g, game, before)
    settle(before)
    start_game(alone, before)
    read_stream(streams, game, &stream)
    return playout(alone, &stream, limit)
