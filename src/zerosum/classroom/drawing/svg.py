"""A tree as SVG: MAX and MIN as triangles pointing up and down, chance as circles, leaves as squares.

With a trace the drawing shows one moment of it: the values found so far, alpha and beta along the path, pruned nodes
struck through and grey, and at the end the chosen line in bold. A tree that grows by simulations shows the mean and the
visits of each node; nodes not in the tree yet are faint. From step to step only the class of a node's group and four
texts in it change, so a page can step through a trace in one drawing.

>>> from zerosum.classroom.tree import Tree
>>> picture = tree_svg(Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
>>> picture.count('class="node leaf'), picture.count('class="node min')
(9, 3)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from zerosum.classroom.drawing.boards import draw_board, read_board
from zerosum.classroom.drawing.growth import replay
from zerosum.classroom.drawing.layout import DRAWN, Path, Place, Room, TreeLayout, layout
from zerosum.classroom.drawing.states import Look, shows_windows
from zerosum.classroom.drawing.text import clipped, escape, number, svg, tag, value_text, width_of
from zerosum.classroom.node import KIND_NAMES, LEAF, Node
from zerosum.errors import DrawingError
from zerosum.game import CHANCE, MAX, MIN

if TYPE_CHECKING:
    from zerosum.classroom.tracing import Trace
    from zerosum.classroom.tree import Tree

HALF, TALL = 27.0, 46.0  # an inner node's shape
LEAF_TALL = 30.0
BUNDLE_TALL = 40.0
SMALL = 11.0  # font size of names, labels, alpha and beta
LINE = 14.0  # line height of small texts
LONGEST_NAME = 14
BESIDE_ROOM = 46.0
LABEL_PLACE, LABEL_GAP = 0.7, 4.0  # place of a branch's text between parent and child; space on its sides
MEAN_WIDTH = 44.0  # width of a leaf that shows a mean
SHEETS = ("theme.css", "tree.css")


def tree_svg(
    tree: Tree, *, trace: Trace | None = None, step: int | None = None, blank: bool = False, limit: int = DRAWN
) -> str:
    """The drawing of a tree; with a trace, as it is after ``step`` events, by default after all.

    ``blank`` leaves out inner values, for a worksheet. At most about ``limit`` nodes are drawn, the rest is folded into
    bundles; a tree that is far too large raises ``DrawingError``.
    """
    canvas = Canvas(tree, None if blank else trace, limit)
    return canvas.draw(canvas.looks_at(step))


class Canvas:
    """A tree laid out once, which can be drawn at any step of a trace."""

    def __init__(self, tree: Tree, trace: Trace | None = None, limit: int = DRAWN) -> None:
        self.tree, self.trace = tree, trace
        self._grows = trace is not None and trace.is_sampled
        has_texts = trace is not None and (self._grows or shows_windows(trace))
        self._beside_room = BESIDE_ROOM if has_texts else 0.0
        wanted = () if trace is None else (trace.line, *trace.shown)
        keep = {path[: k + 1] for path in wanted for k in range(len(path))}
        if trace is not None and trace.shown:
            limit = min(limit, len(keep) + 1)
        self.layout: TreeLayout = layout(tree, self._measure, limit=limit, keep=tuple(sorted(keep)))

    @property
    def steps(self) -> int:
        return len(self.trace.events) if self.trace is not None else 0

    def looks_at(self, step: int | None) -> list[Look]:
        """The look of every place after ``step`` events."""
        states = replay(self.layout, self.trace)
        if step is not None and not 0 <= step <= self.steps:
            raise DrawingError(f"there is no step {step}: this trace has steps 0 to {self.steps}")
        changes = states.play()
        deque(changes if step is None else (next(changes) for _ in range(step)), maxlen=0)
        return states.looks

    def draw(self, looks: Sequence[Look]) -> str:
        groups = [self._draw(index, look) for index, look in enumerate(looks)]
        label = self.tree.title or "game tree"
        if self.layout.folded:
            label += f", {self.layout.folded:,} of its nodes folded"
        kind = "zs-tree growing" if self._grows else "zs-tree"
        return svg(kind, self.layout.width, self.layout.height, label, "".join(groups), SHEETS)

    def _measure(self, place: Place) -> Room:
        # At the height of the labels, neighbouring branches are closer together than at their ends.
        label = (width_of(_branch_text(self._parent(place), place), SMALL) / 2 + LABEL_GAP) / LABEL_PLACE
        if not place.path:
            label = 0.0
        if place.bundle:
            half = max(width_of(_bundle_text(place), SMALL) / 2 + 8, 24)
            return Room(half, half, BUNDLE_TALL)
        node = place.node
        half = max(self._half(node), label)
        height = LEAF_TALL if node.kind == LEAF else TALL
        left = right = half
        if node.kind == LEAF:
            if node.name:
                left = right = max(half, width_of(clipped(node.name, LONGEST_NAME), SMALL) / 2)
                height += LINE + 1
            if self._grows:
                left = right = max(left, self._beside_room / 2)
                height += 2 * LINE + 1
        else:
            corner = _corner(node)
            side = max(width_of(clipped(node.name, LONGEST_NAME), SMALL), width_of(_guess_text(node), SMALL))
            left, right = max(half, corner + side), max(half, corner + self._beside_room)
        board = read_board(node.picture)
        if board is not None:
            height += board.height + 6
            left, right = max(left, board.width / 2), max(right, board.width / 2)
        return Room(left, right, height)

    def _half(self, node: Node) -> float:
        """Half the width of a node's shape."""
        if node.kind != LEAF:
            return TALL / 2 if node.kind == CHANCE else HALF
        least = MEAN_WIDTH / 2 if self._grows else LEAF_TALL / 2
        return max(least, width_of(value_text(node.value), 14) / 2 + 6)

    def _parent(self, place: Place) -> Node | None:
        # During layout, the parent can only be found by its path.
        return self.tree.at(place.path[:-1]) if place.path and not place.bundle else None

    def _draw(self, index: int, look: Look) -> str:
        place = self.layout.places[index]
        parent = self.layout.places[place.parent] if place.parent is not None else None
        branch = _branch(parent, place) if parent is not None else ""
        if place.bundle:
            return _group("bundle", index, look, branch + _bundle(place))
        node, x, y = place.node, place.x, place.y
        tall = LEAF_TALL if node.kind == LEAF else TALL
        shape = tag("path", {"class": "shape", "d": _shape(node, x, y, self._half(node))})
        middle = {MAX: 0.8, MIN: 0.4}.get(node.kind, 0.62) * tall + (3 if node.kind in (MIN, LEAF) else 0)
        value = tag("text", {"class": look.size, "x": x, "y": y + middle}, escape(look.value))
        reach = self._half(node) + 3
        ends = {"x1": x - reach, "y1": y + tall + 2, "x2": x + reach, "y2": y - 2}
        strike = tag("line", {"class": "strike", **ends})
        title = tag("title", {}, escape(_title(node, place.path)))
        parts = [title, branch, shape, strike, value, self._beside(place, look)]
        board = read_board(node.picture)
        if board is not None:
            parts.append(draw_board(board, x, y + place.room.height - board.height))
        return _group(KIND_NAMES[node.kind], index, look, "".join(parts))

    def _beside(self, place: Place, look: Look) -> str:
        """The name and static evaluation to the left of a shape, the look's texts to its right; below it for a leaf."""
        node, x, y = place.node, place.x, place.y
        name = escape(clipped(node.name, LONGEST_NAME))
        if node.kind == LEAF:
            below = y + LEAF_TALL + SMALL + 1
            parts = [tag("text", {"class": "name under", "x": x, "y": below}, name)] if name else []
            return "".join(parts) + (self._texts("under ", look, x, below + LINE * len(parts)) if self._grows else "")
        first = y + (28 if node.kind == MIN else 12)
        corner = _corner(node)
        parts = [tag("text", {"class": "name", "x": x - corner, "y": first}, name)] if name else []
        if _guess_text(node):
            parts.append(tag("text", {"class": "guess", "x": x - corner, "y": first + LINE}, escape(_guess_text(node))))
        return "".join(parts) + (self._texts("", look, x + corner, first) if self._beside_room else "")

    def _texts(self, kind: str, look: Look, x: float, y: float) -> str:
        """The two texts that change from step to step."""
        upper = tag("text", {"class": f"{kind}beside upper", "x": x, "y": y}, escape(look.upper))
        return upper + tag("text", {"class": f"{kind}beside lower", "x": x, "y": y + LINE}, escape(look.lower))


def _group(kind: str, index: int, look: Look, inside: str) -> str:
    return tag("g", {"class": f"node {kind} {look.classes}", "data-n": index}, inside)


def _corner(node: Node) -> float:
    """The distance from the middle to the texts beside a shape: triangles leave two corners free."""
    return 26.0 if node.kind == CHANCE else 22.0


def _guess_text(node: Node) -> str:
    return f"e {value_text(node.value)}" if node.kind != LEAF and node.value is not None else ""


def _shape(node: Node, x: float, y: float, half: float) -> str:
    if node.kind == MAX:
        return f"M{x:.2f} {y:.2f}l{HALF} {TALL}h{-2 * HALF}z"
    if node.kind == MIN:
        return f"M{x - HALF:.2f} {y:.2f}h{2 * HALF}l{-HALF} {TALL}z"
    if node.kind == CHANCE:
        radius = TALL / 2
        return f"M{x - radius:.2f} {y + radius:.2f}a{radius} {radius} 0 1 1 {TALL} 0a{radius} {radius} 0 1 1 {-TALL} 0z"
    return f"M{x - half:.2f} {y:.2f}h{2 * half:.2f}v{LEAF_TALL}h{-2 * half:.2f}z"


def _title(node: Node, path: Path) -> str:
    kind = {MAX: "MAX node", MIN: "MIN node", CHANCE: "chance node", LEAF: "leaf"}[node.kind]
    return f"{kind} {node.name}" if node.name else kind + ("" if path else ", the root")


class _Line(NamedTuple):
    """The slanting part of a branch, from the bottom of the parent's level to the child."""

    x1: float
    y1: float
    x2: float
    y2: float

    def at(self, share: float) -> tuple[float, float]:
        return self.x1 + share * (self.x2 - self.x1), self.y1 + share * (self.y2 - self.y1)


def _branch(parent: Place, place: Place) -> str:
    """The line from the parent, its label, and the mark shown when the branch is cut."""
    slant = _Line(parent.x, place.fan, place.x, place.y)
    course = f"M{parent.x:.2f} {parent.y + parent.room.height:.2f}V{slant.y1:.2f}L{place.x:.2f} {place.y:.2f}"
    parts = [tag("path", {"class": "branch", "d": course})]
    length = hypot(slant.x2 - slant.x1, slant.y2 - slant.y1)
    # Two short strokes at a right angle to the branch.
    across_x, across_y = (slant.y2 - slant.y1) / length * 7, (slant.x1 - slant.x2) / length * 7
    text = _branch_text(parent.node, place)
    middle = 0.35 if text else 0.5
    strokes = []
    for share in (middle - 2 / length, middle + 2 / length):
        x, y = slant.at(share)
        strokes.append(f"M{x - across_x:.2f} {y - across_y:.2f}L{x + across_x:.2f} {y + across_y:.2f}")
    parts.append(tag("path", {"class": "cutmark", "d": "".join(strokes)}))
    if text:
        x, y = slant.at(LABEL_PLACE)
        parts.append(tag("text", {"class": "label", "x": x, "y": y + 4}, escape(text)))
    return "".join(parts)


def _branch_text(parent: Node | None, place: Place) -> str:
    """The label of the move and the probability of a chance outcome."""
    if parent is None or place.bundle:
        return ""
    texts = []
    if place.branch < len(parent.labels) and parent.labels[place.branch]:
        texts.append(clipped(parent.labels[place.branch], LONGEST_NAME))
    if place.branch < len(parent.probabilities):
        texts.append(probability(parent.probabilities[place.branch]))
    return " · ".join(texts)


def probability(p: float) -> str:
    """A probability as people write it: short decimals as they are, dice as fractions.

    >>> probability(0.25), probability(1 / 6), probability(1 / 18), probability(0.123456)
    ('0.25', '1/6', '1/18', '0.1235')
    """
    fraction = Fraction(p).limit_denominator(216)
    if round(p, 3) != p and abs(fraction - Fraction(p)) < 1e-9:
        return str(fraction)
    return number(p)


def _bundle_text(place: Place) -> str:
    return f"{place.bundle:,} node{'s' if place.bundle > 1 else ''}"


def _bundle(place: Place) -> str:
    """Folded subtrees: a fan of lines with the count below it."""
    x, y = place.x, place.y
    fan = "".join(f"M{x:.2f} {y:.2f}l{dx} 22" for dx in (-14, -7, 0, 7, 14))
    text = f"{_bundle_text(place)} folded here"
    return (
        tag("title", {}, escape(text))
        + tag("path", {"class": "fan", "d": fan})
        + tag("text", {"class": "count", "x": x, "y": y + 36}, escape(_bundle_text(place)))
    )
