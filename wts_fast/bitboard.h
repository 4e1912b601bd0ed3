/* Bit operations that Cython cannot name: every compiler calls them something else. */

#ifndef WTS_FAST_BITBOARD_H
#define WTS_FAST_BITBOARD_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#if defined(_M_X64) || defined(_M_ARM64)
#pragma intrinsic(_BitScanForward64)
#else
#pragma intrinsic(_BitScanForward)
#endif
#endif

/* The index of the lowest set bit; the word must not be 0. */
static inline int wts_lowest_bit(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(word);
#elif defined(_M_X64) || defined(_M_ARM64)
    unsigned long bit;
    _BitScanForward64(&bit, word);
    return (int)bit;
#else
    unsigned long bit;
    if (_BitScanForward(&bit, (unsigned long)word))
        return (int)bit;
    _BitScanForward(&bit, (unsigned long)(word >> 32));
    return (int)bit + 32;
#endif
}

#endif
