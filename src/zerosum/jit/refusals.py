"""Functions and constants that cannot be compiled: when Numba reaches one, it reports that in our words."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from numba.extending import overload, typeof_impl

from zerosum.jit.numba_private import TypingError

MARK, END = "[zerosum: ", " :zerosum]"
"""The marks around our own words in a message from Numba."""


class Refused:
    """A placeholder for a constant that compiled code cannot hold."""

    def __init__(self, why: str) -> None:
        self.why = why


@typeof_impl.register(Refused)  # type: ignore[untyped-decorator]
def _type_of_refused(value: Any, c: Any) -> Any:
    raise TypingError(marked(value.why))


def marked(why: str) -> str:
    return f"{MARK}{why}{END}"


def words_in(text: str) -> str | None:
    """Our own words in a message from Numba, if there are any."""
    if MARK not in text:
        return None
    return " ".join(text.partition(MARK)[2].partition(END)[0].split())


def refusal(why: str, function: FunctionType, is_called_alike: bool) -> Any:
    """A function that cannot be compiled, with the parameters of ``function``, and of a buffer if it fills one."""
    code, defaults = function.__code__, function.__defaults__ or ()
    names = [f"a{i}" for i in range(code.co_argcount)]
    if not is_called_alike:
        names = [*names[: len(names) - len(defaults)], "out", "at", "end"]

    def refused() -> Any:
        raise NotImplementedError

    @overload(refused)
    def never():
        raise TypingError(marked(why))

    scope: dict[str, Any] = {"refused": refused}
    exec(f"def refuse({', '.join(names)}):\n    return refused()", scope)
    scope["refuse"].__defaults__ = defaults if is_called_alike else None
    return scope["refuse"]
