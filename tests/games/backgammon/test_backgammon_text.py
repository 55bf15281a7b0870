"""Backgammon notation: position IDs, rolls, plays, and why a play is not legal."""

import pytest
from samples import samples
from slow_backgammon import game_positions, strange_positions

from zerosum.errors import MoveError, PositionError, RuleBroken
from zerosum.game import MAX, MIN, Line
from zerosum.games.backgammon import backgammon
from zerosum.games.backgammon.position_id import from_position_id, position_id, position_of, sides

game = backgammon()


def at(text):
    return game.parse_state(text)


def side(**counts):
    slots = [0] * 26
    for name, count in counts.items():
        slots[25 if name == "bar" else int(name[1:])] = count
    slots[0] = 15 - sum(slots)
    return slots


def played(s, text):
    return game.format_move(s, game.parse_move(s, text))


def test_the_start_and_what_follows_have_gnu_backgammons_ids():
    s = game.initial()
    assert game.format_state(s) == "4HPwATDgc/ABMA"
    s = game.play(s, 31)
    assert game.format_state(s) == "4HPwATDgc/ABMA:31"
    s = game.play(s, game.parse_move(s, "8/5 6/5"))
    assert game.format_state(s) == "sGfwATDgc/ABMA:min"


def test_ids_agree_with_gnu_backgammon():
    gnubg = pytest.importorskip("gnubg_nn", reason="pip install gnubg-nn to compare with it")
    for s in [*game_positions(100, 1), *strange_positions(300, 2)]:
        own, other = sides(s)
        text = gnubg.position_id([other[1:], own[1:]])
        assert position_id(own, other) == text
        assert from_position_id(text) == (own, other)


def test_positions_round_trip():
    for s in [*game_positions(100, 3), *strange_positions(100, 4)]:
        for same in (s, s._replace(roll=0)):
            assert at(game.format_state(same)) == same


def test_what_is_left_out_is_max_before_the_roll():
    s = at("4HPwATDgc/ABMA")
    assert (s.player, s.roll) == (MAX, 0)
    assert at("4HPwATDgc/ABMA==:13:MIN") == s._replace(player=MIN, roll=31)


def test_gnu_backgammons_match_ids_tell_the_roll_and_who_has_it():
    assert game.format_state(at("4HPwATDgc/ABMA:cIksAgAAAAAA")) == "4HPwATDgc/ABMA:31"
    assert game.format_state(at("sGfwATDgc/ABMA:MIEoAgAAAAAA")) == "sGfwATDgc/ABMA:21:min"
    assert game.format_state(at("4HPwATDgc/ABMA:cAkAAAAAAAAA")) == "4HPwATDgc/ABMA"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a position ID has 14 letters"),
        ("4HPwATDgc/ABM", "has 13"),
        ("4HPwATDgc/ABM!", "is not a position ID"),
        ("4HPwATDgc/ABMA:37", "'37' is not a roll of two dice"),
        ("4HPwATDgc/ABMA:311", "'311' is not a roll of two dice"),
        ("4HPwATDgc/ABMA:max:31", "'max' is not a roll"),
        ("4HPwATDgc/ABMA:31:white", "'white' is neither"),
        ("4HPwATDgc/ABMA:cAkA!AAAAAAA", "is neither a roll, such as 31, nor a match ID"),
        ("//8AAAAAAAAAAA", "would have 16 checkers; there are 15"),
        ("AAAIQAAAAAAAAA", "both sides would have checkers on point 5"),
        ("AAAAAAAAAAAAAA", "both sides would have borne off all checkers"),
        ("AAAAAAAAAAAAgA", "extra bits after the checkers"),
        ("BAAAAAAAAAAAAA:31", "the game is over: leave out the roll"),
    ],
)
def test_impossible_positions_are_rejected(text, reason):
    with pytest.raises(PositionError) as caught:
        at(text)
    assert reason in str(caught.value)
    assert repr(text) in str(caught.value)


def test_every_play_round_trips():
    for s in [*game_positions(samples(60), 5), *strange_positions(samples(120), 6)]:
        legal = game.legal_moves(s)
        for move in legal[:: max(1, len(legal) // 12)]:
            text = game.format_move(s, move)
            assert game.parse_move(s, text) == move, (game.format_state(s), text)


def test_plays_of_one_roll_have_texts_of_their_own():
    for s in [*game_positions(100, 7), *strange_positions(150, 8)]:
        texts = [game.format_move(s, move) for move in game.moves(s)]
        assert len(set(texts)) == len(texts), game.format_state(s)


@pytest.mark.parametrize(
    ("roll", "text", "canonical"),
    [
        (31, "8/5 6/5", "8/5 6/5"),
        (31, "6/5, 8/5", "8/5 6/5"),
        (31, "24/23/20", "24/20"),
        (65, "24/13", "24/13"),
        (66, "13/7(2) 24/18(2)", "24/18(2) 13/7(2)"),
        (66, "24/18 24/18 13/7 13/7", "24/18(2) 13/7(2)"),
        (33, "24/21/18/15 13/10", "24/15 13/10"),
    ],
)
def test_there_are_several_ways_to_write_a_play(roll, text, canonical):
    assert played(game.play(game.initial(), roll), text) == canonical


def test_bar_off_and_stars():
    s = position_of(side(bar=1, p6=2), side(p3=1, p6=5), MAX, 31)
    assert played(s, "bar/22* 6/5") == played(s, "25/22 6/5") == "bar/22* 6/5"
    s = position_of(side(p6=2, p4=1), side(p3=1), MAX, 64)
    assert played(s, "6/off 4/off") == played(s, "6/0 4/o") == "6/off 4/off"


def test_stars_tell_two_ways_apart():
    # On the way from 24 to 13, a 6 hits on 18, a 5 hits nothing.
    s = position_of(side(p24=1, p2=14), side(p7=1, p1=14), MAX, 65)
    assert {game.format_move(s, move) for move in game.moves(s)} == {"24/18*/13", "24/13"}
    assert played(s, "24/18/13") == "24/18*/13"
    assert played(s, "24/13") == "24/13"
    # With a blot on either way, the text must say which.
    s = position_of(side(p24=1, p2=14), side(p7=1, p6=1, p1=13), MAX, 65)
    with pytest.raises(RuleBroken, match=r"it is ambiguous; write 24/18\*/13 or 24/19\*/13"):
        game.parse_move(s, "24/13")


@pytest.mark.parametrize(
    ("s", "text", "reason"),
    [
        (at("4HPwATDgc/ABMA:31"), "8/5", "both dice can be played, so they must be"),
        (at("4HPwATDgc/ABMA:22"), "13/11 6/4", "4 steps of the double can be played"),
        (at("4HPwATDgc/ABMA:31"), "7/4 6/5", "there is no checker of yours on 7"),
        (at("4HPwATDgc/ABMA:31"), "13/10 8/5 6/5", "the dice are not enough for"),
        (at("4HPwATDgc/ABMA:31"), "8/5 8/5", "no die is left for 8/5"),
        (at("4HPwATDgc/ABMA:31"), "13/11 6/5", "the dice do not move a checker from 13 to 11"),
        (at("4HPwATDgc/ABMA:51"), "24/19 6/5", "point 19 is blocked by 5 checkers"),
        (
            at("4HPwATDgc/ABMA:61"),
            "6/off 8/7",
            "no checker may be borne off while one is outside the home board, on 24",
        ),
        (at("4HPwATDgc/ABMA:31"), "8/5* 6/5", "no checker is hit on point 5"),
        (at("4HPwATDgc/ABMA:31"), "pass", "a checker can move, so you must not pass"),
        (at("4HPwATDgc/ABMA:31"), "e2e4", "'e2e4' is not the move of a checker"),
        (at("4HPwATDgc/ABMA:31"), "5/8", "does not lead from a higher point to a lower one"),
        (at("4HPwATDgc/ABMA:31"), "27/24", "'27' is neither a point from 1 to 24 nor bar nor off"),
        (at("4HPwATDgc/ABMA:31"), "", "it takes moves such as 8/5 6/5"),
        (position_of(side(bar=1, p6=2), side(p6=5), MAX, 31), "6/5 6/3", "checkers on the bar must enter first"),
        (position_of(side(bar=2, p6=2), side(p6=5), MAX, 31), "bar/22 6/5", "checkers on the bar must enter first"),
        (
            position_of(side(p6=1, p3=2), side(p1=2), MAX, 51),
            "3/off 6/5",
            "a 5 does not bear off from 3 while there is a checker on",
        ),
        (position_of(side(p13=1), side(p23=2, p1=2), MAX, 65), "13/8", "it must be the larger one, 6"),
    ],
)
def test_a_play_that_is_not_legal_is_told_which_rule_it_breaks(s, text, reason):
    with pytest.raises(MoveError) as caught:
        game.parse_move(s, text)
    message = str(caught.value)
    assert reason in message
    assert message.startswith(f"{text!r} is not a legal play of {s.roll}: ")


def test_rolls():
    s = game.initial()
    assert [game.parse_move(s, text) for text in ("31", "13", "3-1", " 6 6 ")] == [31, 31, 31, 66]
    assert game.format_move(s, 31) == "31"
    for text in ("", "7", "70", "07", "3", "111", "six", "3/1"):
        with pytest.raises(MoveError, match="is not a roll of two dice"):
            game.parse_move(s, text)


def test_lines_are_split_by_semicolons():
    line = Line.parse(game, "31; 8/5 6/5; 66; 24/18(2) 13/7(2)")
    assert list(line.texts()) == ["31", "8/5 6/5", "66", "24/18(2) 13/7(2)"]
    with pytest.raises(MoveError, match="move 2: '8/3' is not a legal play of 31"):
        Line.parse(game, "31; 8/3")
