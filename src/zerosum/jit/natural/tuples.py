"""Tuples that are copied to lists, changed, and turned back into tuples: compiled, they stay tuples throughout.

A list that a function makes from a tuple (``b = list(s.board)``) and uses only to read items, change items and call
``tuple(b)`` is kept as a tuple: ``b[i] = x`` becomes ``b = put(b, i, x)``. If it turns out to be made from something
other than a tuple, ``ready`` and ``put`` create and change a list.
"""

from __future__ import annotations

import ast
import copy
import itertools
from typing import Any

from zerosum.errors import GameError
from zerosum.jit import sequences
from zerosum.jit.natural.loops import Source, like_body, source_of, statements
from zerosum.jit.natural.scope import MISSING, Scope, at, is_state_class, targets_of
from zerosum.jit.returns import PREFIX
from zerosum.state import StateType

CHANGES = frozenset(
    {
        *("add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "insert", "pop", "popitem"),
        *("intersection_update", "popleft", "remove", "reverse", "setdefault", "sort", "update"),
    }
)
READS = frozenset({"count", "index"})
READERS = (len, sum, max, min, any, all, sorted, tuple, enumerate, zip, reversed)
MOST_ITEMS = 128
"""A tuple with more items is not written out item by item."""

TUPLE_IN_WORDS = (
    "a tuple's length must be fixed: build it from a tuple or range without 'if', or pass it to the State's class, "
    "whose annotation fixes the length; to count, use sum(1 for ...)"
)


class Tuples:
    """The lists of one function that stay tuples, and everything else about tuples."""

    def __init__(self, scope: Scope, tree: ast.FunctionDef) -> None:
        self.scope = scope
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self.changed_things, self.asked_things = _changed(tree)
        self.odd_things = _odd(tree)
        self.definitions: set[ast.Assign] = set()
        self.lists: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and self._is_plain_list(node, tree):
                self.definitions.add(node)
                self.lists.add(node.targets[0].id)  # type: ignore[attr-defined]
        self.patterns = self._patterns(tree)

    # Which lists stay tuples

    def _is_plain_list(self, node: ast.Assign, tree: ast.FunctionDef) -> bool:
        if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            return False
        name = node.targets[0].id
        uses = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name and n is not node.targets[0]]
        if any(isinstance(use.ctx, ast.Store) for use in uses) or name in {a.arg for a in tree.args.args}:
            return False
        becomes_tuple = any(self._called(use) is tuple for use in uses)
        if self._copied(node.value, becomes_tuple) is None:
            return False
        if not becomes_tuple and not any(isinstance(self.parents[use], ast.Subscript) for use in uses):
            return False
        return all(self._is_harmless(use) for use in uses) and not self._changes_while_read(name, tree)

    def _called(self, use: ast.AST) -> Any:
        """The function that is called with this as an argument."""
        call = self.parents.get(use)
        return self.scope.resolve(call.func) if isinstance(call, ast.Call) and use in call.args else None

    def _is_harmless(self, use: ast.Name) -> bool:
        above = self.parents[use]
        node: ast.AST = use
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, (ast.Lambda, ast.FunctionDef)) and node in self.parents:
                return False
        if isinstance(above, ast.Subscript) and above.value is use:
            return isinstance(above.ctx, ast.Load) or not (
                isinstance(above.slice, ast.Slice) or isinstance(above.ctx, ast.Del)
            )
        if isinstance(above, (ast.For, ast.comprehension)):
            return above.iter is use
        if isinstance(above, ast.Compare):
            return use in above.comparators and all(isinstance(o, (ast.In, ast.NotIn)) for o in above.ops)
        if isinstance(above, ast.Attribute):
            return above.attr in READS
        return self._called(use) in READERS

    def _changes_while_read(self, name: str, tree: ast.FunctionDef) -> bool:
        for node in ast.walk(tree):
            if isinstance(node, ast.For) and _mentions(node.iter, name):
                stores = (n for statement in node.body for n in ast.walk(statement))
                if any(isinstance(n, ast.Subscript) and _is_store(n, name) for n in stores):
                    return True
        return False

    def _copied(self, value: ast.expr, becomes_tuple: bool) -> ast.expr | None:
        """The expression that a new list is a copy of; None for other values."""
        if isinstance(value, ast.Call) and self.scope.resolve(value.func) is list and len(value.args) == 1:
            given = value.args[0]
            mapped = source_of(self.scope, given)
            if mapped is None:
                return None if isinstance(given, ast.Starred) else given
            value = ast.ListComp(mapped.item, mapped.generators)
        if isinstance(value, ast.List) and len(value.elts) == 1 and isinstance(value.elts[0], ast.Starred):
            return value.elts[0].value
        if isinstance(value, ast.ListComp) and len(value.generators) == 1 and not value.generators[0].ifs:
            item, generator = value.elt, value.generators[0]
            inner = self._copied(item, False) if not isinstance(item, ast.Name) else item
            if (
                isinstance(inner, ast.Name)
                and isinstance(generator.target, ast.Name)
                and inner.id == generator.target.id
            ):
                return generator.iter
        if becomes_tuple and isinstance(value, ast.List) and value.elts:
            return at(value, ast.Tuple(value.elts, ast.Load()))
        if becomes_tuple and isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
            count = self.scope.value_of(value.right)
            if isinstance(value.left, ast.List) and isinstance(count, int) and count <= MOST_ITEMS:
                items = [copy.deepcopy(item) for _ in range(count) for item in value.left.elts]
                return at(value, ast.Tuple(items, ast.Load()))
        return None

    def is_filled(self, name: str, empty: Any) -> bool:
        """Whether the function itself shows what an empty list, set or dictionary will hold, before it reads it."""
        if empty is sequences.empty_counts:
            return name not in self.asked_things or name in self.odd_things
        return name in self.changed_things

    # Statements

    def assigned(self, node: ast.Assign) -> list[Any] | None:
        """The replacement for an assignment that makes or changes such a list."""
        if node in self.definitions:
            copied = self._copied(node.value, True)
            assert copied is not None
            made = self.scope.call(sequences.ready, [copied], node)
            return [at(node, ast.Assign(node.targets, made))]
        if len(node.targets) != 1:
            return None
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and self._list_of(target):
            return [self._put(target, node.value, node)]
        if isinstance(target, (ast.Tuple, ast.List)) and any(
            isinstance(part, ast.Subscript) and self._list_of(part) for part in target.elts
        ):
            return self._several(target.elts, node)
        return None

    def augmented(self, node: ast.AugAssign) -> list[Any] | None:
        if not (isinstance(node.target, ast.Subscript) and self._list_of(node.target)):
            return None
        before = copy.deepcopy(node.target)
        before.ctx = ast.Load()
        return [self._put(node.target, at(node, ast.BinOp(before, node.op, node.value)), node)]

    def _several(self, targets: list[ast.expr], node: ast.Assign) -> list[Any]:
        names = [f"{PREFIX}part{i}" for i in range(len(targets))]
        if isinstance(node.value, (ast.Tuple, ast.List)) and len(node.value.elts) == len(targets):
            made = [
                assign
                for name, value in zip(names, node.value.elts, strict=True)
                for assign in statements(f"{name} = value", node, value=value)
            ]
        else:
            made = statements(f"{', '.join(names)}, = value", node, value=node.value)
        for target, name in zip(targets, names, strict=True):
            made.append(at(node, ast.Assign([target], ast.Name(name, ast.Load()))))
        return made

    def _list_of(self, target: ast.Subscript) -> str | None:
        """The list that an assigned item belongs to, directly or in one of its rows; None if it is not such a list."""
        inner: ast.expr = target
        while isinstance(inner, ast.Subscript):
            inner = inner.value
        return inner.id if isinstance(inner, ast.Name) and inner.id in self.lists else None

    def _put(self, target: ast.Subscript, value: ast.expr, node: ast.stmt) -> ast.stmt:
        """``b[i] = x`` as ``b = put(b, i, x)``, and ``b[i][j] = x`` likewise."""
        place: ast.expr = target
        while isinstance(place, ast.Subscript):
            owner = copy.deepcopy(place.value)
            for inner in ast.walk(owner):
                if hasattr(inner, "ctx"):
                    inner.ctx = ast.Load()
            value = self.scope.call(sequences.put, [owner, place.slice, value], node)
            place = place.value
        assert isinstance(place, ast.Name)
        return at(node, ast.Assign([ast.Name(place.id, ast.Store())], value))

    # tuple(...)

    def made(self, node: ast.Call) -> ast.expr | None:
        """``tuple(items)``, whose length must be known."""
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
            return None
        (items,) = node.args
        value = self.scope.value_of(items)
        if value is not MISSING:
            return self.scope.constant(tuple(value), node)
        if isinstance(items, ast.List):
            return at(node, ast.Tuple(items.elts, ast.Load()))
        source = source_of(self.scope, items)
        if source is not None:
            return self._written_out(source, node) or self._like(source, node)
        if isinstance(items, ast.Call) and self.scope.resolve(items.func) is sorted and items.args:
            if source_of(self.scope, items.args[0]) is None:
                return self.scope.call(sequences.as_tuple_like, [items, copy.deepcopy(items.args[0])], node)
        return self.scope.call(sequences.as_tuple, [items], node)

    def _written_out(self, source: Source, node: ast.AST) -> ast.expr | None:
        """The items one by one, if everything that the loops iterate over is known."""
        known = [self.scope.value_of(generator.iter) for generator in source.generators]
        if source.is_filtered or any(value is MISSING or isinstance(value, (int, str)) for value in known):
            return None
        rounds = list(itertools.product(*known))
        if not 0 < len(rounds) <= MOST_ITEMS:
            return None
        names = [f"{PREFIX}given{i}" for i in range(len(known))]
        body: list[Any] = [
            at(node, ast.Assign([copy.deepcopy(generator.target)], ast.Name(name, ast.Load())))
            for name, generator in zip(names, source.generators, strict=True)
        ]
        body.append(at(node, ast.Return(source.item)))
        helper, free = self.scope.helper("value", body, node, names)
        return at(
            node,
            ast.Tuple(
                [
                    ast.Call(
                        ast.Name(helper, ast.Load()),
                        [
                            *(self.scope.constant(value, node) for value in values),
                            *(ast.Name(n, ast.Load()) for n in free),
                        ],
                        [],
                    )
                    for values in rounds
                ],
                ast.Load(),
            ),
        )

    def _like(self, source: Source, node: ast.AST, pattern: ast.expr | None = None) -> ast.expr:
        """A tuple built in a loop over another one of the same length; or of the same length as a pattern."""
        if pattern is None:
            if source.is_filtered or len(source.generators) != 1:
                self.scope.refuse(node, TUPLE_IN_WORDS)
            pattern = source.generators[0].iter
            while isinstance(pattern, ast.Call) and pattern.args and not isinstance(pattern.args[0], ast.Starred):
                if self.scope.resolve(pattern.func) not in (enumerate, reversed, zip, sorted):
                    break
                pattern = pattern.args[0]
        put, ready = (self.scope.bind(f, f.__name__) for f in (sequences.put, sequences.ready))
        return self.scope.helper_call("tuple", like_body(source, pattern, put, ready, node), node)

    # The State's class fixes the length of its tuples

    def _patterns(self, tree: ast.FunctionDef) -> dict[str, Any]:
        """Names that become fields of a State, each with a tuple of zeros of the field's length."""
        found: dict[str, Any] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                for argument, pattern in self._fields(node):
                    if isinstance(argument, ast.Name) and pattern is not None:
                        found[argument.id] = pattern
        return found

    def _fields(self, node: ast.Call) -> list[tuple[ast.expr, Any]]:
        """The arguments of a State's class or of ``_replace``, each with the zeros of its field."""
        words = [(word.value, word.arg) for word in node.keywords if word.arg]
        made = self.scope.resolve(node.func)
        if is_state_class(made) and not any(isinstance(argument, ast.Starred) for argument in node.args):
            given = [*zip(node.args, made._fields, strict=False), *words]
            zeros = _zeros(made)
            return [(argument, zeros.get(field)) for argument, field in given]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "_replace":
            zeros = {field: zero for known in self.scope.classes for field, zero in _zeros(known).items()}
            return [(argument, zeros.get(field)) for argument, field in words]
        return []

    def filled(self, node: ast.Call) -> ast.Call | None:
        """A State made with ``tuple(...)`` of something whose length is not known."""
        found = False
        for argument, pattern in self._fields(node):
            if pattern is not None and (new := self._fitted(argument, pattern)) is not None:
                found = True
                node.args = [new if inner is argument else inner for inner in node.args]
                for word in node.keywords:
                    word.value = new if word.value is argument else word.value
        return node if found else None

    def pattern_of(self, node: ast.Assign) -> ast.expr | None:
        """``filled`` for a name that later becomes a field of a State."""
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Name) and target.id in self.patterns:
            return self._fitted(node.value, self.patterns[target.id])
        return None

    def _fitted(self, value: ast.expr, pattern: Any) -> ast.expr | None:
        if not (isinstance(value, ast.Call) and self.scope.resolve(value.func) is tuple and len(value.args) == 1):
            return None
        like = self.scope.constant(pattern, value)
        source = source_of(self.scope, value.args[0])
        if source is None:
            return self.scope.call(sequences.as_tuple_like, [value.args[0], like], value)
        return self._like(source, value, like)

    # Slices

    def joined(self, node: ast.BinOp) -> ast.expr | None:
        """``b[:i] + (x,) + b[i + 1:]``."""
        left = node.left
        if not (isinstance(node.op, ast.Add) and isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add)):
            return None
        middle = left.right
        if isinstance(middle, (ast.Tuple, ast.List)) and len(middle.elts) == 1:
            return self._changed_item(left.left, middle.elts[0], node.right, node)
        return None

    def starred(self, node: ast.Tuple) -> ast.expr | None:
        """``(*b[:i], x, *b[i + 1:])``."""
        if len(node.elts) != 3 or not (isinstance(node.elts[0], ast.Starred) and isinstance(node.elts[2], ast.Starred)):
            return None
        return self._changed_item(node.elts[0].value, node.elts[1], node.elts[2].value, node)

    def _changed_item(self, head: ast.expr, item: ast.expr, tail: ast.expr, node: ast.AST) -> ast.expr | None:
        parts = [part for part in (head, tail) if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice)]
        if len(parts) != 2:
            return None
        first, last = (part.slice for part in parts)
        assert isinstance(first, ast.Slice) and isinstance(last, ast.Slice)
        index = first.upper
        if first.lower or first.step or last.upper or last.step or index is None or last.lower is None:
            return None
        one, other, next_one = (ast.dump(x) for x in (parts[0].value, parts[1].value, last.lower))
        after = {f"{ast.unparse(index)} + 1", f"1 + {ast.unparse(index)}", f"({ast.unparse(index)}) + 1"}
        if one != other or (ast.unparse(last.lower) not in after and not _is_next(index, last.lower)) or not next_one:
            return None
        return self.scope.call(sequences.put, [parts[0].value, index, item], node)

    def sliced(self, node: ast.Subscript) -> ast.expr | None:
        """A slice whose ends are known only when the game runs; Numba supports constant ends."""
        assert isinstance(node.slice, ast.Slice)
        ends = (node.slice.lower, node.slice.upper, node.slice.step)
        if all(end is None or self.scope.value_of(end) is not MISSING for end in ends):
            return None
        given = [end or ast.Constant(None) for end in ends]
        return self.scope.call(sequences.part, [node.value, *given], node)


def _is_next(index: ast.expr, after: ast.expr) -> bool:
    if isinstance(index, ast.Constant) and isinstance(after, ast.Constant):
        return bool(after.value == index.value + 1)  # type: ignore[operator]
    return False


def _changed(tree: ast.FunctionDef) -> tuple[set[str], set[str]]:
    """The names of things that a function changes, and of those that it reads with ``get``, ``in`` or ``+=``."""
    changed, asked = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name):
            changed.add(node.value.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in CHANGES:
                changed.add(node.value.id)
            if node.attr in ("get", "setdefault"):
                asked.add(node.value.id)
        if isinstance(node, ast.AugAssign):
            changed |= targets_of(node.target)
            if isinstance(node.target, ast.Subscript) and isinstance(node.target.value, ast.Name):
                asked.add(node.target.value.id)
        if isinstance(node, ast.Compare) and any(isinstance(o, (ast.In, ast.NotIn)) for o in node.ops):
            asked |= {other.id for other in node.comparators if isinstance(other, ast.Name)}
    return changed, asked


def _odd(tree: ast.FunctionDef) -> set[str]:
    """The names of things whose keys or values are not numbers."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                    parts = (target.slice, node.value)
                    if any(isinstance(part, (ast.Tuple, ast.List, ast.Dict, ast.Set)) for part in parts):
                        found.add(target.value.id)
    return found


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


def _is_store(node: ast.Subscript, name: str) -> bool:
    return not isinstance(node.ctx, ast.Load) and _mentions(node.value, name)


def _zeros(cls: type) -> dict[str, Any]:
    """Zeros for each field of a State that is a tuple of whole numbers."""
    try:
        tree = StateType(cls).tree
    except GameError:
        return {}

    def zero(part: Any) -> Any:
        if isinstance(part, str):
            return 0 if part == "int" else None
        inner = tuple(map(zero, part[1]))
        return None if part[0] is not tuple or None in inner else inner

    return {f: z for f, part in zip(cls._fields, tree[1], strict=True) if isinstance(z := zero(part), tuple)}  # type: ignore[attr-defined]
