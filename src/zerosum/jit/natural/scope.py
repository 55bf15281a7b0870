"""The scope of a rule: what its names refer to, and the helpers that its rewriting adds."""

from __future__ import annotations

import ast
import builtins
import copy
import itertools
from collections.abc import Hashable, Iterable, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any, NoReturn, TypeVar

from zerosum.contract import plain
from zerosum.errors import KernelError
from zerosum.jit.fingerprint import closure_of, is_foreign
from zerosum.jit.returns import PREFIX
from zerosum.jit.sources import place_of

Node = TypeVar("Node", bound=ast.AST)

MISSING = object()
"""Marks a value that is not known before the game runs."""

CONSTANTS = (int, float, str, tuple, list, range, dict, set, frozenset, type(None))

PURE = {
    *(range, len, tuple, list, set, frozenset, dict, sorted, zip, enumerate, reversed, min, max, sum, abs, divmod),
    *(itertools.product, itertools.combinations, itertools.permutations, itertools.pairwise, itertools.chain),
    itertools.combinations_with_replacement,
}
"""Functions that may be called with constants before the game runs."""

SIMPLE = (
    *(ast.Constant, ast.Name, ast.Attribute, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Call),
    *(ast.Starred, ast.keyword, ast.operator, ast.unaryop, ast.expr_context, ast.Subscript),
)

MOST = 4096
"""The most items of a constant that is computed here."""


class Scope:
    """The names that a function sees, and those that its rewriting adds."""

    def __init__(self, function: FunctionType, classes: Mapping[str, type]) -> None:
        code = function.__code__
        self.function = function
        self.own = {*code.co_varnames, *code.co_cellvars}
        self.names: dict[str, Any] = {**function.__globals__, **closure_of(function)}
        self.classes = [*classes.values(), *(value for value in self.names.values() if is_state_class(value))]
        self.bound: list[set[str]] = []  # variables of comprehensions and lambdas around the current place

    def refuse(self, place: ast.AST, why: str) -> NoReturn:
        code = self.function.__code__
        name = getattr(self.function, "zerosum_name", code.co_name)
        raise KernelError(f"{place_of(name, code.co_filename, getattr(place, 'lineno', code.co_firstlineno))}: {why}")

    def is_local(self, name: str) -> bool:
        return name in self.own or any(name in names for names in self.bound)

    def resolve(self, node: ast.AST) -> Any:
        """The object that an expression always refers to; MISSING if that is not known."""
        if isinstance(node, ast.Name) and not self.is_local(node.id):
            return plain(self.names.get(node.id, getattr(builtins, node.id, MISSING)))
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value)
            if isinstance(owner, (ModuleType, type)):
                return plain(getattr(owner, node.attr, MISSING))
        return MISSING

    def value_of(self, node: ast.AST) -> Any:
        """The value of an expression that consists of constants; MISSING for any other."""
        for inner in ast.walk(node):
            if not isinstance(inner, SIMPLE) or (isinstance(inner, ast.Call) and not self._is_pure(inner.func)):
                return MISSING
        for inner in _operands(node):
            known = self.resolve(inner)
            if known is MISSING or not isinstance(known, CONSTANTS):
                return MISSING
        scope = {name: value for name, value in self.names.items() if not self.is_local(name)}
        try:
            expression = ast.fix_missing_locations(ast.Expression(copy.deepcopy(node)))  # type: ignore[arg-type]
            found: Any = eval(compile(expression, "<constant>", "eval"), scope)
            found = found if isinstance(found, CONSTANTS) else list(itertools.islice(found, MOST + 1))
        except Exception:  # Python will report the error when the rule runs
            return MISSING
        return found if not hasattr(found, "__len__") or len(found) <= MOST else MISSING

    def _is_pure(self, function: ast.expr) -> bool:
        known = self.resolve(function)
        return isinstance(known, Hashable) and known in PURE

    def bind(self, value: Any, hint: str) -> str:
        """A name for a value."""
        for name, known in self.names.items():
            if known is value and name.startswith(PREFIX) and not self.is_local(name):
                return name
        number = next(n for n in itertools.count(1) if f"{PREFIX}{hint}{n}" not in self.names)
        self.names[f"{PREFIX}{hint}{number}"] = value
        return f"{PREFIX}{hint}{number}"

    def constant(self, value: Any, like: ast.AST) -> ast.expr:
        """An expression for a constant."""
        if isinstance(value, (int, float, str, bool, type(None))):
            return ast.copy_location(ast.Constant(value), like)
        return at(like, ast.Name(self.bind(value, "constant"), ast.Load()))

    def call(self, function: Any, arguments: list[ast.expr], like: ast.AST) -> ast.Call:
        """A call of a function that the rewriting adds."""
        name = self.bind(function, function.__name__)
        return at(like, ast.Call(ast.Name(name, ast.Load()), arguments, []))

    def helper(
        self, hint: str, body: list[Any], like: ast.AST, parameters: Iterable[str] = ()
    ) -> tuple[str, list[str]]:
        """A function with this body, and the local names that it takes besides its own parameters."""
        parameters = list(parameters)
        made = ast.FunctionDef("", arguments_named(parameters), body, [])
        free = sorted(name for name in free_names(made) if self.is_local(name))
        number = next(n for n in itertools.count(1) if f"{PREFIX}{hint}{n}" not in self.names)
        made.name = f"{PREFIX}{hint}{number}"
        made.args = arguments_named([*parameters, *free])
        self.define(at(like, made))
        return made.name, free

    def helper_call(self, hint: str, body: list[Any], like: ast.AST) -> ast.Call:
        """Define a function with this body; a call of it."""
        name, free = self.helper(hint, body, like)
        return at(like, ast.Call(ast.Name(name, ast.Load()), [ast.Name(n, ast.Load()) for n in free], []))

    def define(self, tree: ast.FunctionDef, defaults: Any = None) -> FunctionType:
        """The function of a syntax tree, bound to its name in this scope."""
        code = self.function.__code__
        made = FunctionType(compiled(tree, code.co_filename), self.names, tree.name, defaults)
        made.__module__ = self.function.__module__
        made.zerosum_tree = tree  # type: ignore[attr-defined]
        made.zerosum_name = getattr(self.function, "zerosum_name", code.co_name)  # type: ignore[attr-defined]
        self.names[tree.name] = made
        return made


def is_state_class(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


def is_recursive(function: Any) -> bool:
    """Whether a function of a game calls itself."""
    if not isinstance(function, FunctionType) or is_foreign(function):
        return False
    name = function.__name__
    if name not in function.__code__.co_names and name not in function.__code__.co_freevars:
        return False
    return plain({**function.__globals__, **closure_of(function)}.get(name)) is function


def _operands(node: ast.AST) -> Iterable[ast.AST]:
    """The names and attributes in an expression that are not called, and whole attributes rather than their parts."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.Call) and child is node.func):
            yield from _operands(child)


def compiled(tree: ast.FunctionDef, file: str) -> CodeType:
    """The code of a function at module level."""
    module = ast.fix_missing_locations(ast.Module([copy.deepcopy(tree)], []))
    outer = compile(module, file, "exec", dont_inherit=True)
    # Found by name: from Python 3.14 on, annotations have code objects of their own.
    return next(c for c in outer.co_consts if isinstance(c, CodeType) and c.co_name == tree.name)


def arguments_named(names: Iterable[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


def at(place: ast.AST, made: Node) -> Node:
    """A new piece of a tree, with the location of an old node wherever it has none of its own."""
    for node in ast.walk(made):
        if "lineno" in node._attributes and not hasattr(node, "lineno"):
            ast.copy_location(node, place)
    return made


def targets_of(node: ast.AST) -> set[str]:
    """The names that a target binds."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def bound_in(comprehension: Any) -> set[str]:
    return {name for generator in comprehension.generators for name in targets_of(generator.target)}


COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


def free_names(node: ast.AST) -> set[str]:
    """The names that a piece of a tree reads but does not bind in a scope of its own."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    inner: set[str] = set().union(*map(free_names, ast.iter_child_nodes(node)))
    if isinstance(node, COMPREHENSIONS):
        return (inner - bound_in(node)) | free_names(node.generators[0].iter)
    if isinstance(node, (ast.Lambda, ast.FunctionDef)):
        taken = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        if isinstance(node, ast.FunctionDef):
            taken |= {node.name} | assigned_in(node.body)
            first = _read_before(node)
            return (inner - taken) | (first - {a.arg for a in node.args.args})
        return inner - taken
    return inner


def assigned_in(body: list[Any]) -> set[str]:
    """The names that statements bind in the function around them."""
    found: set[str] = set()
    for statement in body:
        for node in walk_here(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.FunctionDef):
                found.add(node.name)
    return found


def _read_before(node: ast.FunctionDef) -> set[str]:
    """Names that a helper's first loop reads although the loop binds them: ``(x for x in x)``."""
    first = next((statement for statement in node.body if isinstance(statement, ast.For)), None)
    return free_names(first.iter) & assigned_in([first]) if first is not None else set()


def walk_here(node: ast.AST) -> Iterable[ast.AST]:
    """The node and everything inside it, except inside functions, lambdas and comprehensions, which have own scopes."""
    yield node
    if isinstance(node, (ast.FunctionDef, ast.Lambda, *COMPREHENSIONS)):
        return
    for child in ast.iter_child_nodes(node):
        yield from walk_here(child)


class Renaming(ast.NodeTransformer):
    """Renames variables."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node
