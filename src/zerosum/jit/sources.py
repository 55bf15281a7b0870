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
    """A lambda as a function: the innermost one of its file that holds all places that its code comes from."""
    places = [((a, c), (b, d)) for a, b, c, d in code.co_positions() if None not in (a, b, c, d) and (a, c) != (b, d)]
    found = None
    for node in ast.walk(ast.parse("".join(inspect.findsource(code)[0]))):
        if isinstance(node, ast.Lambda):
            body = node.body
            start, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
            if places and all(start <= first and last <= end for first, last in places):
                found = node  # inner ones come later in the walk
    if found is None or [a.arg for a in found.args.args] != list(code.co_varnames[: code.co_argcount]):
        return None
    generates = bool(code.co_flags & inspect.CO_GENERATOR)
    only = ast.Expr(found.body) if generates else ast.Return(found.body)
    made = ast.FunctionDef(f"{PREFIX}lambda", found.args, [ast.copy_location(only, found.body)], [])
    return ast.copy_location(made, found)


def place_of(function: str, file: str, line: int) -> str:
    """Where something stands, with the text of the line.

    >>> place_of("moves", "/games/pile.py", 3)
    'moves (pile.py, line 3)'
    """
    text = " ".join(linecache.getline(file, line).split()) if line > 0 else ""
    shown = f": `{text if len(text) <= 100 else text[:97] + '...'}`" if text else ""
    return f"{function} ({Path(file).name}, line {line}{shown})"
