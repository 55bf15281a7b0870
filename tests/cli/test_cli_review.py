"""``zerosum analyze --review``: the review of a finished game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Zerosum = Callable[..., Any]

PGN = '[White "Anna"]\n[Black "Otto"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'
PDN = '[White "Anna"]\n[Black "Otto"]\n\n1. 11-15 22-18 2. 15x22 25x18 *\n\n'
MAT = " 5 point match\n\n Game 1\n Anna : 0    Otto : 0\n  1) 55: 13/3(2)             62:\n"


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few positions need no compiler."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for name, text in (
        ("a.pgn", PGN),
        ("a.pdn", PDN),
        ("a.mat", MAT),
        ("a.txt", "o...x...x\n2 3 7"),
        ("bad.txt", "5 5"),
    ):
        (tmp_path / name).write_text(text)
    (tmp_path / "bad.mat").write_text(MAT.replace("13/3(2)", "13/2(2)"))
    (tmp_path / "bad.pgn").write_text(PGN.replace("g4", "g5"))


def test_each_move_has_a_row_and_both_players_a_summary(zerosum: Zerosum) -> None:
    ran = zerosum("analyze", "tictactoe", "--review", "a.txt", "--depth", "9")
    assert (ran.code, ran.err) == (0, "")
    heading, *rows = ran.out.splitlines()
    assert heading.split() == ["player", "played", "value", "best", "loss"]
    number, player, played, *_, loss, marks = rows[0].split()
    assert (number, player, played, loss, marks) == ("1", "O", "2", "1000", "??")
    assert rows[1].split() == ["2", "X", "3", "X", "wins", "in", "3", "plies"]
    assert rows[4].split() == ["player", "moves", "without", "loss", "mean", "loss", "blunders", "accuracy"]
    assert rows[5].split() == ["X", "1", "1", "0", "0", "100", "%"]
    assert rows[6].split() == ["O", "2", "1", "500", "1", "50", "%"]


def test_json_has_an_object_for_each_move_and_the_summary_last(zerosum: Zerosum) -> None:
    out = zerosum("analyze", "tictactoe", "--review", "a.txt", "--depth", "9", "--json", "--blunder", "2000").out
    *moves, last = [json.loads(line) for line in out.splitlines()]
    assert [(one["ply"], one["player"], one["move"]) for one in moves][:2] == [(1, "MIN", "2"), (2, "MAX", "3")]
    assert moves[0]["best"]["move"] in ("3", "7") and moves[0]["loss"] == 1000
    assert last["final"] and not last["stopped"]
    expected = {"name": "O", "moves": 2, "faultless": 1, "mean_loss": 500, "blunders": 0}
    assert last["summary"]["MIN"] == {**expected, "accuracy": 85.4}  # the loss is half a blunder here


@pytest.mark.parametrize(
    ("game", "file", "player", "played"),
    [
        ("chess", "a.pgn", "Black (Otto)", "Qh4#"),
        ("checkers", "a.pdn", "White (Anna)", "25x18"),
        pytest.param("backgammon", "a.mat", "Black (Otto)", "55: 13/3(2)", marks=pytest.mark.slow),
    ],
)
def test_games_of_other_programs_are_gone_through(
    zerosum: Zerosum, game: str, file: str, player: str, played: str
) -> None:
    ran = zerosum("analyze", game, "--review", file, "--depth", "1")
    assert (ran.code, ran.err) == (0, "")
    assert f"{played}  " in ran.out and f"\n{player}  " in ran.out


def test_luck_is_told_where_there_are_dice(zerosum: Zerosum, tmp_path: Path) -> None:
    (tmp_path / "pig.txt").write_text("roll 6 hold roll 1 roll 6")
    asked = ("analyze", "pig", "--set", "target=12", "--review", "pig.txt", "--depth", "1")
    table = zerosum(*asked).out
    assert table.splitlines()[0].endswith("loss       luck")
    *moves, last = [json.loads(line) for line in zerosum(*asked, "--json").out.splitlines()]
    assert last["luck"] > sum(move.get("luck", 0) for move in moves) > 0  # the last roll ends the game
    luck = last["luck"]
    expected = f"luck: MAX gained {luck:+.3f} from the dice; the result, +1, is {1 - luck:+.3f} without it"
    assert table.splitlines()[-1] == expected
    assert "luck" not in zerosum("analyze", "tictactoe", "--review", "a.txt", "--depth", "2").out


def test_games_of_a_match_are_gone_through(zerosum: Zerosum, tmp_path: Path) -> None:
    """The columns of a .mat file belong to players, who change sides."""
    words = ("match", "random", "random", "--game", "backgammon", "--max-plies", "6", "--games", "2", "--time", "none")
    assert zerosum(*words, "--out", "m.mat").code == 0
    assert zerosum(*words, "--out", "m.mat").out.startswith("2 games are in 'm.mat'; the match is complete")
    text = (tmp_path / "m.mat").read_text()
    assert text.count(" Game ") == 2 and text.count(" random : 0") == 2
    ran = zerosum("analyze", "backgammon", "--review", "m.mat", "--number", "3")
    assert ran.complaint() == "'m.mat' has no game 3: it holds 2 games"


def test_ctrl_c_shows_what_is_done(zerosum: Zerosum, monkeypatch: pytest.MonkeyPatch) -> None:
    from zerosum.engine import Engine

    search, asked = Engine.search, []

    def interrupted(self: Engine, *words: Any, **limits: Any) -> Any:
        asked.append(limits)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return search(self, *words, **limits)

    monkeypatch.setattr(Engine, "search", interrupted)
    ran = zerosum("analyze", "tictactoe", "--review", "a.txt", "--depth", "2")
    assert ran.code == 0 and "\nstopped after " in ran.out and "mean loss" in ran.out
    assert (asked[0]["depth"], asked[0]["seconds"], asked[0]["nodes"]) == (2, None, None)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("tictactoe", "--review", "missing.txt"), "'missing.txt' cannot be read: No such file or directory"),
        (("tictactoe", "--review", "bad.txt"), "'bad.txt': move 2: '5' is not a legal move here"),
        (("tictactoe", "--review", "a.pgn"), "'a.pgn': tictactoe has no format '.pgn'"),
        (("chess", "--review", "bad.pgn"), "'g5'"),
        (("chess", "--review", "a.pgn", "--number", "2"), "'a.pgn' has no game 2: it holds 1 game"),
        (("chess", "--review", "a.pgn", "--number", "0"), "--number '0' is less than 1"),
        (("chess", "--review", "a.pgn", "--moves", "e4"), "--review 'a.pgn' gives the moves"),
        (("chess", "--review", "a.pgn", "--rollout"), "choose one"),
        (("chess", "--review", "a.pgn", "--lines", "2"), "--lines 2 cannot be used with --review 'a.pgn'"),
        (("chess", "--review", "a.pgn", "--blunder", "big"), "--blunder 'big' is not a number"),
        (("chess", "--number", "2"), "--number 2 applies only to reviews: give --review too"),
        (("backgammon", "--review", "bad.mat"), "'bad.mat', line 5: '13/2(2)' is not a legal play of 55"),
    ],
)
def test_bad_input_is_one_line(zerosum: Zerosum, words: tuple[str, ...], complaint: str) -> None:
    assert complaint in zerosum("analyze", *words).complaint()


def test_a_game_without_moves_is_nothing_to_go_through(zerosum: Zerosum, tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_text('[White "Anna"]\n\n*\n')
    complaint = zerosum("analyze", "chess", "--review", "empty.pgn").complaint()
    assert complaint == "this game has no moves to review"
