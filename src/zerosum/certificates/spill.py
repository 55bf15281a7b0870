"""Records sorted into buckets: in memory while they are few, then on disk."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from zerosum.errors import CertificateError

MEMORY = 32 << 20
"""Bytes of records to keep in memory."""

AT_ONCE = 1 << 20
"""Bytes to read at a time."""


class Spill:
    """Keys of a fixed length, each with a number, in buckets.

    Several processes may fill the same buckets, each under its own ``name``.
    """

    def __init__(self, folder: Path, kind: str, buckets: int, key_size: int, name: str = "0") -> None:
        self.folder, self.kind, self.name = folder, kind, name
        self.record = struct.Struct(f">{key_size}sI")
        self._parts = [bytearray() for _ in range(buckets)]
        self._held = 0

    def add(self, bucket: int, key: bytes, number: int) -> None:
        self._parts[bucket] += self.record.pack(key, number)
        self._held += self.record.size
        if self._held > MEMORY:
            self.flush()

    def flush(self) -> None:
        """Write everything to disk."""
        try:
            for bucket, part in enumerate(self._parts):
                if part:
                    with open(self.folder / f"{self.kind}-{bucket}-{self.name}", "ab") as file:
                        file.write(part)
                    part.clear()
        except OSError as problem:
            raise CertificateError(
                f"{str(self.folder)!r} cannot be written ({problem.strerror or problem}): set TMPDIR to another folder"
            ) from problem
        self._held = 0

    def read(self, bucket: int) -> Iterator[tuple[bytes, int]]:
        """All keys of a bucket with their numbers, from every process. Removes them from disk."""
        yield from self.record.iter_unpack(bytes(self._parts[bucket]))
        for path in sorted(self.folder.glob(f"{self.kind}-{bucket}-*")):
            with open(path, "rb") as file:
                while part := file.read(AT_ONCE // self.record.size * self.record.size or self.record.size):
                    yield from self.record.iter_unpack(part)
            path.unlink()
