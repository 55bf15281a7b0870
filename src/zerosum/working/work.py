"""What work is: something that is done to units, one by one, by whoever is free.

A unit says all that it takes to do it, its seed included, so that it has the same result wherever it is done. A unit
whose worker dies is done by another one, and its result counts once.
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
"""Sends word to whoever runs the work, from any thread of a worker."""

MOST_DEATHS = 3
"""A unit that ends this many workers is itself at fault."""

AHEAD = 16
"""Units that may be handed out beyond the oldest unfinished one, for each worker: what comes early must wait."""


class Ended(Exception):
    """``do`` was told to stop before its unit was done."""


class Hands(ABC, Generic[Unit, Found]):
    """What one worker has for its work. It is made once, and does one unit after the other."""

    @abstractmethod
    def do(self, unit: Unit) -> Found:
        """The result of a unit; Ended after ``stop``."""

    def stop(self) -> None:
        """End a running ``do``, and all later ones, as soon as possible; callable from any thread."""

    def close(self) -> None:
        """Give back what it holds."""


class Work(ABC, Generic[Unit, Found]):
    """What is done to every unit. Each worker gets it once, so it must be possible to pickle it."""

    cores: int = 1
    """Processors that a unit takes."""

    is_timed: bool = False
    """Whether the results depend on how fast a worker is: then slow and busy ones are left out."""

    @abstractmethod
    def open(self, tell: Tell) -> Hands[Unit, Found]:
        """Get ready, in a worker; a ZerosumError says why it cannot do this work."""


class Ledger(Generic[Unit]):
    """Which units are handed out, given back and done.

    >>> ledger = Ledger("abc", ahead=2)
    >>> ledger.take(), ledger.take(), ledger.take()
    ((0, 'a'), (1, 'b'), None)
    >>> ledger.give_back(0)
    >>> ledger.take(), ledger.finish(0), ledger.take()
    ((0, 'a'), 'a', (2, 'c'))
    """

    def __init__(self, units: Iterable[Unit | None], ahead: int) -> None:
        """A unit of None stands for none that can be begun now; the next may be one."""
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
        """The next unit, if there is one now."""
        if self._next is None and not self._is_last:
            try:
                self._next = next(self._units)
            except StopIteration:
                self._is_last = True
        return self._next

    def take(self) -> tuple[int, Unit] | None:
        """A unit and its number; None if there is none to hand out now."""
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

    def finish(self, number: int) -> Unit:
        """The unit of this number is done."""
        return self._open.pop(number)

    def give_back(self, number: int, is_suspect: bool = True) -> None:
        """The worker that had it has died; WorkError if that happens too often, and the unit may be the reason."""
        self._deaths[number] += is_suspect
        if self._deaths[number] >= MOST_DEATHS:
            raise WorkError(
                f"the work cannot be done: {MOST_DEATHS} workers have died over {_brief(self._open[number])}"
            )
        self._returned.append(number)


def _brief(unit: Any) -> str:
    text = repr(unit)
    return text if len(text) <= 80 else f"{text[:79]}…"
