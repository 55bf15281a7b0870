"""The places of a tree's nodes in a drawing; subtrees are folded if there are too many nodes.

A parent is centred above its children, subtrees are as close together as their outlines allow, and each level has its
own line (Reingold and Tilford 1981, by contours). The number of nodes drawn is limited: nodes that the caller wants to
keep come first, then the others level by level from the root. The rest is attached to its parent as a *bundle* that
shows its count.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from zerosum.classroom.node import Node
from zerosum.errors import DrawingError

if TYPE_CHECKING:
    from zerosum.classroom.tree import Tree

Path = tuple[int, ...]

DRAWN = 250
"""The number of nodes drawn before subtrees are folded: about as many as a reader can follow."""

LARGEST = 100_000
"""The largest tree that is drawn: a handful of nodes above bundles of a million would show nothing."""

GAP = 10.0
"""The space between neighbours."""

LEVEL_GAP, STEEPNESS, LARGEST_GAP = 44.0, 0.14, 150.0
"""The space between two levels: the minimum, the increase for wide branches so that they stay steep, the maximum."""


class Room(NamedTuple):
    """The space that a node needs around the middle of its upper edge."""

    left: float
    right: float
    height: float


NO_ROOM = Room(0, 0, 0)


@dataclass(slots=True)
class Place:
    """A drawn node, or, with ``bundle``, the nodes folded under ``parent``."""

    path: Path
    node: Node
    parent: int | None
    branch: int
    """The index of this child in its parent; for a bundle, of its first child."""
    bundle: int = 0
    """The number of nodes folded here; 0 for a drawn node."""
    children: tuple[int, ...] = ()
    room: Room = NO_ROOM
    x: float = 0.0
    y: float = 0.0
    fan: float = 0.0
    """The height at which the branches to this level begin to spread."""


class TreeLayout(NamedTuple):
    places: list[Place]
    """In preorder: a parent comes before its children."""
    width: float
    height: float

    @property
    def folded(self) -> int:
        """The number of nodes that are not drawn."""
        return sum(place.bundle for place in self.places)


Measure = Callable[[Place], Room]


def layout(
    tree: Tree,
    measure: Measure,
    *,
    limit: int = DRAWN,
    keep: Collection[Path] = (),
    margin: float = 16.0,
) -> TreeLayout:
    """Places for at most about ``limit`` nodes, those whose paths are in ``keep`` first."""
    sizes = subtree_sizes(tree)
    places = _in_preorder(_choose(tree, sizes, limit, frozenset(keep)))
    for place in places:
        place.room = measure(place)
    _set_x(places)
    left = min(place.x - place.room.left for place in places)
    for place in places:
        place.x += margin - left
    bottom = _set_y(places, margin)
    return TreeLayout(places, max(place.x + place.room.right for place in places) + margin, bottom + margin)


def subtree_sizes(tree: Tree) -> dict[int, int]:
    """The number of nodes of each subtree, with its root, by ``id(node)``; DrawingError if it is too large to draw."""
    sizes: dict[int, int] = {}
    stack = [tree.root]
    while stack:
        node = stack[-1]
        waiting = len(stack)
        for child in node.children:
            if not child.children:
                sizes[id(child)] = 1
            elif id(child) not in sizes:
                stack.append(child)
        # Waiting and counted nodes are different, so their sum is a lower bound of the size.
        if len(stack) + len(sizes) > LARGEST:
            raise too_large(tree)
        if len(stack) > waiting:
            continue
        stack.pop()
        sizes[id(node)] = 1 + sum(sizes[id(child)] for child in node.children)
        if sizes[id(node)] > LARGEST:
            raise too_large(tree)
    return sizes


def too_large(tree: Tree) -> DrawingError:
    which = f"the tree {tree.title!r}" if tree.title else "this tree"
    return DrawingError(
        f"{which} has more than {LARGEST:,} nodes below its root, too many to draw: use a subtree or a smaller depth"
    )


def _choose(tree: Tree, sizes: dict[int, int], limit: int, keep: frozenset[Path]) -> list[Place]:
    """The nodes to draw and the bundles, parents first; nodes to keep come first, then the rest level by level."""
    places = [Place((), tree.root, None, 0)]
    drawn, full = 1, False
    queue: list[tuple[bool, int, tuple[int, ...], int]] = [(False, 0, (), 0)]
    while queue:
        _, depth, branches, index = heapq.heappop(queue)
        parent = places[index]
        children = parent.node.children
        wanted = [branch for branch, move in enumerate(parent.node.moves) if (*parent.path, move) in keep]
        room = len(children) if drawn + len(children) <= limit and not full else 0
        if not room and (index == 0 or wanted):
            room = max(limit - drawn, 0) if index == 0 else 0
        chosen = sorted({*range(min(room, len(children))), *wanted})
        full = full or (len(chosen) < len(children) and not wanted)
        for branch in chosen:
            path = (*parent.path, parent.node.moves[branch])
            places.append(Place(path, children[branch], index, branch))
            heapq.heappush(queue, (path not in keep, depth + 1, (*branches, branch), len(places) - 1))
        drawn += len(chosen)
        hidden = sorted(set(range(len(children))) - set(chosen))
        if hidden:
            count = sum(sizes[id(children[branch])] for branch in hidden)
            places.append(Place(parent.path, parent.node, index, hidden[0], bundle=count))
    return places


def _in_preorder(chosen: Sequence[Place]) -> list[Place]:
    """The same places with a parent directly before its subtrees, children from left to right, bundles last."""
    below: dict[int, list[int]] = {}
    for index, place in enumerate(chosen):
        if place.parent is not None:
            below.setdefault(place.parent, []).append(index)
    ordered: list[Place] = []
    stack: list[tuple[int, int | None]] = [(0, None)]
    while stack:
        index, parent = stack.pop()
        place = chosen[index]
        place.parent = parent
        if parent is not None:
            ordered[parent].children += (len(ordered),)
        number = len(ordered)
        ordered.append(place)
        ranked = sorted(below.get(index, ()), key=lambda child: (chosen[child].bundle > 0, chosen[child].branch))
        stack.extend((child, number) for child in reversed(ranked))
    return ordered


def _set_x(places: Sequence[Place]) -> None:
    """Compute the outline of each subtree (the leftmost and rightmost extent of every level, relative to its root),
    and push siblings apart until no two outlines touch."""
    lefts: list[list[float]] = [[] for _ in places]
    rights: list[list[float]] = [[] for _ in places]
    offsets = [0.0] * len(places)
    for index in range(len(places) - 1, -1, -1):  # in preorder children come after their parent
        place = places[index]
        left_line: list[float] = []
        right_line: list[float] = []
        for child in place.children:
            shift = max(
                (right + GAP - left for right, left in zip(right_line, lefts[child], strict=False)), default=0.0
            )
            offsets[child] = shift
            left_line += [shift + left for left in lefts[child][len(left_line) :]]
            right_line[: len(rights[child])] = [shift + right for right in rights[child]]
            lefts[child], rights[child] = [], []  # used up
        middle = 0.0
        if place.children:
            middle = (offsets[place.children[0]] + offsets[place.children[-1]]) / 2
            for child in place.children:
                offsets[child] -= middle
        lefts[index] = [-place.room.left, *(left - middle for left in left_line)]
        rights[index] = [place.room.right, *(right - middle for right in right_line)]
    for index, place in enumerate(places):
        place.x = offsets[index] + (places[place.parent].x if place.parent is not None else 0.0)


def _set_y(places: Sequence[Place], top: float) -> float:
    """Put each level on one line, as high as its highest node; return the bottom of the last one."""
    depths: list[int] = []
    for place in places:
        depths.append(0 if place.parent is None else depths[place.parent] + 1)
    heights = [0.0] * (max(depths) + 1)
    gaps = [0.0] + [LEVEL_GAP] * max(depths)
    for depth, place in zip(depths, places, strict=True):
        heights[depth] = max(heights[depth], place.room.height)
        if place.parent is not None:
            wanted = STEEPNESS * abs(place.x - places[place.parent].x)
            gaps[depth] = max(gaps[depth], min(wanted, LARGEST_GAP))
    bottom, fans, tops = top, [], []
    for height, gap in zip(heights, gaps, strict=True):
        fans.append(bottom)
        tops.append(bottom + gap)
        bottom += gap + height
    for depth, place in zip(depths, places, strict=True):
        place.fan, place.y = fans[depth], tops[depth]
    return bottom
