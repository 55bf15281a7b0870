"""``zerosum studio`` on the command line."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
from patience import PATIENCE, heed_interrupts, wait_until

from zerosum.cli import main

pytest.importorskip("starlette")
pytest.importorskip("websockets")

from websockets.sync.client import connect


def test_a_taken_port_is_told_with_the_next_free_one_and_a_missing_training_file(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["studio", "--port", str(port), "--no-browser", "--training", "missing.npz"]) == 2
    notice, complaint = capsys.readouterr().err.splitlines()
    assert f"port {port} is in use" in complaint and "zerosum studio --port" in complaint
    assert "'missing.npz' does not exist yet" in notice


@pytest.mark.parametrize("answer", ["n", EOFError()], ids=["no", "Ctrl-D"])
def test_who_does_not_want_the_next_port_leaves(capsys, monkeypatch, answer):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", Mock(side_effect=[answer]))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert main(["studio", "--port", str(other.getsockname()[1]), "--no-browser"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "99999"], "--port '99999' is more than 65535"),
        (["--host", "no such host"], "'no such host'"),
        (["--database", "/no/such/folder"], "'/no/such/folder'"),
        (["no_such_game.py"], "no_such_game.py"),
        (["ches"], "unknown game 'ches'; did you mean 'chess'?"),
        (["--training", "/no/such/folder/net.npz"], "'/no/such/folder/net.npz'"),
        (["--training", "."], "--training '.' is a folder"),
    ],
)
def test_bad_input_is_quoted(capsys, arguments, words):
    assert main(["studio", "--no-browser", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_without_its_packages_the_studio_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["studio", "--no-browser"]) == 2
    assert "pip install 'zerosum[studio]'" in capsys.readouterr().err


def started(*games: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "zerosum", "studio", *map(str, games), "--port", "0", "--no-browser"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )


def fetched(address: str) -> bytes:
    """The page; empty while the server is not listening yet."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            return bytes(answer.read())
    except OSError:
        return b""


ENDLESS = """
import os
from typing import NamedTuple
import zerosum as zs

class Pile(NamedTuple):
    stones: int
    turn: int

def moves(s):
    while os.path.exists("STUCK"):
        open("STUCK.seen", "w").close()
    yield 1

game = zs.Game("endless", Pile, lambda: Pile(5, 0), lambda s: s.turn, moves,
               lambda s, n: Pile(s.stones - n, 1 - s.turn), lambda s: 0, max_moves=1)
"""


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent differently on this system")
def test_ctrl_c_ends_it_though_a_rule_never_ends(tmp_path):
    game, stuck = tmp_path / "endless.py", tmp_path / "stuck"
    game.write_text(ENDLESS.replace("STUCK", stuck.as_posix()))
    server = started(game)
    try:
        assert server.stdout is not None
        port = urlsplit(server.stdout.readline().split()[2]).port
        with connect(f"ws://127.0.0.1:{port}/talk", origin=f"http://127.0.0.1:{port}") as page:
            for wish in ({"do": "hello"}, {"do": "open", "body": {"game": "endless.py", "people": [0, 1]}}):
                page.send(json.dumps({"v": 1, **wish}))
            while json.loads(page.recv(PATIENCE))["kind"] != "position":
                pass
            stuck.touch()
            page.send(json.dumps({"v": 1, "do": "move", "body": {"ply": 0, "move": 1}}))
            wait_until(stuck.with_name("stuck.seen").exists, "the rule that never ends")
            server.send_signal(signal.SIGINT)
            out, problems = server.communicate(timeout=PATIENCE)
        assert server.returncode == 0 and "Goodbye." in out and "Traceback" not in problems
    finally:
        server.kill()
        server.wait()


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent differently on this system")
def test_it_serves_until_interrupted():
    server = started()
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[2]
        assert address.startswith("http://127.0.0.1:") and "token" not in address
        wait_until(lambda: fetched(address), "an answer of the server")
        assert b"zerosum studio" in fetched(address)
        server.send_signal(signal.SIGINT)
        out, problems = server.communicate(timeout=PATIENCE)
        assert server.returncode == 0 and "Goodbye." in out and "Traceback" not in problems
    finally:
        server.kill()
        server.wait()
