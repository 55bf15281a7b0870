"""Positions files: positions to learn from, in a file that any number of runs can extend.

The file starts with a line of JSON: ``zerosum positions`` (the version, 1), the ``game``, the ``layout`` of its State,
and its ``start``. Blocks follow. A block begins with PREFIX: a mark, the lengths of head and body, their checksum, and
a checksum of these numbers themselves. The head is JSON: the number of positions, the games and the seed they come
from, and how they were made. The body has the columns, each compressed separately (``columns``): the words of the
State, the value found by a search, the utility at the end of the game, and the flags of self-play.

A block is written in one piece, under a lock, and flushed to disk before anything else happens. If a process is killed
while writing, the incomplete block is recognised by its length: readers ignore it, and the next writer truncates it.
Any other inconsistency is damage, and raises an error that names the block.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.errors import PositionsFileError
from zerosum.files import BINARY, FileFormat, locked
from zerosum.game import Game
from zerosum.jit.notices import say
from zerosum.learn.columns import compress_column, decompress_column
from zerosum.learn.samples import Samples
from zerosum.processors import usable_processors

FORMAT = FileFormat("zerosum positions", 1, PositionsFileError)
MARK = b"zsPB"
PREFIX = struct.Struct("<4sIQII")  # mark, bytes of the head, bytes of the body, checksum of both, checksum of these
LONGEST_HEADER = 1 << 16
AT_ONCE = 1 << 10
"""Rows that are assembled at a time: few enough for the cache."""

COUNTS = ("positions", "games", "first", "next")
"""Numbers in a head; only the first is mandatory."""

MOST_PACKED = 1100
"""An upper bound on the bytes that zlib can expand one byte to."""

READERS = 4
"""Threads for reading: decompression releases the interpreter lock."""

Words = npt.NDArray[np.int64]


class Columns(NamedTuple):
    """Positions as rows of words, and three numbers for each: value and utility, both for MAX, and flags."""

    states: Words
    values: Words
    utilities: Words
    flags: Words


@dataclass(frozen=True)
class Block:
    """Where a block is in its file, and its head."""

    number: int
    place: int
    length: int
    body: int
    checksum: int
    head: Mapping[str, Any]

    @property
    def end(self) -> int:
        return self.place + PREFIX.size + self.length

    @property
    def positions(self) -> int:
        return int(self.head["positions"])


class PositionsFile:
    """A positions file of one game. It is not kept open between calls, so other processes can add to it too.

    >>> from tempfile import TemporaryDirectory
    >>> from zerosum.games import load
    >>> game = load("tictactoe")
    >>> row = np.array([game.state_type.words(game.initial())])
    >>> with TemporaryDirectory() as folder:
    ...     file = PositionsFile(Path(folder) / "few.zsp", game)
    ...     block = file.add(Columns(row, np.array([12]), np.array([1]), np.array([0])), {"seed": 1})
    ...     samples = file.read()
    >>> samples.values.tolist(), samples.results.tolist()
    ([12.0], [1.0])
    """

    def __init__(self, path: str | os.PathLike[str], game: Game) -> None:
        self.path, self.game = Path(path), game
        self.half_written = 0  # bytes after the last complete block, when the file was last read
        self._known: list[Block] = []  # blocks never change, so each is read only once
        if self.path.exists():
            self.blocks()

    def blocks(self) -> list[Block]:
        """Return all blocks in order; none if the file does not exist yet."""
        try:
            with self.path.open("rb") as file, locked(file, shared=True):
                return self._look_through(file)
        except FileNotFoundError:
            return []
        except OSError as problem:
            raise self._error(f"cannot be read: {problem.strerror or problem}") from problem

    @property
    def positions(self) -> int:
        return sum(block.positions for block in self._known)

    def add(
        self, columns: Columns, head: Mapping[str, Any], check: Callable[[Sequence[Block]], None] | None = None
    ) -> Block:
        """Append a block; it is on disk when this returns.

        ``check`` may raise an error because of the existing blocks; no other process can add one in between.
        """
        count, parts = len(columns.states), self._columns(columns)
        header = {**head, "positions": count, "columns": [[kind, len(data)] for kind, data in parts]}
        text = json.dumps(header).encode()
        content = text + b"".join(data for _, data in parts)
        numbers = (MARK, len(text), len(content) - len(text), zlib.crc32(content))
        prefix = PREFIX.pack(*numbers, _checksum(numbers))
        with self._to_write() as file:
            blocks = self._look_through(file)
            if check is not None:
                check(blocks)
            end = blocks[-1].end if blocks else len(self._header())
            file.truncate(end)
            file.seek(end)
            try:
                _write(file, prefix + content)
            except OSError:
                file.truncate(end)
                raise
            block = Block(len(blocks), end, len(content), len(content) - len(text), numbers[3], header)
            self._known.append(block)
            return block

    def read(self, first: int | None = None, last: int | None = None) -> Samples:
        """Return the positions of the file, or only the first or the last ones; flags are ignored."""
        blocks = self.blocks()
        if self.half_written:
            say(f"{str(self.path)!r}: ignoring {self.half_written} bytes of an unfinished block", True)
        total = self.positions
        begin = 0 if last is None else max(0, total - last)
        end = total if first is None else min(first, total)
        found, games = self._between(blocks, begin, max(begin, end))
        if not len(found.states):
            raise self._error("contains no positions")
        utilities = found.utilities.astype(np.float64)
        results = 0.5 + 0.5 * np.sign(utilities)
        return Samples(found.states, results, games, found.values.astype(np.float64), utilities)

    def check(self) -> None:
        """Read the whole file, and raise PositionsFileError if any block is damaged."""
        for block in self.blocks():
            self._content(block)

    def columns(self, block: Block) -> Columns:
        """Return the content of a block, checked."""
        content = self._content(block)
        try:
            return self._unpacked(block, memoryview(content)[block.length - block.body :])
        except ValueError as problem:
            raise self._damaged(block.number, block.place, str(problem)) from problem

    def _content(self, block: Block) -> bytes:
        """Return the head and body of a block as bytes, checked against their checksum."""
        try:
            with self.path.open("rb") as file:
                file.seek(block.place + PREFIX.size)
                content = file.read(block.length)
        except OSError as problem:
            raise self._error(f"cannot be read: {problem.strerror or problem}") from problem
        if zlib.crc32(content) != block.checksum:
            raise self._damaged(block.number, block.place)
        return content

    def _between(self, blocks: Sequence[Block], begin: int, end: int) -> tuple[Columns, int]:
        """Return positions ``begin`` to ``end``, excluding ``end``, and the number of games in their blocks."""
        from concurrent.futures import ThreadPoolExecutor

        count, size = end - begin, self.game.state_type.size
        found = Columns(np.empty((count, size), np.int64), *(np.empty(count, np.int64) for _ in Columns._fields[1:]))

        def fill(at: int, block: Block) -> None:
            """Copy the needed part of the block whose first position has number ``at``."""
            low, high = max(begin, at), min(end, at + block.positions)
            for into, column in zip(found, self.columns(block), strict=True):
                into[low - begin : high - begin] = column[low - at : high - at]

        places = accumulate((block.positions for block in blocks), initial=0)
        placed = zip(places, blocks, strict=False)
        wanted = [(at, block) for at, block in placed if max(begin, at) < min(end, at + block.positions)]
        with ThreadPoolExecutor(min(READERS, usable_processors())) as pool:
            for _ in pool.map(fill, *zip(*wanted, strict=True)) if wanted else ():
                pass
        return found, sum(int(block.head.get("games", 0)) for _, block in wanted)

    def _columns(self, columns: Columns) -> list[tuple[str, bytes]]:
        count, size = columns.states.shape
        if size != self.game.state_type.size or any(len(column) != count for column in columns):
            raise ValueError(f"columns of shape {columns.states.shape} are not positions of {self.game.name}")
        rows = [*np.ascontiguousarray(columns.states.T), *columns[1:]]
        return [compress_column(column) for column in rows]

    def _unpacked(self, block: Block, body: memoryview) -> Columns:
        columns, at, count = [], 0, block.positions
        for kind, length in block.head["columns"]:
            columns.append(decompress_column(kind, bytes(body[at : at + length]), count))
            at += length
        size = self.game.state_type.size
        if len(columns) != size + len(Columns._fields) - 1 or at != len(body):
            raise ValueError(f"it has {len(columns)} columns")
        states = np.empty((count, size), np.int64)
        for low in range(0, count, AT_ONCE):
            for j in range(size):
                states[low : low + AT_ONCE, j] = columns[j][low : low + AT_ONCE]
        return Columns(states, *(column.astype(np.int64) for column in columns[size:]))

    # The file

    @contextmanager
    def _to_write(self) -> Iterator[BinaryIO]:
        """Open and lock the file, and write its header if it is new."""
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | BINARY, 0o666)
            with os.fdopen(handle, "r+b", buffering=0) as file, locked(file):
                if not self._check_header(file):  # new, or its writer was killed while writing the header
                    file.seek(0)
                    file.truncate()
                    _write(file, self._header())
                yield file
        except OSError as problem:
            raise self._error(f"cannot be written: {problem.strerror or problem}") from problem

    def _header(self) -> bytes:
        layout = hashlib.sha256(self.game.state_type.describe().encode()).hexdigest()[:16]
        header: dict[str, Any] = {**FORMAT.stamp, "game": self.game.name, "layout": layout}
        if self.game.has("format_state"):  # boards of other sizes may have the same layout
            header["start"] = self.game.format_state(self.game.initial())
        return json.dumps(header).encode() + b"\n"

    def _check_header(self, file: BinaryIO) -> bool:
        """Return whether the file's header is complete; raise an error if the file is for another game."""
        file.seek(0)
        wanted = self._header()
        content = file.read(len(wanted))
        if content == wanted:
            return True
        if wanted.startswith(content):
            return False
        file.seek(0)
        try:
            header = json.loads(file.read(LONGEST_HEADER).partition(b"\n")[0])
        except ValueError:
            header = None
        FORMAT.check(header, self.path)
        for name, mine in json.loads(wanted).items():
            if name != FORMAT.name and header.get(name) != mine:
                raise self._other_game(name, header.get(name))
        raise self._error("has a damaged header")

    def _other_game(self, name: str, found: Any) -> PositionsFileError:
        if name == "game":
            return self._error(f"holds positions of {found!r}, not of {self.game.name}")
        if name == "layout":
            return self._error(f"holds positions of {self.game.name} with another State: gather new ones")
        return self._error(f"holds positions of {self.game.name} with other parameters: its games start from {found!r}")

    def _look_through(self, file: BinaryIO) -> list[Block]:
        """Return all complete blocks; this reads their heads but not their bodies."""
        size = file.seek(0, os.SEEK_END)
        if self._known and self._known[-1].end > size:
            self._known.clear()  # the file was truncated
        at = self._known[-1].end if self._known else len(self._header()) if self._check_header(file) else 0
        while 0 < at < size:
            file.seek(at)
            block = self._block(file, at, size)
            if block is None:
                break
            self._known.append(block)
            at = block.end
        self.half_written = size - at
        return list(self._known)

    def _block(self, file: BinaryIO, at: int, size: int) -> Block | None:
        """Return the block at this place, or None if it is incomplete."""
        number, prefix = len(self._known), file.read(PREFIX.size)
        if len(prefix) < PREFIX.size:
            return None
        *numbers, check = PREFIX.unpack(prefix)
        mark, head, body, checksum = numbers
        if not any(prefix) and _is_blank(file):  # after a crash: the file grew, but the data never reached the disk
            return None
        if mark != MARK or check != _checksum(tuple(numbers)):
            raise self._damaged(number, at)
        if at + PREFIX.size + head + body > size:
            return None
        try:
            header = json.loads(file.read(head))
        except ValueError as problem:
            raise self._damaged(number, at, "its head is not JSON") from problem
        if not (isinstance(header, dict) and isinstance(header.get("columns"), list) and "positions" in header):
            raise self._damaged(number, at, "its head does not say what it holds")
        # The checksum is verified when the body is read; until then, allocate no more than the body can contain.
        if not all(_is_count(header.get(name, 0)) for name in COUNTS) or header["positions"] > MOST_PACKED * body:
            raise self._damaged(number, at, "its head has impossible numbers")
        return Block(number, at, head + body, body, checksum, header)

    def _damaged(self, number: int, at: int, why: str = "") -> PositionsFileError:
        detail = f" ({why})" if why else ""
        return self._error(f"is damaged in block {number}, at byte {at}{detail}; the first {at} bytes can be kept")

    def _error(self, what: str) -> PositionsFileError:
        return PositionsFileError(f"{str(self.path)!r} {what}")


def _is_blank(file: BinaryIO) -> bool:
    """Return whether only zeros follow in the file."""
    return not any(any(part) for part in iter(lambda: file.read(1 << 20), b""))


def _is_count(number: object) -> bool:
    return type(number) is int and number >= 0


def _checksum(numbers: tuple[Any, ...]) -> int:
    return zlib.crc32(PREFIX.pack(*numbers, 0)[:-4])


def _write(file: BinaryIO, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
    os.fsync(file.fileno())
