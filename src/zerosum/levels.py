"""Playing strength: the levels to choose from at the terminal and in the browser."""

from __future__ import annotations

import random
from dataclasses import dataclass

from zerosum.game import Line

DEFAULT_SECONDS = 2.0

# Level: search depth, and the probability of a random move. Level 10 is limited by the clock alone.
LEVELS: dict[int, tuple[int | None, float]] = {
    1: (1, 0.3),
    2: (2, 0.2),
    3: (3, 0.1),
    4: (4, 0.0),
    5: (5, 0.0),
    6: (6, 0.0),
    7: (8, 0.0),
    8: (10, 0.0),
    9: (12, 0.0),
    10: (None, 0.0),
}


@dataclass(frozen=True)
class Strength:
    """The time and depth the engine searches with, and how often it plays a random move."""

    seconds: float | None = DEFAULT_SECONDS
    depth: int | None = None
    lapses: float = 0.0

    @classmethod
    def of(cls, level: int | None = None, seconds: float | None = None, depth: int | None = None) -> Strength:
        """The strength for a level, a time, a depth, or a combination.

        A depth alone has no time limit; a level has one too, because some games are slow at its depth.

        >>> Strength.of(level=2), Strength.of(depth=6).seconds, Strength.of().seconds
        (Strength(seconds=2.0, depth=2, lapses=0.2), None, 2.0)
        """
        ahead, lapses = LEVELS[level] if level else (None, 0.0)
        if seconds is None and (depth is None or level):
            seconds = DEFAULT_SECONDS
        return cls(seconds, ahead if depth is None else depth, lapses)

    def lapse(self, line: Line, chance: random.Random) -> int | None:
        """A random move, which low levels play now and then; otherwise None."""
        if self.lapses and chance.random() < self.lapses:
            return chance.choice(line.game.legal_moves(line.state))
        return None
