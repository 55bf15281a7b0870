"""Methods, properties and constants of the State's class, as rules use them."""

from __future__ import annotations

import ast
import inspect
from types import FunctionType, ModuleType
from typing import Any

from zerosum.jit.natural.scope import MISSING, Scope, at, is_state_class

PYTHONS = frozenset(dir(tuple)) | {"_replace", "_make", "_asdict", "_fields", "_field_defaults"}


class Members:
    """The members that the classes of the State define besides their fields, by name."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.known: dict[str, Any] = {}
        self.twice: set[str] = set()
        fields = {field for cls in scope.classes for field in cls._fields}
        for cls in scope.classes:
            for name, member in own_members(cls).items():
                if name in fields:
                    continue
                if self.known.get(name, member) is not member:
                    self.twice.add(name)
                self.known[name] = member

    def read(self, node: ast.Attribute) -> ast.expr | None:
        """The expression for reading a property or a constant of the class."""
        member = self._member(node)
        if member is MISSING or not isinstance(node.ctx, ast.Load):
            return None
        if isinstance(member, property):
            if self._is_class(node.value) or member.fget is None:
                return None
            return self.scope.call(member.fget, [node.value], node)
        if isinstance(member, (FunctionType, staticmethod, classmethod)):
            return None
        return self.scope.constant(member, node)

    def called(self, node: ast.Call) -> ast.expr | None:
        """The expression for calling a method."""
        if not isinstance(node.func, ast.Attribute):
            return None
        member = self._member(node.func)
        if isinstance(member, classmethod):
            self.scope.refuse(
                node,
                f"{ast.unparse(node.func)} is a classmethod, which cannot be compiled: make it a staticmethod",
            )
        if isinstance(member, staticmethod):
            function, first = member.__func__, []
        elif isinstance(member, FunctionType):
            function, first = member, [] if self._is_class(node.func.value) else [node.func.value]
        else:
            return None
        name = self.scope.bind(function, "method_")
        return at(node, ast.Call(ast.Name(name, ast.Load()), [*first, *node.args], node.keywords))

    def _is_class(self, node: ast.expr) -> bool:
        return is_state_class(self.scope.resolve(node))

    def _member(self, node: ast.Attribute) -> Any:
        owner = self.scope.resolve(node.value)
        if is_state_class(owner):
            return own_members(owner).get(node.attr, MISSING)
        if node.attr not in self.known or isinstance(owner, (ModuleType, type)):
            return MISSING
        if node.attr in self.twice:
            self.scope.refuse(node, f"two classes define {node.attr}: give one of them another name")
        return self.known[node.attr]


def own_members(cls: type) -> dict[str, Any]:
    """The members that the author of a NamedTuple class has written besides its fields."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base in (tuple, object):
            continue
        for name, member in vars(base).items():
            if name in PYTHONS or name.startswith("__") or name in cls._fields or inspect.isgetsetdescriptor(member):  # type: ignore[attr-defined]
                continue
            found[name] = member
    return found
