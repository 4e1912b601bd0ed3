"""Zero-sum matrix games by regret matching, on memory that callers bring.

Both players run predictive regret matching+: a strategy is in proportion to the positive
part of the regrets so far, kept at 0 or above (Tammelin: Solving Large Imperfect Information
Games Using CFR+, 2014), plus the last turn's once more as a guess of the next (Farina, Kroer,
Sandholm: Faster Game Solving via Predictive Blackwell Approachability, AAAI 2021). They learn
in turn, and what converges is the mean of their strategies, iteration t weighing t * t.

The game is solved with its payoffs moved to around 0 and scaled by a power of 2, so that
offsets and units of the matrix do not matter. Loops over payoffs are sums of scaled rows,
element by element, which compilers turn into vectors without reordering any sum.
"""

from libc.float cimport DBL_MIN
from libc.math cimport frexp, isfinite, ldexp
from libc.stdint cimport int64_t
from libc.string cimport memset


cdef enum:
    MAX_ACTIONS = 4096  # of a player

cdef enum:
    LANES = 4  # doubles summed side by side; rows are padded to as many
    ROWS_AT_ONCE = 4
    FEWEST_TO_CHECK = 8  # iterations


ctypedef struct Player:
    # One of the two, who wants high payoffs. Behind `count` numbers come zeros up to `width`.
    int count  # of actions
    int width
    double *payoffs  # by the other's action, then by the own
    double *values  # of the own actions, against what the other does
    double *regrets
    double *strategy
    double *total  # of the strategies, by weight


ctypedef struct MatrixGame:
    Player row_player
    Player column_player
    double *row  # the strategies found so far
    double *column
    double middle  # a payoff is middle + unit * what row_player has
    double unit
    double value  # of the game, in the matrix's terms
    double gap
    double wanted_gap
    int64_t iterations
    int64_t max_iterations
    int64_t next_check
    bint ended


ctypedef struct Solved:
    double value
    double gap
    int64_t iterations


cdef inline int padded(int count) noexcept nogil:
    return (count + LANES - 1) // LANES * LANES


cdef inline size_t memory_needed(int rows, int columns) noexcept nogil:
    """How many doubles solving a game of this size takes; both are 1..MAX_ACTIONS."""
    cdef size_t height = padded(rows), width = padded(columns)
    return rows * width + columns * height + 4 * (height + width)


cdef inline Py_ssize_t first_not_finite(const double *matrix, Py_ssize_t count) noexcept nogil:
    """The index of the first NaN or infinity, or -1."""
    cdef Py_ssize_t i
    for i in range(count):
        if not isfinite(matrix[i]):
            return i
    return -1


# --- sums -------------------------------------------------------------------------------


cdef inline double sum_of(const double *numbers, int width) noexcept nogil:
    cdef double lanes[LANES]
    cdef int group, lane
    memset(lanes, 0, sizeof(lanes))
    for group in range(width // LANES):
        for lane in range(LANES):
            lanes[lane] += numbers[LANES * group + lane]
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])


cdef inline double mean_of(const double *values, const double *strategy, int width) noexcept nogil:
    """What a strategy is worth whose actions have these values."""
    cdef double lanes[LANES]
    cdef int group, lane
    memset(lanes, 0, sizeof(lanes))
    for group in range(width // LANES):
        for lane in range(LANES):
            lanes[lane] += values[LANES * group + lane] * strategy[LANES * group + lane]
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])


cdef inline double best_of(const double *values, int count) noexcept nogil:
    cdef double best = values[0]
    cdef int i
    for i in range(1, count):
        best = max(best, values[i])
    return best


cdef inline void add_rows(
    double *sums, const double **rows, const double *weights, int width
) noexcept nogil:
    """Add so many rows, scaled by their weights."""
    cdef const double *a = rows[0]
    cdef const double *b = rows[1]
    cdef const double *c = rows[2]
    cdef const double *d = rows[3]
    cdef double of_a = weights[0], of_b = weights[1], of_c = weights[2], of_d = weights[3]
    cdef int i
    for i in range(width):
        sums[i] += (of_a * a[i] + of_b * b[i]) + (of_c * c[i] + of_d * d[i])


cdef inline void face(Player *player, const double *strategy, int count) noexcept nogil:
    """Find the values of the player's actions against this strategy of the other."""
    cdef const double *rows[ROWS_AT_ONCE]
    cdef double weights[ROWS_AT_ONCE]
    cdef int action, ready = 0
    memset(player.values, 0, player.width * sizeof(double))
    for action in range(count):
        if strategy[action] == 0:
            continue
        rows[ready] = player.payoffs + <size_t>action * player.width
        weights[ready] = strategy[action]
        ready += 1
        if ready == ROWS_AT_ONCE:
            add_rows(player.values, rows, weights, player.width)
            ready = 0
    if ready > 0:
        for action in range(ready, ROWS_AT_ONCE):
            rows[action], weights[action] = player.payoffs, 0
        add_rows(player.values, rows, weights, player.width)


# --- iterations -------------------------------------------------------------------------


cdef inline void learn(Player *player, double weight) noexcept nogil:
    """Count the strategy, regret what it missed by the values, and find the next one."""
    cdef double *values = player.values
    cdef double *regrets = player.regrets
    cdef double *strategy = player.strategy
    cdef double *total = player.total
    cdef double mean = mean_of(values, strategy, player.width)
    cdef double regret, promise
    cdef int i
    for i in range(player.count):
        total[i] += weight * strategy[i]
    for i in range(player.count):
        regret = regrets[i] + (values[i] - mean)
        regret = regret if regret > 0 else 0
        promise = regret + (values[i] - mean)
        regrets[i] = regret
        values[i] = promise if promise > 0 else 0
    promise = sum_of(values, player.width)
    if promise > 0:  # else any strategy will do, and so will this one
        for i in range(player.count):
            strategy[i] = values[i] / promise


cdef inline void answer(Player *player, const Player *other, double weight) noexcept nogil:
    """Face the other player's strategy, and learn from it."""
    face(player, other.strategy, other.count)
    learn(player, weight)


cdef inline void write_mean(const Player *player, double *strategy) noexcept nogil:
    cdef double weight = sum_of(player.total, player.width)
    cdef int i
    for i in range(player.count):
        strategy[i] = player.total[i] / weight


cdef inline void check(MatrixGame *game) noexcept nogil:
    """Write the strategies found so far, and see how far from the best answers they are."""
    cdef Player *row_player = &game.row_player
    cdef Player *column_player = &game.column_player
    cdef double most, least
    write_mean(row_player, game.row)
    write_mean(column_player, game.column)
    face(row_player, game.column, column_player.count)
    face(column_player, game.row, row_player.count)
    most = best_of(row_player.values, row_player.count)
    least = -best_of(column_player.values, column_player.count)
    game.value = game.middle + game.unit * (0.5 * (most + least))
    game.gap = game.unit * max(most - least, 0.0)  # rounding may put them the other way round
    game.ended = game.gap <= game.wanted_gap or game.iterations == game.max_iterations
    game.next_check += max(FEWEST_TO_CHECK, game.iterations // 16)
    game.next_check = min(game.next_check, game.max_iterations)


cdef inline bint improve(MatrixGame *game, int64_t iterations) noexcept nogil:
    """Go on for so many iterations, or to the end of the work; returns whether it has ended."""
    cdef Player *row_player = &game.row_player
    cdef Player *column_player = &game.column_player
    cdef double weight
    cdef int64_t _iteration
    for _iteration in range(iterations):
        if game.ended:
            break
        game.iterations += 1
        weight = <double>game.iterations * <double>game.iterations
        answer(row_player, column_player, weight)
        answer(column_player, row_player, weight)
        if game.iterations == game.next_check:
            check(game)
    return game.ended


# --- the start, and all of it -----------------------------------------------------------


cdef inline double *take(double **memory, size_t count) noexcept nogil:
    """The next so many doubles of the memory."""
    cdef double *taken = memory[0]
    memory[0] += count
    return taken


cdef inline void seat(Player *player, int count, int others, double **memory) noexcept nogil:
    """Set up a player of so many actions, against so many, on zeroed memory."""
    cdef int i
    player.count, player.width = count, padded(count)
    player.payoffs = take(memory, <size_t>others * player.width)
    player.values = take(memory, player.width)
    player.regrets = take(memory, player.width)
    player.strategy = take(memory, player.width)
    player.total = take(memory, player.width)
    for i in range(count):
        player.strategy[i] = 1.0 / count


cdef inline bint find_saddle_point(MatrixGame *game, const double *matrix) noexcept nogil:
    """Whether two pure strategies are best against each other; they are then the solution."""
    cdef int rows = game.row_player.count, columns = game.column_player.count
    cdef double *worst_of_columns = game.column_player.values
    cdef const double *payoffs = matrix
    cdef double least, best_least = 0, best_most
    cdef int i, j, row = 0, column = 0
    for j in range(columns):
        worst_of_columns[j] = matrix[j]
    for i in range(rows):
        least = payoffs[0]
        for j in range(columns):
            least = min(least, payoffs[j])
            worst_of_columns[j] = max(worst_of_columns[j], payoffs[j])
        if i == 0 or least > best_least:
            best_least, row = least, i
        payoffs += columns
    best_most = worst_of_columns[0]
    for j in range(1, columns):
        if worst_of_columns[j] < best_most:
            best_most, column = worst_of_columns[j], j
    if best_least < best_most:
        return False
    memset(game.row, 0, rows * sizeof(double))
    memset(game.column, 0, columns * sizeof(double))
    game.row[row] = game.column[column] = 1
    game.value = best_least
    return True


cdef inline void write_payoffs(MatrixGame *game, const double *matrix) noexcept nogil:
    """Give both players their payoffs, moved to -2..2, those of the column player negated."""
    cdef Player *row_player = &game.row_player
    cdef Player *column_player = &game.column_player
    cdef int rows = row_player.count, columns = column_player.count, exponent, i, j
    cdef double low = matrix[0], high = matrix[0], scale, payoff
    for i in range(rows):
        for j in range(columns):
            low = min(low, matrix[<size_t>i * columns + j])
            high = max(high, matrix[<size_t>i * columns + j])
    game.middle = 0.5 * low + 0.5 * high
    frexp(max(0.5 * high - 0.5 * low, DBL_MIN), &exponent)
    game.unit = ldexp(1, exponent - 1)
    scale = ldexp(1, 1 - exponent)
    for i in range(rows):
        for j in range(columns):
            payoff = scale * (matrix[<size_t>i * columns + j] - game.middle)
            row_player.payoffs[<size_t>j * row_player.width + i] = payoff
            column_player.payoffs[<size_t>i * column_player.width + j] = -payoff


cdef inline void open_game(
    MatrixGame *game,
    const double *matrix,
    int rows,
    int columns,
    double gap,
    int max_iterations,
    double *memory,
    double *row,
    double *column,
) noexcept nogil:
    """Begin what `solve_game` does; `improve` goes on with it."""
    cdef double *free = memory
    memset(game, 0, sizeof(MatrixGame))
    memset(memory, 0, memory_needed(rows, columns) * sizeof(double))
    seat(&game.row_player, rows, columns, &free)
    seat(&game.column_player, columns, rows, &free)
    game.row, game.column = row, column
    game.wanted_gap = gap
    game.max_iterations = max_iterations
    game.next_check = min(FEWEST_TO_CHECK, max_iterations)
    game.ended = find_saddle_point(game, matrix)
    if not game.ended:
        write_payoffs(game, matrix)


cdef inline Solved solve_game(
    const double *matrix,
    int rows,
    int columns,
    double gap,
    int max_iterations,
    double *memory,
    double *row,
    double *column,
) noexcept nogil:
    """Solve the game of a C-contiguous matrix of finite numbers, as `wts_fast.solve` does.

    `rows` and `columns` are 1..MAX_ACTIONS, `gap` is at least 0 and `max_iterations` at least
    1. `memory` has room for `memory_needed(rows, columns)` doubles, whatever they are; `row`
    and `column` are filled with the strategies. Returns what the game is worth to the row
    player, the gap that the strategies leave, and the iterations made.
    """
    cdef MatrixGame game
    cdef Solved solved
    open_game(&game, matrix, rows, columns, gap, max_iterations, memory, row, column)
    improve(&game, max_iterations)
    solved.value, solved.gap, solved.iterations = game.value, game.gap, game.iterations
    return solved
