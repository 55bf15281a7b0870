"""Boards set up piece by piece."""

from __future__ import annotations

import pytest

import zerosum as zs
from zerosum.checking import check
from zerosum.errors import PositionError

GAMES = ["tictactoe", "connect-four", "othello", "checkers", "chess", "hex", "morris"]


@pytest.mark.parametrize("name", GAMES)
def test_the_pieces_of_a_start_give_it_again(name):
    game = zs.load(name)
    s = game.initial()
    text = game.set_up({piece.cell: piece.glyph for piece in game.pieces(s)}, zs.MAX)
    assert game.pieces(game.parse_state(text)) == game.pieces(s)


@pytest.mark.parametrize(
    ("name", "glyphs", "turn", "text"),
    [
        ("chess", {"e1": "white-king", "h1": "white-rook", "e8": "black-king"}, 1, "4k3/8/8/8/8/8/8/4K2R b K - 0 1"),
        ("checkers", {"30": "black-man", "4": "white-king", "10": "white-man"}, 0, "B:WK4,10:BK30"),
        (
            "othello",
            {"d4": "white", "e4": "black", "d5": "black", "e5": "white"},
            1,
            f"{'-' * 27}OX------XO{'-' * 27} O",
        ),
        ("connect-four", {"1-1": "red", "1-2": "yellow"}, 1, "......./......./......./......./o....../x......"),
        ("morris", {"a7": "white"}, 1, "w....................... 8 9 b"),
    ],
)
def test_glyphs_as_a_position(name, glyphs, turn, text):
    assert zs.load(name).set_up(glyphs, turn) == text


@pytest.mark.parametrize(
    ("name", "glyphs", "why"),
    [
        ("chess", {"e1": "white-king"}, "Black has no king"),
        ("connect-four", {"1-2": "red"}, "above an empty cell"),
        ("tictactoe", {"1": "ring"}, "x moves first"),
    ],
)
def test_what_cannot_come_up_is_refused_by_the_rules(name, glyphs, why):
    game = zs.load(name)
    with pytest.raises(PositionError, match=why):
        game.parse_state(game.set_up(glyphs, 0))


@pytest.mark.parametrize("set_up", [lambda glyphs, turn: "." * 9, lambda glyphs, turn: "nonsense"])
def test_check_finds_a_board_that_is_set_up_wrongly(set_up):
    report = check(zs.load("tictactoe").with_(set_up=set_up), games=1, jit=False)
    assert any(finding.rule == "set_up" for finding in report.findings)
    assert not check(zs.load("tictactoe"), games=1, jit=False).findings
