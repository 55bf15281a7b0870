"""Read what a transposition table holds about a position, even during a search: for displaying the tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zerosum.game import MIN, WIN, Game
from zerosum.jit.rules import Rules
from zerosum.jit.words import word_float
from zerosum.search.float_table import probe_float
from zerosum.search.memory import TABLE, TABLE_MASK
from zerosum.search.table import (
    EXACT,
    LOWER,
    UPPER,
    Table,
    data_bound,
    data_depth,
    data_doubts,
    data_index,
    data_value,
    probe,
)
from zerosum.search.timing import bound_in_time, value_part
from zerosum.search.values import WON


class Known(NamedTuple):
    """An entry of the table, from MAX's point of view.

    Attributes:
        value: for MAX; the distance of a win is counted from the position itself.
        bound: 0 if the value is exact, 1 if it is a lower bound, -1 if it is an upper bound.
        depth: the depth of the search.
        proven: no horizon affected the value, and it holds with the time left and on every path to the position.
        move: the best move, or one that caused a cut-off; None if none is stored.
    """

    value: float
    bound: int
    depth: int
    proven: bool
    move: int | None

    @property
    def distance(self) -> int | None:
        """Plies to the end along a win or loss, else None."""
        return WIN - int(abs(self.value)) if not isinstance(self.value, float) and abs(self.value) >= WON else None


class Peeker:
    """Reads one table for one game."""

    def __init__(self, game: Game, table: Table) -> None:
        self.game, self.table = game, table
        # Plain rules are fast enough for the few keys needed here.
        self._rules = Rules(game, ("key", "canonical"), compiled=False)

    def known(self, s: Any) -> Known | None:
        """The entry of ``s``, or None."""
        words = self.table.words
        if words is None:
            return None
        memory = {TABLE: words, TABLE_MASK: self.table.mask}
        for key in self._keys(s):
            if self.game.has("chances"):
                data, word = probe_float(key, memory)
                if data:
                    return self._entry(s, int(data), word_float(int(word)), for_mover=False)
            else:
                data = probe(key, memory)
                if data:
                    return self._entry(s, int(data), int(data_value(data)), for_mover=True)
        return None

    def _keys(self, s: Any) -> Iterator[int]:
        """The keys under which ``s`` may be stored: its own, and that of its canonical form."""
        yield self._rules.key(s, None)
        if self.game.has("canonical"):
            yield self._rules.key(self._rules.canonical(s, None), None)

    def _entry(self, s: Any, data: int, value: float, for_mover: bool) -> Known | None:
        claims = data_bound(data)
        if self.game.has("clock"):
            claims = bound_in_time(int(value), claims, self.game.clock(s))
            value = value_part(int(value))
        if not claims:
            return None
        bound = {LOWER: 1, UPPER: -1, EXACT: 0}[claims]
        if for_mover and self.game.to_move(s) == MIN:
            value, bound = -value, -bound
        moves = self.game.legal_moves(s)
        index = data_index(data)
        move = moves[index] if index < len(moves) else None
        return Known(value, bound, data_depth(data), not data_doubts(data), move)
