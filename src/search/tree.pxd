"""The tree of a search: a node for each position met, and both players' choices in it.

Positions that are reached in several ways share a node (R7), so the tree is a graph, which may
have cycles (R8). Memory comes in blocks up to a limit and goes back all at once.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy, memset

from wts_fast.core.bitboard cimport Bitboard
from wts_fast.core.rules cimport BLACK_SIDE, WHITE_SIDE, key_of, position_t


cdef enum:
    NODES_A_BLOCK = 256
    ROOM_BLOCK = 1 << 17  # bytes for branches
    FIRST_SLOTS = 1 << 10

cdef enum:
    # Numbers of nodes.
    NO_NODE = 0
    ROOT = 1


ctypedef struct Choice:
    # What one player may pick, best prior first, and what is known of each pick.
    int count
    float *means  # for this player
    float *priors
    float *bonuses  # what makes a pick worth trying, or its regret
    int32_t *visits
    uint8_t *bits


ctypedef struct Branches:
    Choice choices[2]
    uint32_t *children  # by Black's pick, then White's


ctypedef struct Node:
    position_t state
    uint64_t key
    Branches *branches  # NULL until both players' choices are known
    double total  # of the values of all visits, for Black
    int64_t visits
    float value  # for Black, as found at the first visit


ctypedef struct Tree:
    Node **blocks  # of nodes
    uint32_t nodes  # and NO_NODE
    uint64_t *slots  # of the hash table: half of a key, and the number of a node
    uint64_t slot_count  # a power of two
    void **rooms  # blocks that hold branches
    size_t room_count
    size_t room_left  # in the last
    size_t memory  # bytes in use
    size_t limit


cdef inline Node *node_at(const Tree *t, uint32_t number) noexcept nogil:
    return &t.blocks[number // NODES_A_BLOCK][number % NODES_A_BLOCK]


# --- memory -----------------------------------------------------------------------------


cdef inline void *claim(Tree *t, size_t size) noexcept nogil:
    """Zeroed memory, or NULL where that would exceed the limit."""
    cdef void *memory = NULL
    if size <= t.limit - min(t.memory, t.limit):
        memory = calloc(1, size)
    if memory != NULL:
        t.memory += size
    return memory


cdef inline void free_tree(Tree *t) noexcept nogil:
    cdef size_t i, blocks = (<size_t>t.nodes + NODES_A_BLOCK - 1) // NODES_A_BLOCK
    if t.blocks != NULL:
        for i in range(blocks):
            free(t.blocks[i])
    for i in range(t.room_count):
        free(t.rooms[i])
    free(t.blocks)
    free(t.rooms)
    free(t.slots)


cdef inline void *extended(void **pointers, size_t count) noexcept nogil:
    """Room for one more pointer in a list, which grows when their number is a power of two."""
    if count & (count - 1):
        return pointers
    return realloc(pointers, max(<size_t>1, 2 * count) * sizeof(void *))


cdef inline void *room_for(Tree *t, size_t size) noexcept nogil:
    """Zeroed memory for branches; `size` is a multiple of 8, so all of them are aligned."""
    cdef void **rooms
    cdef char *room
    if size > t.room_left:
        rooms = <void **>extended(t.rooms, t.room_count)
        if rooms == NULL:
            return NULL
        t.rooms = rooms
        rooms[t.room_count] = claim(t, ROOM_BLOCK)
        if rooms[t.room_count] == NULL:
            return NULL
        t.room_count += 1
        t.room_left = ROOM_BLOCK
    room = <char *>t.rooms[t.room_count - 1]
    t.room_left -= size
    return room + t.room_left


cdef inline size_t size_of_branches(int black, int white) noexcept nogil:
    """The bytes that branches for so many picks of both players take, a multiple of 8."""
    cdef size_t size = sizeof(Branches) + 4 * <size_t>(black * white) + 17 * <size_t>(black + white)
    return (size + 7) // 8 * 8


cdef inline void lay_out(Branches *branches, int black, int white) noexcept nogil:
    """Point the parts of branches to their places behind the struct."""
    cdef char *place = <char *>(branches + 1)
    cdef int counts[2]
    cdef int side
    cdef Choice *choice
    counts[BLACK_SIDE], counts[WHITE_SIDE] = black, white
    branches.children = <uint32_t *>place
    place += 4 * black * white
    for side in range(2):
        choice = &branches.choices[side]
        choice.count = counts[side]
        choice.means = <float *>place
        choice.priors = choice.means + counts[side]
        choice.bonuses = choice.priors + counts[side]
        choice.visits = <int32_t *>(choice.bonuses + counts[side])
        place += 16 * counts[side]
    branches.choices[BLACK_SIDE].bits = <uint8_t *>place
    branches.choices[WHITE_SIDE].bits = <uint8_t *>place + black


cdef inline Branches *new_branches(Tree *t, int black, int white) noexcept nogil:
    """Branches for so many picks of both players, with nothing known; NULL without memory."""
    cdef Branches *branches = <Branches *>room_for(t, size_of_branches(black, white))
    if branches != NULL:
        lay_out(branches, black, white)
    return branches


# --- nodes ------------------------------------------------------------------------------


cdef inline bint same_board(Bitboard a, Bitboard b) noexcept nogil:
    return a.lo == b.lo and a.hi == b.hi


cdef inline bint same_position(const position_t *a, const position_t *b) noexcept nogil:
    """R7: the three sets of cells and the egg order."""
    return (
        same_board(a.turtles[BLACK_SIDE], b.turtles[BLACK_SIDE])
        and same_board(a.turtles[WHITE_SIDE], b.turtles[WHITE_SIDE])
        and a.egg_count == b.egg_count
        and memcmp(a.egg_order, b.egg_order, a.egg_count) == 0
    )


cdef inline uint64_t *slot_of(const Tree *t, const position_t *p, uint64_t key) noexcept nogil:
    """The slot that holds a position, or the free one where it belongs."""
    cdef uint64_t place = key & (t.slot_count - 1)
    cdef uint64_t *slot
    cdef Node *node
    while True:
        slot = t.slots + place
        if slot[0] == 0:
            return slot
        if slot[0] >> 32 == key >> 32:
            node = node_at(t, <uint32_t>slot[0])
            if node.key == key and same_position(&node.state, p):
                return slot
        place = (place + 1) & (t.slot_count - 1)


cdef inline bint grow_slots(Tree *t) noexcept nogil:
    """Make the table twice as large; returns whether there was memory."""
    cdef uint64_t *old = t.slots
    cdef uint64_t old_count = t.slot_count
    cdef uint32_t number
    cdef Node *node
    t.slot_count = max(<uint64_t>FIRST_SLOTS, 2 * old_count)
    t.slots = <uint64_t *>claim(t, <size_t>(t.slot_count * sizeof(uint64_t)))
    if t.slots == NULL:
        t.slots, t.slot_count = old, old_count
        return False
    for number in range(1, t.nodes):
        node = node_at(t, number)
        slot_of(t, &node.state, node.key)[0] = node.key >> 32 << 32 | number
    t.memory -= <size_t>(old_count * sizeof(uint64_t))
    free(old)
    return True


cdef inline uint32_t append_node(Tree *t) noexcept nogil:
    """The number of a new, zeroed node; NO_NODE without memory."""
    cdef Node **blocks
    cdef size_t count = t.nodes // NODES_A_BLOCK
    if t.nodes == <uint32_t>0xFFFFFFFF:
        return NO_NODE
    if t.nodes % NODES_A_BLOCK == 0:
        blocks = <Node **>extended(<void **>t.blocks, count)
        if blocks == NULL:
            return NO_NODE
        t.blocks = blocks
        blocks[count] = <Node *>claim(t, NODES_A_BLOCK * sizeof(Node))
        if blocks[count] == NULL:
            return NO_NODE
    t.nodes += 1
    return t.nodes - 1


cdef inline uint32_t node_of(Tree *t, const position_t *p) noexcept nogil:
    """The number of the node of a position, a new one if need be; NO_NODE without memory."""
    cdef uint64_t key = key_of(p)
    cdef uint64_t *slot
    cdef uint32_t number
    cdef Node *node
    if 2 * <uint64_t>t.nodes >= t.slot_count and not grow_slots(t):
        return NO_NODE
    slot = slot_of(t, p, key)
    if slot[0]:
        return <uint32_t>slot[0]
    number = append_node(t)
    if number != NO_NODE:
        slot[0] = key >> 32 << 32 | number
        node = node_at(t, number)
        node.state = p[0]
        node.key = key
    return number


cdef inline bint plant(Tree *t, const position_t *root, size_t limit) noexcept nogil:
    """Make a tree of one node, on at most so many bytes; returns whether there was memory."""
    memset(t, 0, sizeof(Tree))
    t.limit = limit
    append_node(t)  # NO_NODE
    return node_of(t, root) == ROOT


# --- a part of a tree -------------------------------------------------------------------


cdef inline uint32_t renumbered(
    Tree *t, const Tree *old, uint32_t *numbers, uint32_t number
) noexcept nogil:
    """The number in `t` of an old node, copied if it was not yet; NO_NODE without memory."""
    cdef const Node *source = node_at(old, number)
    cdef Node *node
    if numbers[number] == NO_NODE:
        numbers[number] = node_of(t, &source.state)
        if numbers[number] != NO_NODE:
            node = node_at(t, numbers[number])
            node[0] = source[0]
    return numbers[number]


cdef inline bint copy_branches(
    Tree *t, const Tree *old, uint32_t *numbers, Node *node
) noexcept nogil:
    """Give a copied node branches of its own; returns whether there was memory."""
    cdef const Branches *source = node.branches
    cdef int black = source.choices[BLACK_SIDE].count, white = source.choices[WHITE_SIDE].count
    cdef int i
    node.branches = new_branches(t, black, white)
    if node.branches == NULL:
        return False
    memcpy(node.branches, source, size_of_branches(black, white))
    lay_out(node.branches, black, white)
    for i in range(black * white):
        if source.children[i] != NO_NODE:
            node.branches.children[i] = renumbered(t, old, numbers, source.children[i])
            if node.branches.children[i] == NO_NODE:
                return False
    return True


cdef inline bint transplant(Tree *t, const Tree *old, uint32_t root) noexcept nogil:
    """Make a tree of what can be reached from an old node; returns whether there was memory.

    On False the new tree is incomplete, and still to be freed; the old one is left as it was.
    """
    cdef uint32_t *numbers = <uint32_t *>calloc(old.nodes, sizeof(uint32_t))
    cdef uint32_t number = ROOT
    cdef Node *node
    cdef bint whole
    memset(t, 0, sizeof(Tree))
    t.limit = old.limit
    whole = numbers != NULL and append_node(t) == NO_NODE and t.nodes == 1
    whole = whole and renumbered(t, old, numbers, root) == ROOT
    while whole and number < t.nodes:
        node = node_at(t, number)
        if node.branches != NULL:
            whole = copy_branches(t, old, numbers, node)
        number += 1
    free(numbers)
    return whole
