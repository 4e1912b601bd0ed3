"""Search for both players' picks at once."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport NAN
from libc.stdint cimport int64_t, uint32_t

from batch.lines cimport fill_tables
from batch.streams cimport start_stream
from position.arrays cimport array_for, memory_of, opened
from search.descent cimport (
    DEEPEST,
    PUCT,
    REGRET,
    UCT,
    Searcher,
    child_of,
    known_value,
    may_branch,
    play_picks,
    simulate,
)
from search.evaluation cimport read_weights, value_of
from search.regrets cimport Solved, memory_needed, solve_game
from search.tree cimport (
    NO_NODE,
    ROOT,
    Choice,
    Node,
    Tree,
    free_tree,
    node_at,
    plant,
    transplant,
)
from search.windows cimport fill_windows
from wts_fast.core.bitboard cimport cell_of
from wts_fast.core.position cimport Position, of_this_engine, pick_of, wrap
from wts_fast.core.rules cimport BLACK_SIDE, UNDECIDED, WHITE_SIDE, play_turn, position_t

from threading import RLock
from time import perf_counter

import numpy as np

from wts_fast.randomness import seed_of
from wts_fast.types import (
    BLACK,
    MAX_COUNT,
    WHITE,
    SearchResult,
    check_float,
    check_int,
    shown,
)

cdef object METHODS = {"puct": PUCT, "uct": UCT, "regret": REGRET}
cdef object EXPLORATIONS = {"puct": 0.5, "uct": 1.0, "regret": 0.1}
cdef object LEAVES = ("evaluation", "rollouts")

cdef enum:
    SIMULATIONS_A_LOOK = 256  # for Ctrl-C and the time: some 1 ms

cdef double MIXED_SHARE = 0.03  # of the visits, for a cell to be in the solved matrix

fill_windows()
fill_tables()


cdef object one_of(name, value, choices):
    """Return a setting; ValueError where it is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} is {shown(value)!r}: expected {' or '.join(choices)}")
    return value


cdef int64_t visits_of(const Choice *choice) noexcept nogil:
    cdef int64_t total = 0
    cdef int i
    for i in range(choice.count):
        total += choice.visits[i]
    return total


cdef int most_visited(const Choice *choice) noexcept nogil:
    """The place of the most visited pick, the first of them."""
    cdef int i, best = 0
    for i in range(1, choice.count):
        if choice.visits[i] > choice.visits[best]:
            best = i
    return best


cdef int list_mixed(const Choice *choice, int *picks) noexcept nogil:
    """List the places of the picks that a mixed strategy may hold; returns how many there are."""
    cdef double least = MIXED_SHARE * <double>visits_of(choice)
    cdef int i, best = most_visited(choice), count = 0
    for i in range(choice.count):
        if i == best or choice.visits[i] >= least:
            picks[count] = i
            count += 1
    return count


cdef int place_of(const Choice *choice, int bit) noexcept nogil:
    """The place of a pick, or -1."""
    cdef int i
    for i in range(choice.count):
        if choice.bits[i] == bit:
            return i
    return -1


@cython.final
cdef class Search:
    """A search for both players' picks in a position, by simulations that grow a tree.

    A simulation goes from the root down to a leaf, where both players pick in every position
    by their own statistics (decoupled), and takes the value of the leaf back up. Positions
    that are reached in several ways share a node; the order of the eggs counts.

    `position` is of either engine. `method` tells how a player picks, where n are the visits
    of the position, v those of the pick, and mean its mean value for the player:

    - `"puct"`: the highest mean + exploration * sqrt(n) * prior / (1 + v)
    - `"uct"`: the highest mean + exploration * sqrt(log(n) / v), picks without visits first
    - `"regret"`: at random in proportion to the regrets, by regret matching+; and with the
      probability exploration any pick

    `exploration`, 0 to 1e6, is 0.5, 1 or 0.1 by default, by method. Each player has the `k`
    cells with the highest scores (`features.cell_scores`); with `prior` the prior of a pick is
    in proportion to these, without it they all count as equal. A pick without visits has the
    value of the position as its mean. `leaves` is `"evaluation"`, which is
    `features.evaluate` with `weights`, or `"rollouts"`: one random game.

    `rng` is a seed 0..2**64 - 1, a `numpy.random.Generator`, from which one is drawn, or
    `None` for a fresh one; it decides between equal scores, and all that is random. The same
    seed and the same numbers of simulations give the same results on the same machine.

    `memory` is the most bytes that the tree takes, 2**20 or more; at the limit it stops
    growing, and simulations go on with the positions that it holds.

    Raises `ValueError` for a setting out of range, `TypeError` for one of another type and
    for what is no position. Threads may share a search; they wait for each other.
    """

    cdef Searcher core
    cdef Position root
    cdef object lock

    def __cinit__(
        self,
        position,
        *,
        method="puct",
        k=20,
        exploration=None,
        prior=True,
        leaves="evaluation",
        weights=None,
        rng=None,
        memory=2**30,
    ):
        self.lock = RLock()
        self.root = of_this_engine(position)
        self.core.settings.method = METHODS[one_of("method", method, METHODS)]
        self.core.settings.k = check_int("k", k, 1, 81)
        if exploration is None:
            exploration = EXPLORATIONS[method]
        self.core.settings.exploration = check_float("exploration", exploration, 0, 1e6)
        self.core.settings.prior = bool(prior)
        self.core.settings.rollouts = one_of("leaves", leaves, LEAVES) == "rollouts"
        read_weights(weights, &self.core.settings.evaluation)
        self.core.settings.seed = seed_of(rng)
        start_stream(&self.core.stream, self.core.settings.seed, 0)
        if not plant(
            &self.core.tree, &self.root.state, check_int("memory", memory, 2**20, MAX_COUNT)
        ):
            raise MemoryError

    def __dealloc__(self):
        free_tree(&self.core.tree)

    @property
    def position(self):
        """The position at the root."""
        return self.root

    @property
    def nodes(self):
        """The number of positions in the tree."""
        return self.core.tree.nodes - 1

    @property
    def memory(self):
        """The bytes that the tree takes."""
        return self.core.tree.memory

    def run(self, simulations=None, *, seconds=None):
        """Run simulations, and return a `SearchResult`.

        The run ends after so many `simulations`, 1..2**63 - 1, or after so many `seconds`, 0
        to 1e9, whichever comes first; at least one of the two must be given. The time is
        looked at every 256 simulations, so a run makes at least as many.

        Raises `ValueError` where the game is over, neither is given, or a number is out of
        range; `TypeError` for another type. Runs without the GIL, and stops on Ctrl-C, after
        which the search may go on.
        """
        cdef int64_t most = MAX_COUNT, done = 0
        cdef int part, _i
        cdef double limit = 1e9
        if simulations is None and seconds is None:
            raise ValueError("run needs a limit: simulations, seconds or both")
        if simulations is not None:
            most = check_int("simulations", simulations, 1, MAX_COUNT)
        if seconds is not None:
            limit = check_float("seconds", seconds, 0, 1e9)
        with self.lock:
            start = perf_counter()
            while done == 0 or (done < most and perf_counter() - start < limit):
                self.check_undecided()
                part = <int>min(most - done, <int64_t>SIMULATIONS_A_LOOK)
                with nogil:
                    for _i in range(part):
                        simulate(&self.core)
                done += part
                PyErr_CheckSignals()
            return self.result(done, perf_counter() - start)

    def advance(self, black, white):
        """Play a turn: the root becomes the position after it, and keeps its part of the tree.

        Raises `IllegalMoveError` where a pick is not legal, `TypeError` where a cell is
        neither an int nor a string, and `MemoryError` where there is no memory for the copy;
        nothing has changed then.
        """
        cdef int black_bit, white_bit
        cdef uint32_t number
        cdef Tree tree
        cdef Position after
        cdef bint whole
        with self.lock:
            black_bit = pick_of(&self.root.state, BLACK, black)
            white_bit = pick_of(&self.root.state, WHITE, white)
            after = wrap(&self.root.state)
            play_turn(&after.state, black_bit, white_bit)
            number = self.child(black_bit, white_bit)
            with nogil:
                if number == NO_NODE:
                    whole = plant(&tree, &after.state, self.core.tree.limit)
                else:
                    whole = transplant(&tree, &self.core.tree, number)
                if not whole:
                    free_tree(&tree)
            if not whole:
                raise MemoryError
            free_tree(&self.core.tree)
            self.core.tree = tree
            self.root = after

    cdef int check_undecided(self) except -1:
        if self.root.state.outcome != UNDECIDED:
            raise ValueError(
                f"there is nothing to search: the game is over ({self.root.outcome.name})"
            )
        return 0

    cdef uint32_t child(self, int black_bit, int white_bit) noexcept:
        """The number of the node behind a joint move of the root, or NO_NODE."""
        cdef Node *root = node_at(&self.core.tree, ROOT)
        cdef int black, white
        if root.branches == NULL:
            return NO_NODE
        black = place_of(&root.branches.choices[BLACK_SIDE], black_bit)
        white = place_of(&root.branches.choices[WHITE_SIDE], white_bit)
        if black < 0 or white < 0:
            return NO_NODE
        return child_of(root.branches, black, white)[0]

    cdef object result(self, int64_t simulations, double seconds):
        """Return what is known of the root."""
        cdef Node *root = node_at(&self.core.tree, ROOT)
        cdef const Choice *choice
        cdef int side, i
        self.check_undecided()
        if not may_branch(&self.core, root):
            raise MemoryError
        visits = np.zeros((2, 81), dtype=np.int64)
        means = np.full((2, 81), np.nan)
        picks = []
        for side in range(2):
            choice = &root.branches.choices[side]
            for i in range(choice.count):
                if choice.visits[i]:
                    visits[side, cell_of(choice.bits[i])] = choice.visits[i]
                    means[side, cell_of(choice.bits[i])] = choice.means[i]
            picks.append(cell_of(choice.bits[most_visited(choice)]))
        policies = np.zeros((2, 81))
        value = self.mix_picks(root, policies)
        return SearchResult(
            visits,
            means,
            self.joint_values(root),
            tuple(picks),
            policies,
            value,
            self.principal_line(),
            simulations,
            seconds,
        )

    cdef double joint_value(self, const Node *node, int black, int white) noexcept:
        """The mean value for Black after a joint move, or the evaluation where none is known."""
        cdef uint32_t child = child_of(node.branches, black, white)[0]
        cdef position_t after
        if child != NO_NODE and node_at(&self.core.tree, child).visits:
            return known_value(node_at(&self.core.tree, child), 0)
        play_picks(node, black, white, &after)
        return value_of(&after, &self.core.settings.evaluation)

    cdef object joint_values(self, const Node *node):
        """Return the mean values for Black of the joint moves that were simulated."""
        cdef const Choice *blacks = &node.branches.choices[BLACK_SIDE]
        cdef const Choice *whites = &node.branches.choices[WHITE_SIDE]
        cdef double *values
        cdef int i, j
        array = array_for(None, np.dtype(np.float64), (81, 81))
        view = opened(array, np.dtype(np.float64), (81, 81))
        values = <double *>memory_of(view)
        for i in range(81 * 81):
            values[i] = NAN
        for i in range(blacks.count):
            for j in range(whites.count):
                if child_of(node.branches, i, j)[0] != NO_NODE:
                    values[81 * cell_of(blacks.bits[i]) + cell_of(whites.bits[j])] = (
                        self.joint_value(node, i, j)
                    )
        return array

    cdef double mix_picks(self, const Node *node, policies) except? -2:
        """Write the strategies that solve the matrix of the main picks; returns its value."""
        cdef const Choice *blacks = &node.branches.choices[BLACK_SIDE]
        cdef const Choice *whites = &node.branches.choices[WHITE_SIDE]
        cdef int rows[81]
        cdef int columns[81]
        cdef double matrix[81 * 81]
        cdef double row[81]
        cdef double column[81]
        cdef int height = list_mixed(blacks, rows), width = list_mixed(whites, columns), i, j
        cdef double *memory
        cdef Solved solved
        for i in range(height):
            for j in range(width):
                matrix[i * width + j] = self.joint_value(node, rows[i], columns[j])
        memory = <double *>PyMem_RawMalloc(memory_needed(height, width) * sizeof(double))
        if memory == NULL:
            raise MemoryError
        with nogil:
            solved = solve_game(matrix, height, width, 1e-3, 10000, memory, row, column)
        PyMem_RawFree(memory)
        for i in range(height):
            policies[0, cell_of(blacks.bits[rows[i]])] = row[i]
        for i in range(width):
            policies[1, cell_of(whites.bits[columns[i]])] = column[i]
        return solved.value

    cdef tuple principal_line(self):
        """Return the most visited picks of both players, as far down as there were visits."""
        cdef const Node *node = node_at(&self.core.tree, ROOT)
        cdef int black, white
        cdef uint32_t child = ROOT
        cdef const Choice *blacks
        cdef const Choice *whites
        line = []
        while child != NO_NODE and len(line) < DEEPEST:
            node = node_at(&self.core.tree, child)
            if node.branches == NULL:
                break
            blacks, whites = &node.branches.choices[BLACK_SIDE], &node.branches.choices[WHITE_SIDE]
            black, white = most_visited(blacks), most_visited(whites)
            if blacks.visits[black] == 0:
                break
            line.append((cell_of(blacks.bits[black]), cell_of(whites.bits[white])))
            child = child_of(node.branches, black, white)[0]
        return tuple(line)
