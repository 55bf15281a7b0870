"""The output of the check of a game."""

from __future__ import annotations

import json

QUICK = ("--plain", "--games", "10", "--seconds", "300")


def test_a_sound_game(zerosum, game_file):
    ran = zerosum("check", game_file(), *QUICK)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["rule", "law", "tried", "result"]
    assert any(line.startswith("moves ") and line.endswith(" ok") for line in lines)
    assert any(line.startswith("not defined: ") and "evaluate" in line for line in lines)
    assert lines[-1].startswith("stones keeps the contract (10 games, ")
    assert "\x1b" not in ran.out


def test_a_broken_game_is_exit_code_1_and_a_line_says_why(zerosum, game_file):
    path = game_file("max_moves=2", "max_moves=2, bounds=(0, 1)", "Pile(4, 0)", "Pile(9, 0)")
    ran = zerosum("check", path, *QUICK)
    assert (ran.code, ran.err) == (1, "")
    failed = [line for line in ran.out.splitlines() if line.startswith("failed: ")]
    assert failed and all(line.startswith("failed: bounds: are (0, 1)") for line in failed)
    assert all(
        "; position " in line and "; repeat: --seed " in line and " --games 1, moves " in line for line in failed
    )
    assert "stones breaks 1 law of the contract" in ran.out


def test_what_a_finding_says_repeats_it(zerosum, game_file):
    path = game_file("max_moves=2", "max_moves=2, bounds=(0, 1)", "Pile(4, 0)", "Pile(9, 0)")
    found = json.loads(zerosum("check", path, *QUICK, "--json").out)["findings"][0]
    options, moves = found["repeat"].split(", moves ")
    again = json.loads(zerosum("check", path, "--plain", *options.split(), "--json").out)
    assert found in again["findings"]
    where = json.loads(zerosum("perft", path, "0", "--moves", moves, "--json").out)["position"]
    assert where == found["state"]


def test_json(zerosum, game_file):
    report = json.loads(zerosum("check", game_file(), *QUICK, "--json").out)
    assert report["ok"] and report["findings"] == [] and report["games"] == 10 and report["seed"] == 0
    results = {tried["law"]: tried["result"] for tried in report["tried"]}
    assert results["play"] == "ok" and results["order"] == "not defined"
    assert results["compiled"] == "not tried"


def test_warnings_alone_are_no_failure(zerosum, game_file):
    ran = zerosum("check", game_file("s.stones - n, ", "s.stones, "), "--plain", "--games", "2")
    assert ran.code == 0
    assert "warning: length: " in ran.out and "may never end" in ran.out


def test_parameters(zerosum):
    ran = zerosum("check", "nim", "--set", "heaps=1,2", *QUICK)
    assert ran.code == 0 and "nim keeps the contract" in ran.out


def test_a_rule_that_raises_is_a_finding(zerosum, game_file):
    ran = zerosum("check", game_file("return s.turn", "return [][s.turn]"), *QUICK)
    assert ran.code == 1
    assert "failed: to_move: raises IndexError: list index out of range; position 4 0; " in ran.out


def test_arguments_that_make_no_sense(zerosum):
    assert "'0'" in zerosum("check", "nim", "--games", "0").complaint()
    assert "'many'" in zerosum("check", "nim", "--games", "many").complaint()
    assert "0.0" in zerosum("check", "nim", "--seconds", "0").complaint()
    assert "'soon'" in zerosum("check", "nim", "--seconds", "soon").complaint()
    assert "'x'" in zerosum("check", "nim", "--seed", "x").complaint()
    assert "'nimm'" in zerosum("check", "nimm").complaint()
