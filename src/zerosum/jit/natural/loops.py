"""Loops to replace ``any``, ``all``, ``sum``, ``min``, ``max``, ``sorted`` and the like over generator expressions.

Each becomes a call of a helper function that contains the loops. The call takes the place of the expression, so what is
evaluated, and in which order, does not change.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from zerosum.jit.natural.scope import Renaming, Scope, at
from zerosum.jit.returns import PREFIX

# Different from the names of ``yields.py``, which may rewrite the same function later.
ITEM, VALUE, BEST, BEST_VALUE = (
    f"{PREFIX}its_item",
    f"{PREFIX}its_value",
    f"{PREFIX}its_best",
    f"{PREFIX}its_best_value",
)
FOUND, TOTAL, AT, OUT = f"{PREFIX}its_found", f"{PREFIX}its_total", f"{PREFIX}its_at", f"{PREFIX}its_out"


class Source:
    """The items of a loop: an expression for each item, and the loops around it."""

    def __init__(self, item: ast.expr, generators: list[ast.comprehension]) -> None:
        self.item = item
        self.generators = generators

    def loops(self, body: list[Any], like: ast.AST) -> list[Any]:
        for generator in reversed(self.generators):
            for test in reversed(generator.ifs):
                body = [at(like, ast.If(copy.deepcopy(test), body, []))]
            body = [at(like, ast.For(copy.deepcopy(generator.target), copy.deepcopy(generator.iter), body, []))]
        return body

    @property
    def is_filtered(self) -> bool:
        return any(generator.ifs for generator in self.generators)


def statements(text: str, like: ast.AST, **parts: Any) -> list[Any]:
    """The statements of a text, with the names in ``parts`` replaced by expressions."""

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> Any:
            return copy.deepcopy(parts[node.id]) if node.id in parts else node

    made = [Fill().visit(statement) for statement in ast.parse(text).body]
    for statement in made:
        for node in ast.walk(statement):
            if "lineno" in node._attributes:
                ast.copy_location(node, like)
    return made


def source_of(scope: Scope, node: ast.expr) -> Source | None:
    """The loops of a comprehension, of ``map`` or of ``filter``; None for anything else."""
    if isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
        return Source(node.elt, node.generators)
    if not isinstance(node, ast.Call) or node.keywords or len(node.args) < 2:
        return None
    function = scope.resolve(node.func)
    if function is map:
        return _of_map(scope, node)
    if function is filter and len(node.args) == 2:
        item = ast.Name(ITEM, ast.Load())
        test = item if _is_none(node.args[0]) else applied(node.args[0], [item])
        generator = ast.comprehension(ast.Name(ITEM, ast.Store()), node.args[1], [test], 0)
        return Source(at(node, item), [at(node, generator)])
    return None


def _of_map(scope: Scope, node: ast.Call) -> Source:
    names = [f"{ITEM}{i}" for i in range(len(node.args) - 1)]
    loads: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
    stores: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    over = node.args[1] if len(names) == 1 else ast.Call(ast.Name("zip", ast.Load()), node.args[1:], [])
    target = stores[0] if len(names) == 1 else ast.Tuple(stores, ast.Store())
    generator = ast.comprehension(target, over, [], 0)
    return Source(at(node, applied(node.args[0], loads)), [at(node, generator)])


def any_source(scope: Scope, node: ast.expr) -> Source:
    """``source_of``, but for anything that can be looped over."""
    found = source_of(scope, node)
    if found is not None:
        return found
    generator = ast.comprehension(ast.Name(ITEM, ast.Store()), node, [], 0)
    return Source(at(node, ast.Name(ITEM, ast.Load())), [at(node, generator)])


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def applied(function: ast.expr, arguments: list[ast.expr]) -> ast.expr:
    """A function, written as a lambda or in any other form, applied to arguments."""
    if isinstance(function, ast.Lambda) and len(function.args.args) == len(arguments) and not function.args.defaults:
        names = {a.arg: n.id for a, n in zip(function.args.args, arguments, strict=True) if isinstance(n, ast.Name)}
        if len(names) == len(arguments):
            return Renaming(names).visit(copy.deepcopy(function.body))  # type: ignore[no-any-return]
    if isinstance(function, ast.Attribute) and function.attr == "__getitem__" and len(arguments) == 1:
        return ast.Subscript(copy.deepcopy(function.value), arguments[0], ast.Load())
    if isinstance(function, ast.Call) and ast.unparse(function.func).endswith("itemgetter") and len(function.args) == 1:
        return ast.Subscript(arguments[0], copy.deepcopy(function.args[0]), ast.Load())
    return ast.Call(copy.deepcopy(function), arguments, [])


# One function for each builtin: the body of its helper


def any_body(source: Source, like: ast.AST) -> list[Any]:
    return [
        *source.loops(statements("if item:\n    return True", like, item=source.item), like),
        *statements("return False", like),
    ]


def all_body(source: Source, like: ast.AST) -> list[Any]:
    return [
        *source.loops(statements("if not item:\n    return False", like, item=source.item), like),
        *statements("return True", like),
    ]


def sum_body(source: Source, start: ast.expr, like: ast.AST, operation: str = "+") -> list[Any]:
    step = statements(f"{TOTAL} = {TOTAL} {operation} (item)", like, item=source.item)
    return [
        *statements(f"{TOTAL} = start", like, start=start),
        *source.loops(step, like),
        *statements(f"return {TOTAL}", like),
    ]


def reduce_body(source: Source, function: ast.expr, start: ast.expr | None, like: ast.AST) -> list[Any]:
    joined = applied(function, [ast.Name(TOTAL, ast.Load()), ast.Name(VALUE, ast.Load())])
    item = statements(f"{VALUE} = item", like, item=source.item)
    if start is not None:
        step = [*item, *statements(f"{TOTAL} = joined", like, joined=joined)]
        return [
            *statements(f"{TOTAL} = start", like, start=start),
            *source.loops(step, like),
            *statements(f"return {TOTAL}", like),
        ]
    step = [
        *item,
        *statements(
            f"if not {FOUND}:\n    {TOTAL} = {VALUE}\n    {FOUND} = True\nelse:\n    {TOTAL} = joined",
            like,
            joined=joined,
        ),
    ]
    return [
        *statements(f"{FOUND} = False", like),
        *source.loops(step, like),
        *statements(f"return {TOTAL}", like),
    ]


def best_body(source: Source, key: ast.expr | None, other: ast.expr | None, sign: str, like: ast.AST) -> list[Any]:
    """The first item with the largest or smallest key: ``sign`` is > or <. Without items, ``other`` or an error."""
    step = statements(f"{ITEM}_ = item", like, item=source.item)
    item = ast.Name(f"{ITEM}_", ast.Load())
    step += statements(f"{VALUE} = key", like, key=item if key is None or _is_none(key) else applied(key, [item]))
    step += statements(
        f"if not {FOUND}:\n    {BEST} = {ITEM}_\n    {BEST_VALUE} = {VALUE}\n    {FOUND} = True\n"
        f"elif {VALUE} {sign} {BEST_VALUE}:\n    {BEST} = {ITEM}_\n    {BEST_VALUE} = {VALUE}",
        like,
    )
    if other is None:
        end = statements(f"if not {FOUND}:\n    raise ValueError\nreturn {BEST}", like)
    else:
        end = statements(f"if {FOUND}:\n    return {BEST}\nreturn other", like, other=other)
    return [*statements(f"{FOUND} = False", like), *source.loops(step, like), *end]


def next_body(source: Source, other: ast.expr | None, like: ast.AST) -> list[Any]:
    end = statements("raise ValueError", like) if other is None else statements("return other", like, other=other)
    return [*source.loops(statements("return item", like, item=source.item), like), *end]


def sorted_body(source: Source, key: ast.expr | None, reverse: bool, like: ast.AST) -> list[Any]:
    """Insertion sort of all items into a list: stable, and fast enough for the few items that rules sort."""
    item, sign = ast.Name(f"{ITEM}_", ast.Load()), "<" if reverse else ">"
    value = item if key is None or _is_none(key) else applied(key, [item])
    step = [
        *statements(f"{ITEM}_ = item", like, item=source.item),
        *statements(f"{VALUE} = value", like, value=value),
        *statements(
            f"""
{AT} = len({OUT})
{OUT}.append({ITEM}_)
{BEST}.append({VALUE})
while {AT} > 0 and {BEST}[{AT} - 1] {sign} {VALUE}:
    {OUT}[{AT}] = {OUT}[{AT} - 1]
    {BEST}[{AT}] = {BEST}[{AT} - 1]
    {AT} -= 1
{OUT}[{AT}] = {ITEM}_
{BEST}[{AT}] = {VALUE}
""",
            like,
        ),
    ]
    return [
        *statements(f"{OUT} = []\n{BEST} = []", like),
        *source.loops(step, like),
        *statements(f"return {OUT}", like),
    ]


def made_body(source: Source, start: str, step: str, like: ast.AST, **parts: Any) -> list[Any]:
    """A list, set or dictionary built item by item."""
    return [
        *statements(f"{OUT} = {start}", like),
        *source.loops(statements(step, like, item=source.item, **parts), like),
        *statements(f"return {OUT}", like),
    ]


def while_body(source: Source, test: ast.expr, like: ast.AST) -> list[Any]:
    """The items up to the first for which a test is false."""
    item = ast.Name(f"{ITEM}_", ast.Load())
    step = statements(f"{ITEM}_ = item", like, item=source.item)
    step += statements(f"if not test:\n    return\nyield {ITEM}_", like, test=applied(test, [item]))
    return source.loops(step, like)


def yield_body(source: Source, like: ast.AST) -> list[Any]:
    return source.loops(statements("yield item", like, item=source.item), like)


def like_body(source: Source, pattern: ast.expr, put: str, ready: str, like: ast.AST) -> list[Any]:
    """A tuple of the same length as ``pattern``, built item by item."""
    step = statements(f"{OUT} = {put}({OUT}, {AT}, item)\n{AT} += 1", like, item=source.item)
    return [
        *statements(f"{OUT} = {ready}(pattern)\n{AT} = 0", like, pattern=pattern),
        *source.loops(step, like),
        *statements(f"return {OUT}", like),
    ]
