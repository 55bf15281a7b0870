"""Facts about files and streams of all commands: outputs that meet inputs, closed streams, empty values."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

TREE = "(A (B 3 12 8) (C 2 4 6))"


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("book make in.txt --out in.txt", ("--out", "FILE")),
        ("book make in.txt --out ./in.txt", ("--out", "FILE")),
        ("book make in.txt --out link.txt", ("--out", "FILE")),
        ("solve stones.py --certificate stones.py", ("--certificate", "GAME")),
        ("trace in.txt --json in.txt", ("--json", "TREE|GAME")),
        ("trace in.txt --svg a --html a", ("--svg", "--html")),
        ("ladder --tree in.txt --svg in.txt", ("--svg", "--tree")),
        ("train connect-four --games 5 --matches 2 --out a.npz --plot a.npz", ("--plot", "--out")),
        ("train connect-four --games 5 --weights in.txt --out in.txt", ("--out", "--weights")),
        ("train connect-four --network 16 --data a.zsp --positions 9 --out a.zsp", ("--out", "--data")),
        ("gather stones.py stones.py", ("FILE", "GAME")),
        ("match random random --game stones.py --out a.jsonl --log a.jsonl", ("--log", "--out")),
        ("match random random --game stones.py --openings in.txt --log in.txt", ("--log", "--openings")),
        ("quiz minimax --sheet x.html --solution x.html", ("--solution", "--sheet")),
    ],
)
def test_an_output_never_overwrites_an_input_or_another_output(
    zerosum, game_file, tmp_path, monkeypatch, command, names
):
    game = Path(game_file())
    (tmp_path / "in.txt").write_text(TREE)
    (tmp_path / "link.txt").hardlink_to(tmp_path / "in.txt")
    monkeypatch.chdir(tmp_path)
    before = {path: path.read_bytes() for path in (game, tmp_path / "in.txt")}
    complaint = zerosum(*command.split()).complaint()
    assert "is the same file as" in complaint and all(name in complaint for name in names)
    assert {path: path.read_bytes() for path in before} == before


def test_an_output_may_have_the_name_of_a_game(zerosum, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tictactoe").write_text("old")
    assert zerosum("trace", "tictactoe", "--depth", "1", "--svg", "tictactoe").code == 0
    assert "<svg" in Path("tictactoe").read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("command", ["match random random --game tictactoe --out PIPE", "gather connect-four PIPE"])
def test_a_file_that_is_read_again_is_not_a_pipe(zerosum, tmp_path, command):
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    complaint = zerosum(*command.replace("PIPE", str(pipe)).split()).complaint()
    assert repr(str(pipe)) in complaint and "is not a regular file" in complaint


@pytest.mark.parametrize(
    "command",
    ["quiz minimax --sheet", "trace x --json", "match random random --openings", "studio --host", "studio --games"],
)
def test_an_empty_value_is_refused(zerosum, command):
    option = command.split()[-1]
    assert zerosum(*command.split(), "").complaint().startswith(f"{option} '' is empty")


def test_no_moves_are_a_value(zerosum):
    assert zerosum("trace", "tictactoe", "--moves", "", "--depth", "1").code == 0


def test_what_exists_is_not_called_missing(zerosum, tmp_path):
    folder = tmp_path / "folder.py"
    folder.mkdir()
    for command in (["games"], ["trace"], ["studio"], ["studio", "--games"]):
        complaint = zerosum(*command, str(folder)).complaint()
        assert "is a folder" in complaint and "does not exist" not in complaint
    assert "is a folder" in zerosum("trace", str(tmp_path)).complaint()
    if hasattr(os, "mkfifo"):
        pipe = tmp_path / "pipe.py"
        os.mkfifo(pipe)
        for command in (["games"], ["studio", "--games"]):
            assert "is not a regular file" in zerosum(*command, str(pipe)).complaint()


def test_a_width_of_0_columns_is_ignored(zerosum, monkeypatch):
    monkeypatch.setenv("COLUMNS", "0")
    assert "MAX A = 3" in zerosum("trace", TREE).out


def _run(closed: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, with some of its streams closed, as in ``<&- >&-``."""
    words = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "zerosum", *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("command", "words"), [("quiz minimax", "No question was answered"), ("trace -", "no tree found")]
)
def test_a_closed_stdin_is_an_empty_one(command, words):
    ran = _run("<&-", *command.split())
    assert words in ran.stdout + ran.stderr and "internal error" not in ran.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [("play tictactoe", "is not a legal move"), ("solve tictactoe --file -", "line 1: "), ("trace -", "(x\ufffd)")],
)
def test_bytes_of_another_encoding_on_stdin_are_quoted(command, words):
    ran = subprocess.run(
        [sys.executable, "-m", "zerosum", *command.split()],
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},  # as on a terminal with an ordinary locale
        input=b"x\xff\n",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    said = (ran.stdout + ran.stderr).decode()
    assert words in said and "internal error" not in said


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_output_lost_on_a_closed_stdout_is_an_error():
    ran = _run(">&-", "--version")
    assert (ran.returncode, ran.stderr) == (1, "zerosum: stdout is closed, so the output is lost\n")
    assert _run(">&- 2>&-", "--version").returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no device that is always full")
def test_output_lost_on_a_full_disk_is_an_error(monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    ran = _run(">/dev/full", "--version")
    assert (ran.returncode, ran.stderr) == (1, "zerosum: stdout cannot be written: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_a_complaint_on_a_closed_stderr_does_not_reach_stdout():
    ran = _run("2>&-", "nonsense")
    assert (ran.returncode, ran.stdout) == (2, "")


@pytest.mark.parametrize("name", ["zerosum.py", "random.py"])
def test_a_new_game_cannot_hide_a_module(zerosum, tmp_path, name):
    assert "would hide the module" in zerosum("new", str(tmp_path / name)).complaint()
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_current_folder_cannot_hide_the_supervised_command(tmp_path):
    from zerosum.cli.supervising import START

    (tmp_path / "zerosum.py").write_text("raise SystemExit(3)")
    words = [sys.executable, "-c", START, "--version"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 0 and ran.stdout.startswith("zerosum ")
