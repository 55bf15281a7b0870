"""The tree 3-12-8 / 2-4-6 / 14-5-2 of chapter 6: minimax, alpha-beta, simulations, and the program that searches it."""

from __future__ import annotations

from dataclasses import replace

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example
from zerosum.classroom.gallery.programs import CODE_SPACE, TEXT_SPACE
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import Tree


def chapter_tree() -> Tree:
    """MAX chooses B, C or D at A, then MIN chooses a leaf.

    >>> chapter_tree().size
    13
    """
    return Tree.from_mapping(TEXT_SPACE)


def program_tree() -> Tree:
    """The tree in the program's STATE_SPACE: the last leaf of C is 1."""
    return Tree.from_mapping(CODE_SPACE)


def best_order_tree() -> Tree:
    """The same tree with each player's best move first."""
    return chapter_tree().ordered("best")


def _minimax() -> Trace:
    return trace("minimax", chapter_tree())


def _alpha_beta() -> Trace:
    # (f) covers the last two leaves of D.
    return replace(trace("alphabeta", chapter_tree()), marks=("a", "b", "c", "d", "e", "f", "f"))


def _simulations() -> Trace:
    return trace("mcts", chapter_tree(), simulations=12, seed=3)


def _proof_numbers() -> Trace:
    return trace("proof", chapter_tree())


def _program() -> Trace:
    return trace("alphabeta", program_tree())


def _best_order() -> Trace:
    return trace("alphabeta", best_order_tree())


def chosen_name(found: Trace) -> str:
    """The name of the node that the first chosen move leads to: the answer of the program that returns the move."""
    assert found.tree is not None
    return found.tree.at(found.line[:1]).name


EXAMPLES = (
    Example(
        "minimax-chapter-6",
        "Minimax on the tree 3-12-8 / 2-4-6 / 14-5-2",
        topics.MINIMAX,
        "MAX chooses among B, C and D, then MIN among three leaves. B is worth 3, C and D 2 each, so A is worth 3.",
        _minimax,
        figures={"value": 3, "backed up": {"B": 3, "C": 2, "D": 2}, "move": "B"},
        reconstructed="The drawing is lost; the formula below it gives every leaf.",
    ),
    Example(
        "alpha-beta-chapter-6",
        "Alpha-beta on the tree of chapter 6, steps (a) to (f)",
        topics.ALPHA_BETA,
        "(a) to (c): B's beta falls to 3 and stays there; A's alpha becomes 3. (d): C finds 2, which is not above 3, "
        "so its two other leaves are pruned. (e), (f): D finds 14, then 5, then 2 as its last leaf, so nothing is "
        "pruned.",
        _alpha_beta,
        figures={"value": 3, "pruned": (4, 6), "looked at": (3, 12, 8, 2, 14, 5, 2)},
        reconstructed="The six drawings and the signs for infinity are lost; the text has every alpha and beta.",
    ),
    Example(
        "mcts-chapter-6",
        "Monte-Carlo tree search on the tree of chapter 6, 12 simulations",
        topics.SAMPLING,
        "B, C and D are each tried once, by playouts that end at 3, 6 and 2. From then on the highest bound decides, "
        "mean + √2 · 12 · √(ln N / n): the leaves range from 2 to 14, so the width is 12. In the end B has the most "
        "visits. Its mean is far from its value, 3, because playouts also visit leaves that MIN would never choose.",
        _simulations,
        figures={"value": 3, "move": "B"},
        reconstructed="The notes only mention the sampling of game trees. The tree is theirs, the search is ours.",
    ),
    Example(
        "proof-chapter-6",
        "Proof numbers on the tree of chapter 6",
        topics.PROOF,
        "First question: is A worth at least 2? For a yes, one of B, C and D must be good for MAX: proof number 1. For "
        "a no, all three must be bad: disproof number 3. All leaves of B are good: yes, and B is worth 3. Second "
        "question: is A worth more than 3? The leaf 3 refutes B, and 2 refutes C and D: no. So A is worth 3.",
        _proof_numbers,
        figures={"value": 3, "move": "B"},
        reconstructed="The notes have no proof numbers. The tree is theirs, the search is ours.",
    ),
    Example(
        "state-space-value",
        "The STATE_SPACE program, returning the value",
        topics.PROGRAMS,
        "The alpha-beta program, on a mapping of names to children. Its C has the leaves 2-4-1; the program looks only "
        "at the 2.",
        _program,
        figures={"value": 3},
        reconstructed="The program needs three repairs before it runs: see slip-alpha-by-min, slip-no-window and "
        "slip-pairs.",
    ),
    Example(
        "state-space-move",
        "The STATE_SPACE program, returning the move",
        topics.PROGRAMS,
        "The same search, but for the move: the chosen line begins with B. All moves of the root share one window.",
        _program,
        figures={"move": "B"},
        reconstructed="The program's own form prunes nothing at the root: see slip-window-for-each-move.",
    ),
    Example(
        "alpha-beta-best-order",
        "In which order should the nodes be examined?",
        topics.ALPHA_BETA,
        "An exercise from the notes, answered on the tree of chapter 6: with each player's best move first, alpha-beta "
        "looks at 5 of 9 leaves, the fewest possible.",
        _best_order,
        figures={"best case": "b^(h/2), in the order of magnitude"},
        reconstructed="The tree of the exercise and its leaves are lost, as are its thirty drawings of alpha-beta at "
        "work.",
    ),
)
