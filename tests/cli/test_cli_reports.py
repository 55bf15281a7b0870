"""The commands that list and count."""

from __future__ import annotations

import json


def test_games_lists_names_and_parameters(zerosum):
    ran = zerosum("games")
    assert ran.code == 0
    rows = ran.out.splitlines()
    assert rows[0].split() == ["game", "about", "parameters"]
    (four,) = [row for row in rows if row.startswith("connect-four")]
    assert "width=7, height=6" in four


def test_games_as_json(zerosum):
    games = {game["name"]: game for game in json.loads(zerosum("games", "--json").out)}
    assert games["connect-four"]["parameters"]["width"] == 7
    assert games["tictactoe"]["parameters"] == {}
    assert games["tictactoe"]["about"]


def test_one_game_says_what_it_defines(zerosum):
    ran = zerosum("games", "tictactoe")
    assert "evaluate" in ran.out and "at most 9" in ran.out
    facts = json.loads(zerosum("games", "connect-four", "--set", "width=5", "--json").out)
    assert facts["parameters"]["width"] == 5 and facts["max_moves"] == 5
    assert "bounds" in facts["defines"] and "chances" in facts["lacks"]
    assert set(facts["state"].values()) == {"int"}


def test_a_file_says_what_it_defines(zerosum, game_file):
    facts = json.loads(zerosum("games", game_file(), "--json").out)
    assert (facts["name"], facts["defines"]) == ("stones", [])
    assert facts["state"] == {"stones": "int", "turn": "int"}


def test_an_installed_package_that_is_broken_does_not_hide_the_other_games(zerosum, monkeypatch):
    from zerosum.games import GAMES, Entry

    monkeypatch.setitem(GAMES, "broken", Entry("no.such.module:game", "from a package"))
    ran = zerosum("games")
    assert ran.code == 0
    assert "does not load: ModuleNotFoundError" in ran.out and "tictactoe" in ran.out


def test_perft_counts_every_depth(zerosum):
    ran = zerosum("perft", "tictactoe")
    assert (ran.code, ran.err) == (0, "")
    heading, *rows = ran.out.splitlines()
    assert heading.split() == ["depth", "leaves", "time", "leaves/s"]
    assert [row.split()[:2] for row in rows] == [
        ["1", "9"],
        ["2", "72"],
        ["3", "504"],
        ["4", "3,024"],
        ["5", "15,120"],
    ]


def test_perft_as_json_with_divide(zerosum):
    report = json.loads(zerosum("perft", "tictactoe", "3", "--divide", "--json").out)
    assert report["game"] == "tictactoe" and report["position"] == "........."
    assert [row["leaves"] for row in report["counts"]] == [9, 72, 504]
    assert all(row["seconds"] > 0 for row in report["counts"])
    assert report["divide"] == {str(cell): 56 for cell in range(1, 10)}


def test_perft_on_several_threads_counts_the_same(zerosum):
    reports = [json.loads(zerosum("perft", "tictactoe", "4", "--threads", n, "--divide", "--json").out) for n in "13"]
    one, three = ([row["leaves"] for row in report["counts"]] for report in reports)
    assert one == three == [9, 72, 504, 3024] and reports[0]["divide"] == reports[1]["divide"]


def test_perft_of_a_position(zerosum):
    report = json.loads(zerosum("perft", "tictactoe", "2", "xx.oo....", "--moves", "9", "--json").out)
    assert report["position"] == "xx.oo...x"
    assert [row["leaves"] for row in report["counts"]] == [4, 9]  # o wins at 6, which ends the game


def test_perft_zero_is_one(zerosum):
    report = json.loads(zerosum("perft", "tictactoe", "0", "--json").out)
    assert [(row["depth"], row["leaves"]) for row in report["counts"]] == [(0, 1)]


def test_divide_for_people(zerosum):
    out = zerosum("perft", "tictactoe", "2", "--divide").out
    assert out.splitlines()[-9:] == [f"{cell}                     8" for cell in range(1, 10)]


def test_a_negative_depth(zerosum):
    ran = zerosum("perft", "tictactoe", "--", "-1")
    assert "-1" in ran.complaint()
    assert ran.out == ""


def test_the_parameters_of_a_file_are_shown_with_their_defaults(zerosum, game_file):
    path = game_file("game = Game(", "def game(stones=4, rules='old'):\n    return Game(")
    parameters = json.loads(zerosum("games", path, "--json").out)["parameters"]
    assert parameters == {"stones": 4, "rules": "old"}
    parameters = json.loads(zerosum("games", path, "--set", "stones=5", "--json").out)["parameters"]
    assert parameters == {"stones": 5, "rules": "old"}


def test_cache_shows_and_clears(zerosum, monkeypatch, tmp_path):
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(tmp_path / "cache"))
    assert zerosum("cache").out == f"0 entries, 0 B, in {tmp_path / 'cache'}\n"
    assert zerosum("cache", "--clear").out == f"removed 0 files from {tmp_path / 'cache'}\n"

    from zerosum.jit import store

    store.write("0" * 64, b"code", [], "stones", "perft", 1.5)
    assert "stones" in zerosum("cache").out
    report = json.loads(zerosum("cache", "--json").out)
    assert report["folder"] == str(tmp_path / "cache")
    (entry,) = report["entries"]
    assert (entry["game"], entry["kernel"], entry["seconds"]) == ("stones", "perft", 1.5)
    assert entry["path"].startswith(report["folder"]) and entry["bytes"] == report["bytes"] > 0
    assert json.loads(zerosum("cache", "--clear", "--json").out) == {"folder": report["folder"], "removed": 1}
    assert json.loads(zerosum("cache", "--json").out)["entries"] == []
