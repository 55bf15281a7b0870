"""Finished games from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from zerosum.errors import ZerosumError
from zerosum.formats.common import read_game
from zerosum.game import MIN
from zerosum.games import load

PGN = '[White "Anna"]\n[Black "Otto"]\n\n1. f3 e5 (1... d5) 2. g4 Qh4# 0-1\n\n'
PDN = '[White "Anna"]\n[Black "Otto"]\n\n1. 11-15 22-18 2. 15x22 *\n\n'
MAT = """\
 5 point match

 Game 1
 Anna : 0                          Otto : 0
  1) 31: 8/5 6/5                   52: 13/8 13/11
  2)  Doubles => 2                  Drops
      Wins 1 point

 Game 2
 Anna : 1                          Otto : 0
  1)                               66: 24/18(2) 13/7(2)
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "file", "text", "players", "moves"),
    [
        ("chess", "a.pgn", PGN, ("Anna", "Otto"), ["f3", "e5", "g4", "Qh4#"]),
        ("checkers", "a.pdn", PDN, ("Otto", "Anna"), ["11-15", "22-18", "15x22"]),
        ("backgammon", "a.mat", MAT, ("Anna", "Otto"), ["31", "8/5 6/5", "52", "13/8 13/11"]),
        ("tictactoe", "a.txt", "1. 5 1 2. 9 1/2-1/2", ("", ""), ["5", "1", "9"]),
        ("tictactoe", "a.txt", "x...o....\n9 3", ("", ""), ["9", "3"]),
        ("backgammon", "a.txt", "31; 8/5 6/5;\n66", ("", ""), ["31", "8/5 6/5", "66"]),
    ],
)
def test_each_form_is_read(
    tmp_path: Path, name: str, file: str, text: str, players: tuple[str, str], moves: list[str]
) -> None:
    found = read_game(load(name), written(tmp_path, file, text))
    assert found.players == players and list(found.line.texts()) == moves


def test_a_match_of_any_game_is_read(tmp_path: Path) -> None:
    from zerosum.arena.match import Match, Plan
    from zerosum.arena.players import parse_player

    game = load("connect-four", width=4)
    Match(Plan(game, [parse_player("random"), parse_player("random")], games=3), tmp_path / "a.jsonl").run()
    found = read_game(game, tmp_path / "a.jsonl", 2)
    assert found.players == ("random (2)", "random") and game.is_over(found.line.state)
    with pytest.raises(ZerosumError, match=r"the parameters there: \{'width': 4\}, here: \{\}"):
        read_game(load("connect-four"), tmp_path / "a.jsonl")
    with pytest.raises(ZerosumError, match="the game there: 'connect-four', here: 'nim'"):
        read_game(load("nim"), tmp_path / "a.jsonl")


def test_the_second_game_of_a_match_may_begin_with_the_other_player(tmp_path: Path) -> None:
    line = read_game(load("backgammon"), written(tmp_path, "a.mat", MAT), 2).line
    assert line.start.player == MIN and list(line.texts()) == ["66", "24/18(2) 13/7(2)"]


def test_a_wrong_game_does_not_hide_the_others(tmp_path: Path) -> None:
    path = written(tmp_path, "a.pgn", f'[White "X"]\n\n1. e5 *\n\n{PGN}')
    assert read_game(load("chess"), path, 2).players == ("Anna", "Otto")
    with pytest.raises(ZerosumError, match="'e5'"):
        read_game(load("chess"), path, 1)


@pytest.mark.parametrize(
    ("name", "file", "text", "number", "complaint"),
    [
        ("chess", "a.pgn", PGN, 2, "has no game 2: it holds 1 game"),
        ("chess", "a.pgn", "", 1, "holds no game"),
        ("chess", "a.pgn", "1. e4 -- 2. d4 *", 1, "a player passes in game 1"),
        ("checkers", "a.pgn", PGN, 1, "checkers has no format '.pgn'; use .pdn, .jsonl or .txt"),
        ("checkers", "a.pdn", "1. 11-15 22-18 2. 8-11 *", 1, "'8-11' is not a legal move here"),
        ("backgammon", "a.mat", MAT, 3, "has no game 3: it holds 2 games"),
        ("backgammon", "a.mat", MAT.replace("8/5", "8/4"), 1, "line 5: '8/4 6/5'"),
        ("backgammon", "a.mat", "hello", 1, "'hello' should be the length of the match"),
        ("tictactoe", "a.txt", "5 5", 1, "move 2: '5' is not a legal move here"),
        ("tictactoe", "a.txt", " ", 1, "holds no game"),
        ("tictactoe", "a.jsonl", "hello\n", 1, "is not the games file of a match"),
        (
            "tictactoe",
            "a.jsonl",
            '{"zerosum match":2}\n',
            1,
            "has version 2 of the format 'zerosum match'",
        ),
    ],
)
def test_what_makes_no_sense_is_quoted(
    tmp_path: Path, name: str, file: str, text: str, number: int, complaint: str
) -> None:
    with pytest.raises(ZerosumError) as caught:
        read_game(load(name), written(tmp_path, file, text), number)
    assert complaint in str(caught.value)


@pytest.mark.parametrize("name", ["a.pgn", "a.txt", "a.mat", "a.jsonl"])
def test_a_missing_file_is_quoted(tmp_path: Path, name: str) -> None:
    game = load({"a.pgn": "chess", "a.mat": "backgammon"}.get(name, "nim"))
    with pytest.raises(ZerosumError, match=rf"{name}' cannot be read"):
        read_game(game, tmp_path / name)
