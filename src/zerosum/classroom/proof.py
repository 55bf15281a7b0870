"""Proof-number search: which position to look at next when the question has a yes-or-no answer.

"Is the value at least b?" has two answers. Every node has two numbers: the *proof number*, the fewest open leaves that
must turn out well for a yes, and the *disproof number*, the fewest that must turn out badly for a no.

- An evaluated leaf is a yes (0 and ∞) or a no (∞ and 0); a new node counts 1 and 1.
- MAX needs one good child, so a MAX node's proof number is the smallest among its children. For a no, all of them must
  be bad, so its disproof number is the sum of theirs.
- At a MIN node it is the other way round.

From the root, descend at MAX to the child with the smallest proof number and at MIN to the one with the smallest
disproof number. This leads to the *most-proving node*: whatever its result, it is a step towards one of the two
answers. Its children are added and the numbers on the path are updated, until the root has an answer. (V. Allis, M. van
der Meulen and J. van den Herik, Proof-number search, Artificial Intelligence 66, 1994.)

The value itself is found by repeated questions. A proven node also has a bound, which may be better than the question
asked for.

>>> from zerosum.classroom.tree import Tree
>>> game = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))").game
>>> root = answer(game, at_least=3)
>>> root.proof, root.value
(0, 3)
>>> proof(game)
3
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

from zerosum.classroom.events import Event, Frame, Kind, Path, silent
from zerosum.classroom.node import LEAF, show_value
from zerosum.classroom.walk import DEEPEST, Tell, guess_of, horizon, outcome_of, start_of
from zerosum.errors import GameError, LimitError
from zerosum.game import CHANCE, MAX, Game


@dataclass
class ProofNode:
    """A position with its two numbers. Once the question is answered, ``value`` is a bound: a lower bound after a yes,
    an upper bound after a no; at a leaf it is the exact value.
    """

    s: Any
    path: Path
    player: int
    """MAX, MIN, or LEAF where the line ends."""
    depth: float
    parent: ProofNode | None = field(default=None, repr=False)
    proof: float = 1
    disproof: float = 1
    value: float | None = None
    children: dict[int, ProofNode] = field(default_factory=dict, repr=False)

    @property
    def is_decided(self) -> bool:
        return self.proof == 0 or self.disproof == 0

    @property
    def way(self) -> list[ProofNode]:
        """The nodes from the root to this one."""
        return [*(self.parent.way if self.parent else ()), self]


def answer(
    game: Game,
    s: Any = None,
    depth: float | None = None,
    *,
    at_least: float = 1,
    more_than: float | None = None,
    tell: Tell = silent,
) -> ProofNode:
    """Answer "is the value at least ``at_least``?", or "more than ``more_than``?" if given; return the tree's root."""

    def is_yes(value: float) -> bool:
        return value >= at_least if more_than is None else value > more_than

    def say(kind: Kind, node: ProofNode, value: float | None = None, note: str = "") -> None:
        if tell is not silent:
            frames = tuple(Frame(one.path, one.player, -inf, inf, None) for one in node.way)
            tell(Event(kind, frames, value, None, note))

    def new(s: Any, path: Path, depth: float, parent: ProofNode | None) -> ProofNode:
        node = ProofNode(s, path, LEAF, depth, parent)
        value, how = end_of_line(game, node)
        if value is None:
            node.player = game.to_move(s)
            return node
        node.value = value
        node.proof, node.disproof = (0, inf) if is_yes(value) else (inf, 0)
        say(Kind.EVALUATE, node, value, how)
        return node

    def most_proving(node: ProofNode) -> ProofNode:
        while node.children:
            is_max = node.player == MAX
            node = min(node.children.values(), key=lambda child: child.proof if is_max else child.disproof)
        return node

    def expand(node: ProofNode) -> None:
        say(Kind.EXPAND, node)
        for move in game.moves(node.s):
            node.children[move] = new(game.play(node.s, move), (*node.path, move), node.depth - 1, node)

    def update(node: ProofNode) -> None:
        children = node.children.values()
        if node.player == MAX:
            node.proof = min(child.proof for child in children)
            node.disproof = sum(child.disproof for child in children)
        else:
            node.proof = sum(child.proof for child in children)
            node.disproof = min(child.disproof for child in children)
        if node.is_decided:
            # The bound follows from the bounds of the children with the same answer.
            same = [child.value for child in children if child.is_decided and (child.proof == 0) == (node.proof == 0)]
            node.value = (max if node.player == MAX else min)(value for value in same if value is not None)
        say(
            Kind.NUMBERS,
            node,
            node.value,
            f"proof number {_count(node.proof)}, disproof number {_count(node.disproof)}",
        )

    root = new(start_of(game, s), (), horizon(depth), None)
    asked = f"at least {show_value(at_least)}" if more_than is None else f"more than {show_value(more_than)}"
    say(Kind.QUESTION, root, note=f"whether the value is {asked}")
    while not root.is_decided:
        node = most_proving(root)
        expand(node)
        for above in reversed(node.way):
            update(above)
    return root


def _count(number: float) -> str:
    return "∞" if number == inf else str(int(number))


def end_of_line(game: Game, node: ProofNode) -> tuple[float | None, str]:
    """The value at the end of a line, and why it ends here; None where it goes on."""
    s, ply = node.s, len(node.path)
    if ply > DEEPEST:
        raise LimitError(f"{game.name}: a line of {DEEPEST} moves has not ended; give a depth")
    if game.terminal_test(s):
        return outcome_of(game, s, ply), "utility"
    if game.to_move(s) == CHANCE:
        raise GameError(f"{game.name} has chance nodes: use expectiminimax, star1 or star2 instead of proof numbers")
    if game.repetition and ply and sum(one.s == s for one in node.way) >= game.repetition:
        return 0, "repetition"
    if node.depth <= 0:
        return guess_of(game, s), "evaluation"
    return (None, "") if list(game.moves(s)) else (outcome_of(game, s, ply), "utility")


def proof(game: Game, s: Any = None, depth: float | None = None, *, tell: Tell = silent) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead, by one question after another.

    The first question is about the evaluation. After a yes, the next is "is it more than this bound?"; after a no, "is
    it at least this bound?".
    """
    start = start_of(game, s)
    root = answer(game, start, depth, at_least=guess_of(game, start) if not game.is_over(start) else 0, tell=tell)
    best = root
    while root.player != LEAF:
        assert best.value is not None
        if best.proof == 0:
            root = answer(game, start, depth, more_than=best.value, tell=tell)
        else:
            root = answer(game, start, depth, at_least=best.value, tell=tell)
        is_known = (root.proof == 0) != (best.proof == 0)
        best = root if not is_known or root.proof == 0 else best
        if is_known:
            break
    assert best.value is not None
    if tell is not silent:
        frames = (Frame((), best.player, -inf, inf, None),)
        line = best_line(best)
        tell(Event(Kind.PROVE, frames, best.value))
        if line:
            tell(Event(Kind.CHOOSE, frames, best.value, line[0], f"it is worth {show_value(best.value)}", line))
    return best.value


def best_line(root: ProofNode) -> Path:
    """The moves from an answered root to a leaf with its value."""
    node, line = root, []
    while node.children:
        move, node = next(
            (move, child)
            for move, child in node.children.items()
            if child.is_decided and (child.proof == 0) == (root.proof == 0) and child.value == node.value
        )
        line.append(move)
    return tuple(line)
