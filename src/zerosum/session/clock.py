"""Time management: how long to think about a move, so that the clock never runs out.

A move has two limits. At the soft limit the search stops deepening. This limit varies: a best move that stays the same
needs less time, one that changes or a value that drops needs more. The hard limit ends the search wherever it is.
Between the hard limit and the end of the clock there is always the overhead (the time a move takes to reach the
referee's clock) and a reserve, in case the machine stalls for a moment. If moves turn out to cost more on the referee's
clock than on ours, the overhead grows automatically.
"""

from __future__ import annotations

from dataclasses import dataclass

MINIMUM = 0.001
"""Seconds for a move even if there is no time left: an answer needs some time."""

DEFAULT_OVERHEAD = 0.03
"""Seconds per move between our clock and the referee's: pipes, a busy GUI, a local network."""

MOVES_AHEAD = 24
"""Assumed number of remaining moves if the time control does not give one."""

LONGEST_RESERVE = 1.0
"""Longest reserve in seconds; a longer stall cannot be planned for."""

HARD_FACTOR = 4.0
"""Ratio of the hard to the soft limit, if there is enough time."""


@dataclass(frozen=True)
class Allotment:
    """Limits for a move in seconds: stop deepening at about ``soft``, and stop in any case at ``hard``."""

    soft: float
    hard: float


def allot(
    left: float,
    increment: float = 0.0,
    moves_to_go: int | None = None,
    overhead: float = DEFAULT_OVERHEAD,
    longest: int | None = None,
) -> Allotment:
    """How long to think with ``left`` seconds on the clock.

    ``increment`` is added after each move. ``moves_to_go`` is the number of moves until the clock is set again, or None
    if the rest of the game must be played with the time left. ``longest`` is the maximum number of our remaining moves,
    if the rules give one.

    >>> short, long = allot(60.0), allot(60.0, increment=1.0)
    >>> 1 < short.soft < 3, short.hard > 2 * short.soft, long.soft > short.soft
    (True, True, True)
    >>> allot(60.0, longest=12).soft > short.soft, allot(60.0, longest=30).soft == short.soft
    (True, True)
    >>> allot(0.01).hard == MINIMUM
    True
    """
    left, increment, overhead = max(left, 0.0), max(increment, 0.0), max(overhead, 0.0)
    # The most that may be spent on this move.
    safe = left - overhead - reserve(left, overhead)
    if safe <= MINIMUM:
        return Allotment(MINIMUM, MINIMUM)
    ahead = MOVES_AHEAD if longest is None else min(longest, MOVES_AHEAD)
    count = max(1, ahead if moves_to_go is None else min(moves_to_go, ahead))
    # Every remaining move costs the overhead again and adds the increment.
    pool = left - reserve(left, overhead) + (count - 1) * increment - count * overhead
    share = max(pool / count, 0.1 * safe / count)
    soft = min(share, 0.8 * safe)
    # The last move before the clock is set again may use all the time; otherwise most must be left for later moves.
    ceiling = safe if count == 1 else safe * (0.5 if moves_to_go is not None else 0.25)
    # With a large increment the soft limit may exceed the ceiling: the time used comes back after the move.
    hard = min(HARD_FACTOR * soft, max(ceiling, min(soft, 0.8 * safe)))
    hard = max(hard, MINIMUM)
    return Allotment(max(min(soft, hard), MINIMUM), hard)


def fixed(seconds: float, overhead: float = DEFAULT_OVERHEAD) -> float:
    """The hard limit for a move with a fixed time: nearly all of it.

    >>> fixed(1.0, 0.03)
    0.97
    >>> fixed(0.02, 0.03)
    0.01
    """
    return max(seconds - overhead, seconds / 2, MINIMUM)


@dataclass(frozen=True)
class MoveTime:
    """The time for a move: seconds on a clock with an increment, or ``movetime`` seconds for this move only.

    ``moves_to_go`` is the number of moves until the clock is set again. Without ``left`` and ``movetime`` there is no
    limit.
    """

    left: float | None = None
    increment: float = 0.0
    moves_to_go: int | None = None
    movetime: float | None = None

    def allotment(self, overhead: float = DEFAULT_OVERHEAD, longest: int | None = None) -> Allotment | None:
        """How long to think; None without a limit. ``longest`` is as in ``allot``."""
        if self.movetime is not None:
            seconds = fixed(self.movetime, overhead)
            return Allotment(seconds, seconds)
        return None if self.left is None else allot(self.left, self.increment, self.moves_to_go, overhead, longest)


def reserve(left: float, overhead: float = DEFAULT_OVERHEAD) -> float:
    """Seconds that are never allotted, so that a stall does not lose the game.

    If moves have a large overhead, it is sometimes several times as large.
    """
    stall = max(0.1, 4 * overhead)
    return min(max(0.05 * left, min(stall, left / 2)), LONGEST_RESERVE)


class Lag:
    """Learns from the clock how much longer moves take than planned, because of messages or a busy machine.

    >>> lag = Lag()
    >>> lag.meant(0, left=10.0, seconds=1.0)
    >>> lag.see(0, left=8.95, increment=0.1)  # 1.15 s were used
    >>> round(lag.seconds, 3)
    0.15
    """

    FORGET = 0.9  # an observed lag decays with each faster move

    def __init__(self) -> None:
        self.seconds = 0.0
        self._meant: dict[int, tuple[float, float]] = {}

    def meant(self, side: int, left: float, seconds: float) -> None:
        """Record that a move of this side was planned to take ``seconds`` of the time left."""
        self._meant[side] = (left, seconds)

    def see(self, side: int, left: float, increment: float) -> None:
        """Read the clock of a side before its next move, and update the lag."""
        if side not in self._meant:
            return
        before, seconds = self._meant.pop(side)
        late = before + increment - left - seconds
        # Negative: the clock was set again. More than a second: another game, or the machine was suspended.
        if 0 <= late <= LONGEST_RESERVE:
            self.seconds = max(late, self.FORGET * self.seconds)

    def forget(self) -> None:
        """Forget the planned times, before a new game with new clocks."""
        self._meant.clear()


class Deliberation:
    """Decides after each depth whether to search another.

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
        """Whether to stop, ``elapsed`` seconds into the move, after a depth with this result.

        ``value`` is for the side to move; ``decided`` means that it is a certain win or loss.
        """
        self._stable = self._stable + 1 if move == self._move else 0
        drop = (self._value - value) / self.unit if self._elapsed else 0.0
        # The latest drop counts most; earlier ones count less and less.
        self._excitement = max(self._excitement / 2, min(drop, 1.0))
        self._move, self._value = move, value
        self._elapsed.append(elapsed)
        expected = elapsed + self._next_depth()
        if expected > self.allotment.hard:
            return True
        # Half of the next depth may be enough: a new best move is usually found early in a depth.
        return elapsed + (expected - elapsed) / 2 > self.allotment.soft * self._factor(decided)

    def _factor(self, decided: bool) -> float:
        """The factor by which to scale the soft limit for this move."""
        if decided:
            return 0.3
        steady = (1.5, 1.2, 1.0, 0.85, 0.7)[min(self._stable, 4)]
        return steady * (1 + max(self._excitement, 0.0))

    def _next_depth(self) -> float:
        """The expected time of the next depth, extrapolated from the last ones."""
        times = [0.0, *self._elapsed]
        last = times[-1] - times[-2]
        before = times[-2] - times[-3] if len(times) > 2 else 0.0
        growth = last / before if before > 0 else 2.0
        return last * min(max(growth, 1.3), 3.0)
