"""The output of the benchmark. tests/search/test_signature.py tests what it counts."""

from __future__ import annotations

import json


def test_one_game(zerosum):
    ran = zerosum("bench", "tictactoe", "--depth", "4")
    assert (ran.code, ran.err) == (0, "")
    heading, row = ran.out.splitlines()
    assert heading.split() == ["game", "depth", "positions", "nodes", "time", "nodes/s", "branching"]
    assert row.split()[:3] == ["tictactoe", "4", "8"]


def test_json_and_the_worth_of_a_technique(zerosum):
    def nodes(*options: str) -> int:
        report = json.loads(zerosum("bench", "tictactoe", "--json", *options).out)
        (game,) = report["games"]
        assert report["nodes"] == game["nodes"] and game["branching"] > 1
        return report["nodes"]

    assert nodes() == nodes() < nodes("--option", "table=off")


def test_your_own_game(zerosum, game_file, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    ran = zerosum("bench", game_file("Pile(4, 0)", "Pile(20, 0)"))
    assert ran.code == 0 and ran.out.splitlines()[1].split()[:2] == ["stones", "6"]


def test_games_of_chance_are_refused_by_name(zerosum):
    assert "pig has chance nodes" in zerosum("bench", "pig").complaint()


def test_arguments_that_make_no_sense(zerosum):
    assert "'tictacto'" in zerosum("bench", "tictacto").complaint()
    assert "0" in zerosum("bench", "tictactoe", "--depth", "0").complaint()
    assert "'width=5'" in zerosum("bench", "--set", "width=5").complaint()
    assert "'tabel'" in zerosum("bench", "tictactoe", "--option", "tabel=on").complaint()
