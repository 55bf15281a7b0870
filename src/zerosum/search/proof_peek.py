"""Read what proof-number search's table holds about a position, even during a search."""

from __future__ import annotations

from typing import Any

from zerosum.game import MAX, MIN, WIN, Game
from zerosum.jit.rules import Rules
from zerosum.search.memory import TABLE, TABLE_MASK
from zerosum.search.peek import Known
from zerosum.search.probing import CONVERTED
from zerosum.search.proof_questions import Question
from zerosum.search.proof_table import DRAWN, PROVEN, REFUTED, UNDATED, content_of, kind_of, measure_of, time_of
from zerosum.search.table import Table, probe

Bounds = tuple[int, int]


class ProofPeeker:
    """Reads one table for one game without margins."""

    def __init__(self, game: Game, table: Table) -> None:
        self.game, self.table = game, table
        self._rules = Rules(game, ("key", "canonical"), compiled=False)

    def known(self, s: Any) -> Known | None:
        """What is proven about a position on every path to it; None if nothing is."""
        game = self.game
        kept = self._rules.canonical(s, None) if not game.repetition and not game.is_over(s) else s
        key = self._rules.key(kept, None)
        low, high = -WIN, WIN
        for player in (MAX, MIN):
            least, most = self._bounds(Question(player), key, s)
            low, high = max(low, least), min(high, most)
        if low == -WIN and high == WIN:
            return None
        # The proof of a win gives a lower bound: the win may be nearer.
        if low > 0 or (low == 0 and high == WIN):
            return Known(low, 1, 0, True, None)
        if high < 0 or (high == 0 and low == -WIN):
            return Known(high, -1, 0, True, None)
        return Known(0, 0, 0, True, None)

    def _bounds(self, question: Question, key: int, s: Any) -> Bounds:
        """Bounds on the value for MAX from the answer to a question."""
        memory = {TABLE: self.table.words, TABLE_MASK: self.table.mask}
        data = int(probe(key ^ question.key(False), memory))
        kind, fact = kind_of(data), content_of(data)
        if data == 0 or kind not in (PROVEN, REFUTED):
            return -WIN, WIN
        measure, in_time = measure_of(fact), not self.game.has("clock") or time_of(fact) <= self.game.clock(s)
        won = WIN - measure if measure < UNDATED else CONVERTED
        if kind == PROVEN:
            least, most = (won, WIN) if in_time else (-WIN, WIN)
        elif fact & DRAWN or not in_time:
            least, most = -WIN, 0
        else:
            least, most = -WIN, -won
        return (least, most) if question.attacker == MAX else (-most, -least)
