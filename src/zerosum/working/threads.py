"""Workers that are threads of this process: they start quickly and share its memory.

For work that runs without the interpreter lock or in other programs, for people at the keyboard, and for tests.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any

from zerosum.working.sharing import Held, Shared
from zerosum.working.team import DONE, PROBLEM, READY, TOLD, Event, Team, Workers
from zerosum.working.work import Ended, Found, Unit, UnitRunner, Work

FAREWELL = 5.0
"""Seconds for units in progress to stop."""


class Threads(Workers):
    """A fixed number of threads."""

    def __init__(self, count: int = 1) -> None:
        self._count = count

    @property
    def count(self) -> int:
        return self._count

    def team(self, work: Work[Unit, Found]) -> Team[Unit, Found]:
        return _ThreadTeam(work, max(1, self.count // work.cores))

    def share(self, value: Any) -> Shared:
        return Held(value)


class _ThreadTeam(Team[Unit, Found]):
    def __init__(self, work: Work[Unit, Found], count: int) -> None:
        super().__init__(work)
        self._happened: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._queues: list[queue.SimpleQueue[tuple[Unit] | None]] = []
        self._runners: list[UnitRunner[Unit, Found]] = []
        self._threads: list[threading.Thread] = []
        try:
            # One after another, so that an error shows up before any unit starts.
            for number in range(count):
                self._runners.append(work.open(self._teller(number)))
                self._queues.append(queue.SimpleQueue())
                self._threads.append(
                    threading.Thread(target=self._serve, args=(number,), name=f"zerosum-team-{number}", daemon=True)
                )
        except BaseException:
            self.close()
            raise
        for thread in self._threads:
            thread.start()

    def _teller(self, number: int) -> Any:
        return lambda word: self._happened.put(Event(TOLD, number, word))

    def _serve(self, number: int) -> None:
        runner, units = self._runners[number], self._queues[number]
        self._happened.put(Event(READY, number))
        while (taken := units.get()) is not None:
            try:
                self._happened.put(Event(DONE, number, [runner.do(*taken)]))
            except Ended:
                return
            except BaseException as problem:
                self._happened.put(Event(PROBLEM, number, problem))
                return

    @property
    def preparing(self) -> int:
        return 0

    @property
    def where(self) -> str:
        count = len(self._threads)
        return f"{count} thread{'s' * (count != 1)}"

    def refill(self) -> None:
        pass

    def give(self, worker: int, units: Sequence[Unit]) -> None:
        for unit in units:
            self._queues[worker].put((unit,))

    def events(self) -> Iterable[Event]:
        try:
            yield self._happened.get(timeout=self.wait)
            while True:
                yield self._happened.get_nowait()
        except queue.Empty:
            return

    def dismiss(self) -> None:
        for runner in self._runners:
            runner.stop()
        for units in self._queues:
            units.put(None)
        deadline = time.monotonic() + FAREWELL
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(max(deadline - time.monotonic(), 0.0))
        for runner in self._runners:
            runner.close()
