"""Readable Python for learning, and the reference that every compiled kernel is tested against.

>>> from zerosum.classroom import Tree, trace
>>> tree = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")
>>> trace("alphabeta", tree).value
3
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerosum.classroom.events import Event as Event
    from zerosum.classroom.events import Frame as Frame
    from zerosum.classroom.events import Kind as Kind
    from zerosum.classroom.tracing import ALGORITHMS as ALGORITHMS
    from zerosum.classroom.tracing import Trace as Trace
    from zerosum.classroom.tracing import trace as trace
    from zerosum.classroom.tree import LEAF as LEAF
    from zerosum.classroom.tree import Node as Node
    from zerosum.classroom.tree import Tree as Tree

_HOMES = {
    "ALGORITHMS": "tracing",
    "Event": "events",
    "Frame": "events",
    "Kind": "events",
    "LEAF": "tree",
    "Node": "tree",
    "Trace": "tracing",
    "Tree": "tree",
    "trace": "tracing",
}

__all__ = [
    "ALGORITHMS",
    "LEAF",
    "Event",
    "Frame",
    "Kind",
    "Node",
    "Trace",
    "Tree",
    "trace",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
