"""Turn Numba's pages of errors into one line: which game, function and line, why, and what to write instead."""

from __future__ import annotations

import ast
import linecache
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

from zerosum.contract import RULES, plain, takes_tables
from zerosum.errors import GameError, KernelError
from zerosum.game import Game
from zerosum.jit.reasons import kind, reason
from zerosum.jit.sources import can_end_without_return, place_of, source_of
from zerosum.jit.yields import GENERATES, PLAIN, called_form, is_generator

_PLACE = re.compile(r'File "([^"]+)", line (\d+)|\bat (\S+\.py) \((\d+)\)|Raised from (\S+) \((\d+)\)')
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_OURS = Path(__file__).parent


def refuse_interpreter(game: Game, outside: list[str]) -> None:
    """Raise KernelError if compiled rules would call back into Python, which would wait forever for the GIL."""
    from zerosum.jit.numba_private import need_interpreter

    if need_interpreter(outside):
        raise KernelError(
            f"{game.name}: a rule needs the Python interpreter, as print, strings and files do; compiled rules cannot "
            "use it: Engine(game, jit=False) runs the plain ones"
        )


def refuse_missing_returns(game: Game, uses: Iterable[str]) -> None:
    """Raise KernelError if a rule that must return something can end without a return."""
    for rule in uses:
        function = plain(game.given[rule]) if game.has(rule) else None
        if not isinstance(function, FunctionType) or is_generator(function) or called_form(rule) != PLAIN:
            continue
        tree = source_of(function)
        if tree is not None and can_end_without_return(tree) and rule != "features":
            never = not any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(tree))
            wanted = game.state_type.State.__name__ if RULES[rule].returns == "State" else "number"
            how = f": it ends without returning a {wanted}" if never else " in some cases: add a return"
            more = "" if never else " at the end for the remaining cases"
            raise KernelError(f"{_under(rule, _first_line(rule, function))} returns nothing{how}{more}")


@contextmanager
def explained(game: Game, uses: tuple[str, ...]) -> Iterator[None]:
    """Turn a Numba error while compiling a kernel into a KernelError about the rule that caused it."""
    from zerosum.jit.numba_private import REFUSALS

    try:
        yield
    except (*REFUSALS, NotImplementedError) as problem:
        raise _refusal(game, uses, problem) from _debugged(problem)
    except KernelError as problem:
        raise KernelError(f"{game.name}: {problem}") from _debugged(problem)


def _debugged(problem: Exception) -> Exception | None:
    """The cause to show with an error: Numba's pages only if somebody debugs the compiler, and otherwise none."""
    return problem if os.environ.get("ZEROSUM_DEBUG") else None


def _refusal(game: Game, uses: tuple[str, ...], problem: Exception) -> KernelError:
    """The KernelError about the rule that Numba cannot compile."""
    try:
        for rule in uses:
            if game.has(rule):
                try_rule(game, rule)
    except KernelError as found:
        return found
    return KernelError(f"{game.name} cannot be compiled: {_explained(game, str(problem), '', None)}")


def try_rule(game: Game, rule: str) -> None:
    """Compile one rule alone; KernelError if that fails, or if it returns the wrong type."""

    from zerosum.jit.lift import Lifter
    from zerosum.jit.numba_private import REFUSALS, compiled_for, return_type_of
    from zerosum.jit.numba_types import argument_types

    function = plain(game.given[rule])
    if not callable(function):
        return
    arguments = argument_types(RULES[rule].arguments, game.state_type)
    if takes_tables(rule, function):
        arguments.append(_tables_type(game))
    try:
        refuse_missing_returns(game, (rule,))
    except KernelError as problem:
        raise KernelError(f"{game.name}: {problem}") from _debugged(problem)
    if called_form(rule) == PLAIN and is_generator(function):
        where = _under(rule, _first_line(rule, function))
        raise KernelError(f"{game.name}: {where} yields, but {rule} must return a single value: use return")
    try:
        compiled = Lifter(game.state_type).function(function, called_form(rule))
        returned = return_type_of(compiled_for(compiled, tuple(arguments)))
    except (*REFUSALS, NotImplementedError, KernelError) as problem:
        why = _under(rule, _explained(game, str(problem), rule, function))
        raise KernelError(f"{game.name}: {why}") from _debugged(problem)
    wrong = _wrong_return(rule, returned, game)
    if wrong:
        raise KernelError(f"{game.name}: {_under(rule, _first_line(rule, function))} {wrong}")


def _under(rule: str, text: str) -> str:
    """A message about a function, preceded by the rule that calls it unless it is that rule."""
    return text if text.startswith(f"{rule} ") else f"{rule}, in {text}"


def _name(rule: str, function: Any) -> str:
    """The function's name; for a lambda, the rule's."""
    name = getattr(function, "__name__", rule)
    return rule if name == "<lambda>" else name


def _first_line(rule: str, function: Any) -> str:
    code = function.__code__
    return f"{_name(rule, function)} ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def _explained(game: Game, text: str, rule: str, function: Any) -> str:
    """The place and reason in a message from Numba: our own words if it contains them, otherwise those of REASONS."""
    from zerosum.jit.refusals import words_in

    text = _COLOURS.sub("", text)  # if colorama is installed, Numba writes in bold
    ours = words_in(text)
    if ours is not None and re.match(r"\S+ \(.*line \d+", ours):
        return ours
    names = {} if function is None else function.__globals__
    why = ours if ours is not None else reason(text, names, game.state_type.classes())
    place = _place(text, rule, function)
    if missing := re.search(r"Untyped global name '(\w+)'|NameError: name '(\w+)'", text):
        name = missing[1] or missing[2]
        why = f"{name} is {why}" if ours is not None else why
        place = _where_named(name, rule, function) or place
    return f"{place}: {why}" if place else why


def _where_named(name: str, rule: str, function: Any) -> str | None:
    """The line of a function that mentions a name."""
    tree = None if function is None else source_of(function)
    if tree is None:
        return None
    lines = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    return place_of(_name(rule, function), function.__code__.co_filename, lines[0]) if lines else None


def _place(text: str, rule: str, function: Any) -> str:
    """The innermost place in a game's own files that a message names, otherwise the function's first line."""
    for found in _PLACE.findall(text):
        file, line = next((found[i], int(found[i + 1])) for i in (0, 2, 4) if found[i])
        path = Path(file)
        if "numba" in path.parts or _OURS in path.absolute().parents or not path.exists():
            continue
        return place_of(_name_at(file, line, rule, function), file, line)
    return "" if function is None else _first_line(rule, function)


def _name_at(file: str, line: int, rule: str, function: Any) -> str:
    """The name of the function at a place."""
    code = getattr(function, "__code__", None)
    if code is not None and Path(file).absolute() == Path(code.co_filename).absolute():
        lines = [at for _, _, at in code.co_lines() if at is not None]
        if lines and min(lines) <= line <= max(lines):
            return _name(rule, function)
    return _function_at(file, line) or "a rule"


def _function_at(file: str, line: int) -> str | None:
    """The name of the innermost function around a line of a file."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return None
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return around[-1].name if around else None


def _wrong_return(rule: str, returned: Any, game: Game) -> str | None:
    """What is wrong with a Numba type as the result of a rule, in words."""
    from numba import types

    number = (types.Integer, types.Boolean, types.Float)
    # A pair is converted where it is used, which reports errors there.
    state = game.state_type.State.__name__
    forms: dict[str, tuple[str, Callable[[Any], bool]]] = {
        "State": (f"a {state}", lambda found: _is_state(found, game.state_type.tree)),
        "moves": ("a whole number", lambda found: isinstance(found, types.Integer)),
        "set": ("a whole number", lambda found: isinstance(found, types.Integer)),
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
    returns = RULES[rule].returns
    wanted, fits = forms.get(returns, ("a whole number", lambda found: isinstance(found, number[:2])))
    found = getattr(returned, "yield_type", returned)
    if fits(found):
        return None
    verb = "yields" if returns in GENERATES else "returns"
    if isinstance(found, types.Optional) and returns != "State" and fits(found.type):
        return None  # treated as a number; None raises an exception at run time
    if isinstance(found, types.NoneType):
        return f"returns nothing: it ends without returning {wanted}"
    if isinstance(found, types.Optional):
        return "returns None in some cases: return a value there"
    if returns == "State" and (field := _wrong_field(found, game)):
        return field
    return f"{verb} {kind(str(found))}, not {wanted}{_hint(rule, found)}"


def _hint(rule: str, found: Any) -> str:
    """The end of a message about a wrong result: what to write instead."""
    from numba import types

    if rule == "to_move":
        return ": return the constant MAX or MIN, or CHANCE when dice are rolled"
    if RULES[rule].returns == "moves":
        if isinstance(found, types.BaseTuple):
            return ": encode (a, b), with b below 64, as a * 64 + b, and decode it with divmod(move, 64)"
        if isinstance(found, types.Float):
            return ": use // to divide"
        return ": yield a number, and write format_move and parse_move to turn it into text like 'a1' and back"
    if isinstance(found, types.Float):
        return ": use // to divide, or int(...), or round(...)"
    return ""


def _wrong_field(found: Any, game: Game) -> str | None:
    """A message about the first field of a State that does not match its annotation, if there is one."""
    from numba import types

    layout = game.state_type
    if not isinstance(found, types.BaseNamedTuple) or len(found) != len(layout.tree[1]):
        return None
    for field, part, tree in zip(layout.State._fields, found.types, layout.tree[1], strict=True):
        if not _is_state(part, tree):
            wanted = "a whole number" if isinstance(tree, str) else f"a tuple of {len(tree[1])}"
            hint = ": use // to divide" if isinstance(part, types.Float) else ""
            hint = hint or (": use tuple(...)" if kind(str(part)) == "a list" else "")
            return f"returns a {layout.State.__name__} whose {field} is {kind(str(part))}, not {wanted}{hint}"
    return None


def _is_state(found: Any, tree: Any) -> bool:
    """Whether a type has the form of a State, with integers of any size in its fields."""
    from numba import types

    if isinstance(tree, str):
        return isinstance(found, (types.Integer, types.Boolean, types.IntEnumMember))
    parts = tree[1]
    return _is_tuple(found, len(parts)) and all(map(_is_state, found.types, parts))


def _is_tuple(found: Any, length: int) -> bool:
    from numba import types

    return isinstance(found, types.BaseTuple) and len(found) == length


def _tables_type(game: Game) -> Any:
    from numba import typeof

    return typeof(game.tables)


__all__ = ["GameError", "explained"]
