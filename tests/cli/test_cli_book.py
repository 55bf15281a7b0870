"""Books on the command line: make, show, and errors."""

from __future__ import annotations

import json

import pytest

GAMES = """\
[White "A"]
[Result "1-0"]

1. e4 e5 2. Nf3 1-0

[White "B"]
[Result "1/2-1/2"]

1. e4 c5 1/2-1/2

[White "C"]
[Result "1-0"]

1. d4 1-0
"""
BAD = GAMES + '\n[White "D"]\n\n1. e4 Ke6 *\n\n[White "E"]\n\n1. d4 1-0\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(GAMES)
    (tmp_path / "bad.pgn").write_text(BAD)
    return tmp_path


def test_make_and_show(zerosum, folder):
    ran = zerosum("book", "make", "games.pgn", "--out", "book.bin", "--min-games", "1")
    assert (ran.code, ran.out, ran.err) == (0, "3 games, 4 moves, 64 B, in book.bin\n", "")
    ran = zerosum("book", "show", "book.bin")
    title, heading, first, second = ran.out.splitlines()
    assert title == "book.bin: 4 moves" and heading.split() == ["move", "weight", "share"]
    assert first.split() == ["e4", "3", "60.0", "%"] and second.split() == ["d4", "2", "40.0", "%"]
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    found = json.loads(zerosum("book", "show", "book.bin", "--fen", fen, "--json").out)
    assert found["moves"] == [{"move": "c5", "weight": 1}] and found["records"] == 4


def test_a_position_that_is_not_in_the_book(zerosum, folder):
    zerosum("book", "make", "games.pgn", "--out", "book.bin", "--min-games", "1")
    ran = zerosum("book", "show", "book.bin", "--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert ran.code == 0 and ran.out.endswith("this position is not in the book\n")


def test_bad_games_are_reported_by_line_and_skipped(zerosum, folder):
    ran = zerosum("book", "make", "bad.pgn", "--out", "book.bin", "--json")
    assert ran.code == 1
    assert json.loads(ran.out) == {"book": "book.bin", "games": 4, "bad_games": 1, "records": 2, "bytes": 32}
    first, last = ran.err.splitlines()
    assert first.startswith("zerosum: bad.pgn, line 18: 'Ke6' is not legal in rnbq")
    assert last == "zerosum: 1 game is invalid"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["bake", "games.pgn"], "'bake'"),
        (["make", "games.pgn"], "--out book.bin"),
        (["make", "nowhere.pgn", "--out", "book.bin"], "'nowhere.pgn' cannot be read"),
        (["make", "empty.pgn", "--out", "book.bin"], "'empty.pgn' contains no games"),
        (
            ["make", "games.pgn", "--out", "no/book.bin", "--min-games", "1"],
            "--out 'no/book.bin': the folder 'no' does not exist",
        ),
        (["make", "games.pgn", "--out", "book.bin", "--min-games", "9"], "often or well enough"),
        (["make", "games.pgn", "--out", "book.bin", "--plies", "0"], "--plies '0' is less than 1"),
        (["make", "games.pgn", "--out", "book.bin", "--min-score", "x"], "--min-score 'x' is not a number"),
        (["make", "games.pgn", "--out", "book.bin", "--min-score", "101"], "--min-score '101'"),
        (["make", "games.pgn", "--out", "book.bin", "--fen", "x"], "--fen 'x' cannot be used with make"),
        (["show", "games.pgn"], "'games.pgn' is not a Polyglot book"),
        (["show", "nowhere.bin"], "'nowhere.bin' cannot be read"),
        (["show", "book.bin", "--out", "x"], "--out 'x' cannot be used with show"),
        (["show", "book.bin", "--fen", "8/8 w"], "'8/8 w' is not a position"),
    ],
)
def test_bad_input_is_quoted(zerosum, folder, words, complaint):
    (folder / "empty.pgn").write_text("\n")
    before = sorted(path.name for path in folder.iterdir())
    assert complaint in zerosum("book", *words).complaint()
    assert sorted(path.name for path in folder.iterdir()) == before  # no incomplete file is left
