"""Work: something that is done to units, one by one, by any free worker.

A unit contains everything needed to do it, including its seed, so its result is the same wherever it is done. If a
worker dies, another one does its unit, and the result counts once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from zerosum.errors import WorkError

Unit = TypeVar("Unit")
Found = TypeVar("Found")

Tell = Callable[[Any], None]
"""Sends a report to the caller, from any thread of a worker."""

MOST_DEATHS = 3
"""If this many workers die over a unit, the unit is to blame."""

AHEAD = 16
"""Units per worker that may be handed out beyond the oldest unfinished one: early results have to be kept."""


class Ended(Exception):
    """``do`` was stopped before its unit was done."""


class UnitRunner(ABC, Generic[Unit, Found]):
    """One worker's state for a piece of work. It is made once, and does one unit after another."""

    @abstractmethod
    def do(self, unit: Unit) -> Found:
        """Do a unit and return its result; raises Ended after ``stop``."""

    def stop(self) -> None:
        """End a running ``do``, and all later ones, as soon as possible; callable from any thread."""

    def close(self) -> None:
        """Release all resources."""


class Work(ABC, Generic[Unit, Found]):
    """What is done to every unit. It is sent to each worker once, so it must be picklable."""

    cores: int = 1
    """Number of processors that a unit uses."""

    in_portions: bool = True
    """Whether a worker far away may get several short units at a time: not if other units wait for their results."""

    is_timed: bool = False
    """Whether the results depend on the speed of a worker: then slow and busy workers are left out."""

    @abstractmethod
    def open(self, tell: Tell) -> UnitRunner[Unit, Found]:
        """Get ready, in a worker; ZerosumError if it cannot do this work."""


class Ledger(Generic[Unit]):
    """Keeps track of the units that are handed out, returned and done.

    >>> ledger = Ledger("abc", ahead=2)
    >>> ledger.take(), ledger.take(), ledger.take()
    ((0, 'a'), (1, 'b'), None)
    >>> ledger.give_back(0)
    >>> ledger.take(), ledger.finish(0), ledger.take()
    ((0, 'a'), 'a', (2, 'c'))
    """

    def __init__(self, units: Iterable[Unit | None], ahead: int) -> None:
        """A unit of None means that no unit can start yet; a later call may return one."""
        self._units, self.ahead = iter(units), ahead
        self._next: Unit | None = None
        self._is_last, self._taken = False, 0
        self._open: dict[int, Unit] = {}
        self._returned: deque[int] = deque()
        self._deaths: Counter[int] = Counter()

    @property
    def is_over(self) -> bool:
        return not self._open and self._peek() is None and self._is_last

    def _peek(self) -> Unit | None:
        """The next unit, if one can start now."""
        if self._next is None and not self._is_last:
            try:
                self._next = next(self._units)
            except StopIteration:
                self._is_last = True
        return self._next

    def take(self) -> tuple[int, Unit] | None:
        """A unit and its number; None if no unit can be handed out now."""
        if self._returned:
            number = self._returned.popleft()
            return number, self._open[number]
        if self._taken >= min(self._open, default=self._taken) + self.ahead:
            return None
        unit = self._peek()
        if unit is None:
            return None
        number, self._next = self._taken, None
        self._taken += 1
        self._open[number] = unit
        return number, unit

    def take_some(self, most: int) -> list[tuple[int, Unit]]:
        """Up to this many units with their numbers.

        A unit over which a worker has died comes alone: if another one dies, it is known which unit to blame.
        """
        taken: list[tuple[int, Unit]] = []
        while len(taken) < most and not (taken and self._is_suspect()) and (one := self.take()) is not None:
            taken.append(one)
            if self._deaths[one[0]]:
                break
        return taken

    def _is_suspect(self) -> bool:
        """Whether a worker has died over the next unit."""
        return bool(self._returned and self._deaths[self._returned[0]])

    def finish(self, number: int) -> Unit:
        """Mark a unit as done, and return it."""
        return self._open.pop(number)

    def give_back(self, number: int, is_suspect: bool = True) -> None:
        """Return the unit of a worker that died; WorkError if that happened too often and the unit may be the cause."""
        self._deaths[number] += is_suspect
        if self._deaths[number] >= MOST_DEATHS:
            raise WorkError(
                f"the work cannot be done: {MOST_DEATHS} workers have died over {_brief(self._open[number])}"
            )
        self._returned.append(number)


def _brief(unit: Any) -> str:
    text = repr(unit)
    return text if len(text) <= 80 else f"{text[:79]}…"
