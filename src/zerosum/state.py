"""A State class as a row of 64-bit words.

The annotations of a State fix its compiled types: ``int`` is a signed 64-bit word, ``u64`` an unsigned
one, a fixed ``tuple[...]`` or another NamedTuple a group of these. Kernels, tables and files all see a
State as the flat row of its words.
"""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

from zerosum.errors import GameError

WORD = (1 << 64) - 1


def signed(word: int) -> int:
    """The low 64 bits of ``word`` as a signed number.

    >>> signed(2**64 - 1), signed(5)
    (-1, 5)
    """
    word = int(word) & WORD
    return word - (1 << 64) if word >> 63 else word


class StateType:
    """The memory layout of a State class: conversion to its words and back.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     left: int
    ...     right: tuple[int, int]
    >>> layout = StateType(Pair)
    >>> layout.size, layout.words(Pair(1, (2, 3)))
    (3, [1, 2, 3])
    >>> layout.from_words([1, 2, 3])
    Pair(left=1, right=(2, 3))
    """

    def __init__(self, State: type) -> None:
        if not (isinstance(State, type) and issubclass(State, tuple) and hasattr(State, "_fields")):
            shown = State.__name__ if isinstance(State, type) else repr(State)
            raise GameError(f"State must be a NamedTuple class, not {shown}: write 'class {shown}(NamedTuple):'")
        if not State._fields:
            raise GameError(f"{State.__name__} has no fields")
        self.State = State
        self.tree = _tree(State, State.__name__)
        self.kinds = list(_kinds(self.tree))
        self.size = len(self.kinds)
        self.is_flat = all(isinstance(part, str) for part in self.tree[1])

    def words(self, state: Any) -> list[int]:
        """The state's words, each as a signed 64-bit number."""
        return [signed(x) for x in _flatten(self.tree, state)]

    def leaves(self, state: Any) -> list[Any]:
        """The fields of the state one after the other, unconverted; TypeError if it has another shape."""
        return list(state) if self.is_flat and len(state) == self.size else list(_flatten(self.tree, state))

    def from_words(self, words: Any) -> Any:
        """The State with these words."""
        return _build(self.tree, iter(words))

    def coerce(self, state: Any, origin: str = "state") -> Any:
        """``state`` with every field of its annotated type; GameError if that is impossible."""
        try:
            return _build(self.tree, _flatten(self.tree, state), exact=True)
        except (TypeError, ValueError, AttributeError, OverflowError, StopIteration) as problem:
            fields = ", ".join(self.State._fields)
            raise GameError(
                f"{origin} is {state!r}, not a {self.State.__name__}({fields}) of 64-bit integers"
            ) from problem

    def expression(self, leaf: Callable[[int, str, str], str]) -> str:
        """Source text that builds the State from ``leaf(index, path, kind)``, the text of each word."""
        counter = iter(range(self.size))

        def text(tree: Any, path: str) -> str:
            if isinstance(tree, str):
                return leaf(next(counter), path, tree)
            cls, parts = tree
            inner = "".join(f"{text(part, f'{path}[{i}]')}, " for i, part in enumerate(parts))
            return f"({inner})" if cls is tuple else f"{cls.__name__}({inner})"

        return text(self.tree, "")

    def classes(self) -> dict[str, type]:
        """Every NamedTuple class in the State, by the name that ``expression`` uses."""
        found: dict[str, type] = {}

        def walk(tree: Any) -> None:
            if not isinstance(tree, str):
                if tree[0] is not tuple:
                    found[tree[0].__name__] = tree[0]
                for part in tree[1]:
                    walk(part)

        walk(self.tree)
        return found

    def describe(self) -> str:
        """The layout as text, the same in every process."""
        return f"{self.State.__name__}{self.State._fields}{self.kinds}"


def _tree(annotation: Any, where: str) -> Any:
    """'int' or 'u64' for a leaf, else (class, parts)."""
    name = getattr(annotation, "__name__", "")
    if annotation in (int, bool) or name in ("int64", "u64", "uint64"):
        return "u64" if name in ("u64", "uint64") else "int"
    if isinstance(annotation, type) and hasattr(annotation, "_fields"):
        try:
            hints = typing.get_type_hints(annotation)
        except NameError as problem:
            raise GameError(f"{where}: the annotation {problem.name!r} is not defined") from problem
        missing = [f for f in annotation._fields if f not in hints]
        if missing:
            raise GameError(f"{where}.{missing[0]} has no annotation: write 'class {where}(NamedTuple)'")
        return annotation, [_tree(hints[f], f"{where}.{f}") for f in annotation._fields]
    parts = typing.get_args(annotation)
    if typing.get_origin(annotation) is tuple and parts and Ellipsis not in parts:
        return tuple, [_tree(part, f"{where}[{i}]") for i, part in enumerate(parts)]
    if isinstance(annotation, type) and issubclass(annotation, enum.IntEnum):
        return "int"
    if typing.get_origin(annotation) is typing.Literal and all(type(part) is int for part in parts):
        return "int"
    raise GameError(f"{where} is annotated {_written(annotation)}, {_instead(annotation, where)}")


def _written(annotation: Any) -> str:
    """An annotation as authors write it."""
    return annotation.__name__ if type(annotation) is type else repr(annotation).replace("typing.", "")


def _instead(annotation: Any, where: str) -> str:
    """What to write instead of an annotation that a State cannot have."""
    origin = typing.get_origin(annotation) or annotation
    field = where.rpartition(".")[2]
    name = getattr(origin, "__name__", "")
    if origin in (list, tuple) or name in ("ndarray", "NDArray", "array", "Sequence"):
        return (
            "which has no fixed length: a State has a fixed size; for 24 cells write "
            f"{field}: tuple[(int,) * 24], and build it with tuple(...)"
        )
    if origin in (set, frozenset):
        return f"which has no fixed size: write {field}: int with a bit for each member, or tuple[(int,) * n]"
    if origin is dict:
        return f"which has no fixed size: write {field}: tuple[(int,) * n], and number the keys"
    if origin is str:
        return f"but a State consists of whole numbers: write {field}: int, and keep the names in a constant"
    if origin is float:
        return f"but a State consists of whole numbers: write {field}: int, and count in hundredths, for example"
    if origin in (typing.Union, types.UnionType) or annotation is None:
        return f"but a field always holds a number: write {field}: int, and use -1 for nothing"
    return "but a State consists of int, u64, and tuples of these of a fixed length, such as tuple[(int,) * 9]"


def _kinds(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    else:
        for part in tree[1]:
            yield from _kinds(part)


def _flatten(tree: Any, value: Any) -> Iterator[Any]:
    if isinstance(tree, str):
        yield value
        return
    if not isinstance(value, tuple) or len(value) != len(tree[1]):
        raise TypeError(f"{value!r} has the wrong shape")
    for part, x in zip(tree[1], value, strict=True):
        yield from _flatten(part, x)


def _build(tree: Any, leaves: Iterator[Any], exact: bool = False) -> Any:
    if isinstance(tree, str):
        x = next(leaves).__index__()
        if tree == "u64":
            import numpy as np

            if exact and not 0 <= x <= WORD:
                raise OverflowError(x)
            return np.uint64(x & WORD)
        if exact and not -(1 << 63) <= x < 1 << 63:
            raise OverflowError(x)
        return signed(x)
    cls, parts = tree
    built = [_build(part, leaves, exact) for part in parts]
    return tuple(built) if cls is tuple else cls(*built)
