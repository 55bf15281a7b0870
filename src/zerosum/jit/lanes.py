"""Rows of 16-bit numbers, ``LANES`` at a time: the compiled form of the functions in ``words`` that work on them.

Their loops are written with LLVM's vectors, because Numba widens all integers to 64 bits. LLVM maps them to the
processor's instructions. Importing this file imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from zerosum.jit import words
from zerosum.jit.intrinsics import MEMORY, SHORTS
from zerosum.jit.numba_private import TypingError, converted

INDEX = ir.IntType(64)
NARROW, WIDE = (ir.VectorType(ir.IntType(bits), words.LANES) for bits in (16, 32))
HALF = ir.VectorType(ir.IntType(32), words.LANES // 2)
EVEN, ODD = (ir.Constant(HALF, list(range(start, words.LANES, 2))) for start in (0, 1))
"""The lanes that ``shuffle_vector`` selects."""


@type_callable(words.shorts_in)  # type: ignore[untyped-decorator]
def _type_shorts_in(context: Any) -> Any:
    def typer(row, at):
        if row != MEMORY or not isinstance(at, types.Integer):
            raise TypingError(f"a row of words and a place in it are needed here, not {row}, {at}")
        return SHORTS

    return typer


@lower_builtin(words.shorts_in, MEMORY, types.Any)  # type: ignore[untyped-decorator]
def _lower_shorts_in(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    at = converted(context, builder, arguments[1], signature.args[1], types.int64)
    return builder.bitcast(builder.gep(arguments[0], [at]), ir.IntType(16).as_pointer())


def _teach(function: Any, rows: int, result: Any, lower: Callable[..., Any]) -> None:
    """Teach Numba a function whose first arguments are ``rows`` rows, each with its place; all others are integers."""
    count = function.__code__.co_argcount
    kinds = [SHORTS, types.int64] * rows + [types.int64] * (count - 2 * rows)

    def checked(*given: Any) -> Any:
        for argument, kind in zip(given, kinds, strict=True):
            if argument != SHORTS if kind is SHORTS else not isinstance(argument, types.Integer):
                raise TypingError(f"{function.__name__} needs rows of 16-bit numbers and places, not {argument}")
        return result

    @type_callable(function)  # type: ignore[untyped-decorator]
    def typer(context: Any) -> Any:
        # Numba counts the parameters of the function returned here.
        names = ", ".join(function.__code__.co_varnames[:count])
        return eval(f"lambda {names}: checked({names})", {"checked": checked})

    @lower_builtin(function, *[types.Any] * count)  # type: ignore[untyped-decorator]
    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given = zip(arguments, signature.args, kinds, strict=True)
        found = lower(builder, *(x if k is SHORTS else converted(context, builder, x, had, k) for x, had, k in given))
        return context.get_dummy_value() if result is types.none else found


@contextmanager
def _loop(builder: Any, count: Any, *starts: Any) -> Iterator[tuple[Any, list[Any], list[Any]]]:
    """A loop over 0, LANES, 2 * LANES … below ``count``: the index, the loop-carried values, and a list for their next
    values. After the loop, the second item holds the final values."""
    before = builder.block
    test, body, after = (builder.append_basic_block(name) for name in ("lanes.test", "lanes.body", "lanes.after"))
    builder.branch(test)
    builder.position_at_end(test)
    index = builder.phi(INDEX)
    index.add_incoming(ir.Constant(INDEX, 0), before)
    carried = []
    for start in starts:
        phi = builder.phi(start.type)
        phi.add_incoming(start, before)
        carried.append(phi)
    builder.cbranch(builder.icmp_signed("<", index, count), body, after)
    builder.position_at_end(body)
    next_ones: list[Any] = []
    yield index, carried, next_ones
    index.add_incoming(builder.add(index, ir.Constant(INDEX, words.LANES)), builder.block)
    for phi, value in zip(carried, next_ones, strict=True):
        phi.add_incoming(value, builder.block)
    builder.branch(test)
    builder.position_at_end(after)


def _address(builder: Any, row: Any, at: Any, i: Any) -> Any:
    return builder.bitcast(builder.gep(row, [builder.add(at, i)]), NARROW.as_pointer())


def _load(builder: Any, row: Any, at: Any, i: Any) -> Any:
    lanes = builder.load(_address(builder, row, at, i))
    lanes.align = 2
    return lanes


def _combined(*signs: str) -> Callable[..., Any]:
    """``out = base`` with one row of the weights for each sign added or subtracted."""

    def lower(builder: Any, out: Any, to: Any, base: Any, at: Any, weights: Any, *places: Any) -> None:
        *rows, count = places
        with _loop(builder, count) as (i, _, _):
            total = _load(builder, base, at, i)
            for sign, row in zip(signs, rows, strict=True):
                combine = builder.add if sign == "+" else builder.sub
                total = combine(total, _load(builder, weights, row, i))
            builder.store(total, _address(builder, out, to, i)).align = 2

    return lower


def _clipped_squares(builder: Any, row: Any, at: Any, weights: Any, first: Any, count: Any) -> Any:
    """Add neighbouring products immediately: with these types that is one x86 instruction (pmaddwd)."""
    nothing, most = (ir.Constant(NARROW, [x] * words.LANES) for x in (0, words.CLIP))
    with _loop(builder, count, ir.Constant(HALF, None)) as (i, (sums,), carried_on):
        x = _load(builder, row, at, i)
        x = builder.select(builder.icmp_signed(">", x, nothing), x, nothing)
        x = builder.select(builder.icmp_signed("<", x, most), x, most)
        scaled = builder.mul(x, _load(builder, weights, first, i))
        products = builder.mul(builder.sext(x, WIDE), builder.sext(scaled, WIDE))
        unused = ir.Constant(WIDE, ir.Undefined)
        even, odd = (builder.shuffle_vector(products, unused, which) for which in (EVEN, ODD))
        carried_on.append(builder.add(sums, builder.add(even, odd)))
    total = ir.Constant(INDEX, 0)
    for lane in range(words.LANES // 2):
        part = builder.extract_element(sums, ir.Constant(ir.IntType(32), lane))
        total = builder.add(total, builder.sext(part, INDEX))
    return total


_teach(words.move_row, 3, types.none, _combined("+", "-"))
_teach(words.add_row, 3, types.none, _combined("+"))
_teach(words.drop_row, 3, types.none, _combined("-"))
_teach(words.clipped_squares, 2, types.int64, _clipped_squares)
