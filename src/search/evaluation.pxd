"""What a position is worth to Black without search: features, a logit, a value.

Search knows only `Evaluation` and `value_of`; what the logit is made of is decided here.
"""

from libc.math cimport fabs, tanh
from libc.stdint cimport uint64_t
from libc.string cimport memset

from search.threats cimport capture_cells_of, winning_cells_of
from search.windows cimport FOURS, Codes, count_windows, read_codes
from wts_fast.core.bitboard cimport popcount
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    BLACK_WINS,
    UNDECIDED,
    WHITE_SIDE,
    WHITE_WINS,
    position_t,
)


cdef enum:
    # Features behind the counts of windows with 1 to 4 turtles.
    WINNING = 4
    TWO_WINNING = 5
    CAPTURING = 6
    TURTLES = 7
    HATCHING = 8
    FEATURES = 9
    MAX_WEIGHT = 1000000


ctypedef struct Evaluation:
    double weights[FEATURES]


cdef inline int read_weights(weights, Evaluation *evaluation) except -1:
    """Read what users give as weights, `None` for the default; raises what `evaluate` does."""
    import numpy  # a header has no names of its own

    from wts_fast.core.features import WEIGHTS

    cdef int i
    given = numpy.asarray(WEIGHTS if weights is None else weights)
    if given.dtype.kind not in "biuf":
        raise TypeError(f"weights are of {given.dtype}: expected real numbers")
    if given.shape != (FEATURES,):
        raise ValueError(f"weights are of shape {given.shape}: expected ({FEATURES},)")
    for i in range(FEATURES):
        if not fabs(given[i]) <= MAX_WEIGHT:
            raise ValueError(
                f"weights[{i}] is {given[i]}: expected {-MAX_WEIGHT}..{MAX_WEIGHT}"
            )
        evaluation.weights[i] = given[i]
    return 0


cdef inline void read_side(
    const position_t *p, int side, uint64_t counts, float sign, float *features
) noexcept nogil:
    """Add the features of a side, or take them away."""
    cdef int i, winning = 0, capturing = popcount(capture_cells_of(p, side))
    for i in range(4):
        features[i] += sign * <float>(counts >> 8 * i & 0xFF)
    if counts >> 8 * FOURS & 0xFF:
        winning = popcount(winning_cells_of(p, side))
    features[WINNING] += sign * <float>(winning > 0)
    features[TWO_WINNING] += sign * <float>(winning > 1)
    features[CAPTURING] += sign * <float>capturing
    features[TURTLES] += sign * <float>popcount(p.turtles[side])
    features[HATCHING] += sign * <float>(p.egg_count * capturing)


cdef inline void read_features(const position_t *p, float *features) noexcept nogil:
    """What Black has more than White, feature by feature."""
    cdef Codes codes
    cdef uint64_t counts
    memset(features, 0, FEATURES * sizeof(float))
    read_codes(p, &codes)
    counts = count_windows(&codes)
    read_side(p, BLACK_SIDE, counts, 1, features)
    read_side(p, WHITE_SIDE, counts >> 32, -1, features)


cdef inline double logit_of(const position_t *p, const Evaluation *evaluation) noexcept nogil:
    """The logarithm of the odds that Black wins."""
    cdef float features[FEATURES]
    cdef double logit = 0
    cdef int i
    read_features(p, features)
    for i in range(FEATURES):
        logit += evaluation.weights[i] * features[i]
    return logit


cdef inline double value_of_outcome(int outcome) noexcept nogil:
    return (outcome == BLACK_WINS) - (outcome == WHITE_WINS)


cdef inline double value_of(const position_t *p, const Evaluation *evaluation) noexcept nogil:
    """The value for Black, -1 to 1: of a finished game exact, else an estimate."""
    if p.outcome != UNDECIDED:
        return value_of_outcome(p.outcome)
    return tanh(0.5 * logit_of(p, evaluation))
