"""Facts about the compiler: plain Python that an author writes does the same when compiled.

Tested with perft and minimax, which compile in a second.
"""

from __future__ import annotations

import enum
import traceback
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from looking import GUESS, STEP, guess
from samples import THOROUGH, samples

import zerosum as zs
from zerosum.engine import minimax
from zerosum.errors import GameError, KernelError, MissingRule
from zerosum.jit.bits import bits, highest_bit, lowest_bit, mix, popcount, replace, signed
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import Region
from zerosum.jit.words import drop_lowest, spread, to_u64, whole
from zerosum.running.crew import CPU, PLAIN, Crew
from zerosum.search.alphabeta import ALPHABETA
from zerosum.search.minimax import MINIMAX


class Pile(NamedTuple):
    stones: int
    turn: int


class Inner(NamedTuple):
    low: int
    high: zs.u64


class Outer(NamedTuple):
    inner: Inner
    row: tuple[int, int, int]
    turn: int


class Limits:
    most = 3

    @staticmethod
    def twice(n):
        return 2 * n


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 1


WEIGHTS = [5, 7, 9]
GRID = [[1, 2], [3, 4]]


def helper(n):
    return n + 1 if n < 2 else fold(n)


def fold(n):  # a helper that calls itself
    return n if n < 2 else fold(n - 1) + 1


def pile_game(**changes):
    def moves(s):
        for n in range(1, 4):
            if n <= s.stones:
                yield n

    rules = {
        "name": "pile",
        "State": Pile,
        "initial": lambda: Pile(9, zs.MAX),
        "to_move": lambda s: s.turn,
        "moves": moves,
        "play": lambda s, n: Pile(s.stones - n, 1 - s.turn),
        "utility": lambda s: 1 if s.turn == zs.MIN else -1,
        "max_moves": 3,
    }
    return zs.Game(**{**rules, **changes})


def lines(rules, s, depth):
    """Perft by these moves and this play."""
    if depth == 0:
        return 1
    return sum(lines(rules, rules.play(s, move), depth - 1) for move in list(rules.moves(s)))


def counts(game, depth=4, kernel=THOROUGH):
    """Perft by the compiled rules, or by the compiled kernel, after checking that it equals perft in plain Python."""
    s = game.initial()
    compiled = zs.perft(game, s, depth) if kernel else lines(game.compiled, s, depth)
    assert compiled == zs.perft(game, s, depth, jit=False)
    return compiled


def test_rules_may_call_helpers_that_call_each_other():
    def moves(s):
        for n in range(1, helper(1) + 1):
            if n <= s.stones:
                yield n

    assert counts(pile_game(moves=moves)) == 16


def test_rules_may_use_classes_enums_modules_lists_and_closures():
    step = 1

    def moves(s):
        for n in range(step, Limits.most + 1):
            if n <= s.stones and GRID[1][0] == 3 and WEIGHTS[n % 3] > Colour.BLUE and Limits.twice(n) > n:
                yield n

    assert counts(pile_game(moves=moves)) == 66


def test_moves_may_delegate_return_early_and_loop_over_bits():
    def small(s):
        if s.stones >= 1:
            yield 1
        if s.stones < 2:
            return
        yield 2

    def moves(s):
        yield from small(s)
        for n in bits(0b1000):
            if n <= s.stones:
                yield n

    assert counts(pile_game(moves=moves), kernel=True) == 66


def test_a_generator_without_source_is_compiled_as_it_is():
    scope = {}
    exec("def moves(s):\n    for n in range(1, 4):\n        if n <= s.stones:\n            yield n", scope)
    assert counts(pile_game(moves=scope["moves"])) == 66


def test_rules_that_are_jitted_already_are_welcome():
    from numba import njit

    game = pile_game()
    assert counts(pile_game(moves=njit(game.given["moves"]), play=njit(game.given["play"]))) == 66


def test_parameters_with_defaults_keep_them():
    def moves(s, most=2):
        for n in range(1, most + 1):
            if n <= s.stones:
                yield n

    assert counts(pile_game(moves=moves)) == 16


def test_a_helper_that_loops_over_bits_keeps_its_defaults():
    def total(board, factor=2):
        found = 0
        for i in bits(board):
            found += i * factor
        return found

    game = pile_game(evaluate=lambda s: total(0b110) + total(0b110, 10))
    assert guess(game, Pile(9, 0)) == 36


@pytest.mark.slow
def test_states_may_hold_tuples_nested_states_and_unsigned_words():
    u64 = zs.u64

    def moves(s):
        for i in range(3):
            if s.row[i] > 0:
                yield i

    def play(s, i):
        inner = Inner(s.inner.low + 1, s.inner.high ^ (u64(1) << u64(63)))
        return Outer(inner, replace(s.row, i, s.row[i] - 1), 1 - s.turn)

    game = zs.Game(
        "nested", Outer, lambda: Outer(Inner(0, u64(0)), (1, 2, 3), 0), lambda s: s.turn, moves, play,
        lambda s: 1 if s.inner.high >> u64(63) else -1, 3,
    )  # fmt: skip
    assert counts(game, 6, kernel=True) == 60
    plain, compiled = (zs.Engine(game, hash_mb=1, jit=jit).search(game.start()) for jit in (False, True))
    assert (plain.value, plain.nodes) == (compiled.value, compiled.nodes)


def test_tables_change_without_recompiling():
    class Weights(NamedTuple):
        stone: np.ndarray

    game = pile_game(evaluate=lambda s, t: s.stones * t.stone[0], tables=Weights(np.array([2])))
    other = game.with_(tables=Weights(np.array([5])))
    assert [guess(g, Pile(9, 0)) for g in (game, other)] == [18, 45]
    for kernel in (GUESS, MINIMAX, ALPHABETA):
        assert kernel.digest(game) == kernel.digest(other)
        assert kernel.digest(game) != kernel.digest(game.with_(tables=Weights(np.array([2.0]))))


def test_compiled_rules_are_the_plain_rules():
    game = zs.load("connect-four")
    s = game.initial()
    for move in (3, 3, 2, 4):
        assert list(game.compiled.moves(s)) == list(game.moves(s))
        assert game.compiled.evaluate(s) == game.evaluate(s)
        assert game.compiled.play(s, move) == game.play(s, move)
        s = game.play(s, move)
    othello = zs.load("othello")  # yields from bits
    assert list(othello.compiled.moves(othello.initial())) == list(othello.moves(othello.initial()))
    with pytest.raises(MissingRule, match="noisy_moves"):
        _ = game.compiled.noisy_moves


word = st.integers(-(2**63), 2**63 - 1)


@pytest.fixture(scope="module")
def bit_kernel():
    """A kernel that calls every helper on the first two words of a region; the results follow these."""
    game = pile_game()

    def build(rules):
        at = rules.at["words"]

        def entry(mem):
            a, b = mem[at], mem[at + 1]
            mem[at + 2] = popcount(a)
            mem[at + 3] = lowest_bit(a)
            mem[at + 4] = signed(drop_lowest(a))
            mem[at + 5] = mix(a, b)
            mem[at + 6] = spread(a, 1023)
            mem[at + 7] = signed(to_u64(a))
            mem[at + 8] = whole(a)
            total = 0
            for i in bits(a):
                total = total * 3 + i
            mem[at + 9] = total
            mem[at + 10] = highest_bit(a)
            return 0

        return entry

    kernel = Kernel("bits", (), build, regions=lambda game: [Region("words", 11)])
    return [Crew(kernel, game, target=target)[0] for target in (CPU, PLAIN)]


@given(word, word)
@settings(max_examples=samples(300))
def test_bit_helpers_mean_the_same_compiled_and_plain(bit_kernel, a, b):
    results = []
    for member in bit_kernel:
        at = member.at["words"]
        member.row[at], member.row[at + 1] = a, b
        member.run()
        results.append([signed(number) for number in member.region("words", 11)])
    assert results[0] == results[1]


# Broken games: one line that names the game, the function and what is wrong


@pytest.mark.parametrize("jit", [True, False])
def test_too_many_moves_are_an_error_and_never_a_crash(jit):
    def moves(s):
        for n in range(1 if s.stones > 7 else 1000):
            yield n

    game = pile_game(moves=moves, play=lambda s, n: Pile(s.stones - 1, 1 - s.turn))
    with pytest.raises(GameError, match=r"pile: moves yields more than max_moves = 3 moves in Pile\(stones=7"):
        minimax(game, game.initial(), 4, jit=jit)
    with pytest.raises(GameError, match="max_moves = 3"):
        zs.perft(game, game.initial(), 5, jit=jit)


def test_a_generator_that_never_ends_is_caught():
    def moves(s):
        while s.stones < 8:
            yield 1
        yield 1

    with pytest.raises(GameError, match="max_moves"):
        zs.perft(pile_game(moves=moves), Pile(9, 0), 4)


@pytest.mark.parametrize(
    ("jit", "bad"), [(True, 2**31), pytest.param(True, -1, marks=pytest.mark.slow), (False, 2**31), (False, -1)]
)
def test_moves_out_of_range_are_quoted(jit, bad):
    game = pile_game(moves=lambda s: (yield 1 if s.stones > 7 else bad))
    with pytest.raises(GameError, match=f"moves yields {bad}, outside"):
        zs.perft(game, Pile(9, 0), 5, jit=jit)


def test_a_move_that_is_no_integer_is_quoted():
    with pytest.raises(GameError, match=r"moves yields 1\.5, not an integer"):
        zs.Engine(pile_game(moves=lambda s: iter([1.5]))).search(Pile(9, 0), depth=2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"evaluate": lambda s: s.stones / 2}, r"pile: evaluate \(.*line \d+\) returns a float, not a whole number"),
        (
            {"evaluate": lambda s: s.stones.to_bytes()},
            r"pile: evaluate \(.*, line \d+: .*\): a whole number has no method",
        ),
        ({"evaluate": lambda s: UNKNOWN}, r"evaluate .* UNKNOWN is not defined"),  # noqa: F821
        ({"play": lambda s, n: s.stones - n}, r"pile: play \(.*\) returns a whole number, not a Pile"),
    ],
)
def test_rules_that_cannot_be_compiled_are_named_with_line_and_reason(changes, message):
    game = pile_game(**changes)
    with pytest.raises(KernelError, match=message) as caught:
        (STEP if "play" in changes else GUESS).of(game)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("debug", ["", "1"])
def test_the_pages_that_numba_writes_are_shown_only_for_debugging(debug, monkeypatch):
    monkeypatch.setenv("ZEROSUM_DEBUG", debug)
    with pytest.raises(KernelError) as caught:
        GUESS.of(pile_game(evaluate=lambda s: s.stones.to_bytes()))
    shown = "".join(traceback.format_exception(caught.value))
    assert ("nopython mode" in shown) == bool(debug)


def test_a_rule_that_prints_is_refused_instead_of_hanging():
    def evaluate(s):
        print(s.stones)
        return 0

    with pytest.raises(KernelError, match=r"pile: .*print"):
        GUESS.of(pile_game(evaluate=evaluate))


def test_an_assignment_to_a_global_is_refused():
    def evaluate(s):
        global COUNTER
        COUNTER = 1
        return 0

    with pytest.raises(KernelError, match="pile: evaluate"):
        GUESS.of(pile_game(evaluate=evaluate))


def test_an_exception_inside_a_compiled_rule_is_reported():
    def evaluate(s):
        if s.stones < 3:
            raise ValueError("no")
        return 0

    with pytest.raises(GameError, match="pile: a compiled rule raised an exception"):
        guess(pile_game(evaluate=evaluate), Pile(2, 0))


def test_rules_may_allocate_arrays():
    def evaluate(s):
        a = np.zeros(4, np.int64)
        a[s.stones % 4] = 3
        return a.sum()

    assert guess(pile_game(evaluate=evaluate), Pile(9, 0)) == 3
