"""Users' own games in the studio."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
