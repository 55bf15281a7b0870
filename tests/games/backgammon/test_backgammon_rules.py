"""The course and the result of a game of backgammon."""

import random

import pytest
from slow_backgammon import ROLLS, game_positions, strange_positions

from zerosum.game import CHANCE, MAX, MIN
from zerosum.games.backgammon import backgammon
from zerosum.games.backgammon.position import checkers, pips
from zerosum.games.backgammon.position_id import position_of, sides

game = backgammon()


def side(**counts):
    """A side with these numbers of checkers on points p1 … p24 and on the bar; the rest are off."""
    slots = [0] * 26
    for name, count in counts.items():
        slots[25 if name == "bar" else int(name[1:])] = count
    slots[0] = 15 - sum(slots)
    return slots


def texts(s):
    return [game.format_move(s, move) for move in game.moves(s)]


def test_max_is_to_roll_first_and_doubles_are_allowed():
    s = game.initial()
    assert (game.to_move(s), s.player) == (CHANCE, MAX)
    chances = dict(game.chances(s))
    assert len(chances) == game.max_chances == 21
    assert sum(chances.values()) == pytest.approx(1)
    assert all(chances[roll] == pytest.approx(1 / 36 if roll % 11 == 0 else 1 / 18) for roll in chances)


def test_players_roll_and_move_in_turn():
    s = game.play(game.initial(), 31)
    assert game.to_move(s) == MAX
    s = game.play(s, game.parse_move(s, "8/5 6/5"))
    assert (game.to_move(s), s.player) == (CHANCE, MIN)
    s = game.play(s, 66)
    assert game.to_move(s) == MIN
    assert game.play(s, game.parse_move(s, "24/18(2) 13/7(2)")).player == MAX


def test_no_checker_is_ever_lost_and_no_point_shared():
    chooser = random.Random(7)
    for _ in range(3):
        s = game.initial()
        while not game.is_terminal(s):
            s = game.play(
                s, chooser.choice(ROLLS) if game.to_move(s) == CHANCE else chooser.choice(game.legal_moves(s))
            )
            own, other = sides(s)
            assert sum(own) == sum(other) == 15
            assert not any(own[point] and other[25 - point] for point in range(1, 25))
        assert game.utility(s) in (-3, -2, -1, 1, 2, 3)


def test_a_hit_checker_stands_on_the_bar_and_must_enter():
    s = position_of(side(p8=2, p6=2), side(p20=1, p6=14), MAX, 31)
    s = game.play(s, game.parse_move(s, "8/5* 6/5"))
    assert sides(s)[0][25] == 1
    s = game.play(s, 65)
    assert all(text.startswith("bar/19*") for text in texts(s))  # with the 6, and hitting; 20 is blocked


def test_both_dice_must_be_played_where_that_is_possible():
    # After 20/14 no 1 could be played; after 8/2 it can.
    s = position_of(side(p20=1, p8=1), side(p6=2, p12=2, p18=2), MAX, 61)
    assert texts(s) == ["8/1"]


def test_the_larger_die_must_be_played_where_only_one_can_be():
    # One checker on 13, and 13 - 6 - 5 is blocked: either die, but not both.
    s = position_of(side(p13=1), side(p23=2, p1=2), MAX, 65)
    assert texts(s) == ["13/7"]


def test_the_smaller_die_is_played_where_the_larger_cannot_be():
    s = position_of(side(p13=1), side(p23=2, p18=2), MAX, 65)
    assert texts(s) == ["13/8"]


def test_bearing_off_needs_all_checkers_at_home_and_larger_dice_take_the_furthest():
    s = position_of(side(p7=1, p6=1), side(p1=2), MAX, 61)
    assert sorted(texts(s)) == ["7/1 6/5", "7/off"]
    s = position_of(side(p4=1, p2=2), side(p1=2), MAX, 65)
    assert texts(s) == ["4/off 2/off"]
    s = position_of(side(p5=1, p2=1), side(p1=2), MAX, 31)
    assert texts(s) == ["5/1"]  # the 3 cannot bear off from 2 while a checker is further back


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        (side(p1=14), 1),
        (side(p6=14), 1),
        (side(p24=14), 1),  # one checker is off: never more than a single game
        (side(p6=15), 2),
        (side(p18=1, p6=14), 2),
        (side(p19=1, p6=14), 3),
        (side(p24=1, p6=14), 3),
        (side(bar=1, p6=14), 3),
    ],
)
def test_gammons_and_backgammons(loser, points):
    for winner, sign in ((MAX, 1), (MIN, -1)):
        s = position_of(side(p1=1), loser, winner, 21)
        s = game.play(s, game.parse_move(s, "1/off"))
        assert game.is_terminal(s)
        assert game.utility(s) == sign * points
        assert game.bounds(s) == (-3, 3)


def test_the_start_is_167_pips_away():
    s = game.initial()
    assert pips(s.max_low, s.max_high) == pips(s.min_low, s.min_high) == 167
    assert [checkers(s.min_low, s.min_high, point) for point in (24, 13, 8, 6)] == [2, 5, 3, 5]


def test_both_players_have_the_same_plays():
    for s in [*game_positions(30, 8), *strange_positions(30, 9)]:
        own, other = sides(s)
        mirrored = position_of(own, other, 1 - s.player, s.roll)
        assert list(game.moves(mirrored)) == list(game.moves(s))
        for move in game.moves(s):
            assert sides(game.play(mirrored, move)) == sides(game.play(s, move))


def test_show():
    lines = game.show(position_of(side(p24=2, p6=13), side(bar=2, p6=7, p2=2), MIN, 31)).splitlines()
    assert lines[0] == " +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+"
    assert lines[1].endswith("|  Black (O): 126 pips, 0 off")
    assert lines[1][22] == lines[2][22] == "X"  # on the bar, at the top, where they enter
    assert "13" in lines[5]
    assert lines[-1] == "Black (O) has rolled 31"
    s = position_of(side(p1=1), side(p24=15), MAX, 21)
    assert game.show(game.play(s, game.parse_move(s, "1/off"))).endswith("White (X) has won a backgammon")
    assert game.show(game.initial()).endswith("White (X) is to roll")
    s = position_of(side(bar=15), side(p1=3, p2=3, p3=3, p4=2, p5=2, p6=2), MAX, 66)
    assert game.show(s).endswith("White (X) has rolled 66 and can only pass")
