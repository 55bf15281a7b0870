"""Proof-number search: which position is worth looking at, if the question is "yes or no?".

"Is the value at least b?" has two answers. Of every node two numbers are kept: the *proof number*, how many leaves that
are still open must at least turn out well for a yes, and the *disproof number*, how many must turn out badly for a no.

- A leaf that was looked at is a yes (0 and ∞) or a no (∞ and 0); a new node counts 1 and 1.
- MAX needs one good child, so a MAX node's proof number is the least among its children; for a no all of them must be
  bad, so its disproof number is the sum of theirs.
- At a MIN node it is the other way round.

From the root, go at MAX to the child with the least proof number and at MIN to the one with the least disproof number.
This leads to the *most proving node*: whatever comes of it is a step to one of the two answers. Its children are added
and the numbers on the way are brought up to date, until the root has an answer. (V. Allis, M. van der Meulen and J. van
den Herik, Proof-number search, Artificial Intelligence 66, 1994.)

The value itself is found by asking again and again. A proven node also knows how much more than asked it is worth.

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
    """A position with its two numbers. ``value`` is a bound where the question is answered: at least so much for a yes,
    at most so much for a no; of a leaf it is the value.
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
    """The root of the tree that answers "is the value at least this?", or "is it more than that?" if that is given."""

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
            # Those who answer the same: a bound for the node follows from their bounds.
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
    """What the end of a line is worth, and why it ends here; None where it goes on."""
    s, ply = node.s, len(node.path)
    if ply > DEEPEST:
        raise LimitError(f"{game.name}: a line of {DEEPEST} moves has not ended; give a depth")
    if game.is_terminal_(s):
        return outcome_of(game, s, ply), "utility"
    if game.to_move(s) == CHANCE:
        raise GameError(f"{game.name} has chance in it: use expectiminimax, star1 or star2, not proof numbers")
    if game.repetition and ply and sum(one.s == s for one in node.way) >= game.repetition:
        return 0, "repetition"
    if node.depth <= 0:
        return guess_of(game, s), "evaluation"
    return (None, "") if list(game.moves(s)) else (outcome_of(game, s, ply), "utility")


def proof(game: Game, s: Any = None, depth: float | None = None, *, tell: Tell = silent) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead, by one question after the other.

    The first is about the evaluation. After a yes comes "is it more?", after a no "is it at least what is left?".
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
    """From a root with an answer, the moves to a leaf of its value."""
    node, line = root, []
    while node.children:
        move, node = next(
            (move, child)
            for move, child in node.children.items()
            if child.is_decided and (child.proof == 0) == (root.proof == 0) and child.value == node.value
        )
        line.append(move)
    return tuple(line)
