"""``s._replace(...)`` does the same in compiled rules as in plain ones."""

import sys
from typing import NamedTuple

import numpy as np
import pytest
from looking import STEP

import zerosum as zs
from zerosum import u64
from zerosum.errors import KernelError

TOP = 1 << 63


class Corner(NamedTuple):
    row: int
    board: u64


class Field(NamedTuple):
    left: int
    board: u64
    turn: int
    pair: tuple[int, int]
    corner: Corner


class Pile(NamedTuple):
    stones: int
    turn: int


class Sums(NamedTuple):
    """Not a State but a rule's own tuple, with a float in it."""

    count: int
    mean: float


class Tables(NamedTuple):
    row: np.ndarray


START = Field(5, u64(TOP | 3), 0, (1, 2), Corner(1, u64(2)))


def game_of(play, start=START, **more):
    return zs.Game(
        "fields",
        type(start),
        initial=lambda: start,
        to_move=lambda s: s.turn,
        moves=lambda s: (1, 2),
        play=play,
        utility=lambda s: 0,
        is_terminal=lambda s: False,
        max_moves=2,
        **more,
    )


def some_fields(s, move):
    return s._replace(turn=1 - s.turn, left=s.left - move)


def in_another_order(s, move):
    return s._replace(corner=s.corner, turn=move - 1, left=7)


def an_integer_for_an_unsigned_word(s, move):
    return s._replace(board=move)


def an_unsigned_word_for_an_integer(s, move):
    return s._replace(left=s.corner.board)


def a_truth_for_an_integer(s, move):
    return s._replace(turn=move == 2)


def groups(s, move):
    return s._replace(pair=(move, s.turn == 0), corner=s.corner._replace(board=u64(7) | s.board))


def a_plain_tuple_for_a_named_one(s, move):
    return s._replace(corner=(move, move))


def one_after_the_other(s, move):
    changed = s._replace(left=move)._replace(left=s.left + 1, board=s.board ^ u64(1))
    return changed if move == 1 else s


def one_that_the_rule_has_made(s, move):
    made = Field(0, u64(0), move, (0, 0), s.corner)
    return made._replace(left=s.left, board=s.board, turn=0)


def nothing(s, move):
    return s._replace()


PLAYS = [
    some_fields,
    in_another_order,
    an_integer_for_an_unsigned_word,
    an_unsigned_word_for_an_integer,
    a_truth_for_an_integer,
    groups,
    a_plain_tuple_for_a_named_one,
    one_after_the_other,
    one_that_the_rule_has_made,
    nothing,
]


@pytest.mark.parametrize("play", PLAYS)
def test_replaced_fields_are_the_same_plain_and_compiled(play):
    game = game_of(play)
    for move in (1, 2):
        assert repr(game.compiled.play(START, move)) == repr(game.successor(START, move))


def test_a_state_whose_fields_are_all_of_one_type_can_be_replaced_too():
    game = game_of(lambda s, move: s._replace(stones=s.stones - move), Pile(9, 0))
    assert game.compiled.play(Pile(9, 0), 2) == game.play(Pile(9, 0), 2) == Pile(7, 0)


def test_a_tuple_of_the_rules_own_may_hold_fractions():
    def evaluate(s):
        sums = Sums(s.left, 0)._replace(mean=s.left / 2)
        return int(4 * sums._replace(count=3).mean) + sums.count

    game = game_of(some_fields, evaluate=evaluate)
    assert game.compiled.evaluate(START) == game.evaluate(START) == 15


class Work(NamedTuple):
    row: np.ndarray
    count: int


def test_an_array_in_a_tuple_lives_as_long_as_the_last_tuple_that_holds_it():
    def evaluate(s, t):
        work = Work(np.full(1000, s.left), 1)._replace(count=2)
        other = np.zeros(1000, np.int64)  # would reuse the row's memory if it had been freed
        return work.row[500] + work.count + other[500] + Work(t.row, 1)._replace(count=3).count

    row = np.arange(3)
    game = game_of(some_fields, evaluate=evaluate, tables=Tables(row))
    compiled = game.compiled.evaluate
    assert compiled(START) == game.evaluate(START) == 10
    holders = sys.getrefcount(row)
    assert {compiled(START) for _ in range(100)} == {10}
    assert sys.getrefcount(row) == holders


@pytest.mark.slow
def test_a_search_plays_by_replacing_fields():
    def play(s, move):
        return s._replace(stones=s.stones - move, turn=1 - s.turn)

    def moves(s):
        return [n for n in range(1, 4) if n <= s.stones]

    start = Pile(9, zs.MAX)
    game = game_of(play, start).with_(
        moves=moves, is_terminal=None, utility=lambda s: -1 if s.turn == zs.MAX else 1, max_moves=3
    )
    found, plainly = (zs.Engine(game, jit=jit).search(start, depth=9) for jit in (True, False))
    assert found.value == plainly.value == zs.WIN - 5
    assert found.nodes == plainly.nodes


@pytest.mark.parametrize(
    ("play", "message"),
    [
        (lambda s, move: s._replace(trun=1), "Field has no field 'trun' to replace; its fields are left, board, turn"),
        (lambda s, move: s._replace(1), "_replace takes fields by name, such as left=..."),
        (lambda s, move: s._replace(left=0.5), "returns a Field whose left is a float, not a whole number"),
        (lambda s, move: s._replace(pair=3), "returns a Field whose pair is a whole number, not a tuple of 2"),
        (lambda s, move: move._replace(left=3), "a whole number has no method '_replace'"),
    ],
)
def test_what_cannot_be_replaced_is_told_in_one_line(play, message):
    place = r"play \(test_named_tuples.py, line \d+.*\)"
    with pytest.raises(KernelError, match=f"^fields: {place}.* {message}") as problem:
        STEP.of(game_of(play))
    assert "\n" not in str(problem.value)
