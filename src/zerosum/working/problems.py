"""Sends exceptions from workers to the caller, and says which line of a game file they come from."""

from __future__ import annotations

import os
import pickle
import traceback


class RemoteTrace(Exception):
    """The traceback of a problem as text, since a traceback cannot be pickled, and the place in a game file."""

    def __init__(self, trace: str, place: str) -> None:
        super().__init__(trace, place)
        self.trace, self.place = trace, place

    def __str__(self) -> str:
        return f"\n{self.trace}"


class Travelled(Exception):
    """The name and message of a problem that cannot be pickled."""


def sendable(problem: BaseException) -> BaseException:
    """The same problem, or one with the same message, ready to be sent to another process."""
    trace = "".join(traceback.format_exception(type(problem), problem, problem.__traceback__))
    try:
        found = pickle.loads(pickle.dumps(problem))
    except Exception:
        found = Travelled(f"{type(problem).__name__}: {problem}")
    return _Sent(found, trace, place_in_game_file(problem))


class _Sent(Exception):
    """A problem in transit: unpickling it gives the problem itself, with its traceback as the cause."""

    def __init__(self, problem: BaseException, trace: str, place: str) -> None:
        super().__init__(str(problem))
        self.problem, self.trace, self.place = problem, trace, place

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (self.problem, self.trace, self.place)


def _arrived(problem: BaseException, trace: str, place: str) -> BaseException:
    problem.__cause__ = RemoteTrace(trace, place)
    return problem


def place_in_game_file(problem: BaseException) -> str:
    """The innermost line of a game file in the exception's traceback, or in that of the worker it comes from, or ''."""
    if isinstance(problem.__cause__, RemoteTrace):
        return problem.__cause__.place
    place, trace = "", problem.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        # The name under which zerosum.games runs a file.
        if str(frame.f_globals.get("__name__", "")).startswith("zerosum_file_"):
            code = frame.f_code
            place = f"{os.path.basename(code.co_filename)}, line {trace.tb_lineno}, in {code.co_name}"
        trace = trace.tb_next
    return place
