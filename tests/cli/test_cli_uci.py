"""``zerosum uci`` as a process: input, output and exit."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from patience import PATIENCE


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def test_a_whole_conversation(zerosum):
    ran = zerosum("uci", "tictactoe", typed="uci\nisready\nposition fen xx.oo....\ngo depth 3\n")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("id name zerosum") and "uciok" in lines and "readyok" in lines
    assert lines[-1] == "bestmove 3"


def test_parameters_of_the_game(zerosum):
    out = zerosum("uci", "connect-four", "--set", "width=4", "--set", "height=4", typed="d\nquit\n").out
    assert "Moves: " in out and len(out.splitlines()[-1].split()) == 1 + 4


def test_an_unknown_game(zerosum):
    assert "'ches'" in zerosum("uci", "ches").complaint()


def test_bytes_that_are_no_text_do_no_harm():
    done = subprocess.run(
        [sys.executable, "-m", "zerosum", "uci", "tictactoe"],
        input=b"\xff\xfe\x00 go\nposition fen \xc3\x28\nisready\nquit\n",
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0 and done.stderr == b""
    lines = done.stdout.splitlines()
    assert lines[-1] == b"readyok" and sum(line.startswith(b"info string") for line in lines) == 2


def test_nobody_reads_any_more():
    done = subprocess.run(
        f"yes isready | '{sys.executable}' -m zerosum uci tictactoe | head -3",
        shell=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    lines = done.stdout.splitlines()
    # On a slow machine, the first line may say that the engine is not ready yet.
    assert len(lines) == 3 and lines[1:] == [b"readyok"] * 2 and done.stderr == b""


def test_nobody_reads_any_more_while_it_thinks():
    command = [sys.executable, "-m", "zerosum", "uci", "connect-four"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        process.stdin.write(b"go infinite\n")
        process.stdin.flush()
        assert [process.stdout.readline().startswith(b"info depth") for _ in range(2)] == [True, True]
        process.stdout.close()
        time.sleep(0.5)  # it keeps writing, with no reader
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""
