"""The tree of Monte-Carlo search: nodes with their edges in one flat memory, which all workers share.

A node is a block of words: a head, then an edge for each move (or chance outcome). Blocks have different sizes, so each
worker allocates them one after another from its own part of the memory; no locks are needed. An index
maps keys to nodes, so that transpositions share a node. When a part is full, nodes with few visits are discarded and
the rest are moved together.

Counts are updated without locks: if two workers do so at the same time, one visit may be lost, which does no harm.
Bounds of a node only ever become narrower, and each bound is right by itself.
"""

from __future__ import annotations

from typing import Any

from zerosum.jit.plan import LINE
from zerosum.jit.target import Target
from zerosum.jit.words import memory_at, spread
from zerosum.jit.zeros import zeros
from zerosum.search.memory import SEARCH

WORDS = SEARCH.then(
    "task",  # what to do: see the tasks in ``mcts``
    *("tree", "part", "root"),  # the tree's address, this worker's part, and the node to begin from
    *("full", "dice"),  # whether the part has no room left; the state of the random numbers
    *("explore", "mixture", "scale", "by_score", "by_order"),  # options, the first three as bits of a float
    "floor",  # the result that the mover is certain of at the last node where an edge was chosen, as bits of a float
    # The current simulation: its ply, whether its leaf still needs an evaluation, its result from -1 to 1 and in the
    # game's own points, both as bits of a float, and whether something has become certain.
    *("ply", "open", "value", "score", "is_news"),
)
# fmt: off
(
    TASK, TREE, PART, ROOT, FULL, DICE, EXPLORE, MIXTURE, SCALE, BY_SCORE, BY_ORDER, FLOOR,
    PLY, OPEN, VALUE, SCORE, IS_NEWS,
) = WORDS
# fmt: on

# The head of the memory, before the parts.
INDEX, INDEX_MASK, PARTS, DECISIONS = range(4)
# For each part, on its own cache line: where it begins, where the free room begins, where it ends.
BEGIN, FREE, END = range(3)

# The head of a node. SIZE: its number of edges, who moves, and when it was decided; VISITS: simulations that went
# through it, with the SUM of their results and the SCORES, their sum in the game's points; LOW and HIGH: certain bounds
# on its value for MAX.
KEY, SIZE, VISITS, SUM, SCORES, LOW, HIGH, MARK = range(8)
HEAD = LINE
# An edge: the move with its flags, its child node (0: none yet), the number of simulations that took it, and the sum of
# their results for MAX; for a chance outcome, its probability instead of the sum.
MOVE, CHILD, TRIES, TOTAL = range(4)
EDGE = 4

MOVE_BITS = (1 << 31) - 1
LOST = 1 << 31
"""Flag of a move that is certainly no better than another."""

DECIDED = 1 << 32
"""Flag of a move whose value is settled."""

PROBES = 8
"""Slots of the index to probe for a key."""

BUCKETS = 48
"""Number of buckets for counting nodes by the bit length of their visits."""


def edges_of(size):
    """The number of edges, from a node's SIZE word."""
    return size & MOVE_BITS


def mover_of(size):
    """The player to move, from a node's SIZE word."""
    return (size >> 32) & 3


def decision_of(size):
    """When this node was decided, as a number that counts all decisions; 0 if the game is over or undecided."""
    return size >> 34


def part_of(number):
    """The address of a part's three words."""
    return LINE * (1 + number)


def find(key, mem):
    """The node for a key, or 0."""
    tree = memory_at(mem[TREE])
    mask = tree[INDEX_MASK]
    slot = spread(key, mask)
    for i in range(PROBES):
        at = tree[tree[INDEX] + ((slot + i) & mask)]
        if at == 0:
            return 0
        if tree[at + KEY] == key:
            return at
    return 0


def enter(key, at, mem):
    """Enter a node into the index, in place of one with the same key; if no slot is free, another node is dropped."""
    tree = memory_at(mem[TREE])
    mask = tree[INDEX_MASK]
    slot = spread(key, mask)
    place = tree[INDEX] + slot
    for i in range(PROBES):
        there = tree[tree[INDEX] + ((slot + i) & mask)]
        if there == 0 or tree[there + KEY] == key:
            place = tree[INDEX] + ((slot + i) & mask)
            break
    tree[place] = at


def bits_of(visits):
    """The bit length of a number of visits, at most BUCKETS - 1."""
    bits = 0
    while visits > 0 and bits < BUCKETS - 1:
        visits >>= 1
        bits += 1
    return bits


def collection(counts, is_decided):
    """The function ``collect(mem)``; ``counts`` is a region of BUCKETS words."""

    def mark_from(root, least, mem):
        """Mark the nodes that can be reached from the root through nodes whose visits have at least this many bits.

        The marks form a linked list: each waiting node points to the next.
        """
        tree = memory_at(mem[TREE])
        tree[root + MARK] = root  # the last one points to itself
        waiting = root
        while waiting != 0:
            at = waiting
            waiting = tree[at + MARK] if tree[at + MARK] != at else 0
            tree[at + MARK] = at
            if is_decided(at, mem):
                continue
            for e in range(at + HEAD, at + HEAD + EDGE * edges_of(tree[at + SIZE]), EDGE):
                child = tree[e + CHILD]
                if (
                    child != 0
                    and tree[child + MARK] == 0
                    and (bits_of(tree[child + VISITS]) >= least or is_decided(child, mem))
                ):
                    tree[child + MARK] = waiting if waiting != 0 else child
                    waiting = child

    def forward(part, mem):
        """Store in the mark of each marked node its new address."""
        tree = memory_at(mem[TREE])
        at = to = tree[part + BEGIN]
        while at < tree[part + FREE]:
            if tree[at + MARK] != 0:
                tree[at + MARK] = to
                to += HEAD if is_decided(at, mem) else HEAD + EDGE * edges_of(tree[at + SIZE])
            at += HEAD + EDGE * edges_of(tree[at + SIZE])

    def redirect(part, mem):
        """Update edges to the new addresses of their nodes, or to 0 if the node is discarded."""
        tree = memory_at(mem[TREE])
        at = tree[part + BEGIN]
        while at < tree[part + FREE]:
            end = at + HEAD + EDGE * edges_of(tree[at + SIZE])
            if tree[at + MARK] != 0 and not is_decided(at, mem):
                for e in range(at + HEAD, end, EDGE):
                    if tree[e + CHILD] != 0:
                        tree[e + CHILD] = tree[tree[e + CHILD] + MARK]
            at = end

    def slide(part, mem):
        """Move the marked nodes of a part together, and enter them into the index."""
        tree = memory_at(mem[TREE])
        at = to = tree[part + BEGIN]
        while at < tree[part + FREE]:
            end = at + HEAD + EDGE * edges_of(tree[at + SIZE])
            if tree[at + MARK] != 0:
                size = HEAD if is_decided(at, mem) else end - at
                for i in range(size):
                    tree[to + i] = tree[at + i]
                tree[to + SIZE] = tree[to + SIZE] & ~MOVE_BITS | (size - HEAD) // EDGE
                tree[to + MARK] = 0
                if tree[to + KEY] != 0:
                    enter(tree[to + KEY], to, mem)
                to += size
            at = end
        tree[part + FREE] = to

    def collect(mem):
        """Discard nodes until about half of the memory is free: unreachable ones, then the least visited.

        Decided nodes keep only their heads.
        """
        tree = memory_at(mem[TREE])
        capacity = 0
        for bits in range(BUCKETS):
            mem[counts + bits] = 0
        for number in range(tree[PARTS]):
            part = part_of(number)
            capacity += tree[part + END] - tree[part + BEGIN]
            at = tree[part + BEGIN]
            while at < tree[part + FREE]:
                mem[counts + bits_of(tree[at + VISITS])] += HEAD + EDGE * edges_of(tree[at + SIZE])
                tree[at + MARK] = 0
                at += HEAD + EDGE * edges_of(tree[at + SIZE])
        least, kept = BUCKETS - 1, mem[counts + BUCKETS - 1]
        while least > 1 and kept + mem[counts + least - 1] <= capacity >> 1:
            least -= 1
            kept += mem[counts + least]
        mark_from(mem[ROOT], least, mem)
        for number in range(tree[PARTS]):
            forward(part_of(number), mem)
        mem[ROOT] = tree[mem[ROOT] + MARK]
        for number in range(tree[PARTS]):
            redirect(part_of(number), mem)
        for i in range(tree[INDEX_MASK] + 1):
            tree[tree[INDEX] + i] = 0
        for number in range(tree[PARTS]):
            slide(part_of(number), mem)

    return collect


class Tree:
    """The memory of a tree for a number of workers, allocated on first use."""

    def __init__(self, size: int, workers: int, widest: int, target: Target) -> None:
        """``size`` is in bytes, ``widest`` the largest number of edges of a node."""
        self.workers = workers
        self._compiled = target.is_compiled
        least = workers * 64 * (HEAD + EDGE * widest)  # with less, nodes would be discarded before they are of use
        words = max(size // 8, least)
        # An uncompiled search visits few positions; a large list would only take time to make.
        self.count = words if self._compiled else min(words, max(1 << 17, least))
        self._words: Any = None

    @property
    def address(self) -> Any:
        """What kernels use as the tree: its address, or the list itself if uncompiled."""
        return self.words.ctypes.data if self._compiled else self.words

    @property
    def words(self) -> Any:
        if self._words is None:
            complaint = f"not enough memory for a tree of {self.count >> 17} MB: choose a smaller hash size"
            self._words = zeros(self.count, complaint) if self._compiled else [0] * self.count
            self._lay_out()
        return self._words

    def _lay_out(self) -> None:
        """Set up an empty tree: the index, then a part for each worker."""
        words = self._words
        index = 1 << max(6, (self.count // 32).bit_length() - 1)
        first = part_of(self.workers)
        words[INDEX], words[INDEX_MASK], words[PARTS] = first, index - 1, self.workers
        words[first : first + index] = 0 if self._compiled else [0] * index
        begin = first + index
        share = (self.count - begin) // self.workers // LINE * LINE
        for number in range(self.workers):
            part = part_of(number)
            words[part + BEGIN] = words[part + FREE] = begin + number * share
            words[part + END] = begin + (number + 1) * share

    def touch(self) -> None:
        """Allocate all memory now, by touching a word in each page."""
        if self._compiled:
            self.words[::512] += 0

    def clear(self) -> None:
        if self._words is not None:
            self._lay_out()

    def fullness(self) -> int:
        """The share of the memory that holds nodes, in thousandths."""
        if self._words is None:
            return 0
        used = room = 0
        for number in range(self.workers):
            begin, free, end = (int(self._words[part_of(number) + word]) for word in (BEGIN, FREE, END))
            used, room = used + free - begin, room + end - begin
        return 1000 * used // max(room, 1)
