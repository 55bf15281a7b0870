"""The luck of the dice: how much of a result is due to it."""

from __future__ import annotations

from typing import Any

from zerosum.game import CHANCE, Game, Line
from zerosum.session.session import EngineSpec


def knows_luck(game: Game) -> bool:
    """Whether luck can be measured: the game has dice, and an evaluation that gives the value of a roll."""
    return game.has("chances") and game.has("evaluate")


class Luck:
    """Measures what the dice gave each player.

    Luck is measured with searches one move deep, however deep the players searched. It is 0 on average, so a result
    corrected for luck is unbiased. Between good players it also varies far less: in backgammon, one corrected result
    is as steady as the mean of about fifteen games.

    >>> from zerosum.games import load
    >>> game = load("pig")
    >>> found = Luck(game, jit=False).of(Line.parse(game, "roll 6 roll 1"))
    >>> list(found), found[1] > 0 > found[3]
    ([1, 3], True)
    """

    def __init__(self, game: Game, *, jit: bool = True) -> None:
        self.game = game
        # No table: earlier searches must not change a value.
        self.engine = EngineSpec(game, {"table": False}, hash_mb=1, jit=jit).make()

    def prepare(self) -> None:
        """Compile and allocate in advance, before a clock runs."""
        self.engine.prepare()

    def of(self, line: Line) -> dict[int, float]:
        """What each event gave MAX, by its index in the line."""
        pairs = enumerate(zip(line.states, line.states[1:], strict=False))
        return {place: self.gift(s, after) for place, (s, after) in pairs if self.game.to_move(s) == CHANCE}

    def gift(self, before: Any, after: Any) -> float:
        """What the event between two states gave MAX: the value of its outcome less the average over all outcomes."""
        return self._value(after) - self._value(before)

    def _value(self, s: Any) -> float:
        if self.game.is_over(s):
            return float(self.game.utility(s))
        return float(self.engine.search(s, depth=1).value)
