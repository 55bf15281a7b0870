"""Tests for Nine Men's Morris."""

from __future__ import annotations

import random

import natural_morris
import pytest

import zerosum as zs
from zerosum.errors import MoveError, PositionError
from zerosum.games.morris import LINES, NAMES, NEAR, morris

GAME = morris()
# An independent implementation of the same rules: it shares only the order of points with the game.
OTHER = natural_morris.morris()


def at(text):
    return GAME.parse_state(text)


def texts(s):
    return {GAME.format_move(s, move) for move in GAME.moves(s)}


def same(s):
    """The same position in the other implementation."""
    men = tuple((s.white >> p & 1) + 2 * (s.black >> p & 1) for p in range(24))
    return natural_morris.Board(men, s.hand, s.turn)


def test_the_board_has_sixteen_lines_and_thirty_two_steps():
    assert len(LINES) == 16 and len(NAMES) == 24
    assert sum(near.bit_count() for near in NEAR) == 2 * 32
    assert [NAMES[p] for p in range(24) if NEAR[NAMES.index("d6")] >> p & 1] == ["d7", "b6", "f6", "d5"]


def test_perft_is_what_other_rules_count():
    start = GAME.initial()
    # No mill can be closed before the fifth ply: 24 · 23 · 22 · 21.
    assert [zs.perft(GAME, start, n, jit=False) for n in (1, 2, 3)] == [24, 552, 12_144]
    assert zs.perft(OTHER, OTHER.initial(), 2, jit=False) == 552


def test_every_move_of_random_games_is_a_move_of_the_other_rules():
    for seed in range(12):
        chance, s = random.Random(seed), GAME.initial()
        for _ in range(150):
            t = same(s)
            found = list(GAME.moves(s))
            assert sorted(found) == sorted(OTHER.moves(t))
            assert GAME.is_terminal(s) == OTHER.is_terminal(t) and GAME.evaluate(s) == OTHER.evaluate(t)
            if GAME.is_terminal(s) or not found:
                assert GAME.utility(s) == OTHER.utility(t)
                break
            move = chance.choice(found)
            assert GAME.reversible(s, move) == OTHER.reversible(t, move)
            assert same(GAME.play(s, move)) == OTHER.play(t, move)
            s = GAME.play(s, move)


@pytest.mark.slow
def test_perft_by_both_rules_compiled():
    counts = [24, 552, 12_144, 255_024, 5_140_800, 99_274_176]
    assert [zs.perft(GAME, GAME.initial(), n) for n in range(1, 7)] == counts
    assert [zs.perft(OTHER, OTHER.initial(), n) for n in range(1, 6)] == counts[:5]


def test_a_mill_takes_a_man_that_is_in_no_mill():
    s = at("ww.bbb.b................ 7 5 w")  # b6 d6 f6 is Black's mill
    assert {text for text in texts(s) if text.startswith("g7")} == {"g7xd5"}


def test_if_all_men_are_in_mills_any_of_them_is_taken():
    s = at("ww.bbb.................. 7 6 w")
    assert {text for text in texts(s) if text.startswith("g7")} == {"g7xb6", "g7xd6", "g7xf6"}


def test_a_man_cannot_close_a_mill_with_itself():
    # White has men on a7, a4 and d7; moving d7 to g7 makes no mill, since d7 is empty then.
    s = at("ww.......w......w..b.bb. 0 0 w")
    assert "d7-g7" in texts(s)
    # A step from a7, which has a4 and a1 below it, to d7 closes no mill.
    s = at("w........w...........w.b 0 0 w")
    assert "a7-d7" in texts(s)


def test_with_three_men_left_a_player_jumps():
    s = at("www..................bbb 0 0 b")
    assert len(texts(s)) == 3 * 18


def test_with_four_men_a_player_walks_along_the_lines():
    s = at("w.......w......w......w. 0 5 w")
    assert {"a7-d7", "a7-a4"} <= texts(s) and "a7-g1" not in texts(s)


def test_a_player_with_two_men_left_has_lost():
    s = at("w........w.............b 0 0 w")
    assert GAME.is_terminal(s) and GAME.utility(s) == -1


def test_a_player_who_cannot_move_has_lost():
    shut = at("wbwb.b..bb....bb.....wbw 0 0 w")
    assert not GAME.is_terminal(shut) and texts(shut) == set() and GAME.utility(shut) == -1


def test_positions_and_moves_are_read_and_refused():
    s = GAME.play(GAME.initial(), GAME.parse_move(GAME.initial(), "d6"))
    assert GAME.format_state(s) == "....w................... 8 9 b"
    assert GAME.parse_state(GAME.format_state(s)) == s
    for wrong in (
        "",
        "w",
        "x" * 24 + " 9 9 w",
        "." * 24 + " 9 9 x",
        "w" * 10 + "." * 14 + " 0 9 w",
        "." * 24 + " 10 9 w",
    ):
        with pytest.raises(PositionError):
            GAME.parse_state(wrong)
    with pytest.raises(MoveError, match="'h9'"):
        GAME.parse_move(s, "h9")


def test_the_board_is_drawn():
    assert GAME.show(at("w.b..................... 8 8 w")).splitlines()[0] == "7 w     ·     b"
    assert [piece.cell for piece in GAME.pieces(at("w.b..................... 8 8 w"))] == ["a7", "g7"]
    s = at("ww..bb.................. 7 7 w")
    assert GAME.path(s, GAME.parse_move(s, "g7xd6")) == ("g7", "d6")
