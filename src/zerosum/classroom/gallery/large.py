"""Larger alpha-beta trees: four plies, both kinds of cut-off, deep cut-offs, and the one tree left in the notes."""

from __future__ import annotations

from zerosum.classroom.events import Kind
from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import Tree


def four_plies_tree() -> Tree:
    """Two moves per node and four plies; the cut-off at the MIN node L is a deep one."""
    return Tree.from_text(
        "(A (B (D (H 5 9) (I 4 7)) (E (J 8 6) (K 3 2))) (C (F (L 4 1) (M 3 6)) (G (N 9 5) (O 7 8))))",
        title="four plies",
    )


def lettered_tree() -> Tree:
    """A to S, lettered as in the notes: MAX at A, MIN at B, C and D, MAX below them, and leaves from I on."""
    b = "(B (E L: 3 M: 2) (F N: 4 O: 1))"
    c = "(C (G P: 2 Q: 3) (H R: 4 S: 5))"
    return Tree.from_text(f"(A {b} {c} (D I: 2 J: 9 K: 1))", title="A to S")


def _four_plies() -> Trace:
    return trace("alphabeta", four_plies_tree())


def _lettered() -> Trace:
    return trace("alphabeta", lettered_tree())


def deep_cutoffs(found: Trace) -> list[str]:
    """The nodes cut off by the bound of an ancestor above their parent.

    >>> deep_cutoffs(_four_plies())
    ['L']
    """
    assert found.tree is not None
    names = []
    for event in found.events:
        if event.kind in (Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF) and len(event.frames) > 3:
            parent, value = event.frames[-2], event.value
            assert value is not None
            is_alpha = event.kind is Kind.ALPHA_CUTOFF
            by_parent = parent.pbv is not None and (value <= parent.pbv if is_alpha else value >= parent.pbv)
            if not by_parent:
                names.append(found.tree.at(event.path).name)
    return names


EXAMPLES = (
    Example(
        "alpha-beta-four-plies",
        "Alpha-beta four plies deep: alpha, beta and deep cut-offs",
        topics.ALPHA_BETA,
        "Four plies, sixteen leaves. Both kinds of cut-off occur. The one at L is a deep cut-off: its own parent, F, "
        "has no value yet, but A, three plies above L, already has more than L can give.",
        _four_plies,
        figures={"told": "discontinue below N if its beta is at most the alpha of a MAX ancestor of N"},
        reconstructed="The thirty drawings of a large tree in the notes are lost; this tree is ours.",
    ),
    Example(
        "alpha-beta-lettered",
        "The tree from A to S: both pruning rules",
        topics.ALPHA_BETA,
        "Rule 2 at F: its leaf N gives MAX 4, and MIN already has 3 at B: O is beta-pruned. Rule 1 at C: G gives 3, "
        "and MAX already has 3 at A: H is alpha-pruned with both its leaves. Rule 1 applies again at D after leaf I.",
        _lettered,
        figures={"leaf P": 2, "backed up": (3, 3), "leaf R": 4},
        reconstructed="Only this is left of the drawing: A MAX, B C D, MIN, MAX, P Q / R 4 S / 2 (3) (3). The letters "
        "run from A to S level by level, which fixes the shape; the leaves 2, 3 and 4 are placed so that both rules "
        "beside the drawing apply. All other leaves are ours.",
    ),
)
