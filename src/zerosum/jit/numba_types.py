"""State layouts as Numba types."""

from __future__ import annotations

from typing import Any

from numba import types

from zerosum.jit import intrinsics
from zerosum.state import StateType


def state_type(layout: StateType) -> Any:
    """The Numba type of a State.

    Numba has different types for tuples with equal and with mixed field types; building the wrong one
    would compile every function twice.
    """
    return _type(layout.tree)


def argument_types(names: tuple[str, ...], layout: StateType) -> list[Any]:
    """The Numba types of a rule's arguments, which ``zerosum.contract`` names."""
    kinds = {"s": state_type(layout), "out": intrinsics.FLOATS}
    return [kinds.get(name, types.int64) for name in names]


def _type(tree: Any) -> Any:
    if isinstance(tree, str):
        return types.uint64 if tree == "u64" else types.int64
    cls, parts = tree
    members = [_type(part) for part in parts]
    if all(member == members[0] for member in members):
        if cls is tuple:
            return types.UniTuple(members[0], len(members))
        return types.NamedUniTuple(members[0], len(members), cls)
    return types.Tuple(members) if cls is tuple else types.NamedTuple(members, cls)
