"""From Numba's pages of errors to one line: which game, which function, which line, why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from zerosum.contract import RULES, plain, takes_tables
from zerosum.errors import GameError, KernelError
from zerosum.game import Game
from zerosum.jit.yields import GENERATES

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

    from zerosum.jit.lift import Lifter
    from zerosum.jit.numba_private import REFUSALS, compiled_for, return_type_of
    from zerosum.jit.numba_types import argument_types
    from zerosum.jit.yields import called_form

    function = plain(game.given[rule])
    if not callable(function):
        return
    arguments = argument_types(RULES[rule].arguments, game.state_type)
    if takes_tables(rule, function):
        arguments.append(_tables_type(game))
    try:
        compiled = Lifter(game.state_type).function(function, called_form(rule))
        returned = return_type_of(compiled_for(compiled, tuple(arguments)))
    except (*REFUSALS, KernelError) as problem:
        text = str(problem)
        file, line = _place(text, function)
        raise KernelError(f"{game.name}: {rule} ({file}, line {line}) cannot be compiled: {_reason(text)}") from problem
    wrong = _wrong_return(RULES[rule].returns, returned, game)
    if wrong:
        code = function.__code__
        where = f"{code.co_filename}, line {code.co_firstlineno}"
        raise KernelError(f"{game.name}: {rule} ({where}) {wrong}")


def _wrong_return(kind: str, returned: Any, game: Game) -> str | None:
    """What is wrong with a Numba type as the result of a rule of this kind."""
    from numba import types

    number = (types.Integer, types.Boolean, types.Float)
    # A pair is converted where it is used, and complains there.
    forms: dict[str, tuple[str, Callable[[Any], bool]]] = {
        "State": ("a State", lambda found: _is_state(found, game.state_type.tree)),
        "moves": ("an integer", lambda found: isinstance(found, types.Integer)),
        "set": ("an integer", lambda found: isinstance(found, types.Integer)),
        "pairs": (
            "(outcome, probability)",
            lambda found: (
                _is_tuple(found, 2)
                and isinstance(found[0], types.Integer)
                and isinstance(found[1], (types.Integer, types.Float))
            ),
        ),
        "pair": ("a pair", lambda found: True),
    }
    if game.has("chances"):
        forms["number"] = ("a number", lambda found: isinstance(found, number))
    wanted, fits = forms.get(kind, ("an integer", lambda found: isinstance(found, number[:2])))
    found = getattr(returned, "yield_type", returned)
    verb = "yields" if kind in GENERATES else "returns"
    return None if fits(found) else f"{verb} {found}, not {wanted}"


def _is_state(found: Any, tree: Any) -> bool:
    """Whether a type has the form of a State, with integers of any size in its fields."""
    from numba import types

    if isinstance(tree, str):
        return isinstance(found, (types.Integer, types.Boolean))
    parts = tree[1]
    return _is_tuple(found, len(parts)) and all(map(_is_state, found.types, parts))


def _is_tuple(found: Any, length: int) -> bool:
    from numba import types

    return isinstance(found, types.BaseTuple) and len(found) == length


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
