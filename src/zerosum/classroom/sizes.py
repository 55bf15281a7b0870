"""How large a game is: its branching factor, the length of its games, its positions, the size of its tree.

Small games are counted out. Of others, games are played, at random or by the engine, and the tree is estimated from
them by Knuth's method: the product of the numbers of moves along a random game is, on average, the number of games that
there are (D. Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29, 1975). The average
is ruled by rare large products, so few games make it too small.

>>> from zerosum.games import load
>>> found = count_out(load("nim", heaps="2,1"))
>>> found.positions, found.games, found.nodes
(8, 5, 12)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import log10
from random import Random
from typing import Any

from zerosum.errors import LimitError, PositionError
from zerosum.game import CHANCE, MAX, Game, Line

LONGEST = 2000
"""Plies after which a game that has not ended is given up."""

MOST_POSITIONS = 100_000
"""Different positions that are counted out before a game is called large."""


@dataclass(frozen=True)
class Counted:
    """A whole game: different positions, nodes of its tree (the root too), games, and their lengths."""

    positions: int
    nodes: int
    games: int
    shortest: int
    longest: int


def count_out(game: Game, s: Any = None, most: int = MOST_POSITIONS) -> Counted | None:
    """All that can happen from ``s``; None if there are more than ``most`` positions, or a line that never ends."""
    start = game.start() if s is None else s
    known: dict[Any, tuple[int, int, int, int]] = {}  # nodes, games, shortest, longest below each position
    stack: list[tuple[Any, list[Any], int]] = [(start, _successors(game, start), 0)]
    on_path = {start}
    while stack:
        state, below, done = stack[-1]
        if done < len(below):
            stack[-1] = (state, below, done + 1)
            child = below[done]
            if child in on_path:
                return None  # a circle
            if child not in known:
                if len(known) + len(stack) > most or len(stack) > LONGEST:
                    return None
                stack.append((child, _successors(game, child), 0))
                on_path.add(child)
            continue
        parts = [known[child] for child in below]
        nodes, games = 1 + sum(part[0] for part in parts), sum(part[1] for part in parts) or 1
        shortest = 1 + min(part[2] for part in parts) if parts else 0
        known[state] = (nodes, games, shortest, 1 + max(part[3] for part in parts) if parts else 0)
        on_path.discard(state)
        stack.pop()
    return Counted(len(known), *known[start])


def _successors(game: Game, s: Any) -> list[Any]:
    if game.is_over(s):
        return []
    return [game.play(s, move) for move in _moves(game, s)]


def _moves(game: Game, s: Any) -> list[int]:
    if game.to_move(s) == CHANCE:
        return [outcome for outcome, _ in game.checked_chances(s)]
    return game.legal_moves(s)


@dataclass(frozen=True)
class Played:
    """What a number of games showed. Chance is no player: its outcomes count as branches of the tree, not as moves."""

    games: int
    branching: float
    """Moves of a position, on average."""
    most_moves: int
    length: float
    """Moves of a game, on average."""
    shortest: int
    longest: int
    won_by_first: float
    drawn: float
    won_by_second: float
    unfinished: int
    tree: float | None
    """Log of the number of games by Knuth's method, to the base 10; None unless all moves were made at random."""

    @property
    def power(self) -> float:
        """The log of b^m, to the base 10."""
        return self.length * log10(self.branching) if self.branching > 1 else 0.0


Chooser = Callable[[Line, list[int]], int]


def random_games(
    game: Game, games: int, seed: int = 1, s: Any = None, tell: Callable[[int], None] = lambda n: None
) -> Played:
    """Games in which every move is chosen at random."""
    chance = Random(seed)
    return _played(game, games, chance, s, lambda line, moves: chance.choice(moves), tell)


def engine_games(
    game: Game, engine: Any, games: int, depth: int, seed: int = 1, s: Any = None,
    tell: Callable[[int], None] = lambda n: None, opening: int = 2,
) -> Played:  # fmt: skip
    """Games that the engine plays against itself, ``depth`` moves ahead, after ``opening`` moves at random."""
    chance = Random(seed)

    def choose(line: Line, moves: list[int]) -> int:
        if len(line) < opening:
            return chance.choice(moves)
        found = engine.search(line, depth=depth).move
        return moves[0] if found is None else int(found)

    return replace(_played(game, games, chance, s, choose, tell), tree=None)


def _played(game: Game, games: int, chance: Random, s: Any, choose: Chooser, tell: Callable[[int], None]) -> Played:
    if games < 1:
        raise LimitError(f"the number of games must be at least 1, not {games}")
    start = game.start() if s is None else s
    if game.is_over(start):
        raise PositionError(f"the game is over in {game.format_state(start)!r}: there is nothing to measure")
    runs = []
    for number in range(games):
        runs.append(_play(game, Line(game, start), chance, choose))
        tell(number + 1)
    positions = [count for run in runs for count in run.counts]
    lengths = [len(run.counts) for run in runs]
    first = game.mover(start) if game.mover(start) != CHANCE else MAX
    results = [run.result if first == MAX else -run.result for run in runs if run.result is not None]
    finished = max(1, len(results))
    return Played(
        games=games,
        branching=sum(positions) / max(1, len(positions)),
        most_moves=max(positions, default=0),
        length=sum(lengths) / games,
        shortest=min(lengths),
        longest=max(lengths),
        won_by_first=sum(result > 0 for result in results) / finished,
        drawn=sum(result == 0 for result in results) / finished,
        won_by_second=sum(result < 0 for result in results) / finished,
        unfinished=games - len(results),
        tree=_log_of_mean([run.product for run in runs]),
    )


@dataclass
class _Run:
    counts: list[int]
    """Moves of each position in which a player chose."""
    product: float
    """Log of the product of all numbers of branches."""
    result: float | None


def _play(game: Game, line: Line, chance: Random, choose: Chooser) -> _Run:
    run = _Run([], 0.0, None)
    for _ in range(LONGEST):
        s = line.state
        if game.is_over(s):
            run.result = float(game.final_value(s))
            return run
        if game.repetition and line.is_repetition:
            run.result = 0.0
            return run
        moves = _moves(game, s)
        run.product += log10(len(moves))
        if game.to_move(s) == CHANCE:
            shares = [share for _, share in game.checked_chances(s)]
            line = line.play(chance.choices(moves, shares)[0])
        else:
            run.counts.append(len(moves))
            line = line.play(choose(line, moves))
    return run


def _log_of_mean(logs: Iterable[float]) -> float:
    """The log of the mean of numbers that are far too large for a float, from their logs."""
    listed = list(logs)
    top = max(listed)
    return top + log10(sum(10 ** (one - top) for one in listed) / len(listed))
