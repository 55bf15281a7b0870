"""What a game shows beside its board, and the winning line."""

from __future__ import annotations

import pytest

import zerosum as zs
from zerosum.checking import check

COUNTS = {
    "chess": ("4k3/8/8/8/8/8/PP6/RN2K3 w - - 0 1", {"material": (10, 0)}),
    "checkers": ("W:W24,K1:B15,K11,K12", {"men": (1, 1), "kings": (2, 1)}),
    "othello": ("", {"discs": (2, 2)}),
    "kalah": ("", {"in the store": (0, 0)}),
    "morris": ("ww..bb.................. 7 7 w", {"men": (2, 2), "to place": (7, 7)}),
    "backgammon": ("", {"pips": (167, 167)}),
    "pig": ("12 30 4 max", {"points": (12, 30)}),
}


@pytest.mark.parametrize("name", COUNTS)
def test_what_the_players_have(name):
    position, counts = COUNTS[name]
    game = zs.load(name)
    assert game.counts(game.parse_state(position) if position else game.initial()) == counts


def test_men_that_are_all_on_the_board_are_not_counted_again():
    game = zs.load("morris")
    assert game.counts(game.parse_state("www.bbb................. 0 0 w")) == {"men": (3, 3)}


def test_seeds_in_the_store_are_counted():
    game = zs.load("kalah")
    line = zs.Line.parse(game, "3")
    assert game.counts(line.state) == {"in the store": (1, 0)}


LINES = {
    "tictactoe": ("1 4 2 5 3", {"1", "2", "3"}),
    "connect-four": ("1 2 1 2 1 2 1", {"1-1", "1-2", "1-3", "1-4"}),
}


@pytest.mark.parametrize("name", LINES)
def test_the_winning_line(name):
    moves, cells = LINES[name]
    game = zs.load(name)
    line = zs.Line.parse(game, moves)
    assert set(game.winning_line(line.state)) == cells
    assert game.winning_line(line.back().state) == ()


def test_two_lines_at_once_are_both_marked():
    game = zs.load("connect-four", width=5, height=4, k=3)
    line = zs.Line.parse(game, "1 1 2 2 4 4 3")
    assert set(game.winning_line(line.state)) == {"1-1", "2-1", "3-1", "4-1"}


def test_a_chain_of_hex_leads_from_side_to_side():
    game = zs.load("hex", size=3)
    line = zs.Line.parse(game, "b1 a1 b2 a2 b3")
    assert game.is_over(line.state) and game.winning_line(line.state) == ("b3", "b2", "b1")
    assert game.winning_line(line.back().state) == ()


@pytest.mark.parametrize(
    ("rule", "found", "words"),
    [
        ("counts", lambda s: [1, 2], "must return a dict"),
        ("counts", lambda s: {"discs": 3}, "must be two numbers"),
        ("counts", lambda s: 1 / 0, "ZeroDivisionError"),
        ("winning_line", lambda s: ("10",), "not a cell of the layout"),
    ],
)
def test_check_finds_what_is_wrong(rule, found, words):
    game = zs.load("tictactoe").with_(**{rule: found})
    report = check(game, games=1, jit=False)
    messages = [finding.message for finding in report.findings if finding.rule == rule]
    assert messages and words in messages[0]
