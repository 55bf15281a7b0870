"""Users' own games in the studio."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from patience import wait_until

import zerosum as zs
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.tab import Studio

from .conftest import Page, serving

STONES = """
from typing import NamedTuple
from zerosum import Game, MAX, MIN

class Pile(NamedTuple):
    stones: int
    turn: int

def moves(s):
    for n in range(1, min(3, s.stones) + 1):
        yield n

game = Game("stones", Pile, lambda: Pile(5, MAX), lambda s: s.turn, moves,
            lambda s, n: Pile(s.stones - n, 1 - s.turn), lambda s: 1 if s.turn == MIN else -1, max_moves=3)
"""


BOARD = """
from zerosum.board import Cell, Layout, Piece, circle, rectangle

def layout():
    cells = tuple(Cell(str(n), rectangle(10 * n, 0, 10, 10, "light"), f"take {n}") for n in (1, 2, 3))
    return Layout(40, 10, cells, {"stone": (circle(0, 0, 40, "black"),)}, size=8)

def pieces(s):
    return [Piece("1", "stone", f"{s.stones} stones")]

def path(s, n):
    return [str(n)]

game = game.with_(layout=layout, pieces=pieces, path=path, players=("Anna", "Otto"))
"""


@pytest.fixture
def own(tmp_path):
    """A page of a studio with a user's game, and the file of that game."""
    file = tmp_path / "stones.py"
    file.write_text(STONES)
    with serving(Studio(OfferedGames([str(file)]), hash_mb=1, jit=False)) as (port, _):
        page = Page(port)
        yield page, file
        page.close()


def test_a_game_without_a_board_is_played_by_buttons(own):
    page, _ = own
    assert page.welcome["first"] == "stones.py"
    position = page.open("stones.py", people=[0, 1])
    board = page.wait_for("board")
    assert board["layout"] is None and position["text"] == "stones 5\nturn 0"
    assert [move["text"] for move in position["moves"]] == ["1", "2", "3"]
    assert all(not move["ways"] for move in position["moves"])
    assert page.ask("move", ply=0, move=3)["ply"] == 1


def test_a_file_in_the_current_folder_is_listed_like_any_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = Path("stones.py").name  # its id on the page is then the same string as its path
    Path(name).write_text(STONES + BOARD)
    offered = OfferedGames([name])
    first = offered.catalogue()[0]
    assert (first["id"], first["title"], first["about"]) == ("stones.py", "Stones", "your own game")
    assert offered.thumbnails()["stones.py"]["pieces"] == [{"cell": "1", "glyph": "stone", "label": "5 stones"}]


def test_a_game_with_a_board_is_played_by_pointing(own):
    page, file = own
    file.write_text(STONES + BOARD)
    os.utime(file, (5, 5))
    position = page.open("stones.py", people=[0, 1])
    board = page.wait_for("board")
    assert [cell["id"] for cell in board["layout"]["cells"]] == ["1", "2", "3"]
    assert board["players"] == ["Anna", "Otto"]
    assert [move["ways"] for move in position["moves"]] == [[["1"]], [["2"]], [["3"]]]
    assert position["pieces"] == [{"cell": "1", "glyph": "stone", "label": "5 stones"}]
    for ply, move in enumerate((3, 2)):
        position = page.ask("move", ply=ply, move=move)
    assert position["words"] == "Otto wins"


def test_an_edited_file_is_loaded_anew(own):
    page, file = own
    page.open("stones.py", people=[0, 1])
    file.write_text(STONES.replace("Pile(5, MAX)", "Pile(7, MAX)"))
    os.utime(file, (1, 1))
    assert page.open("stones.py", people=[0, 1])["position"] == "7 0"


def test_an_error_in_the_file_is_told_with_its_line(own):
    page, file = own
    page.open("stones.py", people=[0, 1])
    file.write_text(STONES + "\nimport no_such_module_of_mine\n")
    os.utime(file, (2, 2))
    words = page.complaint("open", game="stones.py")
    assert "no_such_module_of_mine" in words and "line 16" in words
    assert page.ask("move", ply=0, move=1)["ply"] == 1  # the open game continues


def test_an_error_in_a_rule_is_told_with_its_line(own):
    page, file = own
    file.write_text(STONES.replace("yield n", "yield n // (s.stones - 4)"))
    os.utime(file, (3, 3))
    page.open("stones.py", people=[0, 1])
    words = page.complaint("move", ply=0, move=1)
    assert "ZeroDivisionError" in words and "stones.py, line 11" in words
    assert page.ask("ping") == {}


SPOILT = """
def format_move(s, n):
    return ["all", "some"][5 - s.stones]

def show(s):
    return ["all", "some"][5 - s.stones]

game = game.with_(format_move=format_move, show=show)
"""


@pytest.mark.parametrize("once", [False, True], ids=["at the end", "in a report"])
def test_a_search_whose_line_cannot_be_written_fails_and_the_next_one_does_not(own, once, monkeypatch):
    """The third position of every line has no text: the search finds its move, but cannot say what comes after it."""
    page, file = own
    file.write_text(STONES + SPOILT)
    os.utime(file, (4, 4))
    page.open("stones.py", people=[0, 1])
    if once:  # the search ends only when it is stopped: the error comes from the report of a running search

        def search(engine, line, stop, on_report, **options):
            found = usual(engine, line)
            on_report(found)
            wait_until(stop.is_set)
            return found

        usual = zs.Engine.search
        monkeypatch.setattr(zs.Engine, "search", search)
    page.send("analyse", lines=1)
    words = failure(page)
    assert "IndexError" in words and f"stones.py, line {STONES.count(chr(10)) + 3}" in words
    if not once:
        file.write_text(STONES)
        os.utime(file, (6, 6))
        page.open("stones.py", people=[0, 1])
        page.send("analyse", lines=1)
        assert page.wait_for("report")["proven"]


def failure(page):
    """The problem of the search that fails next; no search that works may end before."""
    while True:
        message = page.receive()
        if message["kind"] == "search" and message["body"]["state"] == "failed":
            return message["body"]["problem"]
        assert message["kind"] != "report"


def test_a_match_whose_boards_cannot_be_drawn_fails(own):
    page, file = own
    file.write_text(STONES + SPOILT)
    os.utime(file, (7, 7))
    page.ask("match", game="stones.py", players=[{"kind": "random"}] * 2, games=10_000, plies=0)
    match = page.wait_for("match", lambda match: match["state"] == "failed")
    assert "IndexError" in match["problem"] and match["boards"] == []


def test_a_game_whose_board_cannot_be_drawn_does_not_spoil_the_lobby(tmp_path):
    file = tmp_path / "stones.py"
    file.write_text(STONES + BOARD + "\ngame = game.with_(pieces=lambda s: 1 / 0, openings=lambda: 1 / 0)\n")
    offered = OfferedGames([str(file)])
    assert offered.catalogue()[0]["title"] == "Stones"
    boards = offered.thumbnails()
    assert "ZeroDivisionError" in boards["stones.py"]["problem"] and boards["tictactoe"]["layout"]
