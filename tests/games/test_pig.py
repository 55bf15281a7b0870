"""Tests for pig."""

import pytest
from reference import after, expectiminimax, random_states

from zerosum.errors import GameError, PositionError
from zerosum.game import CHANCE, MAX, MIN
from zerosum.games.pig import HOLD, ROLL, pig

game = pig()


def at(text, some=game):
    return some.parse_state(text)


def test_a_turn_begins_with_a_roll_and_may_end_after_it():
    assert list(game.moves(game.initial())) == [ROLL]
    assert list(game.moves(at("0 0 5 max"))) == [ROLL, HOLD]


def test_rolling_hands_over_to_chance():
    s = after(game, "roll")
    assert game.to_move(s) == CHANCE
    assert [face for face, _ in game.chances(s)] == [1, 2, 3, 4, 5, 6]
    assert sum(chance for _, chance in game.chances(s)) == pytest.approx(1)


@pytest.mark.parametrize(
    ("before", "move", "afterwards"),
    [
        ("10 20 5 max", ROLL, "10 20 5 max rolling"),
        ("10 20 5 max rolling", 6, "10 20 11 max"),
        ("10 20 5 max rolling", 1, "10 20 0 min"),
        ("10 20 5 max", HOLD, "15 20 0 min"),
        ("10 20 5 min", HOLD, "10 25 0 max"),
        ("90 20 5 max rolling", 6, "101 20 0 min"),  # won: the game is over
        ("90 20 5 max rolling", 4, "90 20 9 max"),
        ("20 94 0 min rolling", 6, "20 100 0 max"),
    ],
)
def test_turns(before, move, afterwards):
    assert game.format_state(game.play(at(before), move)) == afterwards


def test_the_first_at_the_target_wins():
    for s in random_states(game, 20):
        assert game.is_terminal(s) == (max(s.max_score, s.min_score) >= 100)
        if game.is_terminal(s):
            assert game.utility(s) == (1 if s.max_score >= 100 else -1)


def test_to_two_points_the_first_player_wins_six_games_of_seven():
    # p = 5/6 + 1/6 (1 - p), and the value is p - (1 - p).
    some = pig(2)
    assert expectiminimax(some, some.initial(), 12) == pytest.approx(5 / 7, abs=1e-6)


def test_to_four_points_holding_early_is_wrong():
    some = pig(4)
    s = some.play(some.play(some.initial(), ROLL), 2)
    hold, roll = (expectiminimax(some, some.play(s, move), 8) for move in (HOLD, ROLL))
    assert roll > hold


def test_evaluation_lies_within_the_bounds_and_favours_who_is_ahead():
    for s in random_states(game, 20):
        assert game.bounds(s) == (-1, 1)
        assert -1 <= game.evaluate(s) <= 1
    assert game.evaluate(at("50 20 0 max")) > game.evaluate(at("50 20 0 min")) > 0
    assert game.evaluate(at("20 50 0 min")) == -game.evaluate(at("50 20 0 max"))
    assert game.evaluate(at("20 20 9 max")) > game.evaluate(at("20 20 0 max")) > 0


def test_show():
    assert game.show(at("10 20 5 min")) == "MAX  10 of 100\nMIN  20 of 100, 5 more this turn\nMIN rolls or holds"
    assert game.show(game.initial()).endswith("MAX rolls")
    assert game.show(at("10 20 5 min rolling")).endswith("MIN's die is rolling")
    assert game.show(at("10 101 0 max")).endswith("MIN has won")


def test_notation_round_trips():
    for s in random_states(game, 20):
        assert game.parse_state(game.format_state(s)) == s
        if game.to_move(s) != CHANCE:
            for move in game.legal_moves(s):
                assert game.parse_move(s, game.format_move(s, move)) == move
    s = after(game, "roll")
    assert [game.format_move(s, face) for face in (1, 6)] == ["1", "6"]
    assert game.parse_move(at("0 0 4 max"), "H") == HOLD


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it takes MAX's score"),
        ("0 0 max", "it takes MAX's score"),
        ("0 -1 0 max", "'-1' is not a number of points"),
        ("0 0 0 me", "'me' is neither max nor min"),
        ("0 1 0 max", "1 point is impossible"),
        ("106 0 0 min", "the game ends as soon as a player has 100 points"),
        ("100 100 0 min", "the game ends as soon as a player has 100 points"),
        ("100 0 0 max", "the game is over"),
        ("90 0 10 max", "win the game"),
    ],
)
def test_impossible_positions_are_rejected(text, reason):
    with pytest.raises(PositionError) as caught:
        game.parse_state(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize("target", [0, -5, 2.5, "100", True, 10**7])
def test_senseless_targets_are_refused(target):
    with pytest.raises(GameError) as caught:
        pig(target)
    assert f"not {target!r}" in str(caught.value)


def test_who_moves():
    assert [game.to_move(at(text)) for text in ("0 0 0 max", "0 0 0 min", "0 0 0 min rolling")] == [MAX, MIN, CHANCE]
