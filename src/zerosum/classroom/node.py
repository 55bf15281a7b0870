"""A node of a tree, hand-made or unfolded from a game, and the checks that it is valid.

>>> Node(MAX, "A", children=(leaf(3), leaf(5)))
Node(kind=0, name='A', children=2)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from zerosum.errors import TreeError
from zerosum.game import CHANCE, MAX, MIN, MOVE_LIMIT, PROBABILITY_TOLERANCE, WIN
from zerosum.search.values import WON

LEAF = 3
"""The kind of a node that ends a line; the other kinds are MAX, MIN and CHANCE."""

KINDS = {"max": MAX, "min": MIN, "chance": CHANCE, "leaf": LEAF}
KIND_NAMES = {kind: word for word, kind in KINDS.items()}

LARGEST = 10**9
"""The largest absolute value: the engine's table stores values in 32 bits."""

HIGHEST = 200
"""The most levels of a tree: the algorithms are recursive, and Python's own stack is short."""


@dataclass(frozen=True, slots=True, repr=False)
class Node:
    """A node and its subtree. ``moves``, ``labels`` and ``probabilities`` belong to the children, in their order."""

    kind: int
    name: str = ""
    value: float | None = None  # a leaf's utility; of other nodes, the estimate of an evaluation
    children: tuple[Node, ...] = ()
    moves: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = ()
    picture: str = ""
    noisy: bool = False  # not quiet: quiescence search continues here

    def __post_init__(self) -> None:
        if self.children and not self.moves:
            object.__setattr__(self, "moves", tuple(range(len(self.children))))

    def __repr__(self) -> str:
        name = f", name={self.name!r}" if self.name else ""
        return f"Node(kind={self.kind}{name}, " + (
            f"children={len(self.children)})" if self.children else f"value={self.value})"
        )

    @property
    def player(self) -> str:
        """``max``, ``min``, ``chance`` or ``leaf``."""
        return KIND_NAMES[self.kind]

    def child(self, move: int) -> Node:
        """The child that this move leads to."""
        return self.children[self.moves.index(move)]

    def label(self, move: int) -> str:
        """The label on the branch of this move, or the move's number."""
        place = self.moves.index(move)
        return self.labels[place] if self.labels and self.labels[place] else str(move)


def leaf(value: float, name: str = "") -> Node:
    """A leaf with this value for MAX."""
    return Node(LEAF, name, value)


def below(root: Node) -> Iterator[tuple[tuple[int, ...], Node]]:
    """Every node with the moves that lead to it: a parent before its children, the first child first."""
    waiting: list[tuple[tuple[int, ...], Node]] = [((), root)]
    while waiting:
        path, node = waiting.pop()
        yield path, node
        pairs = zip(node.moves, node.children, strict=True)
        waiting.extend([((*path, move), child) for move, child in pairs][::-1])


def is_number(x: object) -> bool:
    """Whether ``x`` is a number, and not infinite."""
    return (isinstance(x, int) and not isinstance(x, bool)) or (isinstance(x, float) and isfinite(x))


def check_node(node: Node, place: str) -> Node:
    """Check everything about a node but its children, and return it; a TreeError begins with ``place``."""
    count = len(node.children)
    if node.kind not in KIND_NAMES:
        raise TreeError(f"{place}: unknown kind of node {node.kind!r}; choose MAX, MIN, CHANCE or LEAF")
    if node.value is not None and not is_number(node.value):
        raise TreeError(f"{place}: {node.value!r} is not a number")
    if node.value is not None and not -LARGEST <= node.value <= LARGEST:
        raise TreeError(f"{place}: {node.value!r} is too large; values must be within ±{LARGEST:,}")
    if node.kind == LEAF:
        if count:
            raise TreeError(f"{place}: a leaf has no children, but this one has {count}")
        if node.value is None:
            raise TreeError(f"{place}: the leaf has no value")
        return node
    if not count:
        raise TreeError(f"{place}: the node is empty; give it children, or replace it with a number")
    for what, things in (("moves", node.moves), ("labels", node.labels or node.moves)):
        if len(things) != count:
            raise TreeError(f"{place}: {count} children, but {len(things)} {what}")
    if len(set(node.moves)) != count or not all(0 <= move < MOVE_LIMIT for move in node.moves):
        raise TreeError(f"{place}: the moves {list(node.moves)} must be different numbers from 0 to 2**31 - 1")
    if node.kind == CHANCE:
        check_probabilities(node.probabilities, count, place)
    elif node.probabilities:
        raise TreeError(f"{place}: probabilities belong to chance nodes, but this is a {node.player} node")
    return node


def check_probabilities(shares: tuple[float, ...], count: int, place: str) -> None:
    """Check that these are ``count`` positive numbers that add up to 1; a TreeError begins with ``place``."""
    if len(shares) != count:
        raise TreeError(f"{place}: a chance node with {count} children needs {count} probabilities, not {len(shares)}")
    for share in shares:
        if not is_number(share) or not 0 < share <= 1:
            raise TreeError(f"{place}: {share!r} is not a probability: it must be above 0 and at most 1")
    total = sum(shares)
    if abs(total - 1) > PROBABILITY_TOLERANCE:
        raise TreeError(f"{place}: the probabilities {' + '.join(f'{p:g}' for p in shares)} add up to {total:g}, not 1")


def check_tree(root: Node) -> None:
    """Check that every node is valid, all names are different, and the tree is not too high; raise TreeError if not."""
    seen: dict[str, tuple[int, ...]] = {}
    for path, node in below(root):
        try:
            check_node(node, "")
        except TreeError:
            check_node(node, place_words(root, path))  # again, with the place in the message
            raise
        if len(path) > HIGHEST:
            raise TreeError(f"the tree has more than {HIGHEST} levels, which is too many for the recursive algorithms")
        if node.name:
            if node.name in seen:
                raise TreeError(f"two nodes are called {node.name!r}: {_steps(seen[node.name])} and {_steps(path)}")
            seen[node.name] = path


def _steps(path: tuple[int, ...]) -> str:
    return "the root" if not path else "at " + "-".join(map(str, path))


def place_words(root: Node, path: tuple[int, ...]) -> str:
    """Where a node is, in words: its name, or the path to it from the nearest named node above.

    >>> place_words(Node(MAX, "A", children=(leaf(3), leaf(5))), (1,))
    'child 2 of A'
    """
    way: list[str] = []
    node = root
    words = root.name or "the root"
    for move in path:
        place = node.moves.index(move)
        node = node.children[place]
        if node.name:
            words, way = node.name, []
        else:
            way.append(f"child {place + 1}")
    return " of ".join([*reversed(way), words])


def show_value(value: float | None) -> str:
    """A value in words: whole numbers without a decimal point, a win with its distance, infinity as a symbol.

    >>> [show_value(v) for v in (3.0, -1.25, WIN - 5, 3 - WIN, inf, None)]
    ['3', '−1.25', 'win in 5', 'loss in 3', '∞', '']
    """
    if value is None:
        return ""
    if abs(value) == inf:
        return "∞" if value > 0 else "−∞"
    if WON <= abs(value) <= WIN and value == int(value):
        return f"{'win' if value > 0 else 'loss'} in {WIN - abs(int(value))}"
    if value == int(value):
        return str(int(value)).replace("-", "−")
    return f"{value:.4g}".replace("-", "−")


def inner_names() -> Iterator[str]:
    """Names for the inner nodes, level by level: A, B, … Z, AA, AB, …"""
    from itertools import count, product
    from string import ascii_uppercase

    for length in count(1):
        for letters in product(ascii_uppercase, repeat=length):
            yield "".join(letters)


def named(root: Node, names: Any = None) -> Node:
    """The same tree with its inner nodes named, level by level from the left: A, B, C …, or as given."""
    from dataclasses import replace

    supply = inner_names() if names is None else iter(names)
    given: dict[tuple[int, ...], str] = {}
    level = [((), root)] if root.children else []
    while level:
        following = []
        for path, node in level:
            given[path] = next(supply, "")
            following += [
                ((*path, move), child) for move, child in zip(node.moves, node.children, strict=True) if child.children
            ]
        level = following  # type: ignore[assignment]

    def rename(path: tuple[int, ...], node: Node) -> Node:
        if path not in given:
            return node
        pairs = zip(node.moves, node.children, strict=True)
        return replace(node, name=given[path], children=tuple(rename((*path, m), c) for m, c in pairs))

    return rename((), root)
