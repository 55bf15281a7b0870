"""Evaluations on the command line, feature by feature."""

from __future__ import annotations

import json

import pytest


def test_open_lines_of_tic_tac_toe(zerosum):
    ran = zerosum("evaluate", "tictactoe", ".o..x....")
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines()]
    assert [*["rows,", "columns", "and", "diagonals", "open", "for", "X"], "6", "1", "6"] in rows
    assert [*["rows,", "columns", "and", "diagonals", "open", "for", "O"], "4", "−1", "−4"] in rows
    assert ["sum", "2"] in rows and "The evaluation function is a weighted sum of features." in ran.out


def test_chess_by_features(zerosum):
    ran = zerosum("evaluate", "chess", "--set", "network=0", "4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1")
    table = {line.split("  ")[0]: line.split() for line in ran.out.splitlines() if "  " in line}
    assert table["queens"][1] == "1" and table["pawns"][1] == "−2" and table["sum"][-1] == "908"
    assert "in units of 100 points: 9.08 for White" in ran.out


def test_a_network_and_its_chances(zerosum):
    ran = zerosum("evaluate", "chess", "--moves", "e4 e5 Ke2")
    assert "is a neural network" in ran.out and "expected score of Black: " in ran.out and "%" in ran.out
    ran = zerosum("evaluate", "backgammon")
    assert "win: 5" in ran.out and "lose a gammon: " in ran.out


def test_as_json(zerosum):
    found = json.loads(zerosum("evaluate", "othello", "--set", "patterns=0", "--moves", "f5 d6", "--json").out)
    assert found["kind"] == "sum" and sum(term["share"] for term in found["terms"]) == pytest.approx(found["value"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("tictactoe", "xxxoo...."), "the game is over in 'xxxoo....'"),
        (("hex",), "hex has no evaluate(s)"),
        (("tictactoe", "xyz"), "'xyz'"),
        (("chezz",), "did you mean 'chess'?"),
    ],
)
def test_what_cannot_be_evaluated(zerosum, arguments, expected):
    assert expected in zerosum("evaluate", *arguments).complaint()
