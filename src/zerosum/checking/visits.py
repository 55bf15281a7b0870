"""The positions of one random game: which of them recur, and after which moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from zerosum.checking.report import CheckLog
from zerosum.game import CHANCE, Game


class Visits:
    """The positions of one game, by key or State: for repetitions and irreversible moves."""

    def __init__(self, game: Game, log: CheckLog) -> None:
        self.game, self.log = game, log
        self.identity: Callable[[Any], Any] = game.key if game.has("key") else lambda s: s
        self.times: Counter[Any] = Counter()
        self.irreversible = 0
        self.seen: dict[Any, int] = {}  # the number of irreversible moves before each position

    def leave(self, s: Any, move: int) -> None:
        here = self._name(s)
        if here not in self.seen:
            self.times[here] = 1
            self.seen[here] = self.irreversible
        try:
            if self.game.has("reversible") and self.game.to_move(s) != CHANCE:
                self.irreversible += not self.game.reversible(s, move)
        except Exception:
            pass  # recorded where the law is tested

    def arrive(self, s: Any) -> bool:
        """Whether the game ends here as a draw, because the position has occurred often enough."""
        here, game = self._name(s), self.game
        if here not in self.seen:
            return False
        self.times[here] += 1
        if game.has("reversible") and self.seen[here] < self.irreversible:
            self.log.fault("reversible", "this position has recurred after a move that is called irreversible", s)
        if not game.repetition and not game.has("chances") and not game.has("clock"):
            message = "a position has recurred, and repetition is 0: a game may never end"
            self.log.fault("length", message, s, warning=True)
        return bool(game.repetition) and self.times[here] >= game.repetition

    def _name(self, s: Any) -> Any:
        try:
            return self.identity(s)
        except Exception:
            return s
