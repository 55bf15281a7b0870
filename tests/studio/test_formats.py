"""Games as text: what is written can be read again."""

from __future__ import annotations

import random

import pytest

from zerosum.errors import EndgameError, PositionError
from zerosum.formats.played import Branch
from zerosum.game import Line
from zerosum.games import load
from zerosum.studio.databases import Databases
from zerosum.studio.formats import read_text, save
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.tab import Studio

from .conftest import Page, serving

NAMES = ("person", "zerosum")


def random_line(game, plies, seed=1):
    dice = random.Random(seed)
    line = Line(game)
    while len(line) < plies and not game.is_over(line.state):
        line = line.play(dice.choice(game.legal_moves(line.state)))
    return line


@pytest.mark.parametrize("name", ["tictactoe", "connect-four", "othello", "kalah", "chess", "checkers", "backgammon"])
def test_a_saved_game_is_read_again(name):
    game = load(name)
    line = random_line(game, 12)
    file = save(line, NAMES)
    assert read_text(game, file.text).line().moves == line.moves


@pytest.mark.parametrize(
    ("name", "file"), [("chess", "game.pgn"), ("checkers", "game.pdn"), ("backgammon", "game.mat"), ("nim", "nim.txt")]
)
def test_each_game_has_its_own_format(name, file):
    assert save(Line(load(name)), NAMES).name == file


def test_white_stands_first_in_results_of_draughts_too():
    """Black is MAX in checkers, and moves first."""
    line = random_line(load("checkers"), 4)
    assert '[White "zerosum"]' in save(line, NAMES, 1).text
    assert "0-1" in save(line, NAMES, 1).text and "1-0" in save(line, NAMES, -1).text


@pytest.mark.parametrize("name", ["tictactoe", "connect-four", "othello", "kalah", "chess", "checkers", "backgammon"])
def test_every_position_can_be_pasted(name):
    game = load(name)
    line = random_line(game, 9)
    reading = read_text(game, game.format_state(line.state))
    assert not reading.nodes and game.format_state(game.parse_state(reading.position)) == game.format_state(line.state)


@pytest.mark.parametrize("text", ["", "   ", "no such thing", "x" * 500])
def test_what_is_neither_position_nor_game_is_refused(text):
    with pytest.raises(PositionError):
        read_text(load("connect-four"), text)


@pytest.mark.parametrize("name", ["chess", "checkers"])
def test_every_opening_can_be_played(name):
    game = load(name)
    for moves in (moves for one in game.openings().values() for moves in one.values()):
        assert len(Line.parse(game, moves)) == len(moves.split())


def test_the_shelf_tells_openings_and_parameters():
    games = {entry["id"]: entry for entry in OfferedGames().catalogue()}
    assert games["chess"]["openings"] and games["connect-four"]["parameters"]["width"] == 7


def test_a_folder_without_a_database_is_refused(tmp_path):
    with pytest.raises(EndgameError, match="there is no endgame database in this folder"):
        Databases([str(tmp_path)])


def test_a_database_knows_its_own_game_only(tmp_path):
    from zerosum.endgame.build import build

    game = load("connect-four", width=3, height=2, k=2)
    build(game, 0, tmp_path, distance=True, threads=1, jit=False)
    databases = Databases([str(tmp_path)])
    found = databases.probe(game, Line.parse(game, "1 2").state)
    assert found is not None and (found.outcome, found.distance) == (1, 1)
    assert databases.of(game) is not None
    assert databases.probe(load("nim"), load("nim").initial()) is None and databases.of(load("nim")) is None


def test_a_verdict_is_told_and_searches_use_it(tmp_path):
    from zerosum.endgame.build import build

    game = load("connect-four", width=3, height=2, k=2)
    build(game, 0, tmp_path, distance=True, threads=1, jit=False)
    with serving(Studio(OfferedGames(), hash_mb=1, jit=False, databases=Databases([str(tmp_path)]))) as (port, _):
        page = Page(port)
        page.open("connect-four", settings={"width": 3, "height": 2, "k": 2}, mode="analyse", moves=[0, 1])
        assert page.ask("verdict")["words"] == "Red wins in 1 ply"
        page.send("analyse", lines=1)
        report = page.wait_for("report", lambda body: body["distance"] == 1)
        assert report["words"] == "Red wins in 1 ply"
        page.open("tictactoe", mode="analyse")
        assert page.ask("verdict")["words"] == ""
        page.close()


@pytest.mark.parametrize(
    ("name", "suffix"), [("chess", ".pgn"), ("checkers", ".pdn"), ("othello", ".txt"), ("backgammon", ".txt")]
)
def test_comments_and_variations_are_kept_by_every_game(name, suffix):
    """If the game's own format cannot hold them, the text of moves does."""
    game = load(name)
    line = random_line(game, 6)
    other = next(move for move in game.legal_moves(line.states[1]) if move != line.moves[1])
    branch = Branch(line.moves, {0: "a word", 5: "and another"}, {1: (Branch((other,), {0: "instead"}),)})
    file = save(line, NAMES, 1, branch=branch)
    assert file.name.endswith(suffix)
    again = read_text(game, file.text)
    assert again.line().moves == line.moves and again.players == NAMES and again.result == 1
    assert [node.get("comment", "") for node in again.nodes] == ["a word", "", "", "", "", "and another"]
    ((variation,),) = again.nodes[1]["variations"]
    assert variation == {"move": other, "comment": "instead"}
