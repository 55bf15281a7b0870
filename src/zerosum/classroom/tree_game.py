"""A tree as a Game: its rules look everything up in tables, so all trees share one compiled kernel.

Nodes are numbered level by level; the children of a node have consecutive numbers.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Any, NamedTuple

from zerosum.classroom.node import LEAF, Node, place_words
from zerosum.game import CHANCE, Game

LEAST_ROWS = 256
LEAST_WIDTH = 16


class Place(NamedTuple):
    node: int


class Rows(NamedTuple):
    """A row for each node. The shapes are compiled in, so sizes are rounded up to a few different ones."""

    kind: Any
    first: Any  # the number of its first child
    count: Any  # the number of its children
    move: Any  # the move that leads to it
    probability: Any  # of this outcome, if its parent is a chance node
    value: Any
    noisy: Any
    bounds: Any  # of all values


def initial() -> Place:
    return Place(0)


def to_move(s, t):  # type: ignore[no-untyped-def]
    return int(t.kind[s.node])


def is_terminal(s, t):  # type: ignore[no-untyped-def]
    return t.kind[s.node] == LEAF


def moves(s, t):  # type: ignore[no-untyped-def]
    for child in range(t.first[s.node], t.first[s.node] + t.count[s.node]):
        yield int(t.move[child])


def noisy_moves(s, t):  # type: ignore[no-untyped-def]
    if t.noisy[s.node]:
        for child in range(t.first[s.node], t.first[s.node] + t.count[s.node]):
            yield int(t.move[child])


def chances(s, t):  # type: ignore[no-untyped-def]
    for child in range(t.first[s.node], t.first[s.node] + t.count[s.node]):
        yield int(t.move[child]), t.probability[child]


def play(s, move, t):  # type: ignore[no-untyped-def]
    child = int(t.first[s.node])
    while t.move[child] != move:
        child += 1
    return Place(child)


def value(s, t):  # type: ignore[no-untyped-def]
    return t.value[s.node]


def bounds(s, t):  # type: ignore[no-untyped-def]
    return int(t.bounds[0]), int(t.bounds[1])


def tree_game(root: Node, title: str) -> Game:
    """The game of walking down this tree.

    Values are whole numbers unless the tree has chance nodes or a fractional value: then they are floats, as in all
    games with chance.
    """
    order = _by_level(root)
    nodes = [node for _, node, _, _ in order]
    floats = any(n.kind == CHANCE or (n.value is not None and n.value != int(n.value)) for n in nodes)
    widest = max(len(node.children) for node in nodes)
    width = _rounded(widest, LEAST_WIDTH)

    def show(s: Place) -> str:
        path, node, _, _ = order[s.node]
        return node.picture or place_words(root, path)

    def format_move(s: Place, move: int) -> str:
        return nodes[s.node].label(move)

    def format_state(s: Place) -> str:
        return nodes[s.node].name or str(s.node)

    def parse_state(text: str) -> Place:
        for number, node in enumerate(nodes):
            if text.strip() in (node.name or str(number), str(number)):
                return Place(number)
        raise ValueError("the tree has no node with this name")

    return Game(
        "tree",
        Place,
        initial,
        to_move,
        moves,
        play,
        value,
        width,
        is_terminal=is_terminal,
        scored=True,
        evaluate=value,
        noisy_moves=noisy_moves,
        bounds=bounds,
        chances=chances if floats else None,
        max_chances=width if floats else None,
        tables=_rows(order, floats),
        show=show,
        format_move=format_move,
        format_state=format_state,
        parse_state=parse_state,
        about=title or "a hand-made tree",
    )


Ordered = list[tuple[tuple[int, ...], Node, int, float]]


def _by_level(root: Node) -> Ordered:
    """Each node with its path, its last move and that move's probability, parents first, siblings together."""
    order: Ordered = [((), root, 0, 0.0)]
    for path, node, _, _ in order:  # grows while it is walked
        shares = node.probabilities or (0.0,) * len(node.children)
        for move, child, share in zip(node.moves, node.children, shares, strict=True):
            order.append(((*path, move), child, move, share))
    return order


def _rows(order: Ordered, floats: bool) -> Rows:
    import numpy as np

    size = _rounded(len(order), LEAST_ROWS)
    number = np.float64 if floats else np.int64
    whole = [np.zeros(size, np.int64) for _ in range(4)]
    kind, first, count, came_by = whole
    probability, values, noisy = np.zeros(size), np.zeros(size, number), np.zeros(size, np.int64)
    known = [node.value for _, node, _, _ in order if node.value is not None]
    least, most = floor(min(known)), ceil(max(known))
    no_guess = min(max(0, least), most)  # the value of a node without an evaluation: 0, or the nearest possible value
    following = 1
    for place, (_, node, move, share) in enumerate(order):
        kind[place], first[place], count[place] = node.kind, following, len(node.children)
        came_by[place], probability[place], noisy[place] = move, share, node.noisy
        values[place] = no_guess if node.value is None else node.value
        following += len(node.children)
    return Rows(kind, first, count, came_by, probability, values, noisy, np.array([least, most], number))


def _rounded(count: int, least: int) -> int:
    """``count`` rounded up to one of few sizes: ``least`` times a power of four."""
    size = least
    while size < count:
        size *= 4
    return size
