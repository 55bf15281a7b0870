"""``zerosum nboard`` as a process: input, output and exit."""

from __future__ import annotations

import subprocess
import sys

import pytest
from patience import PATIENCE


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def test_a_whole_conversation(zerosum):
    typed = "nboard 2\nset depth 2\nset game (;GM[Othello]TY[8]B[f5];)\nping 1\ngo\n"
    ran = zerosum("nboard", typed=typed)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("set myname zerosum") and "pong 1" in lines
    assert lines[-2].startswith("=== ") and lines[-1] == "status"


def test_a_time_limit_instead_of_a_depth(zerosum):
    ran = zerosum("nboard", "--seconds", "0.05", typed="go\n")
    assert ran.code == 0 and "=== " in ran.out


def test_what_makes_no_sense_is_refused(zerosum):
    assert "tictactoe does not support NBoard's protocol" in zerosum("nboard", "tictactoe").complaint()
    assert "seconds must be more than 0" in zerosum("nboard", "--seconds", "0").complaint()
    assert "depth must be a whole number" in zerosum("nboard", "--depth", "0").complaint()


def test_bytes_that_are_no_text_do_no_harm():
    done = subprocess.run(
        [sys.executable, "-m", "zerosum", "nboard"],
        input=b"\xff\xfe\x00 go\nset game \xc3\x28\nping 1\nquit\n",
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0 and done.stderr == b""
    lines = done.stdout.splitlines()
    assert lines[-1] == b"pong 1" and sum(line.startswith(b"status") for line in lines) == 2
