"""Random trees from a seed: uniform or ragged, with the children ordered best first, worst first or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from zerosum.classroom.node import HIGHEST, LEAF, Node, leaf, named
from zerosum.classroom.tree_data import after
from zerosum.errors import TreeError
from zerosum.game import CHANCE, MAX

ORDERS = ("random", "best", "worst")
MOST_LEAVES = 2_000_000


def uniform_tree(
    branching: int,
    depth: int,
    seed: int = 0,
    *,
    low: int = -99,
    high: int = 99,
    ties: bool = True,
    order: str = "random",
    first: int = MAX,
) -> Node:
    """A tree in which every inner node has ``branching`` children and every leaf is ``depth`` moves away.

    Leaves are whole numbers from ``low`` to ``high``; without ``ties`` they are all different, around 0.
    """
    if branching < 1 or depth < 0:
        raise TreeError(
            f"a tree needs at least 1 child per node and 0 levels, not {branching} children and {depth} levels"
        )
    _check_size(branching, depth)
    if branching**depth > MOST_LEAVES:
        raise TreeError(
            f"{branching} children per node and {depth} levels make {branching**depth:,} leaves, which is too many: "
            f"at most {MOST_LEAVES:,}"
        )
    random = Random(f"{seed} {branching} {depth}")
    values: Iterator[int]
    if ties:
        values = iter(lambda: random.randint(low, high), None)
    else:
        count = branching**depth
        values = iter(random.sample(range(-(count // 2), count - count // 2), count))

    def grow(levels: int, mover: int) -> Node:
        if levels == 0:
            return leaf(next(values))
        return Node(mover, children=tuple(grow(levels - 1, after(mover)) for _ in range(branching)))

    return named(in_order(grow(depth, first), order))


def random_tree(
    seed: int,
    *,
    depth: int = 4,
    branching: int = 3,
    low: int = -9,
    high: int = 9,
    chance: float = 0.0,
    stop: float = 0.15,
    again: float = 0.0,
    noisy: float = 0.0,
    evaluations: bool = False,
    order: str = "random",
    first: int = MAX,
) -> Node:
    """A ragged tree: 1 to ``branching`` children per node, lines of up to ``depth`` moves.

    ``chance``, ``stop``, ``again`` and ``noisy`` are probabilities: that a node is a chance node, that it is a leaf
    before ``depth`` is reached, that the same player moves again, and that it is noisy. With ``evaluations`` inner
    nodes have an estimate. The root is never a leaf, unless ``depth`` is 0.
    """
    _check_size(branching, depth)
    random = Random(f"{seed} {branching} {depth}")

    def grow(levels: int, mover: int, at_root: bool) -> Node:
        if levels == 0 or (not at_root and random.random() < stop):
            return leaf(random.randint(low, high))
        count = random.randint(1, branching)
        value = random.randint(low, high) if evaluations else None
        is_noisy = random.random() < noisy
        if random.random() < chance:
            weights = [random.randint(1, 4) for _ in range(count)]
            shares = tuple(weight / sum(weights) for weight in weights)
            children = tuple(grow(levels - 1, mover, False) for _ in range(count))
            return Node(CHANCE, value=value, children=children, probabilities=shares, noisy=is_noisy)
        following = mover if random.random() < again else after(mover)
        children = tuple(grow(levels - 1, following, False) for _ in range(count))
        return Node(mover, value=value, children=children, noisy=is_noisy)

    return named(in_order(grow(depth, first, True), order))


def _check_size(branching: int, depth: int) -> None:
    """Refuse numbers that are too large for any tree: even to compute the number of leaves would take long."""
    if depth > HIGHEST:
        raise TreeError(f"a tree of {depth} levels is too high: at most {HIGHEST}")
    if branching > MOST_LEAVES:
        raise TreeError(f"{branching} children per node are too many: at most {MOST_LEAVES:,}")


def in_order(root: Node, order: str) -> Node:
    """The tree with each player's best move first (``best``) or last (``worst``), or as it is (``random``).

    >>> from zerosum.classroom.tree_data import read_lists
    >>> [c.value for c in in_order(read_lists([3, 12, 8]), "best").children]
    [12, 8, 3]
    """
    if order not in ORDERS:
        raise TreeError(f"unknown order of children {order!r}; choose {', '.join(ORDERS)}")
    return root if order == "random" else _sorted(root, order == "best")[0]


def _sorted(node: Node, best_first: bool) -> tuple[Node, float]:
    """The node with its children in order, and its value; the outcomes of chance stay where they are."""
    if node.kind == LEAF:
        assert node.value is not None
        return node, node.value
    done = [_sorted(child, best_first) for child in node.children]
    if node.kind == CHANCE:
        value = sum(share * value for share, (_, value) in zip(node.probabilities, done, strict=True))
        return replace(node, children=tuple(child for child, _ in done)), value
    places = sorted(range(len(done)), key=lambda i: done[i][1], reverse=(node.kind == MAX) == best_first)
    # Moves that are just child numbers are renumbered; a game's own moves stay with their children.
    counted = node.moves == tuple(range(len(done)))
    return replace(
        node,
        children=tuple(done[i][0] for i in places),
        moves=node.moves if counted else tuple(node.moves[i] for i in places),
        labels=tuple(node.labels[i] for i in places) if node.labels else (),
    ), done[places[0 if best_first else -1]][1]
