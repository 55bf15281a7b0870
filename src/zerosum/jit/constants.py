"""Constants of a game's module in forms that compiled code can hold: dictionaries, sets, ragged tables, ranges.

``constant`` converts a value. Numba supports numbers, arrays and regular tuples; other values become
one of the classes below, whose types and instructions are in ``constant_types.py``.
"""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from zerosum.errors import KernelError

SPREAD = 1 << 16
"""The largest span of the keys of a dictionary or set: the size of the table that they are looked up in."""

FEW = 128
"""Tuples with more items are slow to compile, so they become arrays."""


class Rows:
    """A table with rows of different lengths: all items one after the other, and where each row begins.

    ``items`` is an array, or nested Rows.
    """

    def __init__(self, starts: Any, items: Any) -> None:
        self.starts = starts
        self.items = items


class Lookup:
    """A set, or a dictionary: its keys in order, and a table with the place of each key.

    ``lows`` and ``sizes`` are the first key and the span of the table, for each number of a key. ``values`` is None
    for a set.
    """

    def __init__(self, keys: Any, values: Any, places: Any, lows: tuple[int, ...], sizes: tuple[int, ...]) -> None:
        self.keys = keys
        self.values = values
        self.places = places
        self.lows = lows
        self.sizes = sizes


def constant(value: Any) -> Any:
    """The form of a constant in compiled code; the value itself if Numba supports it, or if nothing does.

    >>> constant([1, 2, 3]), constant(range(3)), constant(["x", "o"])
    (array([1, 2, 3]), (0, 1, 2), ('x', 'o'))
    >>> constant(((0, 1), (2,))).items
    array([0, 1, 2])
    """
    if isinstance(value, (dict, set, frozenset)):
        return lookup(value)
    if isinstance(value, range):
        return tuple(value) if len(value) <= FEW else np.array(value)
    if isinstance(value, list):
        return _of_list(value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        if _is_ragged(value):
            return rows(value)
        if value and all(isinstance(item, dict) for item in value):
            return tuple(map(lookup, value))
    return value


def _of_list(items: list[Any]) -> Any:
    if not items:
        return np.array([], np.int64)
    if any(hasattr(item, "_fields") for item in items) or all(isinstance(item, str) for item in items):
        return tuple(items)
    if all(isinstance(item, dict) for item in items):
        return tuple(map(lookup, items))
    if any(isinstance(item, (set, frozenset, range)) for item in items):
        return rows(items)
    if _is_ragged(items):
        return rows(items)
    try:
        array = np.array(items)
    except ValueError:
        return items
    if array.dtype.kind == "b":
        return array
    if array.dtype.kind == "f" and array.ndim == 2 and _mixes(items):
        return tuple(tuple(item) for item in items)
    return array if array.dtype.kind in "iuf" and array.size else items


def _mixes(items: list[Any]) -> bool:
    """Whether tuples mix whole numbers and fractions: an array would turn all of them into fractions."""
    return all(isinstance(item, tuple) for item in items) and any(type(x) is int for item in items for x in item)


def _is_row(value: Any) -> bool:
    return isinstance(value, (list, range, set, frozenset)) or (
        isinstance(value, tuple) and not hasattr(value, "_fields")
    )


def _is_ragged(items: Any) -> bool:
    """Whether all items are rows, and not all of the same shape."""
    if not items or not all(_is_row(item) for item in items):
        return False
    if any(isinstance(item, (set, frozenset, range)) for item in items):
        return True
    inner = [x for item in items for x in item]
    if len({len(item) for item in items}) > 1:
        # A tuple that mixes numbers and rows has an irregular type, and can only be indexed by constants.
        return all(map(_is_row, inner)) or not any(map(_is_row, inner))
    if isinstance(items, tuple) and any(isinstance(item, list) for item in items):
        return True
    return bool(inner) and all(map(_is_row, inner)) and _is_ragged(inner)


def rows(items: Any) -> Any:
    """Rows for a table whose rows differ in length."""
    items = [list(item) for item in items]
    starts = np.cumsum([0, *map(len, items)])
    inner = [x for item in items for x in item]
    if inner and any(map(_is_row, inner)):
        if not all(map(_is_row, inner)):
            raise KernelError("a constant table mixes numbers and rows; give each row the same depth")
        found = _of_list(inner)
        inner_rows = found if isinstance(found, (Rows, np.ndarray, tuple)) else rows(inner)
        return Rows(starts, np.array(inner_rows) if isinstance(inner_rows, tuple) else inner_rows)
    return Rows(starts, _numbers(inner, "a constant table"))


def _numbers(items: list[Any], what: str) -> Any:
    """Numbers as an array; KernelError for anything else."""
    if not all(isinstance(x, (int, float, np.number, np.bool_)) for x in items):
        odd = next(x for x in items if not isinstance(x, (int, float, np.number, np.bool_)))
        raise KernelError(f"{what} contains {odd!r}; in compiled rules tables can hold only numbers")
    if all(isinstance(x, (bool, np.bool_)) for x in items) and items:
        return np.array(items, np.bool_)
    fractions = any(isinstance(x, (float, np.floating)) for x in items)
    try:
        return np.array(items, np.float64 if fractions else np.int64)
    except OverflowError:
        raise KernelError(f"{what} contains a number with more than 64 bits") from None


def lookup(value: Any) -> Any:
    """The Lookup of a dictionary or set; KernelError unless its keys are whole numbers, or tuples of these."""
    what = "a dictionary" if isinstance(value, dict) else "a set"
    keys = list(value)
    forms = {_form_of(key) for key in keys}
    if len(forms) > 1 or None in forms:
        odd = next((key for key in keys if _form_of(key) is None), keys[0] if keys else 0)
        raise KernelError(
            f"{what} with the key {odd!r}: in compiled rules keys must be whole numbers, or tuples of whole numbers"
        )
    width = (forms.pop() if forms else 0) or 0
    flat = np.array([tuple(map(int, key)) if width else (int(key),) for key in keys], np.int64)
    flat = flat.reshape(len(keys), max(1, width))
    lows = tuple(int(x) for x in flat.min(0)) if keys else (0,) * flat.shape[1]
    sizes = tuple(int(x) + 1 for x in flat.max(0) - flat.min(0)) if keys else (0,) * flat.shape[1]
    room = int(np.prod([float(size) for size in sizes]))
    if room > SPREAD:
        raise KernelError(f"{what} whose keys are too far apart (they span {room:,} numbers): number them from 0")
    places = np.full(max(room, 1), -1)
    for place, key in enumerate(flat.tolist()):
        at = 0
        for number, low, size in zip(key, lows, sizes, strict=True):
            at = at * size + number - low
        places[at] = place
    kept = tuple(map(tuple, flat.tolist())) if width else flat[:, 0].copy()
    values = _values(list(value.values())) if isinstance(value, dict) else None
    return Lookup(kept, values, places, lows, sizes)


def _form_of(key: Any) -> int | None:
    """0 for a whole number, the length of a tuple of these; None for anything else."""
    if isinstance(key, (int, np.integer, enum.IntEnum, np.bool_)):
        return 0
    if isinstance(key, tuple) and key and all(isinstance(x, (int, np.integer)) for x in key):
        return len(key)
    return None


def _values(values: list[Any]) -> Any:
    if all(isinstance(x, (int, float, np.number, np.bool_)) for x in values):
        return _numbers(values, "a dictionary")
    if all(isinstance(x, str) for x in values):
        return tuple(values)
    if all(map(_is_row, values)):
        same = all(isinstance(x, tuple) for x in values) and not _is_ragged(values) and len(values) <= FEW
        return tuple(values) if same else rows(values)
    if all(hasattr(x, "_fields") for x in values):
        return tuple(values)
    if all(isinstance(x, dict) for x in values):
        return tuple(map(lookup, values))
    odd = next(x for x in values if not isinstance(x, (int, float)))
    shown = "a function as a value: write 'if' and 'elif'" if callable(odd) else f"the value {odd!r}"
    raise KernelError(f"a dictionary with {shown}; in compiled rules values are numbers, strings or tables of numbers")
