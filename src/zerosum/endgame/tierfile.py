"""The file of one tier: see docs/endgame-format.md.

A magic line, the length and checksum of a JSON header, and the header; then, for values and (if stored) distances, a
table of blocks and the blocks themselves. The header contains the checksum of each table, and a table that of each
block.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import struct
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from zerosum.endgame import codes
from zerosum.endgame.codes import Coded
from zerosum.errors import DamagedTier, EndgameError
from zerosum.files import FileFormat, written_whole

FORMAT = FileFormat("zerosum endgame", 1, EndgameError)
"""The format of tiers and of the manifest."""

MAGIC = f"{FORMAT.name} {FORMAT.version}\n".encode()
ANY_MAGIC = re.compile(rb"zerosum endgame (\d{1,9})\n")
BLOCK = 1 << 16
"""Number of positions in a block."""

KINDS = ("values", "distances")
ENTRY = np.dtype([("end", "<u8"), ("checksum", "<u4"), ("method", "u1"), ("first", "u1"), ("unused", "<u2")])
LONGEST_HEADER = 1 << 20

QUARTERS = (np.arange(256)[:, None] >> np.array([0, 2, 4, 6]) & 3).astype(np.uint8).view(np.uint32).ravel()
"""For each byte, the four values packed into it, one byte each."""


def write_tier(
    path: Path,
    facts: dict[str, Any],
    values: Any,
    distances: Any | None,
    threads: int = 1,
    code: Callable[[Any, int], list[Coded]] | None = None,
) -> str:
    """Write a tier, completely or not at all, from words of 2-bit values and 16-bit distances; return its checksum.

    ``code(words, size)`` encodes the values, if there is a faster encoder than the default.
    """
    size = facts["size"]
    parts = [_table((code or _code_values)(values, size))]
    if distances is not None:
        parts.append(_table(_code_distances(distances, size, threads)))
    tables = {
        kind: {"checksum": zlib.crc32(table.tobytes()), "bytes": sum(map(len, blocks))}
        for kind, (table, blocks) in zip(KINDS, parts, strict=False)
    }
    header = json.dumps({**facts, "block": BLOCK, "tables": tables}, sort_keys=True).encode()
    with written_whole(path) as file:
        file.write(MAGIC + struct.pack("<II", len(header), zlib.crc32(header)) + header)
        for table, blocks in parts:
            file.write(table.tobytes())
            file.writelines(blocks)
    return f"{zlib.crc32(header):08x}"


def _code_values(words: Any, size: int) -> list[Coded]:
    return [codes.encode(unpack_values(words, a, min(a + BLOCK, size))) for a in range(0, size, BLOCK)]


def _code_distances(words: Any, size: int, threads: int) -> list[Coded]:
    numbers = words.view("<u2")[:size]
    # DEFLATE takes nearly all of the time, and runs without the interpreter lock.
    with ThreadPoolExecutor(threads) as pool:
        blocks = pool.map(lambda at: codes.deflate(numbers[at : at + BLOCK].tobytes()), range(0, size, BLOCK))
        return [(codes.DEFLATED, 0, data) for data in blocks]


def _table(blocks: list[Coded]) -> tuple[Any, list[bytes]]:
    """The table of these blocks, and their bytes."""
    table = np.zeros(len(blocks), ENTRY)
    table["method"] = [method for method, _, _ in blocks]
    table["first"] = [first for _, first, _ in blocks]
    table["end"] = np.cumsum([len(data) for _, _, data in blocks])
    table["checksum"] = [_block_checksum(*block) for block in blocks]
    return table, [data for _, _, data in blocks]


def _block_checksum(method: int, first: int, data: Any) -> int:
    """The checksum of a block's bytes and of its entry in the table."""
    return zlib.crc32(data, method << 8 | first)


def unpack_values(words: Any, first: int, end: int) -> Any:
    """The 2-bit values from ``first``, a multiple of 32, to ``end``, one byte each."""
    quarters = words[first >> 5 : -(-end >> 5)].view(np.uint8)
    return QUARTERS[quarters].view(np.uint8)[: end - first]


def pack_values(values: Any) -> Any:
    """Pack values of one byte each into words of 2-bit values."""
    padded = np.zeros(-(-len(values) // 64) * 64, np.uint8)
    padded[: len(values)] = values
    quarters = padded.reshape(-1, 4)
    joined = quarters[:, 0] | quarters[:, 1] << 2 | quarters[:, 2] << 4 | quarters[:, 3] << 6
    return joined.astype(np.uint8).view(np.int64)


class TierFile:
    """A tier's file, mapped into memory; blocks are decoded on demand, and checked each time.

    EndgameError for any file that is not an intact tier.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with open(path, "rb") as file:
                length = os.fstat(file.fileno()).st_size
                if length == 0:
                    raise self.damaged("it is empty")
                self.bytes: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as problem:
            raise EndgameError(f"{str(path)!r} cannot be read: {problem.strerror or problem}") from problem
        try:
            self._begin(length)
        except BaseException:
            self.bytes.close()  # the tier is about to be rebuilt, and Windows cannot replace a mapped file
            raise

    def _begin(self, length: int) -> None:
        """Read everything before the blocks."""
        magic = ANY_MAGIC.match(self.bytes)
        if magic is None:
            raise self.damaged(f"it does not begin with {FORMAT.name!r}")
        FORMAT.check({FORMAT.name: int(magic[1])}, self.path)
        start = len(MAGIC) + 8
        if length < start:
            raise self.damaged("it has no header")
        size, self.checksum = struct.unpack("<II", self.bytes[len(MAGIC) : start])
        header = self.bytes[start : start + min(size, LONGEST_HEADER)]
        if len(header) != size or zlib.crc32(header) != self.checksum:
            raise self.damaged("its header does not match its checksum")
        self.facts: dict[str, Any] = json.loads(header)
        self.size: int = self.facts["size"]
        self.block: int = self.facts["block"]
        self.blocks = -(-self.size // self.block)
        at = start + size
        self.parts: dict[str, tuple[Any, int]] = {}
        for kind in (kind for kind in KINDS if kind in self.facts["tables"]):
            about = self.facts["tables"][kind]
            end = at + self.blocks * ENTRY.itemsize
            table = self.bytes[at:end]
            if len(table) != end - at or zlib.crc32(table) != about["checksum"]:
                raise self.damaged(f"its table of {kind} does not match its checksum")
            self.parts[kind] = (np.frombuffer(table, ENTRY), end)
            at = end + about["bytes"]
        if at != length:
            raise self.damaged(f"it has {length:,} bytes instead of {at:,}")
        # Recently used blocks; a block is 64 kB, and 192 kB with distances.
        self.values_of = lru_cache(maxsize=16)(self._values)
        self.distances_of = lru_cache(maxsize=16)(self._distances)

    def damaged(self, how: str) -> DamagedTier:
        return DamagedTier(f"{str(self.path)!r} is damaged: {how}; build it again")

    def _bytes_of(self, kind: str, block: int) -> tuple[Any, bytes]:
        table, start = self.parts[kind]
        first = int(table["end"][block - 1]) if block else 0
        data = self.bytes[start + first : start + int(table["end"][block])]
        entry = table[block]
        if _block_checksum(int(entry["method"]), int(entry["first"]), data) != entry["checksum"]:
            raise self.damaged(f"block {block} of its {kind} does not match its checksum")
        return entry, data

    def _length(self, block: int) -> int:
        return min(self.block, self.size - block * self.block)

    def _values(self, block: int) -> Any:
        entry, data = self._bytes_of("values", block)
        try:
            return codes.decode(int(entry["method"]), int(entry["first"]), data, self._length(block))
        except (ValueError, IndexError) as problem:
            raise self.damaged(f"block {block} of its values is invalid: {problem}") from problem

    def _distances(self, block: int) -> Any:
        _, data = self._bytes_of("distances", block)
        try:
            numbers = np.frombuffer(codes.inflate(data), "<u2")
        except ValueError as problem:
            raise self.damaged(f"block {block} of its distances is invalid: {problem}") from problem
        if len(numbers) != self._length(block):
            raise self.damaged(f"block {block} of its distances has {len(numbers)} instead of {self._length(block)}")
        return numbers

    def value(self, index: int) -> int:
        return int(self.values_of(index // self.block)[index % self.block])

    def distance(self, index: int) -> int:
        return int(self.distances_of(index // self.block)[index % self.block])

    def all_values(self) -> Any:
        """All values as words, 2 bits each."""
        words = np.zeros(-(-self.size // 64) * 2, np.int64)
        for block in range(self.blocks):
            part = pack_values(self._values(block))
            at = block * self.block // 32
            words[at : at + len(part)] = part
        return words

    def all_distances(self) -> Any | None:
        """All distances as words, 16 bits each; None if there are none."""
        if "distances" not in self.parts:
            return None
        words = np.zeros(-(-self.size // 64) * 16, np.int64)
        numbers = words.view("<u2")
        for block in range(self.blocks):
            numbers[block * self.block : block * self.block + self._length(block)] = self._distances(block)
        return words

    def close(self) -> None:
        self.parts = {}
        self.bytes.close()
