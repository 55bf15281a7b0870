"""Rewrite calls of Python's own functions, one by one, as code that Numba can compile."""

from __future__ import annotations

import ast
import collections
import copy
import functools
import itertools
import math
from collections.abc import Hashable
from typing import Any

from zerosum.jit import sequences
from zerosum.jit.natural import loops
from zerosum.jit.natural.loops import any_source, source_of
from zerosum.jit.natural.scope import MISSING, Scope, at
from zerosum.jit.natural.tuples import Tuples
from zerosum.jit.returns import PREFIX

ITERTOOLS = (
    *(itertools.product, itertools.combinations, itertools.permutations, itertools.chain, itertools.pairwise),
    *(itertools.islice, itertools.accumulate, itertools.repeat, itertools.groupby, itertools.count, itertools.cycle),
    *(itertools.starmap, itertools.zip_longest, itertools.combinations_with_replacement, itertools.compress),
)
WITH_SETS = ("issubset", "issuperset", "isdisjoint", "union", "intersection", "difference", "symmetric_difference")
PLAIN_SOURCES = (ast.Name, ast.Attribute)


class Calls:
    """Calls of Python's functions. Each method returns the replacement of a call, or None to leave it unchanged."""

    def __init__(self, scope: Scope, tuples: Tuples) -> None:
        self.scope = scope
        self.tuples = tuples
        self.handlers: dict[Any, Any] = {
            any: self.any_or_all,
            all: self.any_or_all,
            sum: self.sum,
            math.prod: self.sum,
            min: self.best,
            max: self.best,
            sorted: self.sorted,
            next: self.next,
            tuple: self.tuple,
            list: self.list,
            set: self.set,
            frozenset: self.set,
            reversed: self.reversed,
            enumerate: self.enumerate,
            zip: self.zip,
            map: self.lazy,
            filter: self.lazy,
            collections.deque: self.deque,
            functools.reduce: self.reduce,
            **dict.fromkeys(ITERTOOLS, self.itertools),
            itertools.chain.from_iterable: self.chain_all,
            itertools.takewhile: self.takewhile,
            math.isqrt: self.replaced,
            math.comb: self.replaced,
        }

    def rewritten(self, node: ast.Call, function: Any) -> ast.expr | None:
        """The replacement for a call of one of these functions."""
        handler = self.handlers.get(function) if isinstance(function, Hashable) else None
        return None if handler is None else handler(node, function)

    def method(self, node: ast.Call) -> ast.expr | None:
        """The replacement for a method that Numba does not support, of a type that it otherwise supports."""
        if not isinstance(node.func, ast.Attribute):
            return None
        owner, name = node.func.value, node.func.attr
        if name == "count" and isinstance(owner, ast.Call) and self.scope.resolve(owner.func) is bin:
            return self.scope.call(sequences.ones, owner.args, node)
        if name in WITH_SETS and len(node.args) == 1 and not isinstance(node.args[0], (ast.Set, ast.SetComp)):
            if self.scope.resolve(owner) is not MISSING or _is_made_here(node.args[0]):
                return None
            node.args = [at(node, ast.SetComp(*vars(any_source(self.scope, node.args[0])).values()))]
            return node
        if name == "popleft" and not node.args:
            return at(node, ast.Call(ast.Attribute(owner, "pop", ast.Load()), [ast.Constant(0)], []))
        if name == "appendleft" and len(node.args) == 1:
            return at(node, ast.Call(ast.Attribute(owner, "insert", ast.Load()), [ast.Constant(0), node.args[0]], []))
        return None

    def helper(self, hint: str, body: list[Any], node: ast.AST) -> ast.expr:
        return self.scope.helper_call(hint, body, node)

    def _constant(self, node: ast.expr) -> ast.expr | None:
        value = self.scope.value_of(node)
        return None if value is MISSING or not value else self.scope.constant(value, node)

    def any_or_all(self, node: ast.Call, function: Any) -> ast.expr | None:
        if len(node.args) != 1:
            return None
        body = loops.any_body if function is any else loops.all_body
        return self.helper(function.__name__, body(any_source(self.scope, node.args[0]), node), node)

    def sum(self, node: ast.Call, function: Any) -> ast.expr | None:
        start = next((word.value for word in node.keywords if word.arg == "start"), None)
        start = node.args[1] if len(node.args) == 2 else start
        if start is None and isinstance(node.args[0], PLAIN_SOURCES) and function is sum:
            return None
        first = start or ast.Constant(1 if function is math.prod else 0)
        sign = "*" if function is math.prod else "+"
        return self.helper("sum", loops.sum_body(any_source(self.scope, node.args[0]), first, node, sign), node)

    def best(self, node: ast.Call, function: Any) -> ast.expr | None:
        words = {word.arg: word.value for word in node.keywords}
        several: ast.expr = node.args[0]
        if isinstance(several, ast.Starred) and len(node.args) == 1:
            several = several.value
        elif len(node.args) > 1:
            if not words and not any(isinstance(argument, ast.Starred) for argument in node.args):
                return None
            several = at(node, ast.Tuple(node.args, ast.Load()))
        elif not words and isinstance(several, PLAIN_SOURCES):
            return None
        source, sign = any_source(self.scope, several), "<" if function is min else ">"
        body = loops.best_body(source, words.get("key"), words.get("default"), sign, node)
        return self.helper(function.__name__, body, node)

    def sorted(self, node: ast.Call, function: Any) -> ast.expr | None:
        words = {word.arg: word.value for word in node.keywords}
        reverse = self.scope.value_of(words["reverse"]) if "reverse" in words else False
        if reverse is MISSING or len(node.args) != 1:
            return None
        body = loops.sorted_body(any_source(self.scope, node.args[0]), words.get("key"), bool(reverse), node)
        return self.helper("sorted", body, node)

    def next(self, node: ast.Call, function: Any) -> ast.expr | None:
        source = source_of(self.scope, node.args[0])
        if source is None:
            return None
        other = node.args[1] if len(node.args) == 2 else None
        return self.helper("next", loops.next_body(source, other, node), node)

    def tuple(self, node: ast.Call, function: Any) -> ast.expr | None:
        return self.tuples.made(node)

    def list(self, node: ast.Call, function: Any) -> ast.expr | None:
        source = source_of(self.scope, node.args[0]) if len(node.args) == 1 else None
        return None if source is None else at(node, ast.ListComp(source.item, source.generators))

    def set(self, node: ast.Call, function: Any) -> ast.expr | None:
        if len(node.args) != 1:
            return None
        return at(node, ast.SetComp(*vars(any_source(self.scope, node.args[0])).values()))

    def reversed(self, node: ast.Call, function: Any) -> ast.expr | None:
        return self.scope.call(sequences.backwards, node.args, node)

    def enumerate(self, node: ast.Call, function: Any) -> ast.expr | None:
        if not node.keywords:
            return None
        return at(node, ast.Call(node.func, [*node.args, *(word.value for word in node.keywords)], []))

    def zip(self, node: ast.Call, function: Any) -> ast.expr | None:
        if node.keywords:
            return at(node, ast.Call(node.func, node.args, []))
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            return self._constant(node)
        return None

    def lazy(self, node: ast.Call, function: Any) -> ast.expr | None:
        """``map`` and ``filter``."""
        source = source_of(self.scope, node)
        return None if source is None else at(node, ast.GeneratorExp(source.item, source.generators))

    def deque(self, node: ast.Call, function: Any) -> ast.expr | None:
        given: list[Any] = [at(node, ast.List([], ast.Load()))] if not node.args else node.args[:1]
        if isinstance(given[0], (ast.List, ast.ListComp)):
            return given[0]
        return at(node, ast.Call(ast.Name("list", ast.Load()), given, []))

    def reduce(self, node: ast.Call, function: Any) -> ast.expr | None:
        start = node.args[2] if len(node.args) == 3 else None
        source = any_source(self.scope, node.args[1])
        return self.helper("reduce", loops.reduce_body(source, node.args[0], start, node), node)

    def itertools(self, node: ast.Call, function: Any) -> ast.expr | None:
        known = self._constant(node)
        if known is not None:
            return known
        name, arguments = function.__name__, list(node.args)
        if function is itertools.pairwise:
            return self.scope.call(sequences.pairwise, arguments, node)
        repeat = next((self.scope.value_of(word.value) for word in node.keywords if word.arg == "repeat"), 1)
        count = len(arguments)
        if function is itertools.product and isinstance(repeat, int):
            arguments = [copy.deepcopy(argument) for _ in range(repeat) for argument in arguments]
            count = len(arguments)
        elif function in (itertools.combinations, itertools.permutations) and count == 2:
            count = self.scope.value_of(arguments.pop())
        loop = sequences.LOOPS.get((name, count))
        if loop is None:
            self.scope.refuse(node, f"this use of itertools.{name} is not supported in compiled rules: write the loops")
        return self.scope.call(loop, arguments, node)

    def takewhile(self, node: ast.Call, function: Any) -> ast.expr | None:
        source = any_source(self.scope, node.args[1])
        return self.helper("while", loops.while_body(source, node.args[0], node), node)

    def replaced(self, node: ast.Call, function: Any) -> ast.expr | None:
        other = {math.isqrt: sequences.square_root, math.comb: sequences.choices}[function]
        return self.scope.call(other, node.args, node)

    def chain_all(self, node: ast.Call, function: Any) -> ast.expr | None:
        return self.scope.call(sequences.chain_all, node.args, node)


def _is_made_here(node: ast.expr) -> bool:
    """Whether it is a set that the rewriting has created in this expression."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith(f"{PREFIX}set")
