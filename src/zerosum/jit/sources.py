"""Where functions stand: their syntax trees, and places in them."""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
import textwrap
from pathlib import Path
from types import CodeType, FunctionType

from zerosum.jit.returns import PREFIX


def source_of(function: FunctionType) -> ast.FunctionDef | None:
    """The function's syntax tree with its own line numbers; None where its source is not to be had.

    A function that a rewriting has made brings its tree along.
    """
    made = getattr(function, "zerosum_tree", None)
    if made is not None:
        return copy.deepcopy(made)  # type: ignore[no-any-return]
    code = function.__code__  # a function that wraps another has the other's name and source, but its own code
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
    """A lambda as a function."""
    arguments = list(code.co_varnames[: code.co_argcount])
    tree = ast.parse("".join(inspect.findsource(code)[0]))
    found = _lambda_at(code, [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)])
    if found is None or [a.arg for a in found.args.args] != arguments:
        return None
    generates = bool(code.co_flags & inspect.CO_GENERATOR)
    only = ast.Expr(found.body) if generates else ast.Return(found.body)
    made = ast.FunctionDef(f"{PREFIX}lambda", found.args, [ast.copy_location(only, found.body)], [])
    return ast.copy_location(made, found)


def _lambda_at(code: CodeType, lambdas: list[ast.Lambda]) -> ast.Lambda | None:
    """The innermost lambda that holds all places that its code comes from.

    Python 3.10 tells no places, and 3.12 none of code that only returns a constant: then the only one of its line, or
    the one that becomes the same code.
    """
    told = code.co_positions() if hasattr(code, "co_positions") else ()
    places = [((a, c), (b, d)) for a, b, c, d in told if None not in (a, b, c, d) and (a, c) != (b, d)]
    if not places:
        here = [node for node in lambdas if node.lineno == code.co_firstlineno]
        return here[0] if len(here) == 1 else next((node for node in here if _makes(node, code)), None)
    found = None
    for node in lambdas:
        body = node.body
        start, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
        if all(start <= first and last <= end for first, last in places):
            found = node  # inner ones come later in the walk
    return found


def _makes(node: ast.Lambda, code: CodeType) -> bool:
    """Whether a lambda becomes this code."""

    def facts(one: CodeType) -> tuple[object, ...]:
        return one.co_code, one.co_varnames, one.co_names, repr(one.co_consts)

    parts = compile(ast.Expression(node), "", "eval").co_consts
    return any(facts(part) == facts(code) for part in parts if isinstance(part, CodeType))


def place_of(function: str, file: str, line: int) -> str:
    """Where something stands, with the text of the line.

    >>> place_of("moves", "/games/pile.py", 3)
    'moves (pile.py, line 3)'
    """
    text = " ".join(linecache.getline(file, line).split()) if line > 0 else ""
    shown = f": `{text if len(text) <= 100 else text[:97] + '...'}`" if text else ""
    return f"{function} ({Path(file).name}, line {line}{shown})"


def can_end_without_return(tree: ast.FunctionDef) -> bool:
    """Whether the end of a function's body can be reached: then it returns None."""
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
