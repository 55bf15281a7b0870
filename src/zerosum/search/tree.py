"""The tree of Monte-Carlo search: nodes with their edges in one flat memory, which all workers share.

A node is a block of words: a head, then an edge for each move (or outcome of chance). Blocks have different sizes, so a
worker takes them one after another from a part of the memory that only it fills; no locks are needed. An index
leads from keys to nodes, so that a position reached by several orders of moves has one. When a part is full, nodes that
few simulations have passed through are thrown away, and the rest moves together.

Counts are added to without locks: should two workers do so at once, one visit may be lost, which harms nothing. What is
proven of a node only ever becomes narrower, and each bound is right by itself.
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
    *("tree", "part", "root"),  # the tree's address, the part that this worker fills, and the node to begin from
    *("full", "dice"),  # whether the part has no room left; the random numbers
    *("explore", "mixture", "scale", "by_score", "by_order"),  # options, the first three as bits of a float
    "floor",  # what the mover has for certain at the node where an edge was chosen last, as bits of a float
    # A simulation under way: how deep it is, whether the position there is still to be judged, what it is worth from
    # -1 to 1 and in the game's own points, both as bits of a float, and whether something has become certain.
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
# For each part, on a cache line of its own: where it begins, where there is room, where it ends.
BEGIN, FREE, END = range(3)

# The head of a node. SIZE: its edges, who moves, and when it was decided; VISITS: simulations that have passed on from
# it, with the SUM of their results and the SCORES they have brought in the game's points; LOW and HIGH: what it is
# certainly worth at least and at most, for MAX.
KEY, SIZE, VISITS, SUM, SCORES, LOW, HIGH, MARK = range(8)
HEAD = LINE
# An edge: the move with its flags, the node behind it (0: none yet), simulations that have taken it, and the sum of
# their results for MAX; of an outcome of chance, its probability.
MOVE, CHILD, TRIES, TOTAL = range(4)
EDGE = 4

MOVE_BITS = (1 << 31) - 1
LOST = 1 << 31
"""Beside a move: it is certainly no better than another."""

DECIDED = 1 << 32
"""Beside a move: there is nothing left to find out about it."""

PROBES = 8
"""Places of the index that are looked at for a key."""

BUCKETS = 48
"""Nodes are counted by the number of bits of their visits."""


def edges_of(size):
    """How many edges a node has, by its word for that."""
    return size & MOVE_BITS


def mover_of(size):
    """Who moves there."""
    return (size >> 32) & 3


def decision_of(size):
    """The number of the decision, among all, that decided this node; 0 if the game is over, or if undecided."""
    return size >> 34


def part_of(number):
    """Where a part's three words lie."""
    return LINE * (1 + number)


def find(key, mem):
    """The node of a key, or 0."""
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
    """Let the index lead to a node, in place of one with its key; if there is no place left, another loses its own."""
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
    """How many bits a number of visits has, at most as many as are told apart."""
    bits = 0
    while visits > 0 and bits < BUCKETS - 1:
        visits >>= 1
        bits += 1
    return bits


def collection(counts, is_decided):
    """The function ``collect(mem)``; ``counts`` is a region of BUCKETS words."""

    def mark_from(root, least, mem):
        """Mark what can be reached from the root through nodes of at least this many bits of visits.

        The marks are a list: each node that waits to be looked into points to the next.
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
        """Note for each marked node of a part where it will be."""
        tree = memory_at(mem[TREE])
        at = to = tree[part + BEGIN]
        while at < tree[part + FREE]:
            if tree[at + MARK] != 0:
                tree[at + MARK] = to
                to += HEAD if is_decided(at, mem) else HEAD + EDGE * edges_of(tree[at + SIZE])
            at += HEAD + EDGE * edges_of(tree[at + SIZE])

    def redirect(part, mem):
        """Let edges lead to where their nodes will be; to nothing where a node is thrown away."""
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
        """Throw nodes away until half of each part is free: those that cannot be reached, then the least visited.

        Nodes that are decided keep only their heads.
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
    """The memory of a tree for a number of workers; taken when it is first used."""

    def __init__(self, size: int, workers: int, widest: int, target: Target) -> None:
        """``size`` in bytes; ``widest``: no node has more edges."""
        self.workers = workers
        self._compiled = target.is_compiled
        least = workers * 64 * (HEAD + EDGE * widest)  # less would be thrown away before it is of use
        words = max(size // 8, least)
        # A plain search visits few positions: a large list would only take time to make.
        self.count = words if self._compiled else min(words, max(1 << 17, least))
        self._words: Any = None

    @property
    def address(self) -> Any:
        """What kernels take for the tree: its address, or uncompiled the list itself."""
        return self.words.ctypes.data if self._compiled else self.words

    @property
    def words(self) -> Any:
        if self._words is None:
            complaint = f"there is no memory for a tree of {self.count >> 17} MB: choose a smaller hash size"
            self._words = zeros(self.count, complaint) if self._compiled else [0] * self.count
            self._lay_out()
        return self._words

    def _lay_out(self) -> None:
        """Begin with an empty tree: the index, then a part for each worker."""
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
        """Take all memory now, a word of each page."""
        if self._compiled:
            self.words[::512] += 0

    def clear(self) -> None:
        if self._words is not None:
            self._lay_out()

    def fullness(self) -> int:
        """How many thousandths of the memory hold nodes."""
        if self._words is None:
            return 0
        used = room = 0
        for number in range(self.workers):
            begin, free, end = (int(self._words[part_of(number) + word]) for word in (BEGIN, FREE, END))
            used, room = used + free - begin, room + end - begin
        return 1000 * used // max(room, 1)
