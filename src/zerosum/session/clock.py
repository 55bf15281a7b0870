"""Time: how long to think about a move, so that the clock never runs out.

A move has two limits. At the soft one the search stops deepening, earlier or later as it goes: a best move that stays
the same needs less, one that changes or a value that drops needs more. The hard one ends the search wherever it is.
Between the hard limit and the fall of the flag there is always the overhead (what the way to the clock costs, for
every move) and a reserve, in case the machine stalls for a moment. Where moves turn out to cost more on the referee's
clock than on ours, the overhead grows by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

MINIMUM = 0.001
"""Seconds that a move gets even if there is no time at all: an answer takes as long as it takes."""

DEFAULT_OVERHEAD = 0.03
"""Seconds a move between our clock and the referee's: pipes, a busy GUI, a network nearby."""

MOVES_AHEAD = 24
"""Without a number of moves to go, the rest of the game is assumed to last this many moves."""

LONGEST_RESERVE = 1.0
"""Seconds: nobody stalls longer than this, or else nothing helps."""

HARD_FACTOR = 4.0
"""The hard limit is this many times the soft one, if there is time."""


@dataclass(frozen=True)
class Allotment:
    """Seconds for a move: to stop deepening at, more or less, and to stop at in any case."""

    soft: float
    hard: float


def allot(
    left: float,
    increment: float = 0.0,
    moves_to_go: int | None = None,
    overhead: float = DEFAULT_OVERHEAD,
    longest: int | None = None,
) -> Allotment:
    """How long to think with this many seconds on the clock.

    ``increment`` comes after each move; ``moves_to_go`` have to be made before there is more time, or None if all
    of the game is to be played with what is left. ``longest`` is the number of our moves that the game can still
    last, where its rules tell.

    >>> short, long = allot(60.0), allot(60.0, increment=1.0)
    >>> 1 < short.soft < 3, short.hard > 2 * short.soft, long.soft > short.soft
    (True, True, True)
    >>> allot(60.0, longest=12).soft > short.soft, allot(60.0, longest=30).soft == short.soft
    (True, True)
    >>> allot(0.01).hard == MINIMUM
    True
    """
    left, increment, overhead = max(left, 0.0), max(increment, 0.0), max(overhead, 0.0)
    # What may be spent on this move at the very most.
    safe = left - overhead - reserve(left, overhead)
    if safe <= MINIMUM:
        return Allotment(MINIMUM, MINIMUM)
    ahead = MOVES_AHEAD if longest is None else min(longest, MOVES_AHEAD)
    count = max(1, ahead if moves_to_go is None else min(moves_to_go, ahead))
    # Every move that is still to come costs the overhead again, and brings the increment.
    pool = left - reserve(left, overhead) + (count - 1) * increment - count * overhead
    share = max(pool / count, 0.1 * safe / count)
    soft = min(share, 0.8 * safe)
    # The last move before the clock is set again may take all there is; else most must be left for the others.
    ceiling = safe if count == 1 else safe * (0.5 if moves_to_go is not None else 0.25)
    # An increment that outlasts what is left can be lived from: it is back after the move.
    hard = min(HARD_FACTOR * soft, max(ceiling, min(soft, 0.8 * safe)))
    hard = max(hard, MINIMUM)
    return Allotment(max(min(soft, hard), MINIMUM), hard)


def fixed(seconds: float, overhead: float = DEFAULT_OVERHEAD) -> float:
    """The hard limit for a move that has exactly this many seconds: nearly all of them.

    >>> fixed(1.0, 0.03)
    0.97
    >>> fixed(0.02, 0.03)
    0.01
    """
    return max(seconds - overhead, seconds / 2, MINIMUM)


@dataclass(frozen=True)
class MoveTime:
    """The time for a move: seconds on a clock, with what comes after each move, or seconds for this move alone.

    ``moves_to_go`` have to be made before there is more time. Without ``left`` and ``movetime`` there is no limit.
    """

    left: float | None = None
    increment: float = 0.0
    moves_to_go: int | None = None
    movetime: float | None = None

    def allotment(self, overhead: float = DEFAULT_OVERHEAD, longest: int | None = None) -> Allotment | None:
        """How long to think; None where there is no limit. ``longest`` is that of ``allot``."""
        if self.movetime is not None:
            seconds = fixed(self.movetime, overhead)
            return Allotment(seconds, seconds)
        return None if self.left is None else allot(self.left, self.increment, self.moves_to_go, overhead, longest)


def reserve(left: float, overhead: float = DEFAULT_OVERHEAD) -> float:
    """Seconds of what is left that are never planned for, so that a stall does not cost the game.

    Where moves cost much beyond the thinking, they sometimes cost several times as much.
    """
    stall = max(0.1, 4 * overhead)
    return min(max(0.05 * left, min(stall, left / 2)), LONGEST_RESERVE)


class Lag:
    """Learns from the clock what a move costs beyond the time that was meant for it: messages, a busy machine.

    >>> lag = Lag()
    >>> lag.meant(0, left=10.0, seconds=1.0)
    >>> lag.see(0, left=8.95, increment=0.1)  # 1.15 s are gone
    >>> round(lag.seconds, 3)
    0.15
    """

    FORGET = 0.9  # what was seen once counts a little less with each move that was quicker

    def __init__(self) -> None:
        self.seconds = 0.0
        self._meant: dict[int, tuple[float, float]] = {}

    def meant(self, side: int, left: float, seconds: float) -> None:
        """A move of this side was to take this many of the seconds that were left."""
        self._meant[side] = (left, seconds)

    def see(self, side: int, left: float, increment: float) -> None:
        """The clock of a side as it stands before its next move."""
        if side not in self._meant:
            return
        before, seconds = self._meant.pop(side)
        late = before + increment - left - seconds
        # Less than nothing: the clock was set again. More than a second: another game, or someone slept.
        if 0 <= late <= LONGEST_RESERVE:
            self.seconds = max(late, self.FORGET * self.seconds)

    def forget(self) -> None:
        """A new game: its clocks have nothing to do with those of the last one."""
        self._meant.clear()


class Deliberation:
    """Decides after each depth whether to begin another.

    >>> thought = Deliberation(Allotment(soft=1.0, hard=4.0), unit=100)
    >>> [thought.enough(depth, elapsed=10.0 ** (depth - 5), move=7, value=20) for depth in range(1, 6)]
    [False, False, False, False, True]
    """

    def __init__(self, allotment: Allotment, unit: int = 100) -> None:
        self.allotment = allotment
        self.unit = unit
        self._move: int | None = None
        self._value = 0.0
        self._stable = 0
        self._excitement = 0.0
        self._elapsed: list[float] = []

    def enough(self, depth: int, elapsed: float, move: int | None, value: float, decided: bool = False) -> bool:
        """Whether to stop, ``elapsed`` seconds into the move, after a depth with this outcome.

        ``value`` is for the player who thinks; ``decided`` says that it is a certain win or loss.
        """
        self._stable = self._stable + 1 if move == self._move else 0
        drop = (self._value - value) / self.unit if self._elapsed else 0.0
        # What has just gone wrong matters most; what went wrong before, less and less.
        self._excitement = max(self._excitement / 2, min(drop, 1.0))
        self._move, self._value = move, value
        self._elapsed.append(elapsed)
        expected = elapsed + self._next_depth()
        if expected > self.allotment.hard:
            return True
        # Half a depth may well change the move: it comes first if it does.
        return elapsed + (expected - elapsed) / 2 > self.allotment.soft * self._factor(decided)

    def _factor(self, decided: bool) -> float:
        """How much of the soft limit this move is worth."""
        if decided:
            return 0.3
        steady = (1.5, 1.2, 1.0, 0.85, 0.7)[min(self._stable, 4)]
        return steady * (1 + max(self._excitement, 0.0))

    def _next_depth(self) -> float:
        """How long another depth will take, going by the last ones."""
        times = [0.0, *self._elapsed]
        last = times[-1] - times[-2]
        before = times[-2] - times[-3] if len(times) > 2 else 0.0
        growth = last / before if before > 0 else 2.0
        return last * min(max(growth, 1.3), 3.0)
