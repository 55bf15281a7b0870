"""Differences between systems, as far as one system can show them."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from zerosum import children, files

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TEXTS = re.compile(r"(?<![.\w])open\s*\(|\bread_text\s*\(\s*\)|\b(text|universal_newlines)\s*=")
"""What every call without an encoding contains: only files with it have to be parsed."""


class Msvcrt(ModuleType):
    """How Windows locks: one byte at the file's current position, for one open file at a time."""

    LK_UNLCK, LK_LOCK, LK_NBLCK = range(3)

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.locks: dict[tuple[int, int], int] = {}

    def locking(self, handle: int, mode: int, count: int) -> None:
        place = (os.fstat(handle).st_ino, os.lseek(handle, 0, os.SEEK_CUR))
        if mode == self.LK_UNLCK:
            assert self.locks.pop(place) == handle
        elif place in self.locks:
            raise PermissionError(13, "Permission denied")
        else:
            self.locks[place] = handle


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """files.py as Windows runs it."""
    locks = Msvcrt()
    monkeypatch.setitem(sys.modules, "msvcrt", locks)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(sys, "platform", "win32")
    spec = importlib.util.spec_from_file_location("files_of_windows", files.__file__)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return SimpleNamespace(files=module, locks=locks.locks)


def test_on_windows_a_lock_is_beyond_the_content_and_leaves_the_file_where_it_was(windows, tmp_path):
    (tmp_path / "games").write_bytes(b"content")
    with open(tmp_path / "games", "r+b", buffering=0) as file, open(tmp_path / "games", "r+b", buffering=0) as other:
        file.seek(3)
        with windows.files.locked(file):
            assert file.read() == b"tent"
            assert not windows.files.try_to_lock(other.fileno())
            assert [place for _, place in windows.locks] == [windows.files.LOCK_PLACE]
        assert windows.files.try_to_lock(other.fileno())
        assert (file.tell(), other.tell()) == (7, 0)


def test_on_windows_a_file_stands_for_a_locked_folder(windows, tmp_path):
    with windows.files.folder_lock(tmp_path) as first, windows.files.folder_lock(tmp_path) as second:
        assert (first, second) == (True, False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a folder has a lock of its own elsewhere")
def test_a_folder_is_locked_without_a_file(tmp_path):
    with files.folder_lock(tmp_path) as first, files.folder_lock(tmp_path) as second:
        assert (first, second) == (True, False)
        assert list(tmp_path.iterdir()) == []
    with files.folder_lock(tmp_path) as again:
        assert again


def test_on_windows_a_backslash_is_part_of_a_path(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert children.split_command(r'"C:\Program Files\engine.exe" -x C:\book # 1') == [
        r"C:\Program Files\engine.exe",
        *("-x", r"C:\book", "#", "1"),
    ]


def test_only_two_files_know_the_systems_locks_and_groups_of_processes():
    special = ("fcntl", "msvcrt", "killpg", "taskkill")
    knowing = {path.name for path in SOURCES for word in special if word in path.read_text(encoding="utf-8")}
    assert knowing == {"files.py", "children.py"}


def test_every_text_file_is_read_and_written_in_utf_8():
    """Windows uses another encoding if none is given."""
    found = []
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        for call in ast.walk(ast.parse(source)) if TEXTS.search(source) else ():
            if isinstance(call, ast.Call) and _is_text_without_encoding(call):
                found.append(f"{path.relative_to(ROOT)}, line {call.lineno}")
    assert found == []


def _is_text_without_encoding(call: ast.Call) -> bool:
    given = {keyword.arg for keyword in call.keywords}
    if isinstance(call.func, ast.Name) and call.func.id == "open":
        modes = [one.value for one in call.args[1:2] if isinstance(one, ast.Constant)]
        return "encoding" not in given and not any("b" in str(mode) for mode in modes)
    if not isinstance(call.func, ast.Attribute) or "encoding" in given:
        return False
    if call.func.attr in ("run", "Popen", "check_output"):
        return bool(given & {"text", "universal_newlines"})
    # Some of our own functions have these names too, and take a text, not a file.
    return call.func.attr == "read_text" and not call.args and not call.keywords


@pytest.mark.parametrize(
    "arguments",
    ["games", "trace --example alpha-cutoff", "explain alpha-beta", "trace --example coin-flips --json -"],
)
def test_a_terminal_without_our_signs_shows_others(arguments):
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C"}
    command = [sys.executable, "-m", "zerosum", *arguments.split()]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("cp1252").strip()
