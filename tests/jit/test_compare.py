"""Facts about rules that do one thing in plain Python and another compiled: no search ever starts with them."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
import pytest
from looking import GUESS, STEP

import zerosum as zs
from zerosum import u64
from zerosum.engine import minimax
from zerosum.errors import KernelError
from zerosum.jit import store


class Pile(NamedTuple):
    stones: int
    turn: int


class Board(NamedTuple):
    cells: u64
    turn: int


START = Pile(9, zs.MAX)
WEIGHTS = [5, 7, 9, 5, 7, 9, 5, 7]


def pile_game(**changes):
    def moves(s):
        for n in range(1, 4):
            if n <= s.stones:
                yield n

    rules = {
        "name": "pile",
        "State": Pile,
        "initial": lambda: START,
        "to_move": lambda s: s.turn,
        "moves": moves,
        "play": lambda s, n: Pile(s.stones - n, 1 - s.turn),
        "utility": lambda s: 1 if s.turn == zs.MIN else -1,
        "max_moves": 3,
    }
    return zs.Game(**{**rules, **changes})


def first_search(game):
    zs.Engine(game, hash_mb=1).search(game.start(), depth=2)


def complaint(game, search=GUESS.of):
    """The error of the first search, or of a kernel that uses only the evaluation, in one line."""
    with pytest.raises(KernelError) as caught:
        search(game)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_evaluation_beyond_64_bits_is_reported_with_rule_state_and_both_answers():
    assert complaint(pile_game(evaluate=lambda s: s.stones * 2**60)) == (
        "pile: evaluate(s) compiled is -8070450532247928832; in plain Python it is 10376293541461622784; "
        "compiled numbers have 64 bits; s = Pile(stones=9, turn=0)"
    )


def test_a_state_beyond_64_bits_is_reported_with_the_move():
    message = complaint(
        pile_game(play=lambda s, n: Pile(s.stones - n, 1 - s.turn + n * 2**63 * (s.stones < 5))), STEP.of
    )
    assert message.startswith("pile: play(s, ")
    assert "compiled numbers have 64 bits; s = Pile(stones=4, turn=" in message


def test_no_search_starts_with_such_a_rule():
    message = complaint(pile_game(evaluate=lambda s: s.stones * 2**60), lambda game: minimax(game, game.start(), 2))
    assert message.startswith("pile: evaluate(s) compiled is ")


def test_an_overflow_on_the_way_is_found_by_what_it_leads_to():
    message = complaint(pile_game(evaluate=lambda s: (s.stones + 1) * 2**40 * 2**40 % 1009))
    assert message.startswith("pile: evaluate(s) compiled is ") and "in plain Python it is " in message


@pytest.mark.slow  # needs the kernel of alpha-beta, the only one that uses order
def test_a_rule_that_is_asked_about_a_move_is_compared_too():
    message = complaint(pile_game(order=lambda s, n: (s.stones + n) * 2**40 * 2**40 % 1009), first_search)
    assert message.startswith("pile: order(s, ") and "compiled is " in message and "in plain Python it is " in message


def test_a_shift_by_all_64_bits_is_reported():
    assert "evaluate(s) compiled is" in complaint(pile_game(evaluate=lambda s: (1 << (s.stones + 57)) >> 60))


def test_an_index_beyond_the_end_is_reported_with_the_state():
    message = complaint(pile_game(evaluate=lambda s: WEIGHTS[s.stones]))
    assert message == (
        "pile: evaluate(s) compiled reads whatever is stored there; in plain Python it raises IndexError: "
        "list index out of range; s = Pile(stones=9, turn=0)"
    )


def test_a_division_by_zero_is_reported():
    message = complaint(pile_game(evaluate=lambda s: 12 // (s.stones - 4)))
    assert "compiled is 0; in plain Python it raises ZeroDivisionError" in message
    assert "s = Pile(stones=4, turn=" in message


def test_unsigned_words_that_turn_signed_are_reported():
    """Compiled, u64 minus int is signed; in plain Python it stays unsigned and wraps around (NumPy 1: a float)."""
    game = zs.Game(
        "board", Board, lambda: Board(u64(3), zs.MAX), lambda s: s.turn, lambda s: range(int(s.cells)),
        lambda s, n: Board(s.cells - u64(1), 1 - s.turn), lambda s: 1, 3, evaluate=lambda s: (s.cells - 5) >> 1,
    )  # fmt: skip
    said = complaint(game)
    assert said.startswith("board: evaluate(s) compiled is -1; in plain Python it ")
    assert "9223372036854775807" in said or "TypeError" in said


def test_other_moves_are_reported_as_lists():
    game = pile_game(moves=lambda s: [1, 2 + s.stones * 2**61 % 3])
    assert complaint(game, STEP.of).startswith("pile: moves(s) compiled is [1, 4]; in plain Python it is [1, 2]; s =")


def test_only_rules_that_the_kernel_uses_are_compared():
    STEP.of(pile_game(evaluate=lambda s: s.stones * 2**60))


def test_a_kernel_that_is_wrong_is_not_kept():
    game = pile_game(is_terminal=lambda s: WEIGHTS[s.stones - 2] == 0)
    game = game.with_(utility=lambda s: 1, moves=lambda s: [1])
    for _ in range(2):
        with pytest.raises(KernelError, match=r"is_terminal\(s\) compiled"):
            STEP.of(game)
    assert store.read(STEP.digest(game)) is None
    STEP.of(pile_game())
    assert store.read(STEP.digest(pile_game())) is not None


@pytest.mark.slow
def test_unsigned_words_that_wrap_around_alike_are_fine_and_nobody_is_warned():
    """A product beyond 64 bits makes NumPy warn, but is the same word compiled."""
    game = pile_game(key=lambda s: u64(s.stones) * u64(0x9E3779B97F4A7C15) + u64(s.turn))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first_search(game)


def test_rules_that_fail_both_ways_are_left_to_the_search():
    """This rule raises in states near the end."""

    def evaluate(s):
        if s.stones < 2:
            raise ValueError("no")
        return 0

    GUESS.of(pile_game(evaluate=evaluate))


def test_tables_are_compared_as_they_are():
    class Weights(NamedTuple):
        stone: np.ndarray

    def evaluate(s, t):
        return s.stones * t.stone[0]

    GUESS.of(pile_game(evaluate=evaluate, tables=Weights(np.array([3]))))
    message = complaint(pile_game(evaluate=lambda s, t: s.stones + t.stone[s.stones], tables=Weights(np.array([3]))))
    assert "raises IndexError" in message
