"""The tree 3-12-8 / 2-4-6 / 14-5-2 of chapter 6: minimax, alpha-beta, simulations, and the program that searches it."""

from __future__ import annotations

from dataclasses import replace

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example
from zerosum.classroom.gallery.programs import CODE_SPACE, TEXT_SPACE
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import Tree


def chapter_tree() -> Tree:
    """MAX at A chooses B, C or D, then MIN a leaf.

    >>> chapter_tree().size
    13
    """
    return Tree.from_mapping(TEXT_SPACE)


def program_tree() -> Tree:
    """The tree as the program's STATE_SPACE has it: the last leaf of C is 1."""
    return Tree.from_mapping(CODE_SPACE)


def best_order_tree() -> Tree:
    """The same tree with each player's best move first."""
    return chapter_tree().ordered("best")


def _minimax() -> Trace:
    return trace("minimax", chapter_tree())


def _alpha_beta() -> Trace:
    # (f) tells both last leaves of D.
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
    """The name of the node that the first chosen move leads to: the program's answer when it returns the move."""
    assert found.tree is not None
    return found.tree.at(found.line[:1]).name


EXAMPLES = (
    Example(
        "minimax-chapter-6",
        "The tree 3-12-8 / 2-4-6 / 14-5-2 under minimax",
        topics.MINIMAX,
        "MAX chooses among B, C and D, then MIN among three leaves. B is worth 3, C and D 2 each, so A is worth 3.",
        _minimax,
        figures={"value": 3, "backed up": {"B": 3, "C": 2, "D": 2}, "move": "B"},
        reconstructed="The drawing is lost; the formula below it gives every leaf.",
    ),
    Example(
        "alpha-beta-chapter-6",
        "The same tree under alpha-beta, steps (a) to (f)",
        topics.ALPHA_BETA,
        "(a) to (c): B's beta falls to 3 and stays; A's alpha becomes 3. (d): C finds 2, which is not above 3, and its "
        "two other leaves are pruned. (e), (f): D finds 14, then 5, then 2 as its last leaf, so nothing is pruned.",
        _alpha_beta,
        figures={"value": 3, "pruned": (4, 6), "looked at": (3, 12, 8, 2, 14, 5, 2)},
        reconstructed="The six drawings and the signs for infinity are lost; the text has every alpha and beta.",
    ),
    Example(
        "mcts-chapter-6",
        "The same tree under Monte-Carlo tree search, 12 simulations",
        topics.SAMPLING,
        "Each of B, C and D is tried once, by playouts that end at 3, 6 and 2. From then on the highest bound decides, "
        "mean + √2 · 12 · √(ln N / n): leaves lie from 2 to 14, so 12 is the width. B has the most visits at the end. "
        "Its mean is far from its value, 3, because playouts also visit what MIN would never choose.",
        _simulations,
        figures={"value": 3, "move": "B"},
        reconstructed="The notes only name the sampling of game trees. The tree is theirs, the search is ours.",
    ),
    Example(
        "proof-chapter-6",
        "The same tree by proof numbers",
        topics.PROOF,
        "First it asks whether A is worth at least 2. One of B, C and D must be good for MAX: proof number 1. All "
        "three must be bad for a no: disproof number 3. All leaves of B are good: yes, and B is worth 3. "
        "Then it asks whether A is worth more than 3. B's leaf 3 refutes B, and 2 refutes C and D: no. So it is 3.",
        _proof_numbers,
        figures={"value": 3, "move": "B"},
        reconstructed="The notes have no proof numbers. The tree is theirs, the search is ours.",
    ),
    Example(
        "state-space-value",
        "The STATE_SPACE program, returning the value",
        topics.PROGRAMS,
        "The alpha-beta program over a mapping of names to children. Its C has the leaves 2-4-1, which it never sees.",
        _program,
        figures={"value": 3},
        reconstructed="The program needs three repairs before it runs: see slip-alpha-by-min, slip-no-window and "
        "slip-pairs.",
    ),
    Example(
        "state-space-move",
        "The STATE_SPACE program, returning the move",
        topics.PROGRAMS,
        "The same search, asked for the move: the chosen line begins with B. One window serves all moves of the root.",
        _program,
        figures={"move": "B"},
        reconstructed="The program's own form prunes nothing at the root: see slip-window-for-each-move.",
    ),
    Example(
        "alpha-beta-best-order",
        "In which order should the nodes be examined?",
        topics.ALPHA_BETA,
        "An exercise of the notes, answered on the tree of chapter 6: with each player's best move first, 5 of 9 "
        "leaves are looked at, the fewest possible.",
        _best_order,
        figures={"best case": "b^(h/2), in the order of magnitude"},
        reconstructed="The tree of the exercise is lost with its leaves, as are its thirty drawings of alpha-beta at "
        "work.",
    ),
)
