"""The file of a match: its games as they end, and all that is needed to go on after a crash.

The first line says which match it is; then come the games, each written in one piece and made to reach the disk. What
a killed match has left half written is recognised, and cut off before the next game is written. The file is locked
while a match writes to it; the system takes the lock back whatever happens.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from zerosum.errors import ArenaError
from zerosum.files import BINARY, try_to_lock
from zerosum.formats.common import JSON_LINES, format_of
from zerosum.formats.record import GameRecord
from zerosum.game import Game, Line


class GamesFile:
    """The open file of a match; use as a context. ``records`` are the games in it so far, by number."""

    def __init__(self, path: str | os.PathLike[str], game: Game, header: dict[str, Any]) -> None:
        self.path, self.header = Path(path), header
        self.format = format_of(game, self.path, JSON_LINES)
        self.format.check(header, self.path)
        self.records: dict[int, GameRecord] = {}
        self.dropped = 0  # bytes of a game that was half written
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | BINARY, 0o666)
            self._file: BinaryIO = os.fdopen(handle, "r+b", buffering=0)
        except OSError as problem:
            raise ArenaError(f"the games file {str(path)!r} cannot be opened: {problem.strerror}") from problem
        try:
            self._lock()
            self._take_up()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> GamesFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _lock(self) -> None:
        if not try_to_lock(self._file.fileno()):
            raise ArenaError(f"the games file {str(self.path)!r} is being written by another match")

    def _take_up(self) -> None:
        """Read what is there, cut off what is half written, and begin the file if it is new."""
        content = self._file.read()
        first = self.format.first(self.header).encode()
        if first.startswith(content):  # empty, or killed while it was begun
            self._file.seek(0)
            self._file.truncate()
            self._write(first)
            return
        header, self.records, good = self.format.match(content, self.path)
        compare(header, self.header, self.path)
        self.dropped = len(content) - good
        self._file.truncate(good)
        self._file.seek(good)

    def add(self, record: GameRecord, line: Line) -> None:
        """Write a game behind the others; when this returns it is on the disk."""
        if record.number in self.records:
            raise ArenaError(f"game {record.number} is already in {str(self.path)!r}")
        text = self.format.entry(record, line, self.header["time"], self.records)
        self._write(text.encode("utf-8", "replace"))
        self.records[record.number] = record

    def _write(self, data: bytes) -> None:
        before = self._file.tell()
        try:
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError as problem:
            with contextlib.suppress(OSError):
                self._file.truncate(before)
            raise ArenaError(f"{str(self.path)!r} cannot be written: {problem.strerror or problem}") from problem


def read_games_file(path: str | os.PathLike[str], game: Game | None = None) -> tuple[dict[str, Any], list[GameRecord]]:
    """The header and all whole games of a file of ``game``, or of lines of JSON, the only format that has the moves."""
    file = Path(path)
    try:
        content = file.read_bytes()
    except OSError as problem:
        raise ArenaError(f"the games file {str(path)!r} cannot be read: {problem.strerror or problem}") from problem
    found = JSON_LINES if game is None else format_of(game, file, JSON_LINES)
    header, records, _ = found.match(content, file)
    return header, [records[number] for number in sorted(records)]


def compare(found: dict[str, Any], wanted: dict[str, Any], path: Path) -> None:
    """ArenaError, which says what differs, if a games file is of another match."""
    for name in wanted:
        if found.get(name) != wanted[name]:
            raise ArenaError(
                f"{str(path)!r} holds another match: its {name} is {_said(found.get(name))}, not {_said(wanted[name])};"
                " give another file with --out"
            )


def _said(value: Any) -> str:
    return repr(value) if not isinstance(value, list) else ", ".join(repr(word) for word in value)
