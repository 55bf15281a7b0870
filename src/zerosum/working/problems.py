"""Problems of workers, for whoever waits for them."""

from __future__ import annotations

import pickle
import traceback


class RemoteTrace(Exception):
    """Where a problem arose, as text: its own trace does not travel."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class Travelled(Exception):
    """A problem that cannot be pickled, by its name and message."""


def sendable(problem: BaseException) -> BaseException:
    """The same problem, or one that says the same, ready for another process."""
    trace = "".join(traceback.format_exception(type(problem), problem, problem.__traceback__))
    try:
        found = pickle.loads(pickle.dumps(problem))
    except Exception:
        found = Travelled(f"{type(problem).__name__}: {problem}")
    return _Sent(found, trace)


class _Sent(Exception):
    """A problem on its way: unpickled, it is the problem itself, caused by its trace."""

    def __init__(self, problem: BaseException, trace: str) -> None:
        super().__init__(str(problem))
        self.problem, self.trace = problem, trace

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (self.problem, self.trace)


def _arrived(problem: BaseException, trace: str) -> BaseException:
    problem.__cause__ = RemoteTrace(trace)
    return problem
