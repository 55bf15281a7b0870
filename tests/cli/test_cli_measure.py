"""Sizes of games on the command line."""

from __future__ import annotations

import json


def test_a_small_game_is_measured_and_counted_out(zerosum):
    ran = zerosum("measure", "tictactoe", "--games", "50")
    assert (ran.code, ran.err) == (0, "")
    rows = {line[:38].strip(): line[38:].strip() for line in ran.out.splitlines() if line}
    assert rows["games"] == "50" and rows["most moves in a position"] == "9"
    assert rows["games in the tree, by Knuth's sampling"].startswith("10^5.")
    counted = "counted: 5,478 positions; a game tree of 549,946 nodes and 255,168 games (10^5.4), 5 to 9 plies"
    assert counted in ran.out


def test_chess_beside_what_the_notes_tell(zerosum):
    ran = zerosum("measure", "chess", "--games", "1")
    assert "10^120" in ran.out and "35^80" in ran.out and "game tree: not counted" in ran.out
    assert "branching factor b" in ran.out


def test_as_json_and_from_a_position(zerosum):
    found = json.loads(zerosum("measure", "tictactoe", "--moves", "5 1 9", "--games", "3", "--json").out)
    assert found["random"]["games"] == 3 and found["counted"]["longest"] == 6 and found["engine"] is None


def test_bad_numbers(zerosum):
    assert "--games '0' is less than 1" in zerosum("measure", "tictactoe", "--games", "0").complaint()
    assert "--engine 'x'" in zerosum("measure", "tictactoe", "--engine", "x").complaint()
