"""Tests for nim."""

from functools import reduce
from math import factorial
from operator import xor

import pytest
from reference import after, minimax, perft, random_states

from zerosum.errors import GameError, MoveError, PositionError
from zerosum.game import MAX, MIN
from zerosum.games.nim import nim

game = nim()


def sizes(some, s):
    return [int(size) for size in some.format_state(s).split()[0].split(",")]


def test_the_player_to_move_wins_unless_the_heaps_cancel_out():
    known = {}
    minimax(game, game.initial(), known)
    assert len(known) > 200
    for s, value in known.items():
        mover_wins = reduce(xor, sizes(game, s)) != 0
        assert value == (1 if mover_wins == (game.to_move(s) == MAX) else -1)


def test_evaluation_is_that_rule():
    known = {}
    minimax(game, game.initial(), known)
    assert all((game.evaluate(s) > 0) == (value > 0) for s, value in known.items())


def test_who_takes_the_last_object_wins():
    assert game.utility(after(game, "a3 b4 c5")) == 1
    assert game.utility(after(game, "a3 b4 c2 c3")) == -1


def test_number_of_lines_of_play():
    assert perft(nim((1, 2)), 4) == [1, 3, 5, 3, 0]
    # The longest games take one object at a time, in any order.
    assert perft(game, 13)[12:] == [factorial(12) // (factorial(3) * factorial(4) * factorial(5)), 0]
    # After taking n of 12 objects there are 12 - n moves, because each object left is one more way to take.
    assert perft(game, 2)[1:] == [12, sum(12 - n for size in (3, 4, 5) for n in range(1, size + 1))]


def test_the_places_of_heaps_do_not_matter():
    some = nim((5, 5, 5, 5))
    assert some.canonical(some.parse_state("1,5,0,3")) == some.parse_state("5,3,1,0")
    for s in random_states(some, 20):
        assert sizes(some, some.canonical(s)) == sorted(sizes(some, s), reverse=True)
        assert some.to_move(some.canonical(s)) == some.to_move(s)


def test_eight_heaps_of_127_fit():
    big = nim([127] * 8)
    s = after(big, "h127 a1")
    assert sizes(big, s) == [126, 127, 127, 127, 127, 127, 127, 0]
    assert sizes(big, big.canonical(s)) == [127, 127, 127, 127, 127, 127, 126, 0]
    assert len(big.legal_moves(big.initial())) == big.max_moves == 8 * 127


def test_heaps_come_as_numbers_or_text():
    for heaps in ((3, 4, 5), [3, 4, 5], "3,4,5", " 3, 4, 5 ", "(3, 4, 5)"):
        assert nim(heaps).initial() == game.initial()
    assert nim(7).format_state(nim(7).initial()) == nim("7").format_state(nim("7").initial()) == "7 max"


def test_show():
    assert game.show(after(game, "b4")) == "a  o o o       3\nb              0\nc  o o o o o   5"
    assert nim(100).show(nim(100).initial()) == "a  …  100"


def test_notation_round_trips():
    for s in random_states(game, 30):
        assert game.parse_state(game.format_state(s)) == s
        for move in game.legal_moves(s):
            assert game.parse_move(s, game.format_move(s, move)) == move
    assert game.to_move(game.parse_state("3,4,5 min")) == MIN
    assert game.to_move(game.parse_state("3,4,5")) == MAX


@pytest.mark.parametrize("text", ["a4", "a0", "d1", "3", "a", "", "a-1", "aa"])
def test_moves_that_are_none(text):
    with pytest.raises(MoveError, match="is not a legal move here"):
        game.parse_move(game.initial(), text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3,4", "it has 2 heaps instead of 3"),
        ("3,4,6", "a heap of 5 cannot become 6"),
        ("3,4,x", "'x' is not a number of objects"),
        ("", "'' is not a number of objects"),
        ("3,4,-1", "'-1' is not a number of objects"),
    ],
)
def test_impossible_positions_are_rejected(text, reason):
    with pytest.raises(PositionError) as caught:
        game.parse_state(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize("heaps", [(), "", "3,,4", "a", (0, 1), (128,), 0, (1,) * 9, (1.5,), (True,), None, (-1,)])
def test_senseless_heaps_are_refused(heaps):
    with pytest.raises(GameError) as caught:
        nim(heaps)
    assert f"nim: heaps={heaps!r}" in str(caught.value)
