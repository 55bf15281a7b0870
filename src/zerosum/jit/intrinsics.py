"""The compiled form of ``bits`` and ``words``. Importing this file imports Numba.

Each helper is lowered to inline instructions. None is compiled as a function of its own,
which would take tens of milliseconds each.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, overload, type_callable

from zerosum.jit import bits, words
from zerosum.jit.numba_private import TypingError, array_data, call_by_symbol, converted, tuple_setitem

MEMORY = types.CPointer(types.int64)
FLOATS = types.CPointer(types.float32)
SHORTS = types.CPointer(types.int16)


RESERVING = "acq_rel"
"""The memory ordering of ``reserve``, and of nothing else: it identifies ``reserve`` when code is generated for cards.
A processor does not need it."""

NUMBERS = {
    types.int64: ("an integer", (types.Integer, types.Boolean)),
    types.float64: ("a number", (types.Integer, types.Boolean, types.Float)),
}


MAY_BE_NONE = (words.whole, words.floating)


def _helper(function: Any, result: Any, build: Callable[..., Any], takes: Any = types.int64) -> None:
    """Teach Numba a helper on numbers; ``result`` is its type, or a function of the argument's type.

    ``build(builder, *words)`` gets its arguments converted to ``takes``: 64-bit integers or floats.
    """
    name, allowed = NUMBERS[takes]

    @type_callable(function)  # type: ignore[untyped-decorator]
    def typer(context: Any) -> Any:
        def one(x):
            return _check(x)

        def two(x, y):
            return _check(x, y)

        return two if function.__code__.co_argcount == 2 else one

    def _check(*kinds: Any) -> Any:
        for kind in kinds:
            # An optional number counts as a number; None raises an exception at run time.
            inner = kind.type if isinstance(kind, types.Optional) and function in MAY_BE_NONE else kind
            if not isinstance(inner, allowed):
                raise TypingError(f"{name} is needed here, not {kind}")
        return result(kinds[0]) if callable(result) and not isinstance(result, types.Type) else result

    @lower_builtin(function, *[types.Any] * function.__code__.co_argcount)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        as_words = [
            converted(context, builder, argument, kind, takes)
            for argument, kind in zip(arguments, signature.args, strict=True)
        ]
        return build(builder, *as_words)


def _constant(x: int) -> Any:
    return ir.Constant(ir.IntType(64), x)


def _mix(builder: Any, seed: Any, word: Any) -> Any:
    seed = builder.mul(seed, _constant(0x9E3779B97F4A7C15))
    h = builder.mul(builder.xor(seed, word), _constant(0xBF58476D1CE4E5B9))
    h = builder.mul(builder.xor(h, builder.lshr(h, _constant(27))), _constant(0x94D049BB133111EB))
    return builder.xor(h, builder.lshr(h, _constant(31)))


def _spread(builder: Any, key: Any, mask: Any) -> Any:
    return builder.and_(builder.lshr(builder.mul(key, _constant(0x9E3779B97F4A7C15)), _constant(24)), mask)


def _same_sign(kind: Any) -> Any:
    return types.int64 if isinstance(kind, types.Boolean) or kind.signed else types.uint64


# Signed and unsigned words have the same bits: one lowering serves both.
_helper(words.whole, types.int64, lambda builder, x: x)
_helper(bits.signed, types.int64, lambda builder, x: x)
_helper(words.to_u64, types.uint64, lambda builder, x: x)
_helper(bits.popcount, types.int64, lambda builder, x: builder.ctpop(x))
# The second argument is False: the result for zero is defined, as 64.
_helper(bits.lowest_bit, types.int64, lambda builder, x: builder.cttz(x, ir.Constant(ir.IntType(1), 0)))
_helper(
    bits.highest_bit,
    types.int64,
    lambda builder, x: builder.sub(_constant(63), builder.ctlz(x, ir.Constant(ir.IntType(1), 0))),
)
_helper(words.drop_lowest, _same_sign, lambda builder, x: builder.and_(x, builder.sub(x, _constant(1))))
_helper(words.memory_at, MEMORY, lambda builder, x: builder.inttoptr(x, ir.IntType(64).as_pointer()))
_helper(bits.mix, types.int64, _mix)
_helper(words.spread, types.int64, _spread)
_helper(words.floating, types.float64, lambda builder, x: x, takes=types.float64)
_helper(words.float_word, types.int64, lambda builder, x: builder.bitcast(x, ir.IntType(64)), takes=types.float64)
_helper(words.word_float, types.float64, lambda builder, x: builder.bitcast(x, ir.DoubleType()))
_helper(words.floats_at, FLOATS, lambda builder, x: builder.inttoptr(x, ir.FloatType().as_pointer()))


def _row_of(function: Any, number: Any, row: Any) -> None:
    """Teach Numba to treat an array of the tables as one row."""

    @type_callable(function)  # type: ignore[untyped-decorator]
    def typer(context: Any) -> Any:
        def one(array):
            if not isinstance(array, types.Array) or array.dtype != number or array.layout != "C":
                raise TypingError(f"a {number} array of the tables is needed here, not {array}")
            return row

        return one

    @lower_builtin(function, types.Array)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return array_data(context, builder, signature.args[0], arguments[0])


_row_of(words.floats_of, types.float32, FLOATS)
_row_of(words.shorts_of, types.int16, SHORTS)


def _room(function: Any, number: Any, row: Any) -> None:
    """Teach Numba a scratch row in the stack frame of the function."""

    @type_callable(function)  # type: ignore[untyped-decorator]
    def typer(context: Any) -> Any:
        def none():
            return row

        return none

    @lower_builtin(function)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        with builder.goto_entry_block():  # once per call of the function, however often the line is reached
            made = builder.alloca(ir.ArrayType(number, words.SCRATCH))
        made.align = 64
        return builder.bitcast(made, number.as_pointer())


_room(words.scratch, ir.FloatType(), FLOATS)
_room(words.scratch_words, ir.IntType(64), MEMORY)
_room(words.scratch_shorts, ir.IntType(16), SHORTS)


@type_callable(words.differing)  # type: ignore[untyped-decorator]
def _type_differing(context: Any) -> Any:
    def typer(one, first, other, second):
        if one != FLOATS or other != FLOATS:
            raise TypingError(f"rows of float32 are needed here, not {one} and {other}")
        return types.int64

    return typer


@lower_builtin(words.differing, FLOATS, types.Integer, FLOATS, types.Integer)  # type: ignore[untyped-decorator]
def _lower_differing(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = ir.VectorType(ir.FloatType(), words.LANES)
    loaded = []
    for row, place in (arguments[:2], arguments[2:]):
        address = builder.bitcast(builder.gep(row, [place]), kind.as_pointer())
        lanes = builder.load(address)
        lanes.align = 4
        loaded.append(lanes)
    mask = builder.bitcast(builder.fcmp_unordered("!=", *loaded), ir.IntType(words.LANES))
    return builder.zext(mask, ir.IntType(64))


def _shared(function: Any, operation: str, kind: Any = types.int64, ordering: str = "monotonic") -> None:
    """Teach Numba an atomic change of one word."""

    @type_callable(function)  # type: ignore[untyped-decorator]
    def typer(context: Any) -> Any:
        def three(row, at, value):
            if row != MEMORY or not isinstance(at, types.Integer) or not isinstance(value, NUMBERS[kind][1]):
                raise TypingError(f"a row of words, a place and a number are needed here, not {row}, {at}, {value}")
            return kind

        return three

    @lower_builtin(function, MEMORY, types.Any, types.Any)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, at, value = arguments
        at = converted(context, builder, at, signature.args[1], types.int64)
        value = converted(context, builder, value, signature.args[2], kind)
        place = builder.bitcast(builder.gep(row, [at]), value.type.as_pointer())
        return builder.atomic_rmw(operation, place, value, ordering)


_shared(words.add_shared, "add")
_shared(words.or_shared, "or")
_shared(words.reserve, "add", ordering=RESERVING)
_shared(words.add_fraction_shared, "fadd", types.float64)


@type_callable(words.prefetch)  # type: ignore[untyped-decorator]
def _type_prefetch(context: Any) -> Any:
    def typer(row, at):
        if row != MEMORY or not isinstance(at, types.Integer):
            raise TypingError(f"a row of words and a place are needed here, not {row} and {at}")
        return types.int64

    return typer


@lower_builtin(words.prefetch, MEMORY, types.Integer)  # type: ignore[untyped-decorator]
def _lower_prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    row, at = arguments
    at = converted(context, builder, at, signature.args[1], types.int64)
    address = builder.bitcast(builder.gep(row, [at]), ir.IntType(8).as_pointer())
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
    # For reading; keep in all caches; data, not instructions.
    how = [ir.Constant(number, x) for x in (0, 3, 1)]
    builder.call(builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind), [address, *how])
    return _constant(0)


@overload(bits.bits)
def _bits(board):
    """A generator, which is slower: used only if there is no source to rewrite the loop."""

    def iterate(board):
        while board:
            yield bits.lowest_bit(board)
            board = words.drop_lowest(board)

    return iterate


@overload(operator.setitem)
def _put_tagged(items, at, move):
    if isinstance(items, types.BaseNamedTuple) and items.instance_class is words.Tagged:

        def put(items, at, move):
            items.row[at] = move | items.tag

        return put
    return None


@overload(bits.replace)
def _replace(items, index, value):
    if isinstance(items, types.UniTuple):
        kind = items.dtype
        return lambda items, index, value: tuple_setitem(items, index, kind(value))
    return None


def declare(symbol: str, signature: Any, called: set[str]) -> Any:
    """A function that compiled code can call by ``symbol``, to be defined when the program is linked.

    The symbol is added to ``called`` when code that calls it is generated, which it is not for branches that a game
    rules out.
    """

    def lower(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        called.add(symbol)
        return call_by_symbol(context, builder, symbol, signature, arguments)

    names = ", ".join(f"a{i}" for i in range(len(signature.args)))
    scope: dict[str, Any] = {"signature": signature, "lower": lower}
    exec(f"def {symbol}(context, {names}):\n    return signature, lower", scope)
    # Numba's own engine never runs this code, but requires every symbol to have an address.
    llvm.add_symbol(symbol, llvm.address_of_symbol("malloc"))
    return intrinsic(scope[symbol])
