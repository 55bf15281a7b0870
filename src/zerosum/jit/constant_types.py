"""Numba's types of ``Rows`` and ``Lookup``: dictionaries, sets and ragged tables in compiled rules.

Importing this file teaches them to Numba. All are constants, so there are no allocations and no reference counts.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.extending import (
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
)

from zerosum.jit.constants import Lookup, Rows
from zerosum.jit.numba_private import lower_as_parts, lower_iteration, lower_iteration_of_part, struct_of

__all__ = ["LookupType", "RowsType"]


class RowsType(types.IterableType):  # type: ignore[misc]
    """A table of rows, or a part of one."""

    def __init__(self, starts: Any, items: Any) -> None:
        self.starts, self.items = starts, items
        self.row = items if isinstance(items, RowsType) else items.copy(layout="C")
        super().__init__(name=f"rows of {items}")

    @property
    def key(self) -> Any:
        return self.starts, self.items

    @property
    def iterator_type(self) -> Any:
        return RowsIterator(self)


class RowsIterator(types.SimpleIteratorType):  # type: ignore[misc]
    def __init__(self, rows: RowsType) -> None:
        self.rows = rows
        super().__init__(f"iterator of {rows}", rows.row)


class LookupType(types.IterableType):  # type: ignore[misc]
    """A dictionary, or a set if ``values`` is none."""

    def __init__(self, keys: Any, values: Any, places: Any, width: int) -> None:
        self.keys, self.values, self.places, self.width = keys, values, places, width
        super().__init__(name=f"lookup of {keys}, {values}, {width}")

    @property
    def key(self) -> Any:
        return self.keys, self.values, self.places, self.width

    @property
    def is_set(self) -> bool:
        return isinstance(self.values, types.NoneType)

    @property
    def iterator_type(self) -> Any:
        return self.keys.iterator_type


@typeof_impl.register(Rows)  # type: ignore[untyped-decorator]
def _type_of_rows(value: Any, c: Any) -> Any:
    return RowsType(typeof_impl(value.starts, c), typeof_impl(value.items, c))


@typeof_impl.register(Lookup)  # type: ignore[untyped-decorator]
def _type_of_lookup(value: Any, c: Any) -> Any:
    keys, values, places = (typeof_impl(part, c) for part in (value.keys, value.values, value.places))
    return LookupType(keys, values, places, len(value.lows))


@register_model(RowsType)
class _RowsModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("starts", kind.starts), ("items", kind.items)])


@register_model(RowsIterator)
class _RowsIteratorModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("rows", kind.rows), ("at", types.EphemeralPointer(types.intp))])


def _lookup_parts(kind: Any) -> list[tuple[str, Any]]:
    numbers = types.UniTuple(types.int64, kind.width)
    return [
        *(("keys", kind.keys), ("values", kind.values), ("places", kind.places)),
        *(("lows", numbers), ("sizes", numbers)),
    ]


@register_model(LookupType)
class _LookupModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _lookup_parts(kind))


for _name in ("starts", "items"):
    make_attribute_wrapper(RowsType, _name, f"zs_{_name}")
for _name in ("keys", "values", "places", "lows", "sizes"):
    make_attribute_wrapper(LookupType, _name, f"zs_{_name}")

lower_as_parts(RowsType, lambda kind: [("starts", kind.starts), ("items", kind.items)])
lower_as_parts(LookupType, _lookup_parts)
lower_iteration_of_part(LookupType, "keys", lambda kind: kind.keys)


@intrinsic
def _rows(context, starts, items):
    """Build a table from its parts."""
    made = RowsType(starts, items)

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return struct_of(context, builder, made, {"starts": arguments[0], "items": arguments[1]})

    return made(starts, items), make


def _part(items: Any, first: Any, end: Any) -> Any:
    raise NotImplementedError  # compiled only


@overload(_part)
def _part_of(items, first, end):
    if isinstance(items, RowsType):
        return lambda items, first, end: _rows(items.zs_starts[first : end + 1], items.zs_items)
    return lambda items, first, end: items[first:end]


def _row(rows: Any, index: Any) -> Any:
    raise NotImplementedError  # compiled only


@overload(_row, inline="never")
def _row_at(rows, index):
    def row(rows, index):
        return _part(rows.zs_items, rows.zs_starts[index], rows.zs_starts[index + 1])

    return row


lower_iteration(RowsType, RowsIterator, _row)


@overload(operator.getitem)
def _rows_getitem(table, index):
    if isinstance(table, RowsType) and isinstance(index, (types.Integer, types.Boolean)):

        def get(table, index):
            return _row(table, index if index >= 0 else index + len(table))

        return get
    return None


@overload(len)
def _length(table):
    if isinstance(table, RowsType):
        return lambda table: len(table.zs_starts) - 1
    if isinstance(table, LookupType):
        return lambda table: len(table.zs_keys)
    return None


def _place(table: Any, key: Any) -> Any:
    raise NotImplementedError  # compiled only


@overload(_place)
def _place_of(table, key):
    """The place of a key, or -1."""
    if isinstance(key, types.IntEnumMember) and table.width == 1 and not isinstance(table.keys, types.BaseTuple):
        return lambda table, key: _place(table, key.value)
    if isinstance(key, (types.Integer, types.Boolean)):
        if isinstance(table.keys, types.BaseTuple) and table.keys.count:
            return lambda table, key: -1

        def by_number(table, key):
            at = key - table.zs_lows[0]
            return table.zs_places[at] if 0 <= at < table.zs_sizes[0] else -1

        return by_number
    if isinstance(key, types.BaseTuple):
        if not isinstance(table.keys, types.BaseTuple) or len(key) != table.width:
            return lambda table, key: -1
        lines = ["def by_tuple(table, key):", "    at = 0"]
        for i in range(table.width):
            lines += [
                f"    n = key[{i}] - table.zs_lows[{i}]",
                f"    if n < 0 or n >= table.zs_sizes[{i}]:",
                "        return -1",
                f"    at = at * table.zs_sizes[{i}] + n",
            ]
        scope: dict[str, Any] = {}
        exec("\n".join([*lines, "    return table.zs_places[at]"]), scope)
        return scope["by_tuple"]
    return None


@overload(operator.contains)
def _contains(table, key):
    if isinstance(table, LookupType):
        return lambda table, key: _place(table, key) >= 0
    return None


@overload(operator.getitem)
def _lookup_getitem(table, key):
    if isinstance(table, LookupType) and not table.is_set:

        def get(table, key):
            # A missing key returns some other value, as an index beyond the end of an array does.
            place = _place(table, key)
            return table.zs_values[place if place >= 0 else 0]

        return get
    return None


@overload_method(LookupType, "get")
def _get(table, key, other=None):
    if table.is_set:
        return None

    def get(table, key, other=None):
        place = _place(table, key)
        return table.zs_values[place] if place >= 0 else other

    return get


@overload_method(LookupType, "keys")
def _keys(table):
    return None if table.is_set else lambda table: table.zs_keys


@overload_method(LookupType, "values")
def _values(table):
    return None if table.is_set else lambda table: table.zs_values


@overload_method(LookupType, "items")
def _items(table):
    if table.is_set:
        return None

    def items(table):
        for i in range(len(table.zs_keys)):
            yield table.zs_keys[i], table.zs_values[i]

    return items
