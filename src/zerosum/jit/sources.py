"""The source of functions: their syntax trees, and places in them."""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
import textwrap
from pathlib import Path
from types import CodeType, FunctionType

from zerosum.jit.returns import PREFIX
from zerosum.jit.steps import steps_of


def source_of(function: FunctionType) -> ast.FunctionDef | None:
    """The function's syntax tree with its own line numbers; None if its source is not available.

    A function that was made by rewriting carries its tree with it.
    """
    made = getattr(function, "zerosum_tree", None)
    if made is not None:
        return copy.deepcopy(made)  # type: ignore[no-any-return]
    code = function.__code__  # a wrapper has the name and source of the wrapped function, but its own code
    try:
        if code.co_name == "<lambda>":
            return _lambda_of(code)
        lines, first = inspect.getsourcelines(code)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError, IndentationError):
        return None
    ast.increment_lineno(tree, first - 1)
    found = tree.body[0]
    return found if isinstance(found, ast.FunctionDef) and found.name == code.co_name else None


def _lambda_of(code: CodeType) -> ast.FunctionDef | None:
    """A lambda as a function: the one on its line of the file that compiles to its code."""
    for node in ast.walk(ast.parse("".join(inspect.findsource(code)[0]))):
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno and _compiles_to(node, code):
            generates = bool(code.co_flags & inspect.CO_GENERATOR)
            only = ast.Expr(node.body) if generates else ast.Return(node.body)
            made = ast.FunctionDef(f"{PREFIX}lambda", node.args, [ast.copy_location(only, node.body)], [])
            return ast.copy_location(made, node)
    return None


def _compiles_to(node: ast.Lambda, code: CodeType) -> bool:
    """Whether a lambda that closes over the same variables compiles to this code."""
    around = ast.parse(f"def around({', '.join(code.co_freevars)}):\n    return 0")
    function = around.body[0]
    assert isinstance(function, ast.FunctionDef) and isinstance(function.body[0], ast.Return)
    function.body[0].value = node
    outer = next(each for each in compile(around, "", "exec").co_consts if isinstance(each, CodeType))
    made = next(each for each in outer.co_consts if isinstance(each, CodeType) and each.co_name == "<lambda>")
    return _content(made) == _content(code)


def _content(code: CodeType) -> tuple[object, ...]:
    """The content of a code object, without locations, and without the names that Python 3.10 gives inner functions."""
    constants = tuple(
        _content(each) if isinstance(each, CodeType) else (type(each), repr(each))
        for each in code.co_consts
        if "<locals>" not in str(each)
    )
    return steps_of(code), constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def place_of(function: str, file: str, line: int) -> str:
    """A place for messages: function, file and line, with the text of the line.

    >>> place_of("moves", "/games/pile.py", 3)
    'moves (pile.py, line 3)'
    """
    text = " ".join(linecache.getline(file, line).split()) if line > 0 else ""
    shown = f": `{text if len(text) <= 100 else text[:97] + '...'}`" if text else ""
    return f"{function} ({Path(file).name}, line {line}{shown})"


def can_end_without_return(tree: ast.FunctionDef) -> bool:
    """Whether the end of a function's body can be reached, which would return None."""
    return not _always_leaves(tree.body)


def _always_leaves(body: list[ast.stmt]) -> bool:
    return any(map(_leaves, body))


def _leaves(node: ast.stmt) -> bool:
    """Whether nothing after a statement is ever reached."""
    if isinstance(node, (ast.Return, ast.Raise)):
        return True
    if isinstance(node, ast.If):
        return bool(node.orelse) and _always_leaves(node.body) and _always_leaves(node.orelse)
    if isinstance(node, ast.Match):
        last = node.cases[-1]
        is_whole = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
        return is_whole and all(_always_leaves(case.body) for case in node.cases)
    if isinstance(node, (ast.For, ast.While)):
        breaks = any(isinstance(inner, ast.Break) for inner in ast.walk(node))
        for_ever = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        return not breaks and (for_ever or (bool(node.orelse) and _always_leaves(node.orelse)))
    if isinstance(node, (ast.With, ast.Try)):
        return _always_leaves(node.body) and all(_always_leaves(h.body) for h in getattr(node, "handlers", []))
    return False
