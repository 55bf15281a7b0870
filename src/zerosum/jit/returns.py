"""Turn functions that return lists into the generators that the rest of the compiler needs.

``as_generator`` turns a function that returns its moves (a list, a tuple, a range, a comprehension, a generator, the
result of a helper) into one that yields the same moves in the same order. A list that is built with ``append`` and
returned becomes ``yield`` too, so that no list is ever created.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any, NoReturn, TypeGuard

PREFIX = "_zs_"  # of every name that a rewrite adds

LISTS = ("list", "tuple", "iter")
"""Builtins that yield what they are given."""

SETS = (ast.Set, ast.SetComp, ast.Dict, ast.DictComp)

Refuse = Callable[[ast.AST, str], NoReturn]


def as_generator(
    tree: ast.FunctionDef, generates: bool, nothing: str, known: set[str], refuse: Refuse
) -> ast.FunctionDef:
    """The function with every ``return`` of moves written as statements that yield them; likewise every ``yield from``.

    Args:
        tree: the function; it is changed.
        generates: whether it is a generator already; then its return values are ignored.
        nothing: the statement for returning None, which is an error in plain Python, and must be one here.
        known: names that the function or its module defines, and that therefore are not builtins.
        refuse: raises the error for a place that cannot be rewritten.
    """
    if not generates:
        built = _Built.of(tree)
        if built is not None:
            built.rewrite(tree)
    rewrite = _Returns(generates, nothing, known, refuse)
    tree.body = rewrite.block(tree.body)
    if not generates:
        tree.body.append(statement(nothing, tree.body[-1]))  # reached only without a return
    return tree


def statement(text: str, like: ast.AST) -> Any:
    """The first statement of a text, with the source location of ``like``."""
    parsed = ast.parse(text).body[0]
    for node in ast.walk(parsed):
        ast.copy_location(node, like)
    return parsed


class _Returns(ast.NodeTransformer):
    def __init__(self, generates: bool, nothing: str, known: set[str], refuse: Refuse) -> None:
        self.generates = generates
        self.nothing = nothing
        self.known = known
        self.refuse = refuse
        self.loops = 0

    def block(self, body: list[Any]) -> list[Any]:
        found: list[Any] = []
        for inner in body:
            new = self.visit(inner)
            found += new if isinstance(new, list) else [new]
        return found

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node  # an inner function has its own returns

    visit_Lambda = visit_FunctionDef  # type: ignore[assignment]

    def visit_Return(self, node: ast.Return) -> Any:
        if self.generates:
            return node
        finish = ast.copy_location(ast.Return(None), node)
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            return [statement(self.nothing, node), finish]
        return [*self.each(node.value, node), finish]

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.YieldFrom):
            return self.each(node.value.value, node) or ast.copy_location(ast.Pass(), node)
        return node

    def each(self, source: ast.expr, node: ast.stmt) -> list[Any]:
        """Statements that yield all of ``source``."""
        if isinstance(source, (ast.List, ast.Tuple)):
            return [inner for item in source.elts for inner in self.one(item, node)]
        if isinstance(source, (ast.ListComp, ast.GeneratorExp)):
            return self.comprehension(source, node)
        if isinstance(source, ast.IfExp):
            choice = ast.If(source.test, self.each(source.body, node), self.each(source.orelse, node))
            # If nothing is yielded, the branch is empty.
            choice.body = choice.body or [ast.copy_location(ast.Pass(), node)]
            return [ast.copy_location(choice, node)]
        if isinstance(source, SETS) or self.calls(source, ("set", "frozenset", "dict")):
            self.refuse(source, "a set has no order: return a list")
        if self.calls(source, LISTS):
            return self.each(source.args[0], node) if source.args else []
        if self.calls(source, ("filter",), 2) and len(source.args) == 2:
            return self.filtered(source.args[0], source.args[1], node)
        if isinstance(source, ast.BinOp) and isinstance(source.op, ast.Add) and _is_list(source.left, source.right):
            return [*self.each(source.left, node), *self.each(source.right, node)]
        delegate = statement("yield from 0", node)
        delegate.value.value = source
        return [delegate]

    def one(self, item: ast.expr, node: ast.stmt) -> list[Any]:
        """Statements that yield an item of a list, or all of ``*item``."""
        if isinstance(item, ast.Starred):
            return self.each(item.value, node)
        one = statement("yield 0", node)
        one.value.value = item
        return [one]

    def filtered(self, test: ast.expr, source: ast.expr, node: ast.stmt) -> list[Any]:
        """``filter(test, source)`` as a loop."""
        self.loops += 1
        item = f"{PREFIX}{self.loops}_item"
        loop = statement(f"for {item} in 0:\n    if test({item}):\n        yield {item}", node)
        loop.iter = source
        loop.body[0].test.func = test
        return [loop]

    def calls(self, source: ast.expr, functions: tuple[str, ...], most: int = 1) -> TypeGuard[ast.Call]:
        """Whether it is a call of one of Python's own functions, with at most this many arguments."""
        return (
            isinstance(source, ast.Call)
            and isinstance(source.func, ast.Name)
            and source.func.id in functions
            and source.func.id not in self.known
            and len(source.args) <= most
            and not source.keywords
        )

    def comprehension(self, source: ast.ListComp | ast.GeneratorExp, node: ast.stmt) -> list[Any]:
        """A comprehension as loops. Its variables are local to it, so they are renamed."""
        self.loops += 1
        source = copy.deepcopy(source)
        first = source.generators[0].iter
        bound = {n.id for g in source.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        outside = {id(n) for n in ast.walk(first)}  # the first source is looked up before any of them is bound
        for inner in ast.walk(source):
            if id(inner) in outside:
                continue
            if isinstance(inner, ast.Name) and inner.id in bound:
                inner.id = f"{PREFIX}{self.loops}_{inner.id}"
            elif isinstance(inner, ast.arg) and inner.arg in bound:  # of a lambda
                inner.arg = f"{PREFIX}{self.loops}_{inner.arg}"
        body = self.one(source.elt, node)
        for generator in reversed(source.generators):
            if generator.is_async:
                self.refuse(source, "'async' cannot be used in rules")
            for test in reversed(generator.ifs):
                body = [ast.copy_location(ast.If(test, body, []), node)]
            body = [ast.copy_location(ast.For(generator.target, generator.iter, body, []), node)]
        return body


class _Built:
    """A list that a function starts empty, appends to, and returns: its moves, in that order."""

    def __init__(self, name: str, start: ast.stmt) -> None:
        self.name = name
        self.start = start

    @classmethod
    def of(cls, tree: ast.FunctionDef) -> _Built | None:
        """The one such list of a function that is used for nothing else; None if there is none."""
        for node in tree.body:
            target, value = _assigned(node)
            if target is not None and isinstance(value, ast.List) and not value.elts:
                built = cls(target, node)
                return built if built.is_plain(tree) else None
        return None

    def is_plain(self, tree: ast.FunctionDef) -> bool:
        """Whether each use is a statement that adds to the list or returns it, and nothing else is returned later."""
        uses = _mentions(tree, self.name)
        functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
        if any(_mentions(node, self.name) for node in functions if node is not tree):
            return False
        adding = [node for node in ast.walk(tree) if self.added(node) is not None]
        returning = [node for node in ast.walk(tree) if self.is_returned(node)]
        if not returning or uses != 1 + len(adding) + len(returning):
            return False
        return self._returns_nothing_else(tree.body, adding)

    def _returns_nothing_else(self, body: list[Any], adding: list[Any]) -> bool:
        """Whether no other return follows an addition, in the text or in the next iteration of a loop."""
        first = min((node.lineno for node in adding), default=0)
        inside: list[tuple[ast.AST, bool]] = [(node, False) for node in body]
        while inside:
            node, looped = inside.pop()
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                continue
            if isinstance(node, ast.Return) and not self.is_returned(node) and (looped or node.lineno >= first > 0):
                return False
            if isinstance(node, (ast.For, ast.While)):
                looped = looped or any(inner in adding for inner in ast.walk(node))
            inside += [(inner, looped) for inner in ast.iter_child_nodes(node)]
        return True

    def is_returned(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Return) and isinstance(node.value, ast.Name) and node.value.id == self.name

    def added(self, node: ast.AST) -> ast.expr | None:
        """What a statement adds to the list: ``[x]`` for ``append(x)``, all of ``x`` for ``extend(x)``."""
        call = node.value if isinstance(node, ast.Expr) else None
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id == self.name
            and call.func.attr in ("append", "extend")
            and len(call.args) == 1
            and not call.keywords
        ):
            item = call.args[0]
            return ast.copy_location(ast.List([item], ast.Load()), item) if call.func.attr == "append" else item
        if (
            isinstance(node, ast.AugAssign)
            and isinstance(node.op, ast.Add)
            and isinstance(node.target, ast.Name)
            and node.target.id == self.name
        ):
            return node.value
        return None

    def rewrite(self, tree: ast.FunctionDef) -> None:
        built = self

        class Rewrite(ast.NodeTransformer):
            def generic_visit(self, node: ast.AST) -> Any:
                source = built.added(node)
                if source is not None:
                    delegate = statement("yield from 0", node)
                    delegate.value.value = source
                    return delegate
                if node is built.start:
                    return ast.copy_location(ast.Pass(), node)
                if built.is_returned(node):
                    return ast.copy_location(ast.Return(ast.copy_location(ast.Tuple([], ast.Load()), node)), node)
                return super().generic_visit(node)

        Rewrite().visit(tree)


def _is_list(*sides: ast.expr) -> bool:
    """Whether a sum adds lists: it does if one of its sides is written as a list."""
    return any(isinstance(side, (ast.List, ast.ListComp)) for side in sides)


def _mentions(tree: ast.AST, name: str) -> int:
    return sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))


def _assigned(node: ast.stmt) -> tuple[str | None, ast.expr | None]:
    """The name and the value of an assignment to one name."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id, node.value
    return None, None
