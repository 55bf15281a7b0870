"""What a player is: something that chooses moves, and may fail at it."""

from __future__ import annotations

from typing import NamedTuple

from zerosum.arena.time_control import Budget
from zerosum.game import Line


class Answer(NamedTuple):
    """A move and what the player thinks of it.

    ``score`` is for the player itself, as ``telling.score`` has it; None if it did not say. ``seconds`` is how
    long it took, where the player knows better than a clock beside it. Without a move it resigns.
    """

    move: int | None
    score: float | None = None
    depth: int | None = None
    seconds: float | None = None


class Fault(Exception):
    """A player has lost by its own fault. ``kind`` is one of KINDS; the message is for people, and quotes what came."""

    KINDS = ("crash", "illegal move", "hang", "time")

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Stopped(Exception):
    """The match is to end: nobody is at fault, and the game does not count."""


class Player:
    """Plays one side of one game at a time. After a Fault, ``begin`` makes it ready again if that is possible."""

    threads = 1
    """Processors that it uses while it thinks."""

    def __init__(self, name: str) -> None:
        self.name = name

    def prepare(self) -> None:
        """Do now what would otherwise take time in the first game; ArenaError if it cannot play at all."""

    def begin(self, line: Line, seed: str) -> None:
        """A new game begins, from the end of this line; nothing from the last one may count."""

    def choose(self, line: Line, budget: Budget) -> Answer:
        """A move for the side to move; Fault, or Stopped."""
        raise NotImplementedError

    def stop(self) -> None:
        """End a running ``choose`` as soon as possible; callable from any thread."""

    def close(self) -> None:
        """Give back what it holds; it will not play again."""
