"""Rewrite rules in natural Python as rules that Numba can compile.

``natural(function)`` is the function itself if Numba supports all of it, otherwise an equivalent function: with loops
for generator expressions, helpers for methods and inner functions, and tuples for lists
that become tuples. The plain function does not change, and compiled rules are compared with it.
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
    """The function rewritten for Numba; itself if nothing needs rewriting, or if it has no source.

    ``classes`` are those of the State, by name. With ``returns_moves``, returned sets stay: a later step refuses them.
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
    tree.args.defaults = []  # carried over as values: their text may name things that no longer exist
    for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs):
        argument.annotation = None
    tree.decorator_list, tree.returns = [], None
    own = scope.names.get(tree.name)
    made = scope.define(tree, function.__defaults__)
    if own is not None:
        scope.names[tree.name] = own  # calls by this name refer to the author's function, which is lifted once
    for name in ("zerosum_fast", "zerosum_types"):
        if hasattr(function, name):
            setattr(made, name, getattr(function, name))
    return made


def _is_ours(function: FunctionType) -> bool:
    """Whether it belongs to zerosum, but not to a game: kernels are written for Numba."""
    name = function.__module__ or ""
    return (name.startswith("zerosum.") and not name.startswith("zerosum.games.")) or hasattr(function, "zerosum_types")
