"""Workers that are processes on this machine: each has its own interpreter, and may die without harm."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import queue
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import nullcontext, suppress
from multiprocessing import connection
from pathlib import Path
from typing import Any

from zerosum.errors import WorkError
from zerosum.jit.notices import listening_with, on_stderr
from zerosum.working.carrying import clean_up, packed, unpacked
from zerosum.working.problems import sendable
from zerosum.working.sharing import Filed, Shared
from zerosum.working.team import DONE, LOST, PROBLEM, READY, TICK, TOLD, Event, Team, Workers
from zerosum.working.work import MOST_DEATHS, Ended, Found, Hands, Unit, Work

FAREWELL = 5.0
"""Seconds for units in progress to stop."""


class Processes(Workers):
    """A fixed number of processes, started for each piece of work and ended with it."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._folder: str | None = None
        self._numbers = itertools.count()

    @property
    def count(self) -> int:
        return self._count

    def team(self, work: Work[Unit, Found]) -> Team[Unit, Found]:
        return _ProcessTeam(work, max(1, self.count // work.cores))

    def share(self, value: Any) -> Shared:
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="zerosum-shared-")
        try:
            return Filed.of(value, Path(self._folder) / str(next(self._numbers)))
        except OSError as problem:
            raise WorkError(f"{self._folder!r} cannot be written: {problem.strerror or problem}") from problem

    def close(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


class _Desk:
    """A process, and the pipe to it."""

    def __init__(self, parcel: bytes, is_first: bool) -> None:
        # A forked child would inherit locks held by threads that it does not have.
        start = multiprocessing.get_context("spawn")
        self.pipe, theirs = start.Pipe()
        self.process = start.Process(target=_serve, args=(theirs, parcel, is_first), name="zerosum-worker")
        self.process.start()
        theirs.close()  # so that the pipe closes when the process ends
        self.is_ready = False

    def send(self, message: tuple[str, Any]) -> None:
        with suppress(OSError):  # the end of the pipe shows that a process is gone
            self.pipe.send(message)


class _ProcessTeam(Team[Unit, Found]):
    def __init__(self, work: Work[Unit, Found], count: int) -> None:
        super().__init__(work)
        self._parcel, self._count = packed(work), count
        self._desks: dict[int, _Desk] = {}
        self._numbers = itertools.count()
        self._stillborn = 0

    @property
    def preparing(self) -> int:
        return sum(not desk.is_ready for desk in self._desks.values())

    @property
    def where(self) -> str:
        return f"{self._count} process{'es' * (self._count != 1)}"

    def refill(self) -> None:
        while len(self._desks) < self._count:
            number = next(self._numbers)
            self._desks[number] = _Desk(self._parcel, number == 0)

    def give(self, worker: int, unit: Unit) -> None:
        self._desks[worker].send(("do", unit))

    def events(self) -> Iterable[Event]:
        pipes = {desk.pipe: number for number, desk in self._desks.items()}
        for pipe in connection.wait(list(pipes), TICK):
            number = pipes[pipe]  # type: ignore[index]
            try:
                kind, what = self._desks[number].pipe.recv()
            except (EOFError, OSError):
                yield self._lost(number)
                continue
            if kind == READY:
                self._desks[number].is_ready, self._stillborn = True, 0
            yield Event(kind, number, what)

    def _lost(self, number: int) -> Event:
        desk = self._desks.pop(number)
        desk.pipe.close()
        desk.process.join()
        if not desk.is_ready:
            self._stillborn += 1
            if self._stillborn >= MOST_DEATHS:
                raise WorkError(f"a worker ended before it was ready (exit code {desk.process.exitcode})")
        return Event(LOST, number, True)

    def dismiss(self) -> None:
        for desk in self._desks.values():
            desk.send(("stop", None))
        deadline = time.monotonic() + FAREWELL
        for desk in self._desks.values():
            while desk.process.is_alive() and time.monotonic() < deadline:
                # An unread result would keep the process from exiting.
                with suppress(EOFError, OSError):
                    if desk.pipe.poll(0.02):
                        desk.pipe.recv()
                        continue
                desk.process.join(0.02)
            desk.pipe.close()
            desk.process.kill()
            desk.process.join()
        self._desks.clear()


# In the worker process


def _serve(pipe: Any, parcel: bytes, is_first: bool) -> None:
    """Do units as they arrive, until told to stop. Only the first worker reports compilation; the others wait."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the main process, which tells workers when to stop
    lock = threading.Lock()

    def send(kind: str, what: Any = None) -> None:
        with lock:
            pipe.send((kind, what))

    units: queue.SimpleQueue[tuple[Any] | None] = queue.SimpleQueue()
    listener = _Listener(pipe, units)
    listener.start()
    try:
        with nullcontext() if is_first else listening_with(_warnings_only):
            hands = unpacked(parcel).open(lambda word: send(TOLD, word))
        listener.listens_for(hands)
        send(READY)
        while (taken := units.get()) is not None:
            send(DONE, hands.do(*taken))
        hands.close()
    except Ended:
        hands.close()
    except (BrokenPipeError, ConnectionResetError):
        pass  # the main process is gone
    except BaseException as problem:
        with suppress(OSError):
            send(PROBLEM, sendable(problem))
    clean_up()
    # Threads may still run compiled code, and there is no reason to wait for them.
    os._exit(0)


def _warnings_only(text: str, is_warning: bool) -> None:
    if is_warning:
        on_stderr(text, is_warning)


class _Listener(threading.Thread):
    """Receives messages while a unit is being done. Ends this process when the main process ends."""

    def __init__(self, pipe: Any, units: queue.SimpleQueue[tuple[Any] | None]) -> None:
        super().__init__(name="zerosum-listener", daemon=True)
        self._pipe, self._units = pipe, units
        self._hands: Hands[Any, Any] | None = None
        self._is_over = False

    def listens_for(self, hands: Hands[Any, Any]) -> None:
        self._hands = hands
        if self._is_over:
            hands.stop()

    def run(self) -> None:
        while True:
            try:
                kind, what = self._pipe.recv()
            except (EOFError, OSError):
                os._exit(1)
            if kind == "do":
                self._units.put((what,))
                continue
            self._is_over = True
            if self._hands is not None:
                self._hands.stop()
            self._units.put(None)
