"""From Numba's pages of errors to one line: which game, which function, which line, why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zerosum.errors import GameError, KernelError
from zerosum.game import ARGUMENTS, Game, plain, takes_tables

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_NOISE = re.compile(
    r"^(During:|File |Failed in |This error|This is|- Resolution|Rejected as|In function|- argument|Overload|"
    r"raised from|Invalid use of type|\d+\.|>>>|For more|<source|\^|def |$)"
)


def refuse_interpreter(game: Game, outside: list[str]) -> None:
    """KernelError if compiled rules would call back into Python, which waits for a lock that it never gets."""
    from zerosum.jit.numba_private import need_interpreter

    if need_interpreter(outside):
        raise KernelError(f"{game.name}: a rule uses print or another service of Python's own; compiled rules cannot")


@contextmanager
def explained(game: Game, uses: tuple[str, ...]) -> Iterator[None]:
    """Turn a Numba error while compiling a kernel into a KernelError about the rule that caused it."""
    from zerosum.jit.numba_private import REFUSALS

    try:
        yield
    except REFUSALS as problem:
        for rule in uses:
            if game.has(rule):
                _try(game, rule)
        raise KernelError(f"{game.name}: cannot be compiled: {_reason(str(problem))}") from problem
    except KernelError as problem:
        raise KernelError(f"{game.name}: {problem}") from problem


def _try(game: Game, rule: str) -> None:
    """Compile one rule alone; KernelError if it cannot be, or returns the wrong thing."""
    from numba import types

    from zerosum.jit.intrinsics import FLOATS
    from zerosum.jit.lift import Lifter
    from zerosum.jit.numba_private import REFUSALS, compiled_for, return_type_of
    from zerosum.jit.numba_types import state_type
    from zerosum.jit.yields import GENERATORS, PLAIN, YIELD

    function = plain(game.given[rule])
    if not callable(function):
        return
    State = state_type(game.state_type)
    first = types.int64 if rule == "unrank" else State  # a tier and an index
    second = FLOATS if rule == "features" else types.int64
    arguments: list[Any] = [first, second][: ARGUMENTS[rule]]
    if takes_tables(rule, function):
        arguments.append(_tables_type(game))
    try:
        compiled = Lifter(game.state_type).function(function, YIELD if rule in GENERATORS else PLAIN)
        returned = return_type_of(compiled_for(compiled, tuple(arguments)))
    except (*REFUSALS, KernelError) as problem:
        text = str(problem)
        file, line = _place(text, function)
        raise KernelError(f"{game.name}: {rule} ({file}, line {line}) cannot be compiled: {_reason(text)}") from problem
    wrong = _wrong_return(rule, returned, State, floats=game.has("chances"))
    if wrong:
        code = function.__code__
        where = f"{code.co_filename}, line {code.co_firstlineno}"
        raise KernelError(f"{game.name}: {rule} ({where}) {wrong}")


def _wrong_return(rule: str, returned: Any, State: Any, floats: bool) -> str | None:
    from numba import types

    if rule in ("play", "skip", "canonical", "refresh", "unrank"):
        if not isinstance(returned, types.BaseTuple) or len(returned) != len(State):
            return f"returns {returned}, not a State"
    elif rule in ("moves", "noisy_moves"):
        yields = getattr(returned, "yield_type", returned)
        if not isinstance(yields, types.Integer):
            return f"yields {yields}, not an integer"
    elif rule == "chances":
        pair = getattr(returned, "yield_type", returned)
        if not (
            isinstance(pair, types.BaseTuple)
            and len(pair) == 2
            and isinstance(pair[0], types.Integer)
            and isinstance(pair[1], (types.Integer, types.Float))
        ):
            return f"yields {pair}, not (outcome, probability)"
    elif rule in ("utility", "evaluate") and floats:
        if not isinstance(returned, (types.Integer, types.Boolean, types.Float)):
            return f"returns {returned}, not a number"
    elif rule != "bounds" and not isinstance(returned, (types.Integer, types.Boolean)):
        return f"returns {returned}, not an integer"
    return None


def _tables_type(game: Game) -> Any:
    from numba import typeof

    return typeof(game.tables)


def _place(text: str, function: Any) -> tuple[str, int]:
    """The last place in a game's own files that the message names, else the function's first line."""
    own = [p for p in _PLACE.findall(text) if "/numba/" not in p[0] and "\\numba\\" not in p[0]]
    if own:
        return own[-1][0], int(own[-1][1])
    return function.__code__.co_filename, function.__code__.co_firstlineno


def _reason(text: str) -> str:
    """The line of a Numba message that says what is wrong."""
    lines = [line.strip() for line in text.splitlines()]
    useful = [line for line in lines if not _NOISE.match(line)]
    for line in useful:
        if "Untyped global name" in line or "an integer is needed" in line or "Unknown attribute" in line:
            return line.rstrip(":")
    return useful[0].rstrip(":") if useful else (lines[0] if lines else "Numba gives no reason")


__all__ = ["GameError", "explained"]
