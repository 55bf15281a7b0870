"""The order of children, on which alpha-beta's whole gain depends: best, worst and random, on one tree.

With the best child first everywhere, a uniform tree costs the minimum that Knuth and Moore proved. With the best
child last, little is cut off, and nothing at all in a tree of two levels.

>>> from zerosum.classroom.tree import Tree
>>> found = compare_orders(Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 1]]))
>>> found.best, found.given, found.worst, found.fewest
(5, 7, 9, 5)
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from zerosum.classroom.alphabeta import alphabeta, least_leaves
from zerosum.classroom.events import Event, Kind
from zerosum.classroom.node import LEAF, Node, below
from zerosum.classroom.tree import Tree
from zerosum.errors import TreeError
from zerosum.game import CHANCE

SHUFFLES = 20
"""The default number of random orders to try."""


@dataclass(frozen=True)
class Orders:
    """The number of leaves that alpha-beta looks at in one tree, by the order of its children."""

    leaves: int
    """All leaves of the tree: what minimax looks at, and the upper limit."""
    fewest: int | None
    """Knuth and Moore's lower limit; None if the tree is not uniform."""
    given: int
    best: int
    worst: int
    shuffled: tuple[int, ...]

    @property
    def average(self) -> float:
        """The average over the random orders."""
        return sum(self.shuffled) / len(self.shuffled)


def compare_orders(tree: Tree, seed: int = 1, shuffles: int = SHUFFLES) -> Orders:
    """Run alpha-beta on the tree as it is and with its children in other orders; equal seeds give equal orders."""
    if any(node.kind == CHANCE for _, node in tree.nodes()):
        raise TreeError("the tree has chance nodes: alpha-beta and its limits need a tree without them")
    shape = uniform_shape(tree.root)
    chance = random.Random(seed)
    return Orders(
        leaves=tree.leaves,
        fewest=None if shape is None else round(least_leaves(*shape)),
        given=leaves_evaluated(tree),
        best=leaves_evaluated(tree.ordered("best")),
        worst=leaves_evaluated(tree.ordered("worst")),
        shuffled=tuple(leaves_evaluated(shuffled(tree, chance)) for _ in range(shuffles)),
    )


def leaves_evaluated(tree: Tree) -> int:
    """The number of leaves that alpha-beta looks at."""
    count = 0

    def listen(event: Event) -> None:
        nonlocal count
        count += event.kind == Kind.EVALUATE

    game = tree.game
    alphabeta(game, game.initial(), tell=listen)
    return count


def uniform_shape(root: Node) -> tuple[int, int] | None:
    """Branching factor and height; None unless inner nodes have equally many children and leaves equal depth."""
    branching = len(root.children)
    depths = set()
    for path, node in below(root):
        if node.kind == LEAF:
            depths.add(len(path))
        elif len(node.children) != branching:
            return None
    return (branching, depths.pop()) if len(depths) == 1 and branching else None


def shuffled(tree: Tree, chance: random.Random) -> Tree:
    """The same tree with the children of every node in a random order."""

    def shuffle(node: Node) -> Node:
        places = chance.sample(range(len(node.children)), len(node.children))
        children = tuple(shuffle(node.children[place]) for place in places)
        moves = tuple(node.moves[place] for place in places)
        labels = tuple(node.labels[place] for place in places) if node.labels else ()
        return replace(node, children=children, moves=moves, labels=labels)

    return Tree(shuffle(tree.root), tree.title)
