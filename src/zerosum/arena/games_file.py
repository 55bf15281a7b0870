"""The file of a match: its games as they end, and everything needed to resume after a crash.

The first line identifies the match. The games follow, each written in one piece and flushed to disk. An incomplete game
left by a killed match is recognised and cut off before the next game is written. The file is locked while a match
writes to it; the operating system releases the lock whatever happens.
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
    """The open file of a match. Use as a context manager. ``records`` are the games in it so far, by number."""

    def __init__(self, path: str | os.PathLike[str], game: Game, header: dict[str, Any]) -> None:
        self.path, self.header = Path(path), header
        self.format = format_of(game, self.path, JSON_LINES)
        self.format.check(header, self.path)
        self.records: dict[int, GameRecord] = {}
        self.dropped = 0  # bytes of an incomplete game
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
        """Read the games, cut off an incomplete one, and write the header if the file is new."""
        content = self._file.read()
        first = self.format.first(self.header).encode()
        if first.startswith(content):  # empty, or killed while the header was written
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
        """Append a game; when this returns, it is on disk."""
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
    """The header and all complete games of a file in a format of ``game``, or of JSON lines without ``game``."""
    file = Path(path)
    try:
        content = file.read_bytes()
    except OSError as problem:
        raise ArenaError(f"the games file {str(path)!r} cannot be read: {problem.strerror or problem}") from problem
    found = JSON_LINES if game is None else format_of(game, file, JSON_LINES)
    header, records, _ = found.match(content, file)
    return header, [records[number] for number in sorted(records)]


def compare(found: dict[str, Any], wanted: dict[str, Any], path: Path) -> None:
    """Raise ArenaError, which says what differs, if a games file belongs to another match."""
    for name in wanted:
        if found.get(name) != wanted[name]:
            raise ArenaError(
                f"{str(path)!r} belongs to another match: its {name} is {_said(found.get(name))}, not"
                f" {_said(wanted[name])}; give another file with --out"
            )


def _said(value: Any) -> str:
    return repr(value) if not isinstance(value, list) else ", ".join(repr(word) for word in value)
