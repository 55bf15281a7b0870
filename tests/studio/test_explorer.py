"""The opening explorer: moves in files of games and books, and names of openings."""

from __future__ import annotations

import pytest

from zerosum.errors import StudioError
from zerosum.game import Line
from zerosum.games import load
from zerosum.studio.explorer import Explorer
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.tab import Studio

from .conftest import Page, serving

GAMES = """[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 { +0.30/8 } e5 2. Nf3 1-0

[White "C"]
[Black "D"]
[Result "1/2-1/2"]

1. e4 { [%eval 0.10] } c5 1/2-1/2

[White "E"]
[Black "F"]
[Result "0-1"]

1. d4 Nf9 0-1

[White "G"]
[Black "H"]
[Result "0-1"]

1. d4 d5 0-1
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "games.pgn").write_text(GAMES)
    return [str(tmp_path / "games.pgn")]


def test_games_are_counted_by_position_with_results_and_values(files):
    explorer = Explorer(files)
    (index,) = explorer.sources(load("chess"))
    index.thread.join(60)
    assert (index.games, index.wrong) == (3, 1)  # one game is invalid; the others are read
    game = load("chess")
    found = {game.format_move(game.initial(), move): count for move, count in index.at(game.initial()).items()}
    assert found["e4"].games == 2 and found["e4"].results == {1: 1, 0: 1, -1: 0}
    assert found["e4"].value / found["e4"].valued == pytest.approx(0.2)
    assert found["d4"].games == 1 and found["d4"].results[-1] == 1
    assert explorer.sources(load("tictactoe")) == []  # which cannot read this format


def test_a_page_asks_what_was_played(files):
    explorer = Explorer(files)
    explorer.sources(load("chess"))[0].thread.join(60)
    with serving(Studio(OfferedGames(), hash_mb=1, jit=False, explorer=explorer)) as (port, _):
        page = Page(port)
        page.open("chess", mode="analyse", line="e4")
        while (found := page.ask("explore"))["sources"][0]["reading"]:
            pass
        (source,) = found["sources"]
        assert found["name"] == "King's Pawn" and source["title"] == "games.pgn" and source["games"] == 3
        assert {move["text"]: move["results"] for move in source["moves"]} == {"e5": [1, 0, 0], "c5": [0, 1, 0]}
        page.close()


def test_the_longest_name_counts_and_positions_count_whatever_led_there():
    explorer = Explorer()
    chess = load("chess")
    for moves, name in (
        ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4", "Ruy Lopez, Morphy Defence"),
        ("Nf3 d5 d4 Nf6 Bf4", "London System"),
        ("a3", ""),
    ):
        assert explorer.name(Line.parse(chess, moves)) == name
    checkers = load("checkers")
    assert explorer.name(Line.parse(checkers, "9-13 21-17 5-9 25-21")) == "ballot 1"
    elsewhere = chess.parse_state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9")
    assert explorer.name(Line.parse(chess, "e4", elsewhere)) == ""  # not from the start of a game


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(StudioError, match=r"--games 'nowhere\.pgn' does not exist"):
        Explorer(["nowhere.pgn"])


def test_a_book_gives_weights(tmp_path):
    from zerosum.games.chess.book import BookMaker
    from zerosum.games.chess.pgn import read_games

    (tmp_path / "games.pgn").write_text(GAMES)
    maker = BookMaker()
    for game in read_games(tmp_path / "games.pgn", on_error=lambda problem: None):
        maker.add(game)
    maker.write(tmp_path / "book.bin")
    chess = load("chess")
    (book,) = Explorer([str(tmp_path / "book.bin")]).sources(chess)
    found = {chess.format_move(chess.initial(), move): count.weight for move, count in book.at(chess.initial()).items()}
    assert found["e4"] > 0
