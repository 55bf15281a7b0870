"""Chance nodes in the notes: expected values over MAX and MIN, two dice, and the meaning of leaf values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example, Report
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import Tree

Change = Callable[[float], float]

SQUASHED = {1: 1, 2: 20, 3: 30, 4: 400}
"""New values for the leaves that keep only their order."""


def chance_over_max() -> Tree:
    """A chance node C above two MAX nodes, each with two leaves."""
    return Tree.from_text("(C 0.5: (D max 3 7) 0.5: (E max 1 4))", title="chance over MAX")


def chance_over_min() -> Tree:
    """The same leaves below MIN nodes."""
    return Tree.from_text("(C 0.5: (D min 3 7) 0.5: (E min 1 4))", title="chance over MIN")


def coin_tree() -> Tree:
    """MAX chooses between two coins; after each flip MIN chooses between two leaves."""
    left = "(B 0.5: heads=(D 2 4) 0.5: tails=(E 7 4))"
    right = "(C 0.5: heads=(F 6 0) 0.5: tails=(G 5 -2))"
    return Tree.from_text(f"(A {left} {right})", title="coin flips")


def bounded_tree() -> Tree:
    """Two coins again; all leaves are between -2 and 2."""
    left = "(B 0.5: heads=(D 2 2) 0.5: tails=(E 2 1))"
    right = "(C 0.5: heads=(F 0 1) 0.5: tails=(G 1 -2))"
    return Tree.from_text(f"(A {left} {right})", title="bounded leaves")


def two_dice() -> list[tuple[int, int, Fraction]]:
    """The distinct rolls of two dice: 6 doubles and 15 others, each twice as likely as a double.

    >>> len(two_dice()), sum(chance for _, _, chance in two_dice())
    (21, Fraction(1, 1))
    """
    return [(high, low, Fraction(1 if high == low else 2, 36)) for high in range(1, 7) for low in range(1, high + 1)]


def points(high: int, low: int) -> int:
    """The number of points that a roll moves in backgammon: a double is played twice."""
    return 4 * high if high == low else high + low


def dice_tree() -> Tree:
    """One roll in backgammon; a leaf is the number of points that the roll moves."""
    rolls = " ".join(f"{chance}: {high}-{low}={points(high, low)}" for high, low, chance in two_dice())
    return Tree.from_text(f"(C {rolls})", title="two dice")


def meaning_tree(change: Change = lambda value: value) -> Tree:
    """MAX chooses between 2 or 3 and 1 or 4, with probabilities 0.9 and 0.1; ``change`` rewrites the leaves."""
    a, b, c, d = map(change, (2, 3, 1, 4))
    return Tree.from_text(f"(A (B 0.9: {a} 0.1: {b}) (C 0.9: {c} 0.1: {d}))", title="what values mean")


def without_dice(change: Change = lambda value: value) -> Tree:
    """The same leaves with MIN instead of the dice."""
    a, b, c, d = map(change, (2, 3, 1, 4))
    return Tree.from_text(f"(A (B {a} {b}) (C {c} {d}))", title="the same without dice")


def squashed(value: float) -> float:
    """An order-preserving change: 1, 2, 3, 4 become 1, 20, 30, 400."""
    return SQUASHED[int(value)]


def linear(value: float) -> float:
    """A linear change with a positive factor."""
    return 10 * value + 7


def _expectimax() -> Trace:
    return trace("expectiminimax", chance_over_max())


def _expectimin() -> Trace:
    return trace("expectiminimax", chance_over_min())


def _coins() -> Trace:
    return trace("expectiminimax", coin_tree())


def _bounded() -> Trace:
    return trace("star1", bounded_tree())


def last_outcome_tree() -> Tree:
    """Two coins again: after heads of the right one, its tails would have to be worth more than 3 to matter."""
    left = "(B 0.5: heads=(D 2 2) 0.5: tails=(E 2 1))"
    right = "(C 0.5: heads=(F 0 1) 0.5: tails=(G 1 -2 7))"
    return Tree.from_text(f"(A {left} {right})", title="the last outcome")


def _last_outcome() -> Trace:
    return trace("star1", last_outcome_tree(), bounds=(-inf, inf))


def _dice() -> Trace:
    return trace("expectiminimax", dice_tree())


def _values() -> Trace:
    return trace("expectiminimax", meaning_tree())


def _values_squashed() -> Trace:
    return trace("expectiminimax", meaning_tree(squashed))


def _values_linear() -> Trace:
    return trace("expectiminimax", meaning_tree(linear))


def _meaning() -> Report:
    """Both algorithms under both kinds of change, and whether the decision changes."""
    changes: dict[str, Change] = {"as they are": lambda value: value, "order kept": squashed, "linear": linear}
    lines, figures = [], {}
    for algorithm, tree in (("minimax", without_dice), ("expectiminimax", meaning_tree)):
        for words, change in changes.items():
            found = trace(algorithm, tree(change))
            move = "BC"[found.line[0]]
            lines.append(f"{algorithm:14}  leaves {words:11}  plays {move}, value {found.value:g}")
            figures[f"{algorithm}, {words}"] = (move, found.value)
    lines.append(
        "Minimax never changes its decision. Expectiminimax does if only the order is kept, but not if the change is "
        "linear."
    )
    return Report(tuple(lines), figures)


LOST_VALUES = (
    "The drawing is lost. The numbers are from the figure in Russell and Norvig's chapter on games of chance, whose "
    "wording the slide follows."
)

EXAMPLES = (
    Example(
        "expectimax",
        "A chance node above MAX nodes",
        topics.CHANCE,
        "After the chance event, MAX takes 7 or 4; their mean is 5.5.",
        _expectimax,
        figures={"rule": "the sum of P(d) times maxvalue(d)"},
        reconstructed="The tree is lost; the notes give only the rule. These leaves are ours.",
    ),
    Example(
        "expectimin",
        "A chance node above MIN nodes",
        topics.CHANCE,
        "The same leaves, but MIN chooses: 3 or 1, and their mean is 2.",
        _expectimin,
        figures={"rule": "the sum of P(d) times minvalue(d)"},
        reconstructed="The tree is lost; the notes give only the rule. These leaves are ours.",
    ),
    Example(
        "coin-flips",
        "MAX chooses a coin",
        topics.CHANCE,
        "Heads and tails are equally likely. The left coin is worth (2 + 4) / 2 = 3, the right one (0 − 2) / 2 = −1.",
        _coins,
        figures={"probability of heads": 0.5},
        reconstructed="The drawing is lost. The leaves are from the coin-flipping example in Russell and Norvig's "
        "slides, whose headings the notes follow.",
    ),
    Example(
        "chance-last-outcome",
        "The last outcome can be cut short, whatever the leaves are",
        topics.CHANCE,
        "The left coin is worth 1.5. On the right, heads gives 0, so tails must give more than 3 to matter. Its first "
        "leaf is 1, and MIN never chooses more: the other two are cut off, although nothing is known about their "
        "values.",
        _last_outcome,
        figures={"told": "pruning occurs in nondeterministic game trees"},
        reconstructed="The drawing is lost; the tree is ours.",
    ),
    Example(
        "bounded-leaves",
        "More is pruned if the leaves have bounds",
        topics.CHANCE,
        "No leaf is above 2. The left coin is worth 1.5. Once heads gives 0 on the right, that coin is worth at most "
        "(0 + 2) / 2 = 1, and the rest is cut off. Star1 looks at 5 of 8 leaves, expectiminimax at all of them.",
        _bounded,
        figures={"told": "more pruning occurs if the leaf values are bounded"},
        reconstructed="The drawing is lost; the tree is ours, after the slide of the same name by Russell and Norvig.",
    ),
    Example(
        "two-dice",
        "Two dice have 21 distinct outcomes",
        topics.CHANCE,
        "Six doubles with probability 1/36 and fifteen other rolls with 1/18. A roll in backgammon moves 8 1/6 points "
        "on average, since doubles are played twice.",
        _dice,
        figures={"outcomes": 21},
        reconstructed="The notes give only the number 21; the leaves, the points moved by each roll, are ours.",
    ),
    Example(
        "values-that-matter",
        "Chance nodes: 2.1 against 1.3",
        topics.CHANCE,
        "0.9 times 2 plus 0.1 times 3 is 2.1; 0.9 times 1 plus 0.1 times 4 is 1.3. MAX plays B.",
        _values,
        reconstructed=LOST_VALUES,
    ),
    Example(
        "values-in-the-same-order",
        "The same leaves, another scale: 21 against 40.9",
        topics.CHANCE,
        "1, 2, 3, 4 become 1, 20, 30, 400. Their order stays the same, yet MAX now plays C.",
        _values_squashed,
        figures={"told": "an order-preserving change could change the decision with chance nodes"},
        reconstructed=LOST_VALUES,
    ),
    Example(
        "values-changed-linearly",
        "The same leaves, times 10 plus 7: 28 against 20",
        topics.CHANCE,
        "A linear change with a positive factor changes every mean in the same way. MAX still plays B.",
        _values_linear,
        figures={"told": "linear transformations are ok"},
        reconstructed=LOST_VALUES,
    ),
    Example(
        "meaning-of-values",
        "Minimax keeps its decision, expectiminimax may not",
        topics.CHANCE,
        "Both algorithms on the original leaves, after an order-preserving change, and after a linear one.",
        _meaning,
        figures={"minimax": "never changes", "expectiminimax": "may change, but not under a linear change"},
        reconstructed=LOST_VALUES,
    ),
)
