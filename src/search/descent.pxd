"""Simulations: from the root down a tree to a leaf, and its value back up.

Each player picks by statistics of its own (decoupled), which is how both move at once (T1).
"""

from libc.math cimport logf, sqrtf
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from batch.playout cimport NO_LIMIT, Game, playout, start_game
from batch.streams cimport Stream, next_word
from search.evaluation cimport Evaluation, value_of, value_of_outcome
from search.scores cimport Ranking, Scores, rank_cells, score_cells, score_evenly
from search.tree cimport (
    NO_NODE,
    ROOT,
    Branches,
    Choice,
    Node,
    Tree,
    new_branches,
    node_at,
    node_of,
)
from wts_fast.core.rules cimport (
    BLACK_SIDE,
    UNDECIDED,
    WHITE_SIDE,
    mix,
    play_turn,
    position_t,
)


cdef enum:
    # How players pick on the way down.
    PUCT = 0
    UCT = 1
    REGRET = 2

cdef enum:
    DEEPEST = 128  # turns of a descent: games may be endless (R8)
    MAX_VISITS = 0x7FFFFFFF  # of a pick, where its count stays


ctypedef struct Settings:
    int method
    int k  # picks of a player that are looked at
    bint prior  # whether cells differ by their scores
    float exploration
    bint rollouts  # whether a random game values a leaf, and not the evaluation
    Evaluation evaluation
    uint64_t seed


ctypedef struct Step:
    # From a node on, by the places of both picks in their choices.
    uint32_t node
    uint8_t picks[2]


ctypedef struct Path:
    int length
    uint32_t leaf  # NO_NODE where memory had none left for it
    Step steps[DEEPEST]
    position_t end  # the position of a leaf that is new


ctypedef struct Searcher:
    Settings settings
    Tree tree
    Stream stream


cdef inline float seen_by(int side, float value) noexcept nogil:
    """A value for Black as this side sees it."""
    return value if side == BLACK_SIDE else -value


# --- leaves -----------------------------------------------------------------------------


cdef inline double value_of_rollout(Searcher *s, const position_t *p) noexcept nogil:
    """The value for Black of a random game."""
    cdef Game game
    if p.outcome != UNDECIDED:
        return value_of_outcome(p.outcome)
    start_game(&game, p)
    playout(&game, &s.stream, NO_LIMIT)
    return value_of_outcome(game.position.outcome)


cdef inline float leaf_value(Searcher *s, const position_t *p) noexcept nogil:
    """What a position is worth to Black, as far as can be seen without search."""
    if s.settings.rollouts:
        return <float>value_of_rollout(s, p)
    return <float>value_of(p, &s.settings.evaluation)


# --- branches ---------------------------------------------------------------------------


cdef inline float bonus_of(const Settings *settings, float prior, int visits) noexcept nogil:
    """What makes a pick worth trying, up to the factor that all picks of a node share."""
    if settings.method == PUCT:
        return prior / (1 + visits)
    if settings.method == UCT:
        return 1 / sqrtf(visits) if visits else 1e6
    return 0


cdef inline void fill_choice(
    const Settings *settings, Choice *choice, const Ranking *best, float value
) noexcept nogil:
    """Set up what a player may pick, of which nothing is known but the value of the node."""
    cdef float total = 0
    cdef int i
    for i in range(best.count):
        total += best.scores[i]
    for i in range(best.count):
        choice.bits[i] = best.bits[i]
        choice.means[i] = value
        choice.priors[i] = best.scores[i] / total
        choice.bonuses[i] = bonus_of(settings, choice.priors[i], 0)


cdef inline bint branch(Searcher *s, Node *node) noexcept nogil:
    """Let both players choose among the cells that score best; returns whether there was memory."""
    cdef Scores scores
    cdef Ranking best[2]
    cdef uint64_t seed = mix(s.settings.seed ^ node.key)
    cdef Branches *branches
    cdef int side
    if s.settings.prior:
        score_cells(&node.state, &scores)
    else:
        score_evenly(&scores)
    for side in range(2):
        rank_cells(&node.state, &scores, side, s.settings.k, seed | 1, &best[side])
        seed = mix(seed)
    branches = new_branches(&s.tree, best[BLACK_SIDE].count, best[WHITE_SIDE].count)
    if branches == NULL:
        return False
    for side in range(2):
        fill_choice(
            &s.settings, &branches.choices[side], &best[side], seen_by(side, node.value)
        )
    node.branches = branches
    return True


# --- picks ------------------------------------------------------------------------------


cdef inline float fraction(Stream *stream) noexcept nogil:
    """A random number, at least 0 and below 1."""
    return <float>(next_word(stream) >> 8) * <float>(1.0 / (1 << 24))


cdef inline int drawn_pick(const float *weights, int count, Stream *stream) noexcept nogil:
    """A pick drawn by weights, of which one at least is above 0, the others 0 or more."""
    cdef float total = 0, left
    cdef int i, last = 0
    for i in range(count):
        total += weights[i]
    left = total * fraction(stream)
    for i in range(count):
        if weights[i] > 0:
            last = i
            if left < weights[i]:
                break
            left -= weights[i]
    return last


cdef inline int best_pick(const Choice *choice, float factor) noexcept nogil:
    """The first of the picks that promise most."""
    cdef float promise, most = choice.means[0] + factor * choice.bonuses[0]
    cdef int i, best = 0
    for i in range(1, choice.count):
        promise = choice.means[i] + factor * choice.bonuses[i]
        if promise > most:
            most, best = promise, i
    return best


cdef inline int pick_by_regret(Searcher *s, const Choice *choice) noexcept nogil:
    """A pick drawn in proportion to regrets; by priors without any, or evenly to explore."""
    cdef float total = 0
    cdef int i
    if fraction(&s.stream) < s.settings.exploration:
        return <int>(fraction(&s.stream) * choice.count)
    for i in range(choice.count):
        total += choice.bonuses[i]
    return drawn_pick(choice.bonuses if total > 0 else choice.priors, choice.count, &s.stream)


cdef inline float factor_of(const Settings *settings, int64_t visits) noexcept nogil:
    """What the bonuses of a node that was visited so often are multiplied by."""
    cdef float n = <float>max(visits, <int64_t>1)
    return settings.exploration * sqrtf(n if settings.method == PUCT else logf(n))


cdef inline void pick(Searcher *s, const Node *node, Step *step) noexcept nogil:
    cdef const Choice *choice
    cdef float factor = 0
    cdef int side
    if s.settings.method != REGRET:
        factor = factor_of(&s.settings, node.visits)
    for side in range(2):
        choice = &node.branches.choices[side]
        if s.settings.method == REGRET:
            step.picks[side] = <uint8_t>pick_by_regret(s, choice)
        else:
            step.picks[side] = <uint8_t>best_pick(choice, factor)


# --- down and up ------------------------------------------------------------------------


cdef inline uint32_t *child_of(const Branches *branches, int black, int white) noexcept nogil:
    """Where the number of the node behind both picks stands."""
    return branches.children + black * branches.choices[WHITE_SIDE].count + white


cdef inline void play_picks(
    const Node *node, int black, int white, position_t *after
) noexcept nogil:
    """Play the turn of both picks."""
    after[0] = node.state
    play_turn(
        after,
        node.branches.choices[BLACK_SIDE].bits[black],
        node.branches.choices[WHITE_SIDE].bits[white],
    )


cdef inline bint may_branch(Searcher *s, Node *node) noexcept nogil:
    """Whether a node has branches; one that was visited before gets some if it can."""
    if node.branches == NULL and node.visits and node.state.outcome == UNDECIDED:
        branch(s, node)
    return node.branches != NULL


cdef inline void descend(Searcher *s, Path *path) noexcept nogil:
    """Go from the root to a leaf; one that was visited before branches on the way."""
    cdef Node *node
    cdef Step *step
    cdef uint32_t *child
    path.length, path.leaf = 0, ROOT
    while path.leaf != NO_NODE and path.length < DEEPEST:
        node = node_at(&s.tree, path.leaf)
        if not may_branch(s, node):
            break
        step = &path.steps[path.length]
        path.length += 1
        step.node = path.leaf
        pick(s, node, step)
        child = child_of(node.branches, step.picks[0], step.picks[1])
        if child[0] == NO_NODE:
            play_picks(node, step.picks[0], step.picks[1], &path.end)
            child[0] = node_of(&s.tree, &path.end)
        path.leaf = child[0]


cdef inline float known_value(const Node *node, float otherwise) noexcept nogil:
    """The mean value of a node for Black, where it was visited."""
    return <float>(node.total / node.visits) if node.visits else otherwise


cdef inline void regret(Searcher *s, const Step *step) noexcept nogil:
    """Regret what other picks would have brought, by the means of what they lead to."""
    cdef const Node *node = node_at(&s.tree, step.node)
    cdef const Branches *branches = node.branches
    cdef Choice *choice
    cdef float values[81]
    cdef uint32_t child
    cdef int side, i
    for side in range(2):
        choice = &node.branches.choices[side]
        for i in range(choice.count):
            if side == BLACK_SIDE:
                child = child_of(branches, i, step.picks[1])[0]
            else:
                child = child_of(branches, step.picks[0], i)[0]
            values[i] = seen_by(
                side,
                node.value if child == NO_NODE
                else known_value(node_at(&s.tree, child), node.value),
            )
        for i in range(choice.count):
            choice.bonuses[i] = max(
                <float>0, choice.bonuses[i] + values[i] - values[step.picks[side]]
            )


cdef inline void count_pick(
    const Settings *settings, Choice *choice, int pick, float value
) noexcept nogil:
    """Count a visit that was worth this to the player."""
    choice.visits[pick] += choice.visits[pick] < MAX_VISITS
    choice.means[pick] += (value - choice.means[pick]) / choice.visits[pick]
    if settings.method != REGRET:
        choice.bonuses[pick] = bonus_of(settings, choice.priors[pick], choice.visits[pick])


cdef inline void back_up(Searcher *s, const Path *path, float value) noexcept nogil:
    """Count a visit of all nodes of a path, with the value of the leaf for Black."""
    cdef const Step *step
    cdef Node *node
    cdef int i, side
    if path.leaf != NO_NODE:
        node = node_at(&s.tree, path.leaf)
        node.visits += 1
        node.total += value
    for i in range(path.length - 1, -1, -1):
        step = &path.steps[i]
        node = node_at(&s.tree, step.node)
        node.visits += 1
        node.total += value
        for side in range(2):
            count_pick(
                &s.settings, &node.branches.choices[side], step.picks[side], seen_by(side, value)
            )
        if s.settings.method == REGRET:
            regret(s, step)


cdef inline float value_of_leaf(Searcher *s, const Path *path) noexcept nogil:
    """What the end of a path is worth to Black."""
    cdef Node *node
    if path.leaf == NO_NODE:
        return leaf_value(s, &path.end)
    node = node_at(&s.tree, path.leaf)
    if node.visits == 0:
        node.value = leaf_value(s, &node.state)
    return node.value


cdef inline void simulate(Searcher *s) noexcept nogil:
    """One simulation: the first values the root, each next one a leaf."""
    cdef Path path
    descend(s, &path)
    back_up(s, &path, value_of_leaf(s, &path))
