"""The luck of the dice: how much of a result was theirs."""

from __future__ import annotations

from typing import Any

from zerosum.game import CHANCE, Game, Line
from zerosum.session.session import EngineSpec


def knows_luck(game: Game) -> bool:
    """Whether luck can be told: there are dice, and an evaluation says what a roll is worth."""
    return game.has("chances") and game.has("evaluate")


class Luck:
    """What the dice have given in games.

    It is measured by values one move deep, whatever the players saw. Luck is 0 on average, so what remains of a result
    without it is as just; and between good players far steadier: in backgammon like the mean of some fifteen games.

    >>> from zerosum.games import load
    >>> game = load("pig")
    >>> found = Luck(game, jit=False).of(Line.parse(game, "roll 6 roll 1"))
    >>> list(found), found[1] > 0 > found[3]
    ([1, 3], True)
    """

    def __init__(self, game: Game, *, jit: bool = True) -> None:
        self.game = game
        # Without a table: what was searched before must not change a value.
        self.engine = EngineSpec(game, {"table": False}, hash_mb=1, jit=jit).make()

    def prepare(self) -> None:
        """Get ready before a clock runs."""
        self.engine.prepare()

    def of(self, line: Line) -> dict[int, float]:
        """What each event gave MAX, by its place in the line."""
        pairs = enumerate(zip(line.states, line.states[1:], strict=False))
        return {place: self.gift(s, after) for place, (s, after) in pairs if self.game.to_move(s) == CHANCE}

    def gift(self, before: Any, after: Any) -> float:
        """What the event between two states gave MAX: its value less the average of what could have been."""
        return self._value(after) - self._value(before)

    def _value(self, s: Any) -> float:
        if self.game.is_over(s):
            return float(self.game.utility(s))
        return float(self.engine.search(s, depth=1).value)
