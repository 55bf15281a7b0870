"""The parts of Monte-Carlo tree search: the nodes of its tree, its view of the game, and the report of its steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any

from zerosum.classroom.events import Choice, Event, Frame, Kind, Path, silent
from zerosum.classroom.node import LEAF
from zerosum.classroom.retrograde import sign
from zerosum.classroom.walk import Tell, guess_of, number
from zerosum.game import CHANCE, MAX, Game

LONGEST_PLAYOUT = 1000
"""A playout with more moves than this gets its value from the evaluation in scored games, and is a draw in others."""


@dataclass(slots=True)
class SearchNode:
    """A position in the search tree, with the results of the simulations through it. Values are for MAX."""

    s: Any
    path: Path
    player: int
    """MAX, MIN, CHANCE, or LEAF where the line ends."""
    untried: list[int]
    """Moves, or outcomes of chance, that have no child yet."""
    result: float | None = None
    """The value of a LEAF."""
    proven: float | None = None
    """The exact value, once the solver has proven it."""
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


class Rules:
    """The game as simulations see it."""

    def __init__(self, game: Game, start: Any, solver: bool) -> None:
        self.game, self.start, self.solver = game, start, solver
        self.least, self.most = self.limits(start)
        self.results = inf, -inf  # the lowest and the highest so far

    @property
    def width(self) -> float:
        """The difference between the best and the worst possible result; without bounds, between those seen so far."""
        width = self.most - self.least
        if width == inf:
            width = self.results[1] - self.results[0]
        return width if width > 0 else 1

    def note(self, result: float) -> None:
        """Record a result, for ``width``."""
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
        """The node that ``move`` leads to from the end of the path; for an empty path, the root."""
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
        """The positions of the path, for the repetition rule; none if the game has no such rule."""
        return [self.game.identity(node.s) for node in path] if self.game.repetition else []

    def repeats(self, s: Any, before: list[Any]) -> bool:
        """Whether ``s`` is a draw by repetition."""
        game = self.game
        if not before or game.terminal_test(s) or game.to_move(s) == CHANCE:
            return False
        return bool(before.count(game.identity(s)) + 1 >= game.repetition)

    def moves(self, s: Any, before: list[Any]) -> list[int]:
        """All moves, or outcomes of chance; none if the line ends here."""
        return [] if self.repeats(s, before) else self.game.legal_moves(s)

    def result(self, s: Any, before: list[Any]) -> float:
        """The value of the end of a line: the utility in a scored game, otherwise 1, 0 or -1."""
        if self.repeats(s, before):
            return 0
        utility = number(self.game, self.game.utility(s))
        return utility if self.game.scored else sign(utility)

    def playout(self, path: list[SearchNode], random: Random, line: list[int]) -> float:
        """Play random moves from the last node of the path to the end; append the moves to ``line``."""
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
        """The moves of a line in the game's notation."""
        moves = []
        for move in line:
            moves.append(self.game.format_move(s, move))
            s = self.game.play(s, move)
        return " ".join(moves)

    # Proofs

    def proof(self, node: SearchNode) -> float | None:
        """The value that the children of a node prove, or None."""
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


class StepReporter:
    """Reports each step, with the current path."""

    def __init__(self, listener: Tell) -> None:
        self.listener = listener
        self.is_heard = listener is not silent

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
        if self.is_heard:
            frames = tuple(Frame(node.path, node.player, -inf, inf, node.mean, node.visits) for node in path)
            self.listener(Event(kind, frames, value, move, note, line, choices))
