"""Finished games from files, and what a review says about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zerosum.arena.luck import Luck, knows_luck
from zerosum.arena.review import blunder_of, events_before, in_words, judge, summary
from zerosum.engine import Engine
from zerosum.errors import ZerosumError
from zerosum.formats.common import read_game
from zerosum.game import MAX, MIN, Line
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
        ("chess", "a.pgn", "1. e4 -- 2. d4 *", 1, "a player of game 1 passes"),
        ("checkers", "a.pgn", PGN, 1, "checkers has no format '.pgn'; use .pdn, .jsonl or .txt"),
        ("checkers", "a.pdn", "1. 11-15 22-18 2. 8-11 *", 1, "'8-11' is not a legal move here"),
        ("backgammon", "a.mat", MAT, 3, "has no game 3: it holds 2 games"),
        ("backgammon", "a.mat", MAT.replace("8/5", "8/4"), 1, "line 5: '8/4 6/5'"),
        ("backgammon", "a.mat", "hello", 1, "'hello' should say how long the match is"),
        ("tictactoe", "a.txt", "5 5", 1, "move 2: '5' is not a legal move here"),
        ("tictactoe", "a.txt", " ", 1, "holds no game"),
        ("tictactoe", "a.jsonl", "hello\n", 1, "is no games file of a match"),
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


# The review


def judged(name: str, moves: str, **limits: Any) -> list[Any]:
    game = load(name)
    return list(judge(Engine(game, hash_mb=1, jit=False), Line.parse(game, moves), **limits))


def test_the_engine_finds_no_fault_with_its_own_play_and_forced_moves_are_not_counted() -> None:
    game = load("tictactoe")
    engine = Engine(game, hash_mb=1, jit=False)
    line = Line(game, Line.parse(game, "5 1 9").state)
    while not game.is_over(line.state):
        line = line.play(engine.search(line, depth=9).move)
    found = list(judge(engine, line, depth=9))
    assert [one.loss for one in found] == [0] * 6 and found[-1].choices == 1
    both = summary(found, 100)
    assert (both[MIN].moves, both[MAX].moves, both[MAX].faultless) == (3, 2, 2)


def test_the_loss_is_what_a_search_of_each_move_alone_says() -> None:
    """Kalah counts seeds, so a loss is a number of seeds."""
    game = load("kalah", pits=3, seeds=2)
    line = Line.parse(game, "1 1 2")
    engine = Engine(game, hash_mb=1, jit=False)
    for one in judge(engine, line, depth=6):
        s = line.states[one.ply]
        sign = 1 if one.player == MAX else -1
        values = {m: sign * Engine(game, jit=False).search(s, depth=6, moves=[m]).value for m in game.legal_moves(s)}
        assert one.loss == max(values.values()) - values[one.move]


def test_where_only_winning_counts_no_more_than_ten_units_are_lost() -> None:
    game = load("tictactoe")
    line = Line(game, Line.parse(game, "5 1 9").state, [1])  # only a corner would have held it
    (lost,) = judge(Engine(game, hash_mb=1, jit=False), line, depth=9)
    assert lost.loss == 1000 and lost.best.outcome == 0 and lost.played.outcome == 1
    found = summary([lost], 100)
    assert (found[MIN].blunders, found[MAX].moves) == (1, 0)


def test_events_belong_to_the_move_behind_them() -> None:
    line = Line.parse(load("backgammon"), "31; 8/5 6/5; 66; 24/18(2) 13/7(2)")
    assert [in_words(line, events_before(line, ply)) for ply in (1, 3)] == [["31"], ["66"]]
    found = judged("pig", "roll 5 hold roll 1 roll", depth=2)
    assert [(one.ply, one.player) for one in found] == [(0, MAX), (2, MAX), (3, MIN), (5, MAX)]
    assert all(isinstance(one.loss, float) or one.loss == 0 for one in found)


def test_luck_is_nothing_on_average_and_knows_better_from_worse() -> None:
    game = load("pig", target=20)
    dice = Luck(game, jit=False)
    line = Line.parse(game, "roll 5 roll 4 hold roll")
    outcomes = {roll: (chance, dice.of(line.play(roll))[len(line)]) for roll, chance in game.chances(line.state)}
    assert sum(chance * found for chance, found in outcomes.values()) == pytest.approx(0, abs=1e-9)
    assert outcomes[1][1] == max(found for _, found in outcomes.values()) > 0  # MIN's roll of 1 is MAX's luck
    assert [knows_luck(load(name)) for name in ("pig", "backgammon", "tictactoe")] == [True, True, False]


@pytest.mark.parametrize(("name", "loss"), [("chess", 100), ("backgammon", 0.08), ("othello", 2)])
def test_what_a_blunder_is(name: str, loss: float) -> None:
    assert blunder_of(load(name), 100) == loss
