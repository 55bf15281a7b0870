"""Runs the command line in this process, with test games and an engine that does not compile."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from zerosum.cli import main
from zerosum.search.result import Result


class Ran(NamedTuple):
    """The exit code and output of a command."""

    code: int
    out: str
    err: str

    def complaint(self) -> str:
        """The error message; fails unless it is one line, on stderr only, with exit code 2."""
        assert self.code == 2, self
        assert self.err.startswith("zerosum: ") and self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        return self.err.removeprefix("zerosum: ").rstrip("\n")


@pytest.fixture(autouse=True)
def _no_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZEROSUM_DEBUG", raising=False)


@pytest.fixture
def zerosum(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """``zerosum("play", "tictactoe", typed="5\\n")`` runs a command with ``typed`` as stdin."""

    def run(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main(arguments)
        out, err = capsys.readouterr()
        # The compiler's message after a second is not an error.
        err = "".join(line for line in err.splitlines(True) if not line.startswith("zerosum: compiling"))
        return Ran(code, out, err)

    return run


# A pile of stones: take one or two; a player who cannot move loses. The other games are this one with a flaw.
STONES = """\
from typing import NamedTuple

from zerosum.game import Game


class Pile(NamedTuple):
    stones: int
    turn: int


def initial():
    return Pile(4, 0)


def to_move(s):
    return s.turn


def moves(s):
    for n in range(1, min(2, s.stones) + 1):
        yield n


def play(s, n):
    return Pile(s.stones - n, 1 - s.turn)


def utility(s):
    return 1 if s.turn == 1 else -1


game = Game("stones", Pile, initial, to_move, moves, play, utility, max_moves=2)
"""


@pytest.fixture
def game_file(tmp_path: Path) -> Callable[..., str]:
    """``game_file("yield n", "yield n / 2")`` is a file with the pile of stones and that replacement."""

    def write(*changes: str, name: str = "stones.py") -> str:
        text = STONES
        for old, new in zip(changes[::2], changes[1::2], strict=True):
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


class FakeEngine:
    """Plays the first legal move. Class attributes make it slow, broken or interrupted."""

    made: list[FakeEngine]
    prepare_fails: Exception | None
    search_fails: BaseException | None
    asked: list[dict[str, Any]]

    def __init__(self, game: Any, **settings: Any) -> None:
        self.game, self.settings = game, settings
        self.made.append(self)

    def prepare(self) -> None:
        if self.prepare_fails is not None:
            raise self.prepare_fails

    def search(self, line: Any, *, on_report: Any = None, **limits: Any) -> Result:
        self.asked.append(limits)
        s = getattr(line, "state", line)
        legal = self.game.legal_moves(s)
        results = [
            Result(move, 0, None, None, False, (move,), depth, 10 * depth, 0.1 * depth)
            for depth, move in enumerate(legal[-1:] + legal[:1], 1)
        ]
        if on_report is not None:
            on_report(results[0])
        if self.search_fails is not None:
            raise self.search_fails
        return results[-1]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> type[FakeEngine]:
    """Make commands use this engine instead of the real one."""
    engine = type(
        "Engine",
        (FakeEngine,),
        {"made": [], "asked": [], "prepare_fails": None, "search_fails": None},
    )
    module = ModuleType("zerosum.engine")
    module.Engine = engine  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "zerosum.engine", module)
    return engine
