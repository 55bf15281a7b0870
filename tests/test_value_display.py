"""Values in words, in hundredths of the game's unit, and as data."""

from __future__ import annotations

import pytest

from zerosum.game import MAX, MIN, WIN, Line
from zerosum.games import load
from zerosum.search.result import Result
from zerosum.search.values import SOME_WIN
from zerosum.value_display import (
    KNOWN_WIN,
    SURE_WIN,
    at_the_board,
    data,
    ending,
    hundredths,
    in_words,
    mate,
    score,
    verdict,
)

CHESS, OTHELLO, BACKGAMMON = load("chess"), load("othello"), load("backgammon")


def result(value, outcome=None, distance=None, proven=False, exact=True):
    return Result(3, value, outcome, distance, proven, (3,), 5, 100, 0.1, exact=exact)


@pytest.mark.parametrize(
    ("found", "brief", "game", "words"),
    [
        (result(-130), "-130", CHESS, "Black is better by 1.3"),
        (result(3), "+3", CHESS, "even"),
        (result(0), "even", CHESS, "even"),
        (result(0, 0, proven=True), "a draw", CHESS, "a draw"),
        (result(WIN - 5, 1, 5, True), "MAX wins in 5 plies", CHESS, "White wins in 5 plies"),
        (result(5 - WIN, -1, 5, False, False), "MIN wins within 5 plies", CHESS, "Black wins within 5 plies"),
        (result(SOME_WIN, 1, proven=True), "MAX wins", CHESS, "White wins"),
        (result(-SOME_WIN), "MIN wins, the clock aside", CHESS, "Black wins, the clock aside"),
        (result(12), "+12", OTHELLO, "Black leads by 12"),
        (result(-12, -1, proven=True), "MIN wins by 12", OTHELLO, "White wins by 12"),
        (result(-0.25), "-0.25", BACKGAMMON, "Black expects 0.250"),
        (result(0.25, proven=True), "+0.25 (exact)", BACKGAMMON, "White expects 0.250 (exact)"),
    ],
)
def test_a_value_is_told_briefly_and_in_the_words_of_its_game(found, brief, game, words):
    assert in_words(found) == found.in_words() == brief
    assert at_the_board(found, game) == words


def test_a_point_is_a_hundred_in_every_game_and_in_chess_it_is_a_pawn():
    assert hundredths(result(130), MAX, CHESS.unit) == 130 and hundredths(result(130), MIN, CHESS.unit) == -130
    assert hundredths(result(4), MAX, OTHELLO.unit) == 400
    assert score(result(0.125), MIN, BACKGAMMON.unit) == -12.5


def test_a_win_is_counted_in_moves_of_the_winner():
    assert [mate(result(WIN - n, 1, n), MAX) for n in (1, 3, 5)] == [1, 2, 3]
    assert [mate(result(WIN - n, 1, n), MIN) for n in (0, 2, 4)] == [0, -1, -2]
    assert mate(result(SOME_WIN, 1), MAX) is None and mate(result(20), MAX) is None


def test_certain_wins_score_above_all_others():
    sure = score(result(WIN - 5, 1, 5), MAX, 1)
    assert sure == SURE_WIN - 5 and score(result(WIN - 5, 1, 5), MIN, 1) == -sure
    assert sure > score(result(700_000), MAX, 1) > score(result(400), MAX, 1)


def test_a_win_that_a_database_knows_without_its_length_is_one_also_where_a_clock_may_come_first():
    for outcome in (1, None):
        assert hundredths(result(SOME_WIN, outcome), MAX, 100) == KNOWN_WIN
        assert score(result(SOME_WIN, outcome), MIN, 100) == -KNOWN_WIN


def test_endings_and_verdicts():
    tictactoe = load("tictactoe")
    assert ending(tictactoe, tictactoe.parse_state("xxxoo....")) == "X wins"
    named = tictactoe.with_(players=("Anna", "Otto"))
    assert ending(named, named.parse_state("xxxoo....")) == "Anna wins"
    kalah = load("kalah", pits=1, seeds=1)
    line = Line(kalah)
    while not kalah.is_over(line.state):
        line = line.play(kalah.legal_moves(line.state)[0])
    assert ending(kalah, line.state).endswith(("a draw", f"wins by {abs(kalah.utility(line.state))}"))
    assert verdict(0, 7) == "a draw" and verdict(-1, 1200) == "MIN wins in 1,200 plies"


def test_data_is_in_the_unit_of_the_game():
    assert data(result(-130), CHESS.unit) == {"value": -1.3, "won": None, "distance": None}
    assert data(result(WIN - 5, 1, 5, True), 1)["won"] == 1
