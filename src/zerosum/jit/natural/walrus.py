"""Turn ``:=`` into an assignment before the statement, and keep what is evaluated, and in which order."""

from __future__ import annotations

import ast
from typing import Any

from zerosum.jit.natural.scope import Scope, at, walk_here
from zerosum.jit.returns import PREFIX


def has_walrus(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.NamedExpr) for inner in walk_here(node))


class Walrus(ast.NodeTransformer):
    """Rewrites all statements of a function."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.count = 0

    def rewrite(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        tree.body = self.block(tree.body)
        return tree

    def block(self, body: list[Any]) -> list[Any]:
        return [new for statement in body for new in self.statement(statement)]

    def statement(self, node: Any) -> list[Any]:
        for field in ("body", "orelse", "finalbody"):
            if isinstance(getattr(node, field, None), list) and not isinstance(node, ast.FunctionDef):
                setattr(node, field, self.block(getattr(node, field)))
        for handler in getattr(node, "handlers", []):
            handler.body = self.block(handler.body)
        if isinstance(node, ast.While) and has_walrus(node.test):
            before, test = self.lowered(node.test)
            leave = at(node, ast.If(ast.UnaryOp(ast.Not(), test), [*node.orelse, ast.Break()], []))
            return [at(node, ast.While(ast.Constant(True), [*before, leave, *node.body], []))]
        made: list[Any] = []
        for field in ("test", "value", "iter", "exc", "subject"):
            part = getattr(node, field, None)
            if isinstance(part, ast.expr) and has_walrus(part) and not isinstance(node, ast.While):
                before, part = self.lowered(part)
                made += before
                setattr(node, field, part)
        return [*made, node]

    def lowered(self, node: ast.expr) -> tuple[list[Any], ast.expr]:
        """Statements to run first, and the expression without ``:=``."""
        if not has_walrus(node):
            return [], node
        if isinstance(node, ast.NamedExpr):
            before, value = self.lowered(node.value)
            assign = at(node, ast.Assign([ast.Name(node.target.id, ast.Store())], value))
            return [*before, assign], at(node, ast.Name(node.target.id, ast.Load()))
        if isinstance(node, ast.BoolOp):
            return self._chosen(node)
        if isinstance(node, ast.IfExp):
            return self._either(node)
        made: list[Any] = []
        for name, part in ast.iter_fields(node):
            if isinstance(part, ast.expr):
                before, new = self.lowered(part)
                made += before
                setattr(node, name, new)
            elif isinstance(part, list):
                for i, item in enumerate(part):
                    inner = item.value if isinstance(item, ast.keyword) else item
                    if isinstance(inner, ast.expr):
                        before, new = self.lowered(inner)
                        made += before
                        if isinstance(item, ast.keyword):
                            item.value = new
                        else:
                            part[i] = new
        return made, node

    def _name(self) -> str:
        self.count += 1
        return f"{PREFIX}test{self.count}"

    def _set(self, name: str, value: ast.expr, node: ast.AST) -> Any:
        return at(node, ast.Assign([ast.Name(name, ast.Store())], value))

    def _chosen(self, node: ast.BoolOp) -> tuple[list[Any], ast.expr]:
        """``a and b``: b and its assignments are evaluated only if a is true; for ``or``, only if a is false."""
        name = self._name()
        before, first = self.lowered(node.values[0])
        made = [*before, self._set(name, first, node)]
        block = made
        for value in node.values[1:]:
            before, later = self.lowered(value)
            test: ast.expr = ast.Name(name, ast.Load())
            test = test if isinstance(node.op, ast.And) else ast.UnaryOp(ast.Not(), test)
            choice = at(node, ast.If(test, [*before, self._set(name, later, node)], []))
            block.append(choice)
            block = choice.body
        return made, at(node, ast.Name(name, ast.Load()))

    def _either(self, node: ast.IfExp) -> tuple[list[Any], ast.expr]:
        name = self._name()
        before, test = self.lowered(node.test)
        sides = []
        for side in (node.body, node.orelse):
            first, value = self.lowered(side)
            sides.append([*first, self._set(name, value, node)])
        return [*before, at(node, ast.If(test, *sides))], at(node, ast.Name(name, ast.Load()))
