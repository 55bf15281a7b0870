"""The base class of players, which choose moves and may fail to."""

from __future__ import annotations

from typing import NamedTuple

from zerosum.arena.time_control import Budget
from zerosum.game import Line


class Answer(NamedTuple):
    """A move and the player's opinion of it.

    ``score`` is for the player itself, as in ``value_display.score``; None if it gave none. ``seconds`` is the time it
    took, if the player can measure that better than the referee. A player without a move resigns.
    """

    move: int | None
    score: float | None = None
    depth: int | None = None
    seconds: float | None = None


class Fault(Exception):
    """A player has lost by its own fault. ``kind`` is one of KINDS; the message quotes the player's output."""

    KINDS = ("crash", "illegal move", "hang", "time")

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Stopped(Exception):
    """The match has been stopped: the game does not count, and neither player is at fault."""


class Player:
    """Plays one side of one game at a time. After a Fault, ``begin`` makes it ready again if possible."""

    threads = 1
    """Number of processors used while thinking."""

    def __init__(self, name: str) -> None:
        self.name = name

    def prepare(self) -> None:
        """Do the slow preparations before the first game; ArenaError if the player cannot play at all."""

    def begin(self, line: Line, seed: str) -> None:
        """Start a new game from the end of this line; nothing from the last game may affect it."""

    def choose(self, line: Line, budget: Budget) -> Answer:
        """Choose a move for the side to move; may raise Fault or Stopped."""
        raise NotImplementedError

    def stop(self) -> None:
        """End a running ``choose`` as soon as possible; callable from any thread."""

    def close(self) -> None:
        """Release all resources; the player will not play again."""
