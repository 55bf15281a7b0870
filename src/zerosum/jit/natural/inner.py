"""Turn functions inside a rule into module-level functions, which get the variables they use as arguments."""

from __future__ import annotations

import ast
import copy
from typing import Any

from zerosum.jit.natural.scope import Scope, arguments_named, at, free_names, walk_here
from zerosum.jit.returns import PREFIX


def lift_inner(scope: Scope, tree: ast.FunctionDef) -> bool:
    """Lift out all functions and named lambdas that are only called or passed on; whether there were any."""
    found = {}
    for statement in tree.body:
        for node in walk_here(statement):
            lifted = _as_function(node)
            if lifted is not None and _can_be_lifted(lifted, tree):
                found[lifted.name] = (lifted, node)
    if not found:
        return False
    free = {name: free_names(lifted) for name, (lifted, _) in found.items()}
    for _ in found:  # an inner function may call another that uses more variables
        for name in found:
            free[name] |= set().union(*(free[other] for other in free[name] & set(found)))
    more = {name: sorted(n for n in names if scope.is_local(n) and n not in found) for name, names in free.items()}
    prefix = f"{PREFIX}{tree.name.removeprefix(PREFIX)}_"
    calls = _Calls(prefix, more, {name: len(lifted.args.args) for name, (lifted, _) in found.items()})
    gone = {node for _, node in found.values()}
    tree.body = [new for statement in tree.body if (new := _Without(gone).visit(statement)) is not None] or [ast.Pass()]
    calls.visit(tree)
    for name, (lifted, node) in found.items():
        calls.visit(lifted)
        lifted.args = arguments_named([*(a.arg for a in lifted.args.args), *more[name]])
        lifted.name = f"{prefix}{name}"
        lifted.decorator_list, lifted.returns = [], None
        scope.define(at(node, lifted))
        scope.own.discard(name)
    return True


def _as_function(node: ast.AST) -> ast.FunctionDef | None:
    if isinstance(node, ast.FunctionDef):
        return copy.deepcopy(node)
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ast.Name):
            body: list[ast.stmt] = [at(node, ast.Return(copy.deepcopy(node.value.body)))]
            lifted = ast.FunctionDef(target.id, copy.deepcopy(node.value.args), body, [])
            return at(node, lifted)
    return None


def _can_be_lifted(lifted: ast.FunctionDef, tree: ast.FunctionDef) -> bool:
    given = lifted.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults or lifted.decorator_list:
        return False
    if any(isinstance(node, (ast.Nonlocal, ast.FunctionDef)) for node in ast.walk(lifted) if node is not lifted):
        return False
    binds = sum(
        (isinstance(node, ast.FunctionDef) and node.name == lifted.name)
        or (isinstance(node, ast.Name) and node.id == lifted.name and isinstance(node.ctx, ast.Store))
        for node in ast.walk(tree)
    )
    keywords = any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == lifted.name and node.keywords
        for node in ast.walk(tree)
    )
    returned = any(
        isinstance(node, ast.Return) and isinstance(node.value, ast.Name) and node.value.id == lifted.name
        for node in ast.walk(tree)
    )
    return binds == 1 and not keywords and not returned


class _Without(ast.NodeTransformer):
    """Replaces statements with ``pass``."""

    def __init__(self, gone: set[ast.AST]) -> None:
        self.gone = gone

    def visit(self, node: ast.AST) -> Any:
        if node in self.gone:
            return ast.copy_location(ast.Pass(), node)
        return super().visit(node)


class _Calls(ast.NodeTransformer):
    """Adds the extra arguments to calls, and turns a function that is passed on into a lambda."""

    def __init__(self, prefix: str, more: dict[str, list[str]], counts: dict[str, int]) -> None:
        self.prefix = prefix
        self.more = more
        self.counts = counts

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id in self.more:
            name = node.func.id
            node.args = [self.visit(argument) for argument in node.args]
            node.args += [at(node, ast.Name(extra, ast.Load())) for extra in self.more[name]]
            node.func = at(node, ast.Name(f"{self.prefix}{name}", ast.Load()))
            return node
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id not in self.more or not isinstance(node.ctx, ast.Load):
            return node
        names = [f"{PREFIX}given{i}" for i in range(self.counts[node.id])]
        arguments: list[ast.expr] = [ast.Name(name, ast.Load()) for name in (*names, *self.more[node.id])]
        call = ast.Call(ast.Name(f"{self.prefix}{node.id}", ast.Load()), arguments, [])
        return at(node, ast.Lambda(arguments_named(names), call))
