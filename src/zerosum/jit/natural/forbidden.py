"""Things that compiled rules cannot do, refused by name, with what to write instead."""

from __future__ import annotations

import ast
import enum
from collections import Counter, defaultdict
from collections.abc import Hashable
from types import ModuleType
from typing import Any

from zerosum.jit.fingerprint import is_foreign
from zerosum.jit.natural.scope import MISSING, Scope

PURE = "rules must not"

CALLS: dict[Any, str] = {
    print: "compiled rules cannot print: Engine(game, jit=False) runs them uncompiled, where print works",
    input: "a rule cannot ask for input: it depends only on its arguments and on constants",
    open: "a rule cannot read files: read them when the module is loaded, and keep what you need as a constant",
    breakpoint: "breakpoint() works only in plain rules: use Engine(game, jit=False)",
    eval: "eval cannot be compiled: write the expression",
    exec: "exec cannot be compiled: write the statements",
    getattr: "getattr cannot be compiled: write s.field, or keep the fields in a tuple and index that",
    setattr: "setattr cannot be compiled, and a State never changes: use s._replace(field=value)",
    globals: "globals() cannot be compiled: name the constant that you mean",
    defaultdict: "defaultdict is not supported in compiled rules: count in a list, [0] * n",
    Counter: "Counter is not supported in compiled rules: use items.count(x), or count in a list, [0] * n",
}

MODULES = {
    "random": "a rule must return the same result each time: chance belongs in chances(s), which yields outcomes with "
    "their probabilities",
    "secrets": "a rule must return the same result each time: chance belongs in chances(s)",
    "time": "a rule cannot read the time: count moves in the State, or use clock(s)",
    "datetime": "a rule cannot read the time: count moves in the State, or use clock(s)",
    "copy": "a State never changes and does not have to be copied: use s._replace(field=value), or list(s.board)",
    "json": "compiled rules cannot process text: do that when the module is loaded, and keep the results as constants",
    "re": "compiled rules cannot process text: do that when the module is loaded, and keep the results as constants",
    "logging": "compiled rules cannot log: Engine(game, jit=False) runs the plain ones",
    "collections": "this class of collections is not supported in compiled rules: use lists, tuples or NumPy arrays",
    "heapq": "heapq is not supported in compiled rules: use sorted(items), or min(items)",
    "bisect": "bisect is not supported in compiled rules: write the loop",
}

STATEMENTS: dict[type, str] = {
    ast.With: "'with' cannot be compiled, and rules cannot open files: read them when the module is loaded",
    ast.ClassDef: "a class cannot be defined inside a rule: move it to the top level of the module",
    ast.AsyncFunctionDef: "'async' cannot be used in rules",
    ast.Await: "'await' cannot be used in rules",
    ast.AsyncFor: "'async' cannot be used in rules",
    ast.Nonlocal: "rules must not change variables of the function around them: return the new value instead",
}


def forbidden_statement(scope: Scope, node: ast.AST) -> None:
    """Raise KernelError for a statement that a compiled rule must not contain."""
    if type(node) in STATEMENTS:
        scope.refuse(node, STATEMENTS[type(node)])
    if isinstance(node, ast.Global):
        names = " and ".join(node.names)
        scope.refuse(
            node, f"rules must not change the module-level {names}: what changes in a game must be a field of the State"
        )
    if isinstance(node, ast.ExceptHandler) and node.type is not None:
        kind = ast.unparse(node.type)
        if kind != "Exception":
            scope.refuse(node, f"'except {kind}' cannot be compiled: test for it with 'if' before it happens")
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        for target in getattr(node, "targets", None) or [node.target]:  # type: ignore[union-attr]
            _forbid_change(scope, target)
    if isinstance(node, ast.JoinedStr):
        scope.refuse(node, "f-strings cannot be compiled: use them only in functions that display, such as show(s)")


def _forbid_change(scope: Scope, target: ast.AST) -> None:
    if isinstance(target, ast.Attribute) and scope.resolve(target.value) is MISSING:
        owner = ast.unparse(target.value)
        scope.refuse(
            target,
            f"{owner}.{target.attr} cannot be assigned: a State never changes; "
            f"write {owner} = {owner}._replace({target.attr}=...)",
        )
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        known = scope.resolve(target.value)
        if isinstance(known, (list, dict)):
            scope.refuse(
                target,
                f"rules must not change the module-level {target.value.id}: keep what changes in the State, or "
                f"change a copy, list({target.value.id})",
            )
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Attribute):
        text = ast.unparse(target.value)
        if scope.resolve(target.value) is MISSING and isinstance(target.value.value, ast.Name):
            field = target.value.attr
            scope.refuse(
                target,
                f"{text} is a tuple, which never changes: write b = list({text}), change b, "
                f"and s._replace({field}=tuple(b)); or zs.replace({text}, i, value)",
            )


def forbidden_call(scope: Scope, node: ast.Call) -> None:
    """Raise KernelError for a call that compiled code cannot make."""
    function: Any = scope.resolve(node.func)
    if function is MISSING or not isinstance(function, Hashable):
        return
    if function in CALLS:
        scope.refuse(node, CALLS[function])
    if isinstance(function, type) and not is_foreign(function) and not _is_compilable(function):
        name = function.__name__
        scope.refuse(node, f"{name} is a class whose objects compiled rules cannot create: use a NamedTuple instead")
    module = getattr(function, "__module__", None)
    owner = scope.resolve(node.func.value) if isinstance(node.func, ast.Attribute) else None
    if isinstance(owner, ModuleType):
        module = owner.__name__
    elif module is None and (bound := getattr(function, "__self__", None)) is not None:
        module = type(bound).__module__  # random.choice is a method
    if module in MODULES and not _is_known(function):
        scope.refuse(node, MODULES[module])


def _is_compilable(cls: type) -> bool:
    return issubclass(cls, enum.Enum) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))


def _is_known(function: Any) -> bool:
    from collections import deque

    return function is deque or (isinstance(function, type) and hasattr(function, "_fields"))
