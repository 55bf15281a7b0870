"""Moves without spaces, for any game that says where the first one ends."""

from __future__ import annotations

from pathlib import Path

import pytest

import zerosum as zs
from zerosum.errors import MoveError
from zerosum.formats.common import read_game

NIM = zs.load("nim")
RUNS = NIM.with_(cut_move=lambda s, text: (text[:2], text[2:]))


def test_a_run_of_moves_is_a_line() -> None:
    assert list(zs.Line.parse(RUNS, "a1b2 c3").texts()) == ["a1", "b2", "c3"]
    assert list(zs.Line.parse(RUNS, ["a1b2", "c3"]).texts()) == ["a1", "b2", "c3"]
    with pytest.raises(MoveError, match="move 1: 'a1b2' is not a legal move"):
        zs.Line.parse(NIM, "a1b2 c3")


def test_the_number_of_a_wrong_move_counts_all_before_it() -> None:
    with pytest.raises(MoveError, match="move 3: 'z9' is not a legal move here"):
        zs.Line.parse(RUNS, "a1b2z9")


def test_files_of_moves_are_read_so_too(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("a1b2c3\n")
    assert len(read_game(RUNS, tmp_path / "game.txt").line) == 3


def test_a_function_that_takes_nothing_off_is_told() -> None:
    endless = NIM.with_(cut_move=lambda s, text: (NIM.format_move(s, NIM.legal_moves(s)[0]), text))
    with pytest.raises(zs.GameError, match=r"nim: cut_move\(.*the text must get shorter"):
        zs.Line.parse(endless, "a1")
    with pytest.raises(zs.GameError, match="the text must get shorter"):
        zs.Line.parse(NIM.with_(cut_move=lambda s, text: ("a1", f"{text}x")), "a1")
