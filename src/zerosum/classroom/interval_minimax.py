"""What is certain about a value: minimax over intervals, in plain Python.

Only near the end of a game can the whole tree be searched. An unvisited position may be worth anything, so it counts
as the interval of all values, and minimax works on these intervals: the result is an interval that contains the exact
value, however little was visited. Chance averages both ends. A repeated position is not visited again.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> s = game.parse_state("xx.oo....")
>>> IntervalMinimax(game).interval(s, nodes=1000) == (WIN - 1, WIN - 1)
True
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from zerosum.game import CHANCE, MAX, WIN, Game
from zerosum.search.values import WON

Interval = tuple[float, float]
Seen = Callable[[Any, tuple[int, ...], Interval], None]

DEEPEST = 60
"""The maximum depth in plies: Python's own stack is short."""


class IntervalMinimax:
    """Intervals that contain the exact values of a game's states; exact values are kept.

    ``on_seen(s, moves, interval)`` is called once for every state whose value turns out exact, with the moves that
    led there.
    """

    def __init__(self, game: Game, on_seen: Seen | None = None) -> None:
        self.game = game
        self.on_seen = on_seen
        self.known: dict[Any, Interval] = {}
        self._above: set[Any] = set()
        self._left = 0

    @property
    def anything(self) -> Interval:
        return (-inf, inf) if self.game.scored else (-WIN, WIN)

    def interval(self, s: Any, nodes: int, moves: tuple[int, ...] = ()) -> Interval:
        """An interval that contains the value of ``s``, from at most ``nodes`` states; ``moves`` led to ``s``."""
        self._left = nodes
        self._above.clear()
        return self._interval(s, moves, DEEPEST)

    @property
    def ran_out(self) -> bool:
        """Whether the last call used up its nodes."""
        return self._left <= 0

    def _interval(self, s: Any, moves: tuple[int, ...], depth: int) -> Interval:
        if s in self.known:
            return self.known[s]
        if self._left <= 0 or depth == 0 or s in self._above:
            return self.anything
        self._left -= 1
        found = self._look(s, moves, depth)
        if found[0] == found[1]:
            self.known[s] = found
            if self.on_seen is not None:
                self.on_seen(s, moves, found)
        return found

    def _look(self, s: Any, moves: tuple[int, ...], depth: int) -> Interval:
        game = self.game
        legal = game.legal_moves(s)
        if not legal:
            value = outcome_of(game, s)
            return value, value
        self._above.add(s)
        below = [self._interval(game.successor(s, move), (*moves, move), depth - 1) for move in legal]
        self._above.discard(s)
        lows, highs = [low for low, _ in below], [high for _, high in below]
        player = game.to_move(s)
        if player == CHANCE:
            shares = [p for _, p in game.chances(s)]
            return _mean(shares, lows), _mean(shares, highs)
        best = max if player == MAX else min
        low, high = best(lows), best(highs)
        return (low, high) if game.scored else (_one_ply_later(low), _one_ply_later(high))


def outcome_of(game: Game, s: Any) -> float:
    """The value of a finished state, counted from itself."""
    utility = game.utility(s)
    return utility if game.scored else WIN * ((utility > 0) - (utility < 0))


def _one_ply_later(value: float) -> float:
    """The value seen from one ply earlier: a win is worth one less for every ply until it."""
    if value >= WON:
        return value - 1
    return value + 1 if value <= -WON else value


def _mean(shares: list[float], values: list[float]) -> float:
    return sum(share * value for share, value in zip(shares, values, strict=True))
