"""The helpers of ``sequences.py``, and methods of numbers, tuples and arrays, in compiled code.

Importing this file teaches them to Numba.
"""

from __future__ import annotations

import math
from typing import Any

from numba import types
from numba.extending import overload, overload_method
from numba.typed import Dict

from zerosum.jit import bits, sequences
from zerosum.jit.numba_private import TypingError, tuple_setitem
from zerosum.jit.reasons import kind as kind_in_words
from zerosum.jit.refusals import marked
from zerosum.jit.words import whole

UNKNOWN_LENGTH = (
    "the length of this tuple is not known before the game runs: make it from another tuple or from a range, or pass "
    "tuple(...) to the State's class, whose annotation gives its length"
)


def _is_tuple(kind: Any) -> bool:
    return isinstance(kind, (types.UniTuple, types.NamedUniTuple))


def _converter(kind: Any) -> Any:
    """A function that converts a value to the item type of a tuple."""
    if isinstance(kind, types.Integer):
        return lambda value: kind(whole(value))
    if isinstance(kind, types.BaseTuple):
        return lambda value: value
    return lambda value: kind(value)


@overload(sequences.ready)
def _ready(items):
    if isinstance(items, types.UniTuple) and isinstance(items.dtype, types.IntegerLiteral):
        return lambda items: sequences.ready(tuple_of_words(items))
    if _is_tuple(items):
        return lambda items: items
    if isinstance(items, types.BaseTuple):
        return None
    return lambda items: list(items)


def tuple_of_words(items: Any) -> Any:
    raise NotImplementedError  # compiled only


@overload(tuple_of_words)
def _tuple_of_words(items):
    inner = ", ".join(f"whole(items[{i}])" for i in range(len(items)))
    scope: dict[str, Any] = {"whole": whole}
    exec(f"def words(items):\n    return ({inner},)", scope)
    return scope["words"]


@overload(sequences.put)
def _put(items, index, value):
    if _is_tuple(items):
        kind, count = items.dtype, items.count
        if isinstance(kind, types.Integer):
            if not isinstance(value, (types.Integer, types.Boolean, types.IntEnumMember)):
                raise TypingError(marked(f"a whole number is needed here, not {kind_in_words(str(value))}"))

            def put_whole(items, index, value):
                return tuple_setitem(items, index if index >= 0 else index + count, kind(whole(value)))

            return put_whole

        def put(items, index, value):
            return tuple_setitem(items, index if index >= 0 else index + count, value)

        return put

    def put_in_list(items, index, value):
        items[index] = value
        return items

    return put_in_list


@overload(sequences.as_tuple)
def _as_tuple(items):
    if isinstance(items, types.BaseTuple):
        return lambda items: items
    raise TypingError(marked(UNKNOWN_LENGTH))


@overload(sequences.as_tuple_like)
def _as_tuple_like(items, pattern):
    if isinstance(items, types.BaseTuple):
        return lambda items, pattern: items
    count = len(pattern)

    def fill(items, pattern):
        if len(items) != count:
            raise ValueError("the tuple has the wrong length")
        for i in range(count):
            pattern = sequences.put(pattern, i, items[i])
        return pattern

    return fill


@overload(sequences.backwards)
def _backwards(items):
    if isinstance(items, types.RangeType):

        def of_range(items):
            return range(items.start + (len(items) - 1) * items.step, items.start - items.step, -items.step)

        return of_range
    return lambda items: items[::-1]


@overload(sequences.part)
def _part(items, first, end, step):
    if not _is_tuple(items):
        if isinstance(step, types.NoneType):
            return lambda items, first, end, step: items[first:end]
        return lambda items, first, end, step: items[first:end:step]
    count = items.count
    last = not isinstance(end, types.NoneType)
    begun = not isinstance(first, types.NoneType)
    stepped = not isinstance(step, types.NoneType)

    def of_tuple(items, first, end, step):
        by = step if stepped else 1
        start = first if begun else (0 if by > 0 else count - 1)
        stop = end if last else (count if by > 0 else -1)
        if begun and start < 0:
            start = max(start + count, 0 if by > 0 else -1)
        if last and stop < 0:
            stop = max(stop + count, 0 if by > 0 else -1)
        start = min(start, count if by > 0 else count - 1)
        stop = min(stop, count)
        return [items[i] for i in range(start, stop, by)]

    return of_tuple


@overload(sequences.looked_up)
def _looked_up(items, key):
    if isinstance(items, types.DictType) and isinstance(items.value_type, (types.Number, types.Boolean)):
        kind = items.value_type
        return lambda items, key: items.get(key, kind(0))
    return lambda items, key: items[key]


@overload(sequences.plainly)
def _plainly(item):
    if isinstance(item, types.IntegerLiteral):
        return lambda item: whole(item)
    return lambda item: item


@overload(sequences.ones)
def _ones(number):
    if isinstance(number, (types.Integer, types.Boolean)):
        return lambda number: bits.popcount(abs(whole(number)))
    return None


@overload(sequences.square_root)
def _square_root(number):
    def root(number):
        found = int(math.sqrt(number))
        while found * found > number:
            found -= 1
        while (found + 1) * (found + 1) <= number:
            found += 1
        return found

    return root


@overload(sequences.choices)
def _choices(n, k):
    def count(n, k):
        found = 1 if 0 <= k <= n else 0
        for i in range(min(k, n - k)):
            found = found * (n - i) // (i + 1)
        return found

    return count


@overload(sequences.empty_set)
def _empty_set():
    def make():
        found = {whole(0)}
        found.clear()
        return found

    return make


@overload(sequences.empty_list)
def _empty_list():
    return lambda: [whole(0) for _ in range(0)]


@overload(sequences.empty_counts)
def _empty_counts():
    number = types.int64
    return lambda: Dict.empty(number, number)


@overload_method(types.Integer, "bit_count")
def _bit_count(number):
    if number.signed:
        return lambda number: bits.popcount(abs(number))
    return lambda number: bits.popcount(number)


@overload_method(types.Integer, "bit_length")
def _bit_length(number):
    if number.signed:
        return lambda number: bits.highest_bit(abs(number)) + 1
    return lambda number: bits.highest_bit(number) + 1


def _count(items, value):
    def count(items, value):
        found = 0
        for item in items:
            if item == value:
                found += 1
        return found

    return count


def _index(items, value):
    def index(items, value):
        for i in range(len(items)):
            if items[i] == value:
                return i
        raise ValueError("not found")

    return index


@overload_method(types.BaseTuple, "count")
def _count_in_tuple(items, value):
    return _count(items, value) if _is_tuple(items) else None


@overload_method(types.Array, "count")
def _count_in_array(items, value):
    return _count(items, value) if items.ndim == 1 else None


@overload_method(types.Array, "index")
def _index_in_array(items, value):
    return _index(items, value) if items.ndim == 1 else None
