"""Replacements that rewritten rules call: tuples that are changed like lists, and the loops of ``itertools``.

Each works the same plain (here) and compiled (``sequence_types.py``, or this code). Authors never write these
names: ``natural`` inserts them.

>>> put((7, 8, 9), -1, 0), backwards((1, 2)), part((1, 2, 3, 4), 1, 3, None)
((7, 8, 0), (2, 1), (2, 3))
>>> list(product_2((1, 2), (3, 4))), list(combinations_2((1, 2, 3)))
([(1, 3), (1, 4), (2, 3), (2, 4)], [(1, 2), (1, 3), (2, 3)])
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any


def ready(items: Any) -> Any:
    """A copy of the items that ``put`` can change."""
    return tuple(ready(item) if isinstance(item, (list, tuple)) else item for item in items)


def put(items: Any, index: Any, value: Any) -> Any:
    """The items with one of them replaced."""
    index = index if index >= 0 else index + len(items)
    return (*items[:index], value, *items[index + 1 :])


def as_tuple(items: Any) -> Any:
    """``tuple(items)``; compiled, the number of items must be known."""
    return tuple(items)


def as_tuple_like(items: Any, pattern: Any) -> Any:
    """``tuple(items)``, which must be as long as the pattern."""
    if len(items) != len(pattern):
        raise ValueError
    return tuple(items)


def backwards(items: Any) -> Any:
    """``reversed(items)``."""
    return items[::-1]


def part(items: Any, first: Any, end: Any, step: Any) -> Any:
    """``items[first:end:step]`` with bounds that are not constants."""
    return items[first:end:step]


def looked_up(items: Any, key: Any) -> Any:
    """``items[key]`` of a dictionary that a rule creates; compiled, a missing key gives 0."""
    return items[key]


def plainly(item: Any) -> Any:
    """The item itself; compiled, a constant becomes an ordinary number."""
    return item


def ones(number: Any) -> int:
    """``bin(number).count("1")``."""
    return abs(int(number)).bit_count()


def square_root(number: Any) -> int:
    """``math.isqrt(number)``.

    >>> square_root(15), square_root(16)
    (3, 4)
    """
    return math.isqrt(number)


def choices(n: Any, k: Any) -> int:
    """``math.comb(n, k)``."""
    return math.comb(n, k)


def empty_set() -> set[int]:
    """``set()``, which another function fills with whole numbers."""
    return set()


def empty_list() -> list[int]:
    """``[]``, which another function fills with whole numbers."""
    return []


def empty_counts() -> dict[int, int]:
    """``{}``, which maps whole numbers to whole numbers."""
    return {}


def product_2(first: Any, second: Any) -> Iterator[Any]:
    for a in first:
        for b in second:
            yield a, b


def product_3(first: Any, second: Any, third: Any) -> Iterator[Any]:
    for a in first:
        for b in second:
            for c in third:
                yield a, b, c


def combinations_2(items: Any) -> Iterator[Any]:
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            yield items[i], items[j]


def combinations_3(items: Any) -> Iterator[Any]:
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            for k in range(j + 1, len(items)):
                yield items[i], items[j], items[k]


def permutations_2(items: Any) -> Iterator[Any]:
    for i in range(len(items)):
        for j in range(len(items)):
            if i != j:
                yield items[i], items[j]


def pairwise(items: Any) -> Iterator[Any]:
    for i in range(1, len(items)):
        yield items[i - 1], items[i]


def chain_2(first: Any, second: Any) -> Iterator[Any]:
    yield from first
    yield from second


def chain_3(first: Any, second: Any, third: Any) -> Iterator[Any]:
    yield from first
    yield from second
    yield from third


def chain_all(items: Any) -> Iterator[Any]:
    for item in items:
        yield from item


def first_of(items: Any, count: Any) -> Iterator[Any]:
    """``islice(items, count)``."""
    for i, item in enumerate(items):
        if i >= count:
            break
        yield item


def running_sums(items: Any) -> Iterator[Any]:
    """``accumulate(items)``."""
    total = 0
    for item in items:
        total += item
        yield total


def again(item: Any, count: Any) -> Iterator[Any]:
    """``repeat(item, count)``."""
    for _ in range(count):
        yield item


LOOPS = {
    ("islice", 2): first_of,
    ("accumulate", 1): running_sums,
    ("repeat", 2): again,
    ("product", 2): product_2,
    ("product", 3): product_3,
    ("combinations", 2): combinations_2,
    ("combinations", 3): combinations_3,
    ("permutations", 2): permutations_2,
    ("chain", 2): chain_2,
    ("chain", 3): chain_3,
}
"""The loops of ``itertools`` by name and number of arguments; for combinations and permutations, by length."""
