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
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from multiprocessing import connection
from pathlib import Path
from typing import Any

from zerosum.errors import WorkError
from zerosum.jit.notices import listening_with, on_stderr
from zerosum.working.pickling import clean_up, pickled, unpickled
from zerosum.working.problems import sendable
from zerosum.working.sharing import Filed, Shared
from zerosum.working.team import DONE, LOST, PROBLEM, READY, TOLD, Event, Team, Workers
from zerosum.working.work import MOST_DEATHS, Ended, Found, Unit, UnitRunner, Work

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


class _WorkerProcess:
    """A process, and the pipe to it."""

    def __init__(self, pickled_work: bytes, is_first: bool) -> None:
        # A forked child would inherit locks held by threads that it does not have.
        start = multiprocessing.get_context("spawn")
        self.pipe, theirs = start.Pipe()
        self.process = start.Process(target=_serve, args=(theirs, pickled_work, is_first), name="zerosum-worker")
        self.process.start()
        theirs.close()  # so that the pipe closes when the process ends
        self.is_ready = False

    def send(self, message: tuple[str, Any]) -> None:
        with suppress(OSError):  # the end of the pipe shows that a process is gone
            self.pipe.send(message)


class _ProcessTeam(Team[Unit, Found]):
    def __init__(self, work: Work[Unit, Found], count: int) -> None:
        super().__init__(work)
        self._pickled_work, self._count = pickled(work), count
        self._processes: dict[int, _WorkerProcess] = {}
        self._numbers = itertools.count()
        self._stillborn = 0

    @property
    def preparing(self) -> int:
        return sum(not child.is_ready for child in self._processes.values())

    @property
    def where(self) -> str:
        return f"{self._count} process{'es' * (self._count != 1)}"

    def refill(self) -> None:
        while len(self._processes) < self._count:
            number = next(self._numbers)
            self._processes[number] = _WorkerProcess(self._pickled_work, number == 0)

    def give(self, worker: int, units: Sequence[Unit]) -> None:
        for unit in units:
            self._processes[worker].send(("do", unit))

    def events(self) -> Iterable[Event]:
        pipes = {child.pipe: number for number, child in self._processes.items()}
        for pipe in connection.wait(list(pipes), self.wait):
            number = pipes[pipe]  # type: ignore[index]
            try:
                kind, what = self._processes[number].pipe.recv()
            except (EOFError, OSError):
                yield self._lost(number)
                continue
            if kind == READY:
                self._processes[number].is_ready, self._stillborn = True, 0
            yield Event(kind, number, what)

    def _lost(self, number: int) -> Event:
        child = self._processes.pop(number)
        child.pipe.close()
        child.process.join()
        if not child.is_ready:
            self._stillborn += 1
            if self._stillborn >= MOST_DEATHS:
                raise WorkError(f"a worker ended before it was ready (exit code {child.process.exitcode})")
        return Event(LOST, number, True)

    def dismiss(self) -> None:
        for child in self._processes.values():
            child.send(("stop", None))
        deadline = time.monotonic() + FAREWELL
        for child in self._processes.values():
            while child.process.is_alive() and time.monotonic() < deadline:
                # An unread result would keep the process from exiting.
                with suppress(EOFError, OSError):
                    if child.pipe.poll(0.02):
                        child.pipe.recv()
                        continue
                child.process.join(0.02)
            child.pipe.close()
            child.process.kill()
            child.process.join()
        self._processes.clear()


# In the worker process


def _serve(pipe: Any, pickled_work: bytes, is_first: bool) -> None:
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
            runner = unpickled(pickled_work).open(lambda word: send(TOLD, word))
        listener.listens_for(runner)
        send(READY)
        while (taken := units.get()) is not None:
            send(DONE, [runner.do(*taken)])
        runner.close()
    except Ended:
        runner.close()
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
        self._runner: UnitRunner[Any, Any] | None = None
        self._is_over = False

    def listens_for(self, runner: UnitRunner[Any, Any]) -> None:
        self._runner = runner
        if self._is_over:
            runner.stop()

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
            if self._runner is not None:
                self._runner.stop()
            self._units.put(None)
