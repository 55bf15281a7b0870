"""Time controls: the limits for a player's moves, and the two clocks of a game.

>>> TimeControl.parse("40/60+0.5")
TimeControl(seconds=60.0, increment=0.5, moves=40, movetime=None, nodes=None, depth=None)
>>> str(TimeControl.parse("movetime 0.1"))
'movetime 0.1'
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

from zerosum.errors import ArenaError
from zerosum.game import MAX, MIN
from zerosum.search.limits import MAX_PLY, MOST
from zerosum.session.clock import MoveTime

PATIENCE = 60.0
"""Seconds that a player without a clock may take for a move before it counts as hung."""

GRACE = 0.1
"""Seconds by which a player may be late: delays of pipes and of a busy machine are not its fault."""

FORMS = (
    "write '5+0.05' (seconds + increment), '40/60' (moves/seconds), 'movetime 0.1', 'nodes 10000', 'depth 4' or 'none'"
)
CLOCK = re.compile(r"(?:(\d{1,9})/)?([^+/]+)(?:\+([^+/]+))?")
LONGEST = 1e6
"""Maximum time in seconds: more than eleven days for a game is a mistake."""


class Budget(NamedTuple):
    """The limits for the player to move. Times are None without a clock."""

    left: float | None = None
    increment: float = 0.0
    moves_to_go: int | None = None
    other_left: float | None = None
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None
    limit: float = PATIENCE
    """Seconds after which the player has lost, even if it moves later."""

    @property
    def time(self) -> MoveTime:
        """The limits that concern time."""
        return MoveTime(self.left, self.increment, self.moves_to_go, self.movetime)

    @property
    def has_clock(self) -> bool:
        """Whether the time is limited."""
        return self.left is not None or self.movetime is not None


@dataclass(frozen=True)
class TimeControl:
    """A clock of ``seconds`` for all moves, or for every ``moves`` moves, or a limit for each move."""

    seconds: float | None = None
    increment: float = 0.0
    moves: int | None = None
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Parse a time control; ArenaError quotes it if it is invalid."""
        words = text.replace("=", " ").replace(":", " ", 1).split() if text[:1].isalpha() else [text.strip()]
        if words in (["none"], ["infinite"]):
            return cls()
        if len(words) == 2 and words[0] == "movetime":
            return cls(movetime=_seconds(text, words[1]))
        if len(words) == 2 and words[0] in ("nodes", "depth"):
            if not words[1].isdecimal() or number_in(words[1]) < 1:
                raise ArenaError(f"the time control {text!r} needs a whole number of at least 1, not {words[1]!r}")
            most = MOST if words[0] == "nodes" else MAX_PLY
            if number_in(words[1]) > most:
                raise ArenaError(f"the time control {text!r} needs a number of at most {most}, not {words[1]!r}")
            return cls(nodes=int(words[1])) if words[0] == "nodes" else cls(depth=int(words[1]))
        found = CLOCK.fullmatch(words[0]) if len(words) == 1 and words[0] else None
        if found is None or words[0][:1].isalpha():
            raise ArenaError(f"{text!r} is not a time control: {FORMS}")
        moves = None if found[1] is None else int(found[1])
        if moves == 0:
            raise ArenaError(f"the time control {text!r} gives time for no moves: {FORMS}")
        increment = 0.0 if found[3] is None else _seconds(text, found[3], allow_zero=True)
        seconds = _seconds(text, found[2], allow_zero=increment > 0)
        # A clock that starts at zero would run out before the first increment.
        return cls(seconds or increment, increment, moves)

    @property
    def has_clock(self) -> bool:
        """Whether the time is limited."""
        return self.seconds is not None or self.movetime is not None

    def __str__(self) -> str:
        if self.movetime is not None:
            return f"movetime {self.movetime:g}"
        if self.nodes is not None:
            return f"nodes {self.nodes}"
        if self.depth is not None:
            return f"depth {self.depth}"
        if self.seconds is None:
            return "none"
        period = f"{self.moves}/" if self.moves else ""
        return f"{period}{self.seconds:g}" + (f"+{self.increment:g}" if self.increment else "")


def number_in(word: str) -> float:
    """The number that these decimal digits write; infinite if there are more than Python reads."""
    return int(word) if len(word) < 100 else math.inf


def _seconds(control: str, word: str, allow_zero: bool = False) -> float:
    """Parse a time: seconds, or minutes and seconds as in 1:30."""
    try:
        minutes, _, rest = word.rpartition(":")
        seconds = 60 * int(minutes or 0) + float(rest)
    except ValueError:
        raise ArenaError(f"the time control {control!r}: {word.strip()!r} is not a time; {FORMS}") from None
    if not math.isfinite(seconds) or seconds < 0 or (seconds == 0 and not allow_zero) or seconds > LONGEST:
        raise ArenaError(f"the time control {control!r}: {word.strip()!r} seconds is out of range; {FORMS}")
    return seconds


class Clock:
    """The clocks of both sides in one game.

    >>> clock = Clock(TimeControl.parse("5+0.5"))
    >>> clock.spend(MAX, 2.0), clock.left[MAX], clock.spend(MAX, 9.0)
    (True, 3.5, False)
    """

    def __init__(self, control: TimeControl, grace: float = GRACE, patience: float = PATIENCE) -> None:
        self.control, self.grace, self.patience = control, grace, patience
        self.left = {MAX: control.seconds, MIN: control.seconds}
        self.made = {MAX: 0, MIN: 0}

    def budget(self, side: int) -> Budget:
        """The limits for the next move of ``side``."""
        control = self.control
        left, limit = self.left[side], self.patience
        if left is not None:
            limit = left + self.grace
        elif control.movetime is not None:
            limit = control.movetime + self.grace
        return Budget(
            left=left,
            increment=control.increment,
            moves_to_go=control.moves - self.made[side] % control.moves if control.moves else None,
            other_left=self.left[MAX + MIN - side],
            movetime=control.movetime,
            nodes=control.nodes,
            depth=control.depth,
            limit=limit,
        )

    def spend(self, side: int, seconds: float) -> bool:
        """Record a move that took this many seconds; False if the flag has fallen."""
        control = self.control
        if control.movetime is not None:
            return seconds <= control.movetime + self.grace
        left = self.left[side]
        if left is None:
            return True
        if seconds > left + self.grace:
            self.left[side] = 0.0
            return False
        self.made[side] += 1
        new_period = bool(control.moves) and self.made[side] % (control.moves or 1) == 0
        self.left[side] = (
            max(left - seconds, 0.0) + control.increment + ((control.seconds or 0.0) if new_period else 0.0)
        )
        return True
