"""Rules in natural Python as rules that Numba can compile.

``natural(function)`` is the function itself where Numba knows all that it does, else one that does the same in other
words: loops instead of generator expressions, helpers instead of methods and inner functions, tuples instead of lists
that become tuples. The plain function stays what it was, and compiled rules are compared with it.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from types import FunctionType

from zerosum.jit.natural.inner import lift_inner
from zerosum.jit.natural.rewriting import Rewriting
from zerosum.jit.natural.scope import Scope
from zerosum.jit.natural.walrus import Walrus, has_walrus
from zerosum.jit.sources import source_of


def natural(function: FunctionType, classes: Mapping[str, type], returns_moves: bool = False) -> FunctionType:
    """The function in words that Numba knows; itself where these are its own, or where it has no source.

    ``classes`` are those of the State, by name. What ``returns_moves`` keeps its sets: a later step refuses them.
    """
    if _is_ours(function):
        return function
    tree = source_of(function)
    if tree is None:
        return function
    tree = copy.deepcopy(tree)
    scope = Scope(function, classes)
    changed = lift_inner(scope, tree)
    rewriting = Rewriting(scope, tree, returns_moves)
    tree = rewriting.rewrite(tree)
    changed = changed or rewriting.changed
    if any(has_walrus(statement) for statement in tree.body):
        changed, tree = True, Walrus(scope).rewrite(tree)
    if not changed:
        return function
    tree.args.defaults = []  # carried over as values: their text may name what is gone by now
    for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs):
        argument.annotation = None
    tree.decorator_list, tree.returns = [], None
    own = scope.names.get(tree.name)
    made = scope.define(tree, function.__defaults__)
    if own is not None:
        scope.names[tree.name] = own  # whoever calls it by its name means the author's, which is lifted once
    for name in ("zerosum_fast", "zerosum_types"):
        if hasattr(function, name):
            setattr(made, name, getattr(function, name))
    return made


def _is_ours(function: FunctionType) -> bool:
    """Whether it belongs to zerosum, but to no game: kernels are written in Numba's words."""
    name = function.__module__ or ""
    return (name.startswith("zerosum.") and not name.startswith("zerosum.games.")) or hasattr(function, "zerosum_types")
