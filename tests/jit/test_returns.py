"""Facts about moves that are returned, not yielded: a list, a tuple, a range, a generator, the result of a helper.

Each function below returns the moves of one game: take one to three of nine stones. Its perft is 3, 9, 27, 66.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

import pytest

import zerosum as zs
from zerosum import bits
from zerosum.errors import GameError, KernelError
from zerosum.jit.sources import source_of


class Pile(NamedTuple):
    stones: int
    turn: int


NUMBERS = [1, 2, 3]
START = Pile(9, zs.MAX)


class Helpers:
    @staticmethod
    def listed(s):
        return [n for n in NUMBERS if n <= s.stones]


def yielding(s):
    for n in NUMBERS:
        if n <= s.stones:
            yield n


def expressed(s):
    return (n for n in NUMBERS if n <= s.stones)


def add_small(s, found):
    for n in (1, 2):
        if n <= s.stones:
            found.append(n)


def a_comprehension(s):
    return [n for n in range(1, 4) if n <= s.stones]


def a_range(s):
    return range(1, min(3, s.stones) + 1)


def a_generator_expression(s):
    return (n for n in range(1, 4) if n <= s.stones)


def a_generator(s):
    return yielding(s)


def what_a_helper_returns(s):
    return expressed(s)


def what_a_static_method_returns(s):
    return Helpers.listed(s)


def lists_and_tuples_by_condition(s):
    if s.stones == 0:
        return []
    if s.stones == 1:
        return (1,)
    return [1, 2] if s.stones == 2 else (1, 2, 3)


def an_appended_list(s):
    found = []
    for n in range(1, 4):
        if n > s.stones:
            return found
        found.append(n)
    return found


def an_extended_list(s):
    found: list[int] = []
    found.extend(n for n in (1, 2) if n <= s.stones)
    if s.stones >= 3:
        found += [3]
    return found


def a_list_that_is_thrown_away(s):
    found = []
    for n in NUMBERS:
        found.append(n)
        if n > s.stones:
            return [m for m in NUMBERS if m <= s.stones]
    return found


def a_list_that_helpers_fill(s):
    found = [0]
    found.pop()
    add_small(s, found)
    if s.stones >= 3:
        found.append(3)
    return sorted(found)


def a_sum_of_lists(s):
    return [n for n in (1, 2) if n <= s.stones] + ([3] if s.stones >= 3 else [])


def a_constant_cut_off(s):
    return NUMBERS[: min(3, s.stones)]


def a_filter(s):
    return filter(lambda n: n <= s.stones, NUMBERS)


def a_tuple_of_a_generator(s):
    return tuple(n for n in NUMBERS if n <= s.stones)


def starred(s):
    return [*yielding(s)]


def numbers_of_bits(s):
    return bits(0b1110 & ((2 << s.stones) - 1))


def a_comprehension_over_bits(s):
    return [i for i in bits(0b1110) if i <= s.stones]


def a_comprehension_in_a_generator(s):
    yield from (n for n in NUMBERS if n <= s.stones)
    return 5  # ignored, as in Python


def a_comprehension_whose_variable_is_another(s):
    n = 3
    found = [n for n in range(1, 4) if n <= s.stones]
    return found if n == 3 else []


WAYS = [
    a_comprehension, a_range, a_generator_expression, a_generator, what_a_helper_returns, what_a_static_method_returns,
    lists_and_tuples_by_condition, an_appended_list, an_extended_list, a_list_that_is_thrown_away,
    a_list_that_helpers_fill, a_sum_of_lists, a_constant_cut_off, a_filter, a_tuple_of_a_generator, starred,
    numbers_of_bits, a_comprehension_over_bits, a_comprehension_in_a_generator,
    a_comprehension_whose_variable_is_another,
    lambda s: (n for n in range(1, 4) if n <= s.stones),
    lambda s: range(1, min(3, s.stones) + 1),
]  # fmt: skip


def pile_game(moves, **more):
    return zs.Game(
        "pile", Pile, lambda: START, lambda s: s.turn, moves, lambda s, n: Pile(s.stones - n, 1 - s.turn),
        lambda s: 1 if s.turn == zs.MIN else -1, 3, **more,
    )  # fmt: skip


COUNTED = (lists_and_tuples_by_condition, a_generator_expression, a_list_that_is_thrown_away)


@pytest.mark.parametrize("moves", WAYS, ids=lambda moves: moves.__name__)
def test_the_compiled_rule_yields_what_the_plain_one_returns(moves):
    compiled = pile_game(moves).compiled.moves
    for stones in range(10):
        s = Pile(stones, zs.MAX)
        assert list(compiled(s)) == list(moves(s)) == list(yielding(s))


@pytest.mark.parametrize(
    "moves",
    [way if way in COUNTED else pytest.param(way, marks=pytest.mark.slow) for way in WAYS],
    ids=lambda moves: moves.__name__,
)
def test_moves_may_be_returned(moves):
    game = pile_game(moves)
    assert [zs.perft(game, START, depth) for depth in (1, 2, 3, 4)] == [3, 9, 27, 66]
    assert zs.perft(game, START, 4, jit=False) == 66


@pytest.mark.slow
@pytest.mark.parametrize("moves", [a_generator_expression, a_comprehension, a_range])
def test_a_game_whose_moves_are_returned_is_solved(moves):
    """Nine stones are won by taking one; four and eight are lost."""
    game = pile_game(moves)
    for jit in (True, False):
        engine = zs.Engine(game, hash_mb=1, jit=jit)
        won, lost = engine.solve(START), engine.solve(Pile(8, zs.MAX))
        assert (won.move, won.outcome, won.proven) == (1, 1, True)
        assert (lost.outcome, lost.proven) == (-1, True)


@pytest.mark.slow
def test_noisy_moves_may_be_returned():
    """A game in which taking the last stones is noisy, so that quiescence search sees the end early."""
    game = pile_game(a_range, noisy_moves=lambda s: [s.stones] if 0 < s.stones <= 3 else [], evaluate=lambda s: 0)
    found = [zs.Engine(game, hash_mb=1, jit=jit).search(START, depth=2) for jit in (True, False)]
    assert found[0].value == found[1].value and found[0].nodes == found[1].nodes


class Coin(NamedTuple):
    tossed: int
    heads: int


def test_chances_may_be_returned():
    coin = zs.Game(
        "coin", Coin, lambda: Coin(0, 0), lambda s: zs.CHANCE if s.tossed < 3 else zs.MAX, lambda s: [],
        lambda s, side: Coin(s.tossed + 1, s.heads + side), lambda s: s.heads, 1,
        chances=lambda s: [(0, 0.5), (1, 0.5)], max_chances=2,
    )  # fmt: skip
    assert zs.perft(coin, Coin(0, 0), 3) == zs.perft(coin, Coin(0, 0), 3, jit=False) == 8


def test_a_set_of_moves_is_refused_since_it_has_no_order():
    def moves(s):
        return {n for n in range(1, 4) if n <= s.stones}

    with pytest.raises(
        KernelError, match=r"pile: moves \(test_returns\.py, line \d+: `return {n for .*`\): a set has no order"
    ) as caught:
        zs.perft(pile_game(moves), START, 3)
    assert "\n" not in str(caught.value)


def test_moves_that_only_sometimes_return_something_are_an_error_where_they_do_not():
    def moves(s):  # noqa: RET503
        if s.stones > 7:
            return [1]

    with pytest.raises(GameError, match=r"moves\(Pile\(stones=7, turn=0\)\) failed: 'NoneType'"):
        zs.perft(pile_game(moves), START, 4)
    with pytest.raises(GameError, match=r"moves\(Pile\(stones=7, turn=0\)\) failed: 'NoneType'"):
        pile_game(moves).is_over(Pile(7, 0))


def test_a_decorated_rule_is_compiled_with_its_decoration():
    from functools import wraps

    def without_three(rule):
        @wraps(rule)
        def wrapped(s):
            return [n for n in rule(s) if n < 3]

        return wrapped

    game = pile_game(without_three(yielding))
    assert list(game.compiled.moves(START)) == list(game.moves(START)) == [1, 2]
    assert zs.perft(game, START, 4, jit=False) == 16


def test_lambdas_of_one_line_are_told_apart_by_what_they_do():
    few, all_of_them = 2, (lambda s: (1, 2), lambda s: (1, 3), lambda s: [n for n in s if n < few], lambda s: few)
    found = [ast.unparse(source_of(function).body[0]) for function in all_of_them]
    assert found == ["return (1, 2)", "return (1, 3)", "return [n for n in s if n < few]", "return few"]
