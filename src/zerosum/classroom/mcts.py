"""Monte-Carlo tree search (UCT): play many games at random, and let the tree grow where they go well.

One *simulation* has four steps:

1. Selection: from the root, descend to the child with the best bound until a node has an untried move.
2. Expansion: the first untried move becomes a new node of the tree.
3. Playout: from there both sides play random moves to the end of the game.
4. Backpropagation: every node of the path counts one more visit and includes the result in its mean.

The bound of a child visited n times, below a node visited N times, is

    mean + C · w · √(ln N / n)    for MAX, who takes the highest,
    mean − C · w · √(ln N / n)    for MIN, who takes the lowest.

The mean says how well the child did, the square root how little is known about it: a rarely visited child gets its
turn. w is the difference between the best and the worst possible result. With results from 0 to 1 and C = √2 this is
UCB1 as used in UCT (L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006). At chance nodes the
outcome is drawn by its probability. In the end the move with the most visits is played.

With ``solver``, proven values propagate up the tree (M. Winands, Y. Björnsson and J.-T. Saito, Monte-Carlo tree search
solver, CG 2008). A finished game is proven. A player's node is proven by a move that is proven to reach the best
possible result, or when all its moves are proven; a chance node when all its outcomes are. Selection skips proven
moves, so the search ends when the root is proven. A draw by repetition ends a line but proves nothing.

>>> from zerosum.classroom.tree import Tree
>>> game = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))").game
>>> root = mcts(game, simulations=200, seed=1)
>>> root.visits, [child.visits for child in root.children.values()], best_move(root)
(200, [86, 53, 61], 0)
>>> mcts(game, solver=True).proven
3
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose, log, sqrt
from random import Random
from typing import Any

from zerosum.classroom.events import Choice, Kind, Path, silent
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.classroom.minimax import minimax
from zerosum.classroom.node import LEAF, show_value
from zerosum.classroom.retrograde import sign
from zerosum.classroom.sampling import Rules, SearchNode, StepReporter
from zerosum.classroom.walk import Tell, start_of
from zerosum.errors import LimitError
from zerosum.game import CHANCE, MAX, Game

SIMULATIONS = 100
"""The default: few enough to read."""

EXPLORATION = sqrt(2)


def mcts(
    game: Game,
    s: Any = None,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    *,
    exploration: float = EXPLORATION,
    solver: bool = False,
    tell: Tell = silent,
) -> SearchNode:
    """Run ``simulations`` from ``s`` and return the root of the tree; equal seeds give equal trees.

    ``exploration`` is C in the bound. With ``solver`` the search may end early, with ``root.proven`` set.
    """
    if isinstance(simulations, bool) or not isinstance(simulations, int) or simulations < 1:
        raise LimitError(f"simulations must be a whole number of at least 1, not {simulations!r}")
    random = Random(seed)
    rules = Rules(game, start_of(game, s), solver)
    reporter = StepReporter(tell)
    root = rules.node([], -1)

    def selected_and_expanded() -> list[SearchNode]:
        """The path of a simulation, from the root to a new node or to the end of a line."""
        path = [root]
        while path[-1].player != LEAF and path[-1].proven is None:
            node = path[-1]
            move = choice(path)
            if move in node.untried:
                node.untried.remove(move)
                node.children[move] = rules.node(path, move)
                path.append(node.children[move])
                reporter.tell(Kind.EXPAND, path)
                break
            path.append(node.children[move])
        return path

    def choice(path: list[SearchNode]) -> int:
        """Where to go from the last node of the path."""
        node = path[-1]
        if node.player == CHANCE:
            outcome = game.roll(node.s, random)
            reporter.tell(Kind.SELECT, path, move=outcome)
            return outcome
        if node.untried:
            return node.untried[0]
        choices = [
            Choice(move, child.total / child.visits, bound(node, child))
            for move, child in node.children.items()
            if child.proven is None
        ]
        best = (max if node.player == MAX else min)(choices, key=lambda choice: choice.bound)
        reporter.tell(Kind.SELECT, path, best.bound, best.move, choices=tuple(choices))
        return best.move

    def bound(node: SearchNode, child: SearchNode) -> float:
        """UCB1 of a child, from the point of view of ``node``'s player."""
        doubt = exploration * rules.width * sqrt(log(node.visits) / child.visits)
        return child.total / child.visits + (doubt if node.player == MAX else -doubt)

    def playout(path: list[SearchNode]) -> float:
        """Play random moves from the last node of the path to the end, and return the result."""
        node = path[-1]
        known = node.result if node.proven is None else node.proven
        line: list[int] = []
        result = rules.playout(path, random, line) if known is None else known
        words = rules.words(node.s, line) if reporter.is_heard else ""
        reporter.tell(Kind.PLAYOUT, path, result, line=tuple(line), note=words)
        return result

    def backpropagate(path: list[SearchNode], result: float) -> None:
        """Add the result to each node from the last to the root; a proven value replaces it."""
        for length in range(len(path), 0, -1):
            node = path[length - 1]
            proof = rules.proof(node) if solver and node.proven is None else node.proven
            if proof is not None:
                result = proof
            node.visits += 1
            node.total += result
            reporter.tell(Kind.UPDATE, path[:length], result)
            if proof is not None and node.proven is None:
                node.proven = proof
                reporter.tell(Kind.PROVE, path[:length], proof)

    for count in range(1, simulations + 1):
        if root.proven is not None:
            break
        reporter.tell(Kind.SIMULATION, [root], note=f"simulation {count} of {simulations}")
        path = selected_and_expanded()
        result = playout(path)
        rules.note(result)
        backpropagate(path, result)
    move = best_move(root)
    if move is not None:
        child = root.children[move]
        reporter.tell(Kind.CHOOSE, [root], child.value, move, _why(root, child), best_line(root))
    return root


def _why(root: SearchNode, child: SearchNode) -> str:
    """Why this child of the root is chosen, in words."""
    if child.proven is not None:
        return f"it is proven to be worth {show_value(child.proven)}"
    return f"{child.visits} of {root.visits} visits, mean {show_value(child.mean)}"


def mcts_value(
    game: Game,
    s: Any = None,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    *,
    exploration: float = EXPLORATION,
    solver: bool = False,
    tell: Tell = silent,
) -> float:
    """The value of ``s`` by ``mcts``: the root's proven value, or its mean result."""
    value = mcts(game, s, simulations, seed, exploration=exploration, solver=solver, tell=tell).value
    assert value is not None
    return value


def mcts_solver_value(
    game: Game,
    s: Any = None,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    *,
    exploration: float = EXPLORATION,
    tell: Tell = silent,
) -> float:
    """``mcts_value`` with ``solver=True``."""
    return mcts_value(game, s, simulations, seed, exploration=exploration, solver=True, tell=tell)


# The result of a search


def best_move(node: SearchNode) -> int | None:
    """The move with the most visits, or a proven one that is no worse; None at a chance node or leaf."""
    if node.player in (CHANCE, LEAF) or not node.children:
        return None
    side = 1 if node.player == MAX else -1

    def worth(move: int) -> float:
        value = node.children[move].value
        assert value is not None
        return side * value

    proven = [move for move, child in node.children.items() if child.proven is not None]
    others = [move for move in node.children if move not in proven]
    best = [max(proven, key=worth)] if proven else []
    if others:
        best.append(max(others, key=lambda move: node.children[move].visits))
    return max(best, key=worth)


def best_line(root: SearchNode) -> Path:
    """The best moves from the root, as far as the tree reaches or to the first chance node."""
    node, line = root, []
    while (move := best_move(node)) is not None:
        line.append(move)
        node = node.children[move]
    return tuple(line)


def nodes(root: SearchNode) -> Iterator[SearchNode]:
    """All nodes of the tree, parents first."""
    waiting = [root]
    for node in waiting:  # grows while it is walked
        yield node
        waiting += node.children.values()


def wrong_proofs(game: Game, root: SearchNode) -> list[tuple[Path, float, float]]:
    """Nodes whose proven value differs from minimax: path, proven value, minimax value. There should be none.

    In games without scores only the outcomes are compared: a proof has no distance.
    """
    wrong = []
    states = {node.path: node.s for node in nodes(root)}
    for node in nodes(root):
        if node.proven is None:
            continue
        past = tuple(states[node.path[:length]] for length in range(len(node.path)))
        if game.has("chances"):
            exact = expectiminimax(game, node.s)
        else:
            exact = minimax(game, node.s, ply=len(node.path), past=past)
            exact = exact if game.scored else sign(exact)
        if not isclose(node.proven, exact, abs_tol=1e-9):
            wrong.append((node.path, node.proven, exact))
    return wrong
