"""Monte-Carlo tree search (UCT): play many games at random, and let the tree grow where they go well.

One *simulation* has four steps:

1. Selection: from the root, go down to the child with the best bound until a node has a move that was never tried.
2. Expansion: that move, the first of them, becomes a new node of the tree.
3. Playout: from there both sides play random moves to the end of the game.
4. Backpropagation: the result counts at every node of the path, as one more visit and in the mean of its results.

The bound of a child that was visited n times, below a node that was visited N times, is

    mean + C · w · √(ln N / n)    for MAX, who takes the highest,
    mean − C · w · √(ln N / n)    for MIN, who takes the lowest.

The mean says how well the child did, the root how little is known of it: a child that is seldom visited gets its turn.
w is the difference between the best possible result and the worst. With results from 0 to 1 and C = √2 this is UCB1 as
UCT has it (L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006). Chance chooses by its
probabilities. In the end the move with the most visits is played.

With ``solver``, certain values climb the tree (M. Winands, Y. Björnsson and J.-T. Saito, Monte-Carlo tree search
solver, CG 2008). A finished game is proven. A player's node is proven by a move that is proven to reach the best
possible result, or when all its moves are proven; a chance node when all outcomes are. Selection leaves proven moves
alone, so the search ends when the root is proven. A draw by repetition ends a line but proves nothing.

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
from dataclasses import dataclass, field
from math import inf, isclose, log, sqrt
from random import Random
from typing import Any

from zerosum.classroom.events import Choice, Event, Frame, Kind, Path, silent
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.classroom.minimax import minimax
from zerosum.classroom.node import LEAF, show_value
from zerosum.classroom.retrograde import sign
from zerosum.classroom.walk import Tell, guess_of, number, start_of
from zerosum.errors import LimitError
from zerosum.game import CHANCE, MAX, Game

SIMULATIONS = 100
"""By default: few enough to read."""

EXPLORATION = sqrt(2)

LONGEST_PLAYOUT = 1000
"""A playout of more moves is judged by the evaluation in scored games, as a draw in others."""


@dataclass(slots=True)
class SearchNode:
    """A position in the search tree, and what the simulations through it brought. Values are for MAX."""

    s: Any
    path: Path
    player: int
    """MAX, MIN, CHANCE, or LEAF where the line ends."""
    untried: list[int]
    """Moves, or outcomes of chance, that have no child yet."""
    result: float | None = None
    """What a LEAF is worth."""
    proven: float | None = None
    """The exact value, once the solver knows it."""
    visits: int = 0
    total: float = 0.0
    """The sum of all results."""
    children: dict[int, SearchNode] = field(default_factory=dict, repr=False)

    @property
    def mean(self) -> float | None:
        """The average result; None before the first visit."""
        return self.total / self.visits if self.visits else None

    @property
    def value(self) -> float | None:
        """The proven value, or else the mean."""
        return self.mean if self.proven is None else self.proven


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
    """The root of the tree that grows from ``s`` in so many simulations; equal seeds give equal trees.

    ``exploration`` is C in the bound. With ``solver`` the search may end sooner, with ``root.proven``.
    """
    if isinstance(simulations, bool) or simulations != int(simulations) or simulations < 1:
        raise LimitError(f"simulations must be a whole number of at least 1, not {simulations!r}")
    random = Random(seed)
    rules = _Rules(game, start_of(game, s), solver)
    story = _Story(tell)
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
                story.tell(Kind.EXPAND, path)
                break
            path.append(node.children[move])
        return path

    def choice(path: list[SearchNode]) -> int:
        """Where to go from the last node of the path."""
        node = path[-1]
        if node.player == CHANCE:
            outcome = game.roll(node.s, random)
            story.tell(Kind.SELECT, path, move=outcome)
            return outcome
        if node.untried:
            return node.untried[0]
        choices = [
            Choice(move, child.total / child.visits, bound(node, child))
            for move, child in node.children.items()
            if child.proven is None
        ]
        best = (max if node.player == MAX else min)(choices, key=lambda choice: choice.bound)
        story.tell(Kind.SELECT, path, best.bound, best.move, choices=tuple(choices))
        return best.move

    def bound(node: SearchNode, child: SearchNode) -> float:
        """UCB1 of a child as ``node``'s player sees it."""
        doubt = exploration * rules.width * sqrt(log(node.visits) / child.visits)
        return child.total / child.visits + (doubt if node.player == MAX else -doubt)

    def playout(path: list[SearchNode]) -> float:
        """The result of random moves from the last node of the path to the end."""
        node = path[-1]
        known = node.result if node.proven is None else node.proven
        line: list[int] = []
        result = rules.playout(path, random, line) if known is None else known
        words = rules.words(node.s, line) if story.is_told else ""
        story.tell(Kind.PLAYOUT, path, result, line=tuple(line), note=words)
        return result

    def backpropagate(path: list[SearchNode], result: float) -> None:
        """Count the result at each node from the last to the root; what is proven counts instead of it."""
        for length in range(len(path), 0, -1):
            node = path[length - 1]
            proof = rules.proof(node) if solver and node.proven is None else node.proven
            if proof is not None:
                result = proof
            node.visits += 1
            node.total += result
            story.tell(Kind.UPDATE, path[:length], result)
            if proof is not None and node.proven is None:
                node.proven = proof
                story.tell(Kind.PROVE, path[:length], proof)

    for count in range(1, simulations + 1):
        if root.proven is not None:
            break
        story.tell(Kind.SIMULATION, [root], note=f"simulation {count} of {simulations}")
        path = selected_and_expanded()
        result = playout(path)
        rules.note(result)
        backpropagate(path, result)
    story.end(root)
    return root


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
    """What ``mcts`` makes of ``s``: the root's proven value, or the mean of its results."""
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


# What comes of a search


def best_move(node: SearchNode) -> int | None:
    """The move with the most visits, or a proven one that is no worse; None where no player has one."""
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
    """Best moves from the root, as far as the tree reaches or to the first chance node."""
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
    """Nodes whose proven value is not the one of minimax: path, proven value, minimax's. There should be none.

    Where margins do not count the outcomes are compared: a proof has no distance.
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


class _Rules:
    """What a simulation asks of the game."""

    def __init__(self, game: Game, start: Any, solver: bool) -> None:
        self.game, self.start, self.solver = game, start, solver
        self.least, self.most = self.limits(start)
        self.results = inf, -inf  # the lowest and the highest so far

    @property
    def width(self) -> float:
        """From the worst result to the best possible; where the game has no bounds, as far as is known."""
        width = self.most - self.least
        if width == inf:
            width = self.results[1] - self.results[0]
        return width if width > 0 else 1

    def note(self, result: float) -> None:
        """Remember a result, for ``width``."""
        self.results = min(self.results[0], result), max(self.results[1], result)

    def limits(self, s: Any) -> tuple[float, float]:
        """The worst and the best possible result of ``s``, for MAX."""
        if not self.game.scored:
            return -1, 1
        if not self.game.has("bounds"):
            return -inf, inf
        least, most = self.game.bounds(s)
        return float(least), float(most)

    # Positions

    def node(self, path: list[SearchNode], move: int) -> SearchNode:
        """The node that ``move`` leads to from the last one of the path; of an empty path, the root."""
        s = self.game.play(path[-1].s, move) if path else self.start
        way = (*path[-1].path, move) if path else ()
        before = self.positions(path)
        moves = self.moves(s, before)
        if moves:
            return SearchNode(s, way, self.game.mover(s), moves)
        node = SearchNode(s, way, LEAF, [], self.result(s, before))
        if self.solver and not self.repeats(s, before):
            node.proven = node.result
        return node

    def positions(self, path: list[SearchNode]) -> list[Any]:
        """What must not be repeated: the positions of the path."""
        return [self.game.identity(node.s) for node in path] if self.game.repetition else []

    def repeats(self, s: Any, before: list[Any]) -> bool:
        """Whether ``s`` is a draw by repetition."""
        game = self.game
        if not before or game.is_terminal_(s) or game.to_move(s) == CHANCE:
            return False
        return bool(before.count(game.identity(s)) + 1 >= game.repetition)

    def moves(self, s: Any, before: list[Any]) -> list[int]:
        """All moves, or outcomes of chance; none where the line ends."""
        return [] if self.repeats(s, before) else self.game.legal_moves(s)

    def result(self, s: Any, before: list[Any]) -> float:
        """What the end of a line is worth: the utility of a scored game, else 1, 0 or -1."""
        if self.repeats(s, before):
            return 0
        utility = number(self.game, self.game.utility(s))
        return utility if self.game.scored else sign(utility)

    def playout(self, path: list[SearchNode], random: Random, line: list[int]) -> float:
        """Play at random from the last node of the path to the end; adds the moves to ``line``."""
        game, s, before = self.game, path[-1].s, self.positions(path[:-1])
        while moves := self.moves(s, before):
            if len(line) == LONGEST_PLAYOUT:
                return guess_of(game, s) if game.scored else 0
            line.append(game.roll(s, random) if game.to_move(s) == CHANCE else random.choice(moves))
            if game.repetition:
                before.append(game.identity(s))
            s = game.play(s, line[-1])
        return self.result(s, before)

    def words(self, s: Any, line: list[int]) -> str:
        """The moves of a line as people write them."""
        told = []
        for move in line:
            told.append(self.game.format_move(s, move))
            s = self.game.play(s, move)
        return " ".join(told)

    # Proofs

    def proof(self, node: SearchNode) -> float | None:
        """The value that the children of a node prove, if they do."""
        values = {move: child.proven for move, child in node.children.items() if child.proven is not None}
        if not values:
            return None
        is_complete = not node.untried and len(values) == len(node.children)
        if node.player == CHANCE:
            if not is_complete:
                return None
            return sum(share * values[outcome] for outcome, share in self.game.checked_chances(node.s))
        least, most = self.limits(node.s)
        best = max(values.values()) if node.player == MAX else min(values.values())
        is_enough = best >= most if node.player == MAX else best <= least
        return best if is_complete or is_enough else None


class _Story:
    """Tells each step with the path as it stands."""

    def __init__(self, listener: Tell) -> None:
        self.listener = listener
        self.is_told = listener is not silent

    def tell(
        self,
        kind: Kind,
        path: list[SearchNode],
        value: float | None = None,
        move: int | None = None,
        note: str = "",
        line: Path = (),
        choices: tuple[Choice, ...] = (),
    ) -> None:
        if self.is_told:
            frames = tuple(Frame(node.path, node.player, -inf, inf, node.mean, node.visits) for node in path)
            self.listener(Event(kind, frames, value, move, note, line, choices))

    def end(self, root: SearchNode) -> None:
        """Which move is played, and why."""
        move = best_move(root)
        if move is None:
            return
        child = root.children[move]
        if child.proven is None:
            why = f"{child.visits} of {root.visits} visits, mean {show_value(child.mean)}"
        else:
            why = f"it is proven to be worth {show_value(child.proven)}"
        self.tell(Kind.CHOOSE, [root], child.value, move, why, best_line(root))
