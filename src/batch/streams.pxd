"""The random numbers of random games: one stream for each game of a seed.

The generator is xoshiro128++ (Blackman, Vigna: Scrambled Linear Pseudorandom Number
Generators, ACM TOMS 47, 2021), whose 32-bit words many games can draw at once. Game number i
of a seed starts from two words of SplitMix64 (Steele, Lea, Flood: Fast Splittable
Pseudorandom Number Generators, OOPSLA 2014), each giving its low half, then its high:
with g = 0x9E3779B97F4A7C15, mix(start + g) and mix(start + 2 * g), where start is
mix(mix(seed) + (i + 1) * g). They are never both 0.

Each turn takes one word, whose high half picks for Black and low half for White: the empty
cell of rank half * n >> 16 in ascending order, of n. A word of which one half has a
product below 2**16 % n in the low 16 bits would favour some ranks, and is skipped (Lemire: Fast
Random Integer Generation in an Interval, ACM TOMACS 29, 2019), so picks are exactly uniform.
"""

from libc.stdint cimport uint32_t, uint64_t

from wts_fast.core.rules cimport mix


ctypedef struct Stream:
    uint32_t state[4]


cdef inline void start_stream(Stream *s, uint64_t seed, uint64_t game) noexcept nogil:
    cdef uint64_t start = mix(seed) + (game + 1) * <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t word
    cdef int i
    start = mix(start)
    for i in range(2):
        start += <uint64_t>0x9E3779B97F4A7C15
        word = mix(start)
        s.state[2 * i] = <uint32_t>word
        s.state[2 * i + 1] = <uint32_t>(word >> 32)


cdef inline uint32_t rotated(uint32_t word, int n) noexcept nogil:
    return word << n | word >> (32 - n)


cdef inline uint32_t step_stream(
    uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d
) noexcept nogil:
    """The next word of the stream with this state, and one step on."""
    cdef uint32_t word = rotated(a[0] + d[0], 7) + a[0]
    cdef uint32_t shifted = b[0] << 9
    c[0] ^= a[0]
    d[0] ^= b[0]
    b[0] ^= c[0]
    a[0] ^= d[0]
    c[0] ^= shifted
    d[0] = rotated(d[0], 11)
    return word


cdef inline uint32_t next_word(Stream *s) noexcept nogil:
    return step_stream(&s.state[0], &s.state[1], &s.state[2], &s.state[3])


cdef inline bint favours(uint32_t half, uint32_t count) noexcept nogil:
    """Whether this half is one of those too many for `count` values to be equally likely."""
    cdef uint32_t low = half * count & 0xFFFF
    return low < count and low < 65536 % count


cdef inline void random_pair(Stream *s, uint32_t count, int *black, int *white) noexcept nogil:
    """Two independent uniform numbers below `count`."""
    cdef uint32_t word, high, low
    while True:
        word = next_word(s)
        high, low = word >> 16, word & 0xFFFF
        # A fast check: no half favours a number if its product is at least `count`, as most are.
        if min(high * count & 0xFFFF, low * count & 0xFFFF) >= count:
            break
        if not (favours(high, count) or favours(low, count)):
            break
    black[0] = <int>(high * count >> 16)
    white[0] = <int>(low * count >> 16)
