"""In a real terminal: the prompt appears immediately, Ctrl-C leaves at any point, the table is live."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from patience import PATIENCE, heed_interrupts

pty = pytest.importorskip("pty", reason="pseudo-terminals need Unix")


class Terminal:
    """A command in a pseudo-terminal of 100 columns."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zerosum", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40", **environment},
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        self.seen = ""

    def read(self, seconds: float) -> bool:
        """Read the output; False at its end, or after this many seconds."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            chunk = os.read(self.master, 65536)
        except OSError:
            return False
        self.seen += chunk.decode(errors="replace")
        return bool(chunk)

    def wait_for(self, text: str) -> None:
        end = time.monotonic() + PATIENCE
        while text not in self.seen and time.monotonic() < end:
            self.read(0.1)
        assert text in self.seen, self.seen[-300:]

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def finish(self) -> int:
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.05)
        while self.read(0.05):
            pass
        return self.process.wait(PATIENCE)


def _take_terminal() -> None:
    """Make the pseudo-terminal the controlling terminal, so that Ctrl-C works."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    heed_interrupts()


@pytest.fixture
def terminal() -> Iterator:
    opened: list[Terminal] = []

    def start(*arguments: str, **environment: str) -> Terminal:
        opened.append(Terminal(*arguments, **environment))
        return opened[-1]

    yield start
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
        os.close(one.master)


def test_the_prompt_comes_before_the_compiler_and_ctrl_c_leaves_it(terminal, tmp_path):
    """With an empty cache: the kernels are still compiling when the person leaves."""
    game = terminal("play", "tictactoe", ZEROSUM_CACHE_DIR=str(tmp_path))
    game.wait_for("Your move: ")
    time.sleep(0.5)
    game.type("\x03")
    assert game.finish() == 0, game.seen
    assert "Goodbye." in game.seen and "Traceback" not in game.seen


def test_ctrl_c_while_the_engine_gets_ready(terminal, tmp_path):
    game = terminal("play", "tictactoe", ZEROSUM_CACHE_DIR=str(tmp_path))
    game.type("5\n")  # before the engine has begun to get ready
    game.wait_for("ready")
    game.type("\x03")
    assert game.finish() == 0, game.seen
    assert "Goodbye." in game.seen and "Traceback" not in game.seen


def test_ctrl_d_leaves(terminal):
    game = terminal("play", "tictactoe")
    game.wait_for("Your move: ")
    game.type("\x04")
    assert game.finish() == 0, game.seen
    assert "Goodbye." in game.seen and "Traceback" not in game.seen


def test_ctrl_c_while_the_engine_thinks(terminal):
    game = terminal("play", "connect-four", "--seconds", "3600", "--side", "second")
    game.wait_for("depth 1")
    game.type("\x03")
    assert game.finish() == 0, game.seen
    assert "Goodbye." in game.seen and "Traceback" not in game.seen


def test_a_live_table_that_ctrl_c_stops(terminal):
    table = terminal("analyze", "connect-four", "--seconds", "3600")
    table.wait_for("nodes/s")
    table.wait_for(" 10 ")
    table.type("\x03")
    assert table.finish() == 0, table.seen
    assert "best move so far: " in table.seen and "Traceback" not in table.seen
    assert "\x1b[" in table.seen  # it redraws itself


def test_a_simple_terminal_gets_plain_rows(terminal):
    table = terminal("analyze", "tictactoe", TERM="dumb")
    assert table.finish() == 0
    assert "a draw" in table.seen and "\x1b" not in table.seen
