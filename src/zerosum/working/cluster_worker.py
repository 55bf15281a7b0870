"""A worker of a cluster, on its node."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from zerosum.errors import ZerosumError
from zerosum.jit import store
from zerosum.working.nodes import Pace, pace
from zerosum.working.pickling import clean_up, unpickled
from zerosum.working.problems import sendable
from zerosum.working.team import DONE, PROBLEM, READY
from zerosum.working.work import Ended, UnitRunner

UNFIT = "unfit"
"""The answer of a worker that cannot do the work because of its node, for example because a program is missing."""

Kernels = dict[str, bytes]
"""Compiled kernels, by the names of their files."""


class ClusterWorker:
    """A Ray actor. It never raises: it returns problems as answers, so an error from Ray means that it died."""

    def __init__(self) -> None:
        self._runner: UnitRunner[Any, Any] | None = None
        self._reports: list[Any] = []

    def open(self, pickled_work: bytes, is_timed: bool, kernels: Kernels | None) -> tuple[str, Any]:
        """Get ready. Returns READY with the pace, if that matters; or UNFIT or PROBLEM with the exception."""
        try:
            _keep(kernels or {})
            self._runner = unpickled(pickled_work).open(self._reports.append)
            return READY, pace() if is_timed else Pace(0.0, 1.0)
        except ZerosumError as problem:
            return UNFIT, sendable(problem)
        except BaseException as problem:
            return PROBLEM, sendable(problem)

    def kernels(self) -> Kernels:
        """The compiled kernels that this process has used, for other nodes with the same kind of processor."""
        found = {}
        for digest in sorted(store.used):
            path = store.folder() / f"{digest}{store.SUFFIX}"
            if path.is_file():
                found[path.name] = path.read_bytes()
        return found

    def do(self, units: Iterable[Any], seconds: float) -> tuple[list[tuple[str, Any, list[Any]]], float]:
        """Do units, at least one, until there is a problem or the time is over.

        Returns what ``_do`` returns for each unit, and the seconds for all.
        """
        began, answers, passed = time.perf_counter(), [], 0.0
        for unit in units:
            answers.append(self._do(unit))
            passed = time.perf_counter() - began
            if answers[-1][0] == PROBLEM or passed >= seconds:
                break
        return answers, passed

    def _do(self, unit: Any) -> tuple[str, Any, list[Any]]:
        """Do a unit. Returns DONE with the result, or PROBLEM, and the reports sent in the meantime."""
        assert self._runner is not None
        try:
            answer = DONE, self._runner.do(unit)
        except Ended:
            answer = DONE, None  # the caller no longer waits for it
        except BaseException as problem:
            answer = PROBLEM, sendable(problem)
        reports, self._reports[:] = list(self._reports), []
        return *answer, reports

    def stop(self) -> None:
        """Stop the running unit, and clean up."""
        if self._runner is not None:
            self._runner.stop()
            self._runner.close()
        clean_up()


def _keep(kernels: Kernels) -> None:
    """Put kernels of another node into this node's cache; invalid ones are compiled again."""
    for name, content in kernels.items():
        if not (store.folder() / name).exists():
            store.accept(Path(name).name, content)
