"""Workers that are busy with one work, wherever they are: who is free gets the next unit.

One loop serves all kinds of workers. They differ in how a worker is started, reached and lost.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Generic, NamedTuple, TypeVar

from zerosum.errors import WorkError
from zerosum.working.sharing import Shared
from zerosum.working.work import AHEAD, Found, Ledger, Unit, Work

TICK = 0.2
"""Seconds after which a wait is looked at again: Ctrl-C gets through everywhere, and nobody waits for the lost."""

LONELY = 60.0
"""Seconds without any worker after which the work is given up; until then others may come."""

READY, DONE, TOLD, PROBLEM, LOST = "ready", "done", "told", "problem", "lost"

OnReport = Callable[[Any], None]
Item = TypeVar("Item")
AnyWorkers = TypeVar("AnyWorkers", bound="Workers")


class Event(NamedTuple):
    """Something that has happened to a worker: it can begin, it has a result, something to say, a problem; or it died.

    ``what`` is the result, the word, the exception, or of one who died whether its unit may be the reason.
    """

    kind: str
    worker: int
    what: Any = None


class Team(ABC, Generic[Unit, Found]):
    """Workers who are ready for one work. Use as a context: whatever runs at its end is stopped."""

    def __init__(self, work: Work[Unit, Found]) -> None:
        self.work = work
        self.free: list[int] = []
        self.busy: dict[int, int] = {}  # the unit, by its number, that each worker has
        self.is_closed = False
        self._lonely_since: float | None = None

    def run(
        self,
        units: Iterable[Unit | None],
        *,
        on_report: OnReport | None = None,
        is_over: Callable[[], bool] = lambda: False,
        ahead: int | None = None,
    ) -> Iterator[tuple[Unit, Found]]:
        """Each unit with its result, as they are done. A problem of any unit is raised here.

        Units are asked for when there is somebody to do them; None stands for none that can be begun now.
        ``is_over`` is asked now and then: then no more results come. A run that ends early ends the team with it.
        ``on_report`` gets what workers tell, in this thread.
        """
        ledger = Ledger(units, 0)
        finished = False
        try:
            while not ledger.is_over:
                if is_over():
                    return
                self._look_after()
                ledger.ahead = ahead if ahead is not None else AHEAD * max(self.size, 1)
                if not self._must_wait():
                    self._hand_out(ledger)
                for event in self.events():
                    if event.kind == TOLD and on_report is not None:
                        on_report(event.what)
                    elif event.kind == DONE:
                        number = self.busy.pop(event.worker)
                        self.free.append(event.worker)
                        unit = ledger.finish(number)
                        if not self._must_wait():
                            self._hand_out(ledger)  # before the caller's own work, so that no worker waits for it
                        yield unit, event.what
                    else:
                        self._note(event, ledger)
            finished = True
        finally:
            if not finished:
                self.close()

    @property
    def size(self) -> int:
        """How many workers are ready."""
        return len(self.free) + len(self.busy)

    def _hand_out(self, ledger: Ledger[Unit]) -> None:
        while self.free and (taken := ledger.take()) is not None:
            worker = self.free.pop(0)
            self.busy[worker] = taken[0]
            self.give(worker, taken[1])

    def _note(self, event: Event, ledger: Ledger[Unit]) -> None:
        if event.kind == READY:
            self.free.append(event.worker)
        elif event.kind == PROBLEM:
            raise event.what
        elif event.kind == LOST:
            if event.worker in self.free:
                self.free.remove(event.worker)
            number = self.busy.pop(event.worker, None)
            if number is not None:
                ledger.give_back(number, event.what)

    def _must_wait(self) -> bool:
        """Whether somebody is still getting ready who would disturb clocks."""
        return self.work.is_timed and not self.busy and self.preparing > 0

    def _look_after(self) -> None:
        """Replace whom we have lost; WorkError if nobody has been there for long."""
        self.refill()
        if self.free or self.busy or self.preparing:
            self._lonely_since = None
            return
        self._lonely_since = self._lonely_since or time.monotonic()
        if time.monotonic() - self._lonely_since > LONELY:
            raise WorkError(f"no worker is left ({self.where})")

    def __enter__(self) -> Team[Unit, Found]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop what runs, and let everybody go."""
        if not self.is_closed:
            self.is_closed = True
            self.dismiss()

    # What kinds of workers differ in

    @property
    @abstractmethod
    def preparing(self) -> int:
        """How many workers are getting ready."""

    @property
    @abstractmethod
    def where(self) -> str:
        """Who is at work, in words."""

    @abstractmethod
    def refill(self) -> None:
        """Start workers, or others for those that were lost."""

    @abstractmethod
    def give(self, worker: int, unit: Unit) -> None:
        """Let a free worker do a unit."""

    @abstractmethod
    def events(self) -> Iterable[Event]:
        """What has happened; waits for it, but for no longer than a tick."""

    @abstractmethod
    def dismiss(self) -> None:
        """Stop and end all workers."""


class Workers(ABC):
    """Where work is done. ``team(work)`` gets workers ready for it."""

    @abstractmethod
    def team(self, work: Work[Unit, Found]) -> Team[Unit, Found]: ...

    @abstractmethod
    def share(self, value: Any) -> Shared:
        """Make a value known to all workers, once, so that units need only name it."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many units of one processor can be done at a time."""

    def close(self) -> None:
        """Give back what is shared, and leave."""
        return

    def __enter__(self: AnyWorkers) -> AnyWorkers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def in_order(found: Iterable[tuple[tuple[int, Item], Found]]) -> Iterator[tuple[Item, Found]]:
    """Results of units that are numbered from 0, in the order of the numbers.

    >>> list(in_order([((1, "b"), 2), ((0, "a"), 1)]))
    [('a', 1), ('b', 2)]
    """
    early: dict[int, tuple[Item, Found]] = {}
    due = 0
    for (number, unit), result in found:
        early[number] = unit, result
        while due in early:
            yield early.pop(due)
            due += 1
