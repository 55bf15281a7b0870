"""The widgets on the kernel side: what they receive and what they show. In a browser: test_in_jupyterlab.py."""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from patience import wait_until

import zerosum as zs
from zerosum.classroom import Tree, trace
from zerosum.errors import DrawingError, ZerosumError
from zerosum.notebook import Board, Stepper

TREE = "((3 12 8) (2 4 6) (14 5 2))"


@contextmanager
def board(game: Any = None, **options: Any) -> Iterator[Board]:
    made = Board(game or zs.load("tictactoe"), jit=False, **options)
    try:
        yield made
    finally:
        made.close()


def wish(of: Board, do: str, **more: Any) -> None:
    """Send a message as the browser does."""
    of._asked(of, {"do": do, **more}, [])


def test_a_game_against_the_engine():
    with board(level=9) as played:
        wish(played, "move", move=4, ply=0)
        wait_until(lambda: len(played.moves) == 2, "the engine's move on the board")
        assert played.moves[0] == "5" and played._position["turn"] == zs.MAX and not played._problem
        wish(played, "undo")
        assert played.moves == [] and played._history == [] and played._position["moves"]


def test_the_second_player_waits_for_the_engine():
    with board(you=zs.MIN, level=9) as played:
        wait_until(lambda: len(played.line) == 1, "the engine's move")
        assert played._position["people"] == [zs.MIN]


def test_a_board_is_turned_for_the_side_that_plays():
    with board(zs.load("chess"), you=zs.MIN, analyse=True) as black, board(zs.load("chess"), analyse=True) as white:
        assert black.flipped and not white.flipped


def test_analysis_says_what_the_position_is_worth_and_follows():
    with board(zs.Line.parse(zs.load("tictactoe"), "1 4 2 5"), analyse=True, lines=2) as shown:
        wait_until(lambda: shown._report.get("proven"), "a report")
        assert shown._report["words"] == "X wins in 1 ply" and len(shown._report["lines"]) == 2
        assert shown.result is not None and shown.result.move == 2
        wish(shown, "move", move=2, ply=4)
        assert shown._position["over"] and shown._position["words"] == "X wins"


def test_moves_that_were_gone_back_over_stay_until_another_is_made():
    with board(analyse=True) as shown:
        shown.play("5", "1", "9")
        wish(shown, "go", ply=1)
        assert shown.moves == ["5"] and [entry["text"] for entry in shown._history] == ["5", "1", "9"]
        wish(shown, "go", ply=2)
        assert shown.moves == ["5", "1"]
        wish(shown, "move", move=1, ply=2)
        assert [entry["text"] for entry in shown._history] == ["5", "1", "2"]


def test_play_and_analysis_change_over_and_a_new_game_begins_where_the_first_did():
    with board(zs.Line.parse(zs.load("tictactoe"), "5 1"), you=None) as shown:
        wish(shown, "mode", mode="analyse")
        assert shown._position["mode"] == "analyse"
        wish(shown, "mode", mode="play")
        wish(shown, "new")
        assert shown.moves == [] and shown._history == []


@pytest.mark.parametrize(
    ("do", "more", "said"),
    [
        ("move", {"move": 99, "ply": 0}, "'99' is not a legal move"),
        ("move", {"move": 1, "ply": 7}, "meant for move 8"),
        ("undo", {}, "nothing to take back"),
        ("mode", {"mode": "sleep"}, "not 'sleep'"),
        ("people", {"people": [7]}, "people must be"),
        ("people", {"people": []}, "at least one side"),
        ("level", {"level": 11}, "level must be a whole number from 1 to 10"),
        ("go", {"ply": 3}, "ply must be"),
    ],
)
def test_what_goes_wrong_is_told_below_the_board(do, more, said):
    with board(you=None) as shown:
        wish(shown, do, **more)
        assert said in shown._problem
        wish(shown, "move", move=4, ply=0)
        assert shown._problem == ""


def test_a_rule_that_fails_is_told_too():
    game = zs.load("tictactoe")

    def play(s, move):
        if move == 8:
            raise RuntimeError("no ninth cell")
        return game.play(s, move)

    with board(game.with_(play=play, layout=None, pieces=None, path=None), you=None) as shown:
        wish(shown, "move", move=8, ply=0)
        assert "no ninth cell" in shown._problem and shown.moves == []


def test_observers_hear_of_every_move():
    heard = []
    with board(you=None) as shown:
        shown.observe(lambda change: heard.append(change["new"]), "moves")
        shown.play("5", "1").back()
    assert heard == [["5", "1"], ["5"]]


def test_dice_are_thrown_and_shown():
    with board(zs.load("backgammon"), you=None) as shown:
        assert len(shown.moves) >= 1, "the dice have been thrown"
        assert any(str(piece.get("glyph", "")).startswith("die-") for piece in shown._position["pieces"])


@pytest.mark.parametrize("bad", [{"you": 2}, {"level": 0}, {"game": "chess"}])
def test_a_board_of_something_else_is_refused(bad):
    with pytest.raises(ZerosumError, match="not"):
        Board(**{"game": zs.load("tictactoe"), **bad})


def test_a_stepper_begins_where_it_is_told_and_stays_within_its_steps():
    stepper = Stepper(trace("alphabeta", Tree.from_text(TREE)), "By hand", step=3)
    assert stepper.step == 3 and "By hand" in stepper._html and "<style>" not in stepper._html
    stepper.step = 1000
    assert stepper.step == len(stepper._data["stops"]["full"])
    with pytest.raises(DrawingError, match="from 0 to 7 in this trace, not 8"):
        Stepper(trace("alphabeta", Tree.from_text(TREE)), step=8)
    with pytest.raises(DrawingError, match="brief, full, not 'long'"):
        Stepper(trace("alphabeta", Tree.from_text(TREE)), detail="long")
    with pytest.raises(DrawingError, match="needs a Trace"):
        Stepper(Tree.from_text(TREE))


def test_without_anywidget_one_line_says_what_to_install(monkeypatch):
    import zerosum.notebook

    usual = builtins.__import__

    def no_anywidget(name, *rest, **more):
        if name.partition(".")[0] == "anywidget":
            raise ModuleNotFoundError("No module named 'anywidget'", name="anywidget")
        return usual(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "zerosum.notebook.board")
    monkeypatch.delitem(vars(zerosum.notebook), "Board")
    monkeypatch.setattr(builtins, "__import__", no_anywidget)
    with pytest.raises(ImportError, match=r"pip install 'zerosum\[notebook\]'"):
        getattr(importlib.import_module("zerosum.notebook"), "Board")  # noqa: B009
