"""The compiled meaning of ``bits`` and ``words``. Importing this file imports Numba."""

from __future__ import annotations

from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic, overload

from zerosum.jit import bits, words

MEMORY = types.CPointer(types.int64)


@intrinsic
def _count_bits(context, board):
    def build(context, builder, signature, arguments):
        return builder.zext(builder.ctpop(arguments[0]), context.get_value_type(types.int64))

    return types.int64(types.uint64), build


@intrinsic
def _count_zeros(context, board):
    def build(context, builder, signature, arguments):
        # False: zero is not undefined, it gives 64.
        return builder.cttz(arguments[0], cgutils.false_bit)

    return types.int64(types.uint64), build


@intrinsic
def _at(context, address):
    def build(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(MEMORY))

    return MEMORY(types.int64), build


def _integers(*kinds):
    return all(isinstance(kind, (types.Integer, types.Boolean)) for kind in kinds)


@overload(bits.popcount)
def _popcount(board):
    if _integers(board):
        return lambda board: _count_bits(types.uint64(board))
    return None


@overload(bits.lowest_bit)
def _lowest_bit(board):
    if _integers(board):
        return lambda board: _count_zeros(types.uint64(board))
    return None


@overload(bits.bits)
def _bits(board):
    """Only where no source could be had to rewrite the loop: a generator, slower."""
    if not _integers(board):
        return None

    def iterate(board):
        rest = types.uint64(board)
        while rest:
            yield _count_zeros(rest)
            rest &= rest - types.uint64(1)

    return iterate


@overload(bits.replace)
def _replace(items, index, value):
    if isinstance(items, types.UniTuple):
        kind = items.dtype
        return lambda items, index, value: tuple_setitem(items, index, kind(value))
    return None


@overload(bits.mix)
def _mix(seed, word):
    if not _integers(seed, word):
        return None

    def rounds(seed, word):
        h = (types.uint64(seed) ^ types.uint64(word)) * types.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> types.uint64(27))) * types.uint64(0x94D049BB133111EB)
        return types.int64(h ^ (h >> types.uint64(31)))

    return rounds


@overload(bits.signed)
def _signed(word):
    return (lambda word: types.int64(word)) if _integers(word) else None


@overload(words.whole)
def _whole(x):
    if not _integers(x):
        raise TypingError(f"an integer is needed here, not {x}")
    return lambda x: types.int64(x)


@overload(words.to_u64)
def _to_u64(x):
    if not _integers(x):
        raise TypingError(f"an integer is needed here, not {x}")
    return lambda x: types.uint64(x)


@overload(words.floating)
def _floating(x):
    return lambda x: types.float64(x)


@overload(words.drop_lowest)
def _drop_lowest(board):
    if isinstance(board, types.Integer) and not board.signed:
        return lambda board: board & (board - types.uint64(1))
    return lambda board: board & (board - 1)


@overload(words.memory_at)
def _memory_at(address):
    return lambda address: _at(types.int64(address))


@overload(words.spread)
def _spread(key, mask):
    if not _integers(key, mask):
        return None
    return lambda key, mask: types.int64(
        (types.uint64(key) * types.uint64(0x9E3779B97F4A7C15)) >> types.uint64(24)
    ) & types.int64(mask)
