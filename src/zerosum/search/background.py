"""Searches in threads of their own, so that the caller can be interrupted, keeps the time, and gets reports."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

STACK = 64 * 2**20
"""Bytes of stack for a thread that searches: a line may be hundreds of plies deep."""


def in_background(
    work: Callable[[Callable[[Any], None]], Any],
    stop: Callable[[], None],
    seconds: float | None = None,
    on_report: Callable[[Any], None] | None = None,
    helpers: tuple[Callable[[], None], ...] = (),
) -> Any:
    """Run ``work(report)`` in a thread and return its result; ``stop()`` is called when time is up.

    Reports are handed to ``on_report`` in the calling thread. Whatever happens there, an interrupt included,
    the search is stopped and has ended when this returns. Helpers run beside the work, and end with it.
    """
    deadline = None if seconds is None else time.perf_counter() + seconds
    messages: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def run() -> None:
        try:
            messages.put(("done", work(lambda result: messages.put(("report", result)))))
        except BaseException as problem:
            messages.put(("failed", problem))

    def aside(helper: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                helper()
            except BaseException as problem:
                messages.put(("failed", problem))

        return run

    threads = [_start(run), *(_start(aside(helper)) for helper in helpers)]
    try:
        while True:
            left = None if deadline is None else max(0.0, deadline - time.perf_counter())
            try:
                kind, content = messages.get(timeout=left)
            except queue.Empty:
                stop()
                deadline = None
                continue
            if kind == "done":
                return content
            if kind == "failed":
                raise content
            if on_report is not None:
                on_report(content)
    finally:
        stop()
        for thread in threads:
            thread.join()


def each_in_background(
    function: Callable[[Any], Any], items: Iterable[Any], stop: Callable[[], None], seconds: float | None = None
) -> Iterator[Any]:
    """``function`` of each item, computed in one thread and handed over one by one.

    ``stop()`` is called when an item has taken ``seconds``, and when the caller wants no more.
    """
    messages: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    wanted = True

    def run() -> None:
        try:
            for item in items:
                if seconds is not None:
                    messages.put(("begun", time.perf_counter()))
                messages.put(("result", function(item)))
                if not wanted:
                    break
            messages.put(("done", None))
        except BaseException as problem:
            messages.put(("failed", problem))

    thread = _start(run)
    deadline = None
    try:
        while True:
            left = None if deadline is None else max(0.0, deadline - time.perf_counter())
            try:
                kind, content = messages.get(timeout=left)
            except queue.Empty:
                stop()
                deadline = None
                continue
            if kind == "begun":
                deadline = content + (seconds or 0.0)
            elif kind == "result":
                deadline = None
                yield content
            elif kind == "failed":
                raise content
            else:
                return
    finally:
        wanted = False
        stop()
        thread.join()


@contextmanager
def beside(*helpers: Callable[[], None]) -> Iterator[None]:
    """Run helpers in threads of their own; leaving waits for them, so they must have been told to stop."""
    threads = [_start(helper) for helper in helpers]
    try:
        yield
    finally:
        for thread in threads:
            thread.join()


class _Thread:
    """A thread that waits for work, does it, and waits again: starting one costs more than a short search."""

    idle: ClassVar[list[_Thread]] = []

    def __init__(self) -> None:
        self.work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.finished = threading.Semaphore(0)
        before = threading.stack_size(STACK)
        try:
            threading.Thread(target=self._loop, daemon=True).start()
        finally:
            threading.stack_size(before)

    def _loop(self) -> None:
        while True:
            self.work.get()()
            self.finished.release()

    def join(self) -> None:
        self.finished.acquire()
        _Thread.idle.append(self)


def _start(run: Callable[[], None]) -> _Thread:
    try:
        thread = _Thread.idle.pop()
    except IndexError:
        thread = _Thread()
    thread.work.put(run)
    return thread
