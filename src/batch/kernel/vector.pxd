"""Vectors of 64-bit words, as wide as a CPU level's registers, over planes of eight words.

To Cython a vector is a uint64_t: &, |, ^, ~ and shifts by a constant work on it word by
word. setup.py says how wide it is, WTS_VECTOR_BYTES; compilers without vector extensions get
one word, and the same results.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy


cdef extern from * nogil:
    """
    #include <stdint.h>
    #include <string.h>

    #if defined(WTS_VECTOR_BYTES) && (defined(__GNUC__) || defined(__clang__))
    typedef uint64_t wts_vector __attribute__((vector_size(WTS_VECTOR_BYTES), may_alias));
    #define WTS_VECTOR_WORDS (WTS_VECTOR_BYTES / 8)
    #else
    typedef uint64_t wts_vector;
    #define WTS_VECTOR_WORDS 1
    #endif

    #define WTS_VECTORS (8 / WTS_VECTOR_WORDS)

    /* Words with their bytes in the order of memory that has the lowest first. */
    static inline wts_vector wts_lowest_first(wts_vector v)
    {
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        uint64_t words[WTS_VECTOR_WORDS];
        memcpy(words, &v, sizeof v);
        for (int i = 0; i < WTS_VECTOR_WORDS; i++)
            words[i] = __builtin_bswap64(words[i]);
        memcpy(&v, words, sizeof v);
    #endif
        return v;
    }

    static inline wts_vector wts_repeated(uint64_t word)
    {
    #if WTS_VECTOR_WORDS == 1
        return word;
    #else
        return word - (wts_vector){0};
    #endif
    }
    """
    ctypedef uint64_t vector "wts_vector"
    enum:
        WORDS "WTS_VECTOR_WORDS"  # of a vector
        VECTORS "WTS_VECTORS"  # of a plane
    vector repeated "wts_repeated" (uint64_t word) noexcept
    vector lowest_first "wts_lowest_first" (vector v) noexcept


cdef inline vector load(const void *plane, int j) noexcept nogil:
    """Vector j of a plane, whose address is a multiple of 64 bytes."""
    return (<const vector *>plane)[j]


cdef inline void store(void *plane, int j, vector v) noexcept nogil:
    (<vector *>plane)[j] = v


cdef inline vector load_bytes(const uint8_t *bytes) noexcept nogil:
    """A vector from any address."""
    cdef vector v
    memcpy(&v, bytes, sizeof(v))
    return lowest_first(v)


cdef inline void store_bytes(uint8_t *bytes, vector v) noexcept nogil:
    v = lowest_first(v)
    memcpy(bytes, &v, sizeof(v))


cdef inline uint64_t word_of_vector(const vector *v, int i) noexcept nogil:
    return (<const uint64_t *>v)[i]


cdef inline bint any_of(vector v) noexcept nogil:
    cdef uint64_t any_bit = 0
    cdef int i
    for i in range(WORDS):
        any_bit |= word_of_vector(&v, i)
    return any_bit != 0
