"""Moves that are only counted: loops over bits that only yield become counts of bits."""

from __future__ import annotations

from types import FunctionType

import pytest

from zerosum.jit.bits import bits, popcount
from zerosum.jit.lift import REWRITTEN
from zerosum.jit.yields import COUNT, FILL, TOO_MANY, fill_code

ROOM = 100


def form_of(generator, form):
    """A buffer-filling form of a generator, to run in plain Python."""
    return FunctionType(fill_code(generator, form), {**globals(), **REWRITTEN})


def one_each(board):
    for i in bits(board):
        yield 8 * i + 1


def four_each(board):
    for i in bits(board):
        yield i
        yield 64 + i
        yield 128 + i
        yield 192 + i


def delegated(board):
    yield 99
    yield from bits(board)


def nested(board):
    for i in bits(board):
        for j in bits(board & 0b1111):
            yield 64 * i + j


def some(board):
    for i in bits(board):
        if i & 1:
            yield i


def read_afterwards(board):
    i = 7
    for i in bits(board):
        yield i
    yield 64 + i


def one_name_twice(board):
    for i in bits(board):
        for i in bits(board & 0b1111):
            yield i
        if i > 2:
            yield 64 + i


def with_else(board):
    for i in bits(board):
        yield i
    else:
        yield 64


def other_loops(board):
    for i in range(popcount(board)):
        yield i


GENERATORS = [one_each, four_each, delegated, nested, some, read_afterwards, one_name_twice, with_else, other_loops]


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("board", [0, 1, 0b1011, 0b1100_0110_0001])
def test_counting_agrees_with_filling(generator, board):
    wanted = list(generator(board))
    out = [0] * ROOM
    assert form_of(generator, FILL)(board, out, 3, ROOM) == len(wanted)
    assert out[3 : 3 + len(wanted)] == wanted
    assert form_of(generator, COUNT)(board, None, 3, ROOM) == len(wanted)


def test_a_loop_that_only_yields_is_gone():
    counted = {generator: fill_code(generator, COUNT).co_names for generator in GENERATORS}
    for generator in (one_each, four_each, delegated):
        assert "_zs_popcount" in counted[generator] and "_zs_lowest" not in counted[generator]
    for generator in (some, read_afterwards, one_name_twice, with_else):
        assert "_zs_lowest" in counted[generator] and "_zs_popcount" not in counted[generator]


@pytest.mark.parametrize("generator", [one_each, four_each, delegated])
def test_too_many_moves_are_noticed_or_counted_all_the_same(generator):
    board = 0b1111
    count = len(list(generator(board)))
    for form in (FILL, COUNT):
        assert form_of(generator, form)(board, [0] * ROOM, 3, 3 + count) == count
    row = [0] * ROOM
    assert form_of(generator, FILL)(board, row, 3, 2 + count) == TOO_MANY
    assert row[2 + count :] == [0] * (ROOM - 2 - count)
    assert form_of(generator, COUNT)(board, row, 3, 2 + count) == count
