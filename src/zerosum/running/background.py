"""Run searches in their own threads, so that the calling thread can be interrupted, keep time and receive reports."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from zerosum.errors import LimitError
from zerosum.running.stopping import Stop

STACK = 64 * 2**20
"""Bytes of stack for a thread that searches: a line may be hundreds of plies deep."""

LONGEST_WAIT = 0.2
"""Seconds of one wait for a message. Longer times are waited for in parts: on Windows, Ctrl-C is heard only between
waits."""

MOST_IDLE = 8
"""Most threads that wait for the next search; any others end, which frees their stacks."""


def in_background(
    work: Callable[[Callable[[Any], None]], Any],
    stop: Callable[[], None],
    seconds: float | None = None,
    on_report: Callable[[Any], None] | None = None,
    helpers: tuple[Callable[[], None], ...] = (),
) -> Any:
    """Run ``work(report)`` in a thread and return its result; ``stop()`` is called when time is up.

    Reports are passed to ``on_report`` in the calling thread. Whatever happens there, including an interrupt,
    the search is stopped and has ended when this returns. Helpers run alongside the work, and end with it. An exception
    in any of the threads is raised here, even if the work itself succeeded.
    """
    deadline = None if seconds is None else time.perf_counter() + seconds
    messages: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def whole() -> None:
        messages.put(("done", work(lambda result: messages.put(("report", result)))))

    def reporting(function: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                function()
            except BaseException as problem:
                messages.put(("failed", problem))

        return run

    tasks: list[_Task] = []
    try:
        for function in (whole, *helpers):
            tasks.append(_start(reporting(function)))
        while True:
            try:
                kind, content = messages.get(timeout=_wait(deadline))
            except queue.Empty:
                if _is_past(deadline):
                    stop()
                    deadline = None
                continue
            if kind == "done":
                break
            if kind == "failed":
                raise content
            if on_report is not None:
                on_report(content)
    finally:
        _end(tasks, stop)
    while not messages.empty():  # a helper may have failed at the very end
        kind, problem = messages.get()
        if kind == "failed":
            raise problem
    return content


def each_in_background(
    function: Callable[[Any, Stop, Callable[[Any], None]], Any],
    items: Iterable[Any],
    stop: Stop,
    seconds: float | None = None,
    on_report: Callable[[Any], None] | None = None,
) -> Iterator[Any]:
    """The results of ``function(item, ending, report)``, computed in one thread and yielded one by one.

    ``ending`` is set when the item has taken ``seconds``, or when ``stop`` is set; after a stop no other item follows.
    ``stop`` is set when the caller closes the iterator. Reports are passed to ``on_report`` in the caller's thread.
    """
    messages: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def report(content: Any) -> None:
        messages.put(("report", content))

    def run() -> None:
        try:
            for item in items:
                with stop.part() as ending:
                    if seconds is not None:
                        messages.put(("begun", (time.perf_counter() + seconds, ending)))
                    messages.put(("result", function(item, ending, report)))
                if stop.is_set():
                    break
            messages.put(("done", None))
        except BaseException as problem:
            messages.put(("failed", problem))

    task = _start(run)
    deadline, ending = None, Stop()
    try:
        while True:
            try:
                kind, content = messages.get(timeout=_wait(deadline))
            except queue.Empty:
                if _is_past(deadline):
                    ending.set()
                    deadline = None
                continue
            if kind == "begun":
                deadline, ending = content
            elif kind == "report":
                if on_report is not None:
                    on_report(content)
            elif kind == "result":
                deadline = None
                yield content
            elif kind == "failed":
                raise content
            else:
                return
    finally:
        _end([task], stop.set)


def reported_in_background(work: Callable[[Callable[[Any], None]], None], stop: Callable[[], None]) -> Iterator[Any]:
    """The reports of ``work(report)``, which runs in its own thread, as they come.

    ``stop()`` is called when the caller closes the iterator; when the iterator has ended, so has the work.
    """
    messages: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def run() -> None:
        try:
            work(lambda report: messages.put(("report", report)))
            messages.put(("done", None))
        except BaseException as problem:
            messages.put(("failed", problem))

    task = _start(run)
    try:
        while True:
            try:
                kind, content = messages.get(timeout=LONGEST_WAIT)
            except queue.Empty:
                continue
            if kind == "failed":
                raise content
            if kind == "done":
                return
            yield content
    finally:
        _end([task], stop)


def together(works: Sequence[Callable[[], Any]], stop: Callable[[], None]) -> list[Any]:
    """Run all ``works`` at the same time, the first in this thread, the others in their own; return the results.

    If one fails, ``stop()`` is called so that the others end soon; its exception is raised when they have ended.
    """
    results: list[Any] = [None] * len(works)
    problems: list[BaseException] = []

    def noted(place: int) -> Callable[[], None]:
        def run() -> None:
            try:
                results[place] = works[place]()
            except BaseException as problem:
                problems.append(problem)
                stop()

        return run

    tasks: list[_Task] = []
    try:
        for place in range(1, len(works)):
            tasks.append(_start(noted(place)))
        noted(0)()
        for task in tasks:
            task.wait()
    except BaseException:  # no more threads available, or an interrupt
        _end(tasks, stop)
        raise
    if problems:
        raise problems[0]
    return results


def _wait(deadline: float | None) -> float:
    """Seconds to wait for a message until the deadline, or for a part of that time."""
    return LONGEST_WAIT if deadline is None else min(max(0.0, deadline - time.perf_counter()), LONGEST_WAIT)


def _is_past(deadline: float | None) -> bool:
    return deadline is not None and time.perf_counter() >= deadline


class _Task:
    """Work for another thread."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work: Callable[[], None] | None = work
        self.problem: BaseException | None = None
        self.running = threading.Lock()
        self.running.acquire()

    def do(self) -> None:
        assert self.work is not None
        try:
            self.work()
        except BaseException as problem:  # whatever happens, ``wait`` must raise it
            self.problem = problem
        self.work = None  # free what it refers to now, not when the next work arrives

    def wait(self) -> None:
        """Wait until the work is done; raise its exception, if any. It can be called again after an interrupt."""
        with self.running:
            pass
        if self.problem is not None:
            raise self.problem


class _Thread:
    """A thread that waits for work, does it, and waits again, because starting one costs more than a short search."""

    idle: ClassVar[list[_Thread]] = []

    def __init__(self) -> None:
        self.tasks: queue.SimpleQueue[_Task] = queue.SimpleQueue()
        before = threading.stack_size(STACK)
        self.thread = threading.Thread(target=self._loop, name="zerosum-worker", daemon=True)
        try:
            self.thread.start()
        except RuntimeError as problem:
            raise LimitError(f"cannot start another thread ({problem}): use fewer threads") from problem
        finally:
            threading.stack_size(before)

    def _loop(self) -> None:
        is_surplus = False
        while not is_surplus:
            task = self.tasks.get()
            task.do()
            # Before the task counts as done, so that the next search finds this thread.
            _Thread.idle.append(self)
            if len(_Thread.idle) > MOST_IDLE:
                with contextlib.suppress(ValueError):  # it has been given another task already
                    _Thread.idle.remove(self)
                    is_surplus = True
            task.running.release()
            del task


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Thread.idle.clear)  # a forked process has no threads but the one that forked it


def _start(work: Callable[[], None]) -> _Task:
    """Do this work in a thread; the caller must wait for it with ``_end``."""
    try:
        thread = _Thread.idle.pop()
    except IndexError:
        thread = _Thread()
    task = _Task(work)
    thread.tasks.put(task)
    return task


def _end(tasks: Sequence[_Task], stop: Callable[[], None]) -> None:
    """Stop the tasks and wait until they are done, despite an interrupt meanwhile; a second one ends the waiting."""
    try:
        _stop(tasks, stop)
    except BaseException:
        _stop(tasks, stop)
        raise


def _stop(tasks: Sequence[_Task], stop: Callable[[], None]) -> None:
    stop()
    for task in tasks:
        task.wait()
