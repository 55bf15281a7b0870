"""The file of a match: its games as they end, and all that is needed to go on after a crash.

The first line says which match it is; then come the games, each written in one piece and made to reach the disk. What
a killed match has left half written is recognised, and cut off before the next game is written. The file is locked
while a match writes to it; the system takes the lock back whatever happens.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from zerosum.arena.records import RESULTS, GameRecord, from_json, from_pgn, header_text, to_json, to_pgn
from zerosum.errors import ArenaError
from zerosum.game import Line


class GamesFile:
    """The open file of a match; use as a context. ``records`` are the games in it so far, by number."""

    def __init__(self, path: str | os.PathLike[str], header: dict[str, Any]) -> None:
        self.path, self.header = Path(path), header
        self.is_pgn = is_pgn(self.path)
        if self.is_pgn and header["game"] != "chess":
            raise ArenaError(f"the games file {str(path)!r}: PGN is for chess; for {header['game']} use .jsonl")
        self.records: dict[int, GameRecord] = {}
        self.dropped = 0  # bytes of a game that was half written
        try:
            self._file: BinaryIO = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
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
        try:
            import fcntl
        except ImportError:  # not on this system
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ArenaError(f"the games file {str(self.path)!r} is being written by another match") from None

    def _take_up(self) -> None:
        """Read what is there, cut off what is half written, and begin the file if it is new."""
        content = self._file.read()
        first = header_text(self.header, self.is_pgn).encode()
        if first.startswith(content):  # empty, or killed while it was begun
            self._file.seek(0)
            self._file.truncate()
            self._write(first)
            return
        header, self.records, good = read_content(content, self.path)
        compare(header, self.header, self.path)
        self.dropped = len(content) - good
        self._file.truncate(good)
        self._file.seek(good)

    def add(self, record: GameRecord, line: Line) -> None:
        """Write a game behind the others; when this returns it is on the disk."""
        if record.number in self.records:
            raise ArenaError(f"game {record.number} is already in {str(self.path)!r}")
        text = to_pgn(record, line, self.header["time"]) if self.is_pgn else to_json(record)
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


def is_pgn(path: Path) -> bool:
    return path.suffix.lower() == ".pgn"


def read_games_file(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[GameRecord]]:
    """The header and all whole games of a file; of games in PGN, the moves are left out."""
    try:
        content = Path(path).read_bytes()
    except OSError as problem:
        raise ArenaError(f"the games file {str(path)!r} cannot be read: {problem.strerror or problem}") from problem
    header, records, _ = read_content(content, Path(path))
    return header, [records[number] for number in sorted(records)]


def read_content(content: bytes, path: Path) -> tuple[dict[str, Any], dict[int, GameRecord], int]:
    """The header, the games by number, and how many bytes are good; ArenaError if it is another kind of file."""
    line, end, rest = content.partition(b"\n")
    pgn = is_pgn(path)
    try:
        header = json.loads(line[1:] if pgn and line[:1] == b"%" else line)
        if not end or header.pop("zerosum match") != 1:
            raise ValueError
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise ArenaError(f"{str(path)!r} is no games file of a match: give another name") from None
    pieces, good = (_pgn_pieces if pgn else _json_pieces)(rest)
    records: dict[int, GameRecord] = {}
    for number, piece in enumerate(pieces, 1):
        try:
            record = (from_pgn if pgn else from_json)(piece.decode("utf-8", "replace"))
        except ArenaError as problem:
            raise ArenaError(f"{str(path)!r}, game {number} of the file: {problem}") from problem
        if record.number in records:
            raise ArenaError(f"{str(path)!r} holds game {record.number} twice")
        records[record.number] = record
    return header, records, len(line) + 1 + good


def _json_pieces(content: bytes) -> tuple[list[bytes], int]:
    """Whole lines, and where they end."""
    good = content.rfind(b"\n") + 1
    return [piece for piece in content[:good].split(b"\n") if piece.strip()], good


def _pgn_pieces(content: bytes) -> tuple[list[bytes], int]:
    """Whole games: tags, an empty line, moves up to a result, an empty line; and where they end."""
    pieces: list[bytes] = []
    good = 0
    while True:
        tags = content.find(b"\n\n", good)
        moves = content.find(b"\n\n", tags + 2) if tags >= 0 else -1
        if moves < 0:
            return pieces, good
        piece = content[good : moves + 2]
        if piece.split()[-1].decode("ascii", "replace") not in RESULTS.values():
            return pieces, good
        pieces.append(piece)
        good = moves + 2


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
