"""The size of a game: its branching factor, the length of its games, its positions and its tree.

Small games are counted completely. For others, games are played, at random or by the engine, and the tree is estimated
from them by Knuth's method: the product of the numbers of moves along a random game is, on average, the number of
possible games (D. Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29, 1975). The
average is dominated by rare large products, so it is too small if few games are played.

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
"""The most plies of a game; one that has not ended by then is abandoned."""

MOST_POSITIONS = 100_000
"""The most different positions of a game that is counted completely."""


@dataclass(frozen=True)
class Counted:
    """The size of a whole game: its different positions, the nodes of its tree (with the root), games and lengths."""

    positions: int
    nodes: int
    games: int
    shortest: int
    longest: int


def count_out(game: Game, s: Any = None, most: int = MOST_POSITIONS) -> Counted | None:
    """Count everything from ``s``; None if there are more than ``most`` positions, or a line that never ends."""
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
                return None  # a cycle
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
    """Statistics of games. Chance is not a player: its outcomes count as branches of the tree, not as moves."""

    games: int
    branching: float
    """The average number of moves in a position."""
    most_moves: int
    length: float
    """The average number of moves in a game."""
    shortest: int
    longest: int
    won_by_first: float
    drawn: float
    won_by_second: float
    unfinished: int
    tree: float | None
    """The base-10 logarithm of the number of games by Knuth's method; None unless all moves were random."""

    @property
    def power(self) -> float:
        """The base-10 logarithm of b^m."""
        return self.length * log10(self.branching) if self.branching > 1 else 0.0


Chooser = Callable[[Line, list[int]], int]


def random_games(
    game: Game, games: int, seed: int = 1, s: Any = None, tell: Callable[[int], None] = lambda n: None
) -> Played:
    """Play games in which every move is random."""
    chance = Random(seed)
    return _played(game, games, chance, s, lambda line, moves: chance.choice(moves), tell)


def engine_games(
    game: Game, engine: Any, games: int, depth: int, seed: int = 1, s: Any = None,
    tell: Callable[[int], None] = lambda n: None, opening: int = 2,
) -> Played:  # fmt: skip
    """Let the engine play games against itself, ``depth`` moves ahead, after ``opening`` random moves."""
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
    """The number of moves in each position where a player moved."""
    product: float
    """The base-10 logarithm of the product of all numbers of branches."""
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
    """The logarithm of a mean, from the logarithms of numbers that may be far too large for a float."""
    listed = list(logs)
    top = max(listed)
    return top + log10(sum(10 ** (one - top) for one in listed) / len(listed))
