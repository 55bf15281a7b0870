"""Sends exceptions from workers to the caller."""

from __future__ import annotations

import pickle
import traceback


class RemoteTrace(Exception):
    """The traceback of a problem as text, since a traceback cannot be pickled."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class Travelled(Exception):
    """The name and message of a problem that cannot be pickled."""


def sendable(problem: BaseException) -> BaseException:
    """The same problem, or one with the same message, ready to be sent to another process."""
    trace = "".join(traceback.format_exception(type(problem), problem, problem.__traceback__))
    try:
        found = pickle.loads(pickle.dumps(problem))
    except Exception:
        found = Travelled(f"{type(problem).__name__}: {problem}")
    return _Sent(found, trace)


class _Sent(Exception):
    """A problem in transit: unpickling it gives the problem itself, with its traceback as the cause."""

    def __init__(self, problem: BaseException, trace: str) -> None:
        super().__init__(str(problem))
        self.problem, self.trace = problem, trace

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (self.problem, self.trace)


def _arrived(problem: BaseException, trace: str) -> BaseException:
    problem.__cause__ = RemoteTrace(trace)
    return problem
