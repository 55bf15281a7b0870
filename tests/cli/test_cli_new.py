"""``zerosum new``: creating a game of your own."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest

import zerosum as zs
from zerosum import files
from zerosum.board.inferred import infer
from zerosum.checking import check
from zerosum.templates import TEMPLATES


@pytest.mark.parametrize("like", TEMPLATES)
def test_every_template_is_a_sound_game_with_a_board_and_a_test(zerosum, tmp_path, like):
    file = tmp_path / "our_game.py"
    ran = zerosum("new", str(file), "--like", like)
    assert (ran.code, ran.err) == (0, "")
    assert f"zerosum play {file}" in ran.out
    game = zs.load(file)
    assert game.name == "our-game" and game.players != ("MAX", "MIN")
    assert infer(game) is game
    report = check(game, games=5, seconds=3, jit=False)
    assert report.ok, report.findings
    assert not [finding for finding in report.findings if finding.warning]
    tests = runpy.run_path(str(tmp_path / "test_our_game.py"))
    assert sum(name.startswith("test_") for name in tests) == 3


@pytest.mark.slow
@pytest.mark.parametrize("like", TEMPLATES)
def test_the_test_of_every_template_passes(zerosum, tmp_path, like):
    file = tmp_path / "our_game.py"
    zerosum("new", str(file), "--like", like)
    for name, test in runpy.run_path(str(tmp_path / "test_our_game.py")).items():
        if name.startswith("test_"):
            test()


def test_what_is_there_is_never_overwritten(zerosum, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("mine")
    assert "already exists" in zerosum("new", str(file)).complaint()
    assert file.read_text() == "mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_on_a_full_disk_nothing_is_left(zerosum, tmp_path, monkeypatch):
    def opened_on_a_full_disk(target):
        handle, name = opened(target)
        if target.name.startswith("test_"):
            os.dup2(os.open("/dev/full", os.O_WRONLY), handle)
        return handle, name

    opened = files._opened_beside
    monkeypatch.setattr(files, "_opened_beside", opened_on_a_full_disk)
    complaint = zerosum("new", str(tmp_path / "our_game.py")).complaint()
    assert "test_our_game.py' cannot be written: No space left on device" in complaint
    assert not list(tmp_path.iterdir())


def test_what_makes_no_sense_is_quoted(zerosum, tmp_path):
    assert "'hexx'; did you mean 'hex'?" in zerosum("new", str(tmp_path / "a.py"), "--like", "hexx").complaint()
    assert "my_game.py" in zerosum("new", str(tmp_path / "a game.py")).complaint()
    assert "does not exist" in zerosum("new", str(tmp_path / "there" / "a.py")).complaint()
