"""Workers that do one piece of work, wherever they are: a free worker gets the next unit.

One loop serves all kinds of workers. They differ in how a worker is started, reached and lost.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Generic, NamedTuple, TypeVar

from zerosum.errors import WorkError
from zerosum.working.sharing import Shared
from zerosum.working.work import AHEAD, Found, Ledger, Unit, Work

TICK = 0.2
"""Maximum length of a single wait in seconds, so that Ctrl-C works everywhere and lost workers are noticed."""

LONELY = 60.0
"""Seconds without any worker after which the work is given up; until then new ones may join."""

READY, DONE, TOLD, UNDONE, PROBLEM, LOST = "ready", "done", "told", "undone", "problem", "lost"

OnReport = Callable[[Any], None]
Item = TypeVar("Item")
AnyWorkers = TypeVar("AnyWorkers", bound="Workers")


class Event(NamedTuple):
    """Something that happened to a worker: it is ready, has results, a report or a problem, or died.

    ``what`` is the list of results, in the order of the worker's units; the report or the exception; for a worker that
    died, whether its unit may be the cause. If a worker begins only some of its units, UNDONE comes first, with their
    number.
    """

    kind: str
    worker: int
    what: Any = None


class Team(ABC, Generic[Unit, Found]):
    """Workers for one piece of work. Use as a context manager: units that still run at its end are stopped."""

    def __init__(self, work: Work[Unit, Found]) -> None:
        self.work = work
        self.free: list[int] = []
        self.busy: dict[int, deque[int]] = {}  # the numbers of the units that each worker has
        self.is_closed = False
        self.wait = TICK  # seconds for which ``events`` may wait
        self._lonely_since: float | None = None

    def run(
        self,
        units: Iterable[Unit | None],
        *,
        on_report: OnReport | None = None,
        is_over: Callable[[], bool] = lambda: False,
        ahead: int | None = None,
    ) -> Iterator[tuple[Unit, Found]]:
        """Yield each unit with its result, as it is done. Exceptions in units are raised here.

        Units are taken from the iterator when a worker is free; None means that no unit can start yet. When
        ``is_over`` returns True, no more results come. A run that ends early closes the team. ``on_report`` is called
        in this thread with the reports of workers.
        """
        ledger = Ledger(units, 0)
        finished = False
        try:
            while not ledger.is_over:
                if is_over():
                    return
                self._look_after()
                ledger.ahead = ahead if ahead is not None else AHEAD * max(self.size, 1) * self.portion
                if not self._must_wait():
                    self._hand_out(ledger)
                for event in self.events():
                    if is_over():  # quick units never let this loop end
                        return
                    if event.kind == TOLD and on_report is not None:
                        on_report(event.what)
                    elif event.kind == DONE:
                        done = [ledger.finish(number) for number in self._done(event.worker, len(event.what))]
                        if not self._must_wait():
                            self._hand_out(ledger)  # before the caller's own work, so that no worker waits for it
                        yield from zip(done, event.what, strict=True)
                    else:
                        self._note(event, ledger)
            finished = True
        finally:
            if not finished:
                self.close()

    @property
    def size(self) -> int:
        """The number of workers that are ready."""
        return len(self.free) + len(self.busy)

    def _hand_out(self, ledger: Ledger[Unit]) -> None:
        while self.free and (taken := ledger.take_some(self.portion)):
            worker = self.free.pop(0)
            self.busy[worker] = deque(number for number, _ in taken)
            self.give(worker, [unit for _, unit in taken])

    def _done(self, worker: int, count: int) -> list[int]:
        """The numbers of the units that a worker has done. It is free after its last one."""
        numbers = [self.busy[worker].popleft() for _ in range(count)]
        if not self.busy[worker]:
            del self.busy[worker]
            self.free.append(worker)
        return numbers

    def _note(self, event: Event, ledger: Ledger[Unit]) -> None:
        if event.kind == READY:
            self.free.append(event.worker)
        elif event.kind == UNDONE:
            units = self.busy[event.worker]
            undone = [units.pop() for _ in range(len(units) - event.what)]
            for number in reversed(undone):
                ledger.give_back(number, is_suspect=False)
        elif event.kind == PROBLEM:
            raise event.what
        elif event.kind == LOST:
            if event.worker in self.free:
                self.free.remove(event.worker)
            for number in self.busy.pop(event.worker, ()):
                ledger.give_back(number, event.what)

    def _must_wait(self) -> bool:
        """Whether workers are still getting ready, which would disturb games with clocks."""
        return self.work.is_timed and not self.busy and self.preparing > 0

    def _look_after(self) -> None:
        """Replace lost workers; WorkError if there have been none for too long."""
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
        """Stop running units and end all workers."""
        if not self.is_closed:
            self.is_closed = True
            self.dismiss()

    # Differences between kinds of workers

    @property
    @abstractmethod
    def preparing(self) -> int:
        """The number of workers that are getting ready."""

    @property
    @abstractmethod
    def where(self) -> str:
        """The workers, in words."""

    @abstractmethod
    def refill(self) -> None:
        """Start workers, and replace those that were lost."""

    @property
    def portion(self) -> int:
        """Maximum number of units that a free worker gets at a time."""
        return 1

    @abstractmethod
    def give(self, worker: int, units: Sequence[Unit]) -> None:
        """Give units to a free worker, which does them in this order."""

    @abstractmethod
    def events(self) -> Iterable[Event]:
        """The events since the last call; waits for one for at most ``wait`` seconds."""

    @abstractmethod
    def dismiss(self) -> None:
        """Stop and end all workers."""


class Workers(ABC):
    """A kind of workers. ``team(work)`` gets them ready for a piece of work."""

    @abstractmethod
    def team(self, work: Work[Unit, Found]) -> Team[Unit, Found]: ...

    @abstractmethod
    def share(self, value: Any) -> Shared:
        """Send a value to all workers once, so that units need only refer to it."""

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of single-processor units that can be done at a time."""

    @property
    def is_connected(self) -> bool:
        """Whether workers can be asked for now; if not, whatever needs them waits."""
        return True

    @property
    def per_machine(self) -> int:
        """The number of them that share the memory of one machine."""
        return self.count

    def close(self) -> None:
        """Release shared values and resources."""
        return

    def __enter__(self: AnyWorkers) -> AnyWorkers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def in_order(found: Iterable[tuple[tuple[int, Item], Found]]) -> Iterator[tuple[Item, Found]]:
    """Results of units that are numbered from 0, in the order of their numbers.

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
