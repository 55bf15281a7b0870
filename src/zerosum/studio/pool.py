"""Threads that handle requests, and end with the process.

Those of ``ThreadPoolExecutor`` keep the process until their work is done, and a rule of a user's game may never end:
Ctrl-C would not end the studio.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

Job = tuple["Future[Any]", Callable[[], Any]]


class Pool(Executor):
    """At most ``most`` threads, started when they are needed.

    >>> with Pool(2, "adders") as pool:
    ...     pool.submit(sum, [3, 4]).result()
    7
    """

    def __init__(self, most: int, name: str) -> None:
        self.most, self.name = most, name
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """Call the function in one of the threads."""
        future: Future[Any] = Future()
        self._jobs.put((future, lambda: function(*arguments, **options)))
        with self._lock:
            if not self._idle.acquire(blocking=False) and len(self._threads) < self.most:
                name = f"{self.name}-{len(self._threads)}"
                self._threads.append(threading.Thread(target=self._run, name=name, daemon=True))
                self._threads[-1].start()
        return future

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, call = job
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except BaseException as problem:  # the caller's to handle
                    future.set_exception(problem)
            del job, future, call  # free what they refer to now, not when the next job arrives
            self._idle.release()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End each thread after the jobs that wait; do not wait for it without ``wait``."""
        with self._lock:
            for _ in self._threads:
                self._jobs.put(None)
            while wait and self._threads:
                self._threads.pop().join()
