"""The certificate file: a header, the entries of each claim in blocks, a checksum. See docs/certificates.md."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO, NamedTuple

from zerosum.certificates.claims import Claim, Rows
from zerosum.errors import CertificateError
from zerosum.files import FileFormat, written_whole
from zerosum.game import MAX, MIN, Game

FORMAT = FileFormat("zerosum certificate", 1, CertificateError)

NO_MOVE = 0xFFFF_FFFF
"""In place of a move: the other player is to move, so every move must be answered."""

IN_DATABASE = 0xFFFF_FFFE
"""In place of a move: an endgame database says that the claim holds."""

TAIL = struct.Struct(">II")
"""What follows the row of an entry: move and rank."""

BLOCK = struct.Struct(">II")
"""What precedes a block: its number of entries, and its size in the file in bytes."""

BLOCK_BYTES, LARGEST_BLOCK = 1 << 20, 1 << 24
"""Size of a block in bytes, packed or not: as written, and the maximum. A reader loads one block at a time."""

CHECKSUM_BYTES = hashlib.sha256().digest_size
LONGEST_HEADER = 1 << 20


@dataclass(frozen=True)
class Header:
    """The first line of the file.

    Attributes:
        game: its name.
        parameters: the parameters the game was made with.
        words: the kind of each word of a State, ``int`` or ``u64``.
        start: the words of the position that the claims are about.
        position: the same in the game's notation, for display.
        claims: player, least, and the number of entries of each claim.
        database: the SHA-256 of the manifest of the endgame database that the proof depends on; empty if none.
        made: which program wrote the file, and how; nothing depends on it.
    """

    game: str
    parameters: dict[str, Any]
    words: list[str]
    start: list[int]
    position: str
    claims: list[dict[str, int]]
    database: str = ""
    made: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, s: Any, claims: dict[Claim, int], made: dict[str, Any], database: str = "") -> Header:
        """The header for claims about ``s``, each with its number of entries."""
        rows = Rows(game)
        return cls(
            game=game.name,
            parameters=parameters_of(game),
            words=list(game.state_type.kinds),
            start=rows.words(rows.row(s)),
            position=game.format_state(s),
            claims=[{"player": c.player, "least": c.least, "entries": n} for c, n in claims.items()],
            database=database,
            made=made,
        )

    def claims_with_sizes(self) -> list[tuple[Claim, int]]:
        """Each claim with its number of entries."""
        return [(Claim(one["player"], one["least"]), one["entries"]) for one in self.claims]

    def check(self, game: Game, path: str) -> bytes:
        """The row of the start; CertificateError if the file does not fit this game."""
        if self.game != game.name:
            raise CertificateError(f"{path!r} is a certificate for {self.game}, not for {game.name}")
        if self.parameters != parameters_of(game):
            wanted = " ".join(f"--set {name}={value}" for name, value in self.parameters.items())
            given = " ".join(f"--set {name}={value}" for name, value in parameters_of(game).items())
            raise CertificateError(
                f"{path!r} is for {game.name} with {wanted or 'no parameters'}, not with {given or 'none'}"
            )
        if game.has("chances"):
            raise CertificateError(f"{game.name} has chance nodes: certificates are for games without chance")
        for claim, _ in self.claims_with_sizes():
            if not game.scored and claim.least not in (0, 1):
                raise CertificateError(f"{path!r} claims {claim.least}; in {game.name} only 0 and 1 can be claimed")
        if self.words != list(game.state_type.kinds):
            raise CertificateError(f"{path!r} was made for a different State of {game.name}: {', '.join(self.words)}")
        try:
            return Rows(game).of_words(self.start)
        except struct.error as problem:
            raise CertificateError(f"{path!r}: the start {self.start!r} is not a position: {problem}") from None


def parameters_of(game: Game) -> dict[str, Any]:
    """The parameters of a game, as they read back from JSON; empty if it takes none or was made by ``Game`` itself.

    >>> from zerosum.games import load
    >>> parameters_of(load("nim"))
    {'heaps': '3,4,5'}
    """
    return {name: _plain(value) for name, value in game.settings.items()}


def _plain(value: Any) -> Any:
    """A parameter as ``--set`` takes it: a list becomes a comma-separated string."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


class Block(NamedTuple):
    """A block of entries: its claim, the offset and number of its bytes, and its number of entries."""

    claim_number: int
    offset: int
    size: int
    entries: int


class Certificate:
    """A certificate on disk. Nothing in it is trusted until ``scan`` has checked it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        try:
            with open(self.path, "rb") as file:
                line = file.readline(LONGEST_HEADER)
                self.header = _header(line, self.path)
                self._first = file.tell()
                self.bytes = file.seek(0, os.SEEK_END)
        except OSError as problem:
            raise CertificateError(f"{self.path!r} cannot be read: {problem.strerror or problem}") from problem
        self.row_size = 8 * len(self.header.words)
        self.entry_size = self.row_size + TAIL.size

    def scan(self) -> Iterator[tuple[Block, bytes]]:
        """Each block with the row of its first entry; CertificateError if the file is damaged or out of order.

        Reads the whole file. The checksum is compared last, so run it to the end.
        """
        checksum = hashlib.sha256()
        with open(self.path, "rb") as file:
            checksum.update(file.read(self._first))
            for claim_number, (_, entries) in enumerate(self.header.claims_with_sizes()):
                last = b""
                while entries:
                    head = _exactly(file, BLOCK.size, self.path)
                    count, size = BLOCK.unpack(head)
                    if not 0 < count <= entries or max(count * self.entry_size, size) > LARGEST_BLOCK:
                        raise self._damaged(f"a block of {count:,} entries, {size:,} bytes, where {entries:,} are left")
                    block = Block(claim_number, file.tell(), size, count)
                    packed = _exactly(file, size, self.path)
                    checksum.update(head)
                    checksum.update(packed)
                    first, last = self._in_order(self._unpacked(packed, count), last)
                    yield block, first
                    entries -= count
            if file.read(CHECKSUM_BYTES + 1) != checksum.digest():
                raise self._damaged("its checksum does not match")

    def entries(self, block: Block) -> Iterator[tuple[bytes, int, int]]:
        """The row, move and rank of each entry of a block."""
        with open(self.path, "rb") as file:
            file.seek(block.offset)
            plain = self._unpacked(_exactly(file, block.size, self.path), block.entries)
        yield from struct.iter_unpack(f">{self.row_size}sII", plain)

    def _unpacked(self, packed: bytes, count: int) -> bytes:
        """The entries one after another. The file has the first byte of every entry, then the second, and so on."""
        size = count * self.entry_size
        unpacker = zlib.decompressobj()
        try:
            planes = unpacker.decompress(packed, size)
            if len(planes) != size or not unpacker.eof or unpacker.unused_data:
                raise self._damaged(f"a block does not hold {count:,} entries")
        except zlib.error as problem:
            raise self._damaged(f"a block cannot be unpacked ({problem})") from None
        plain = bytearray(size)
        for place in range(self.entry_size):
            plain[place :: self.entry_size] = planes[place * count : (place + 1) * count]
        return bytes(plain)

    def _in_order(self, plain: bytes, last: bytes) -> tuple[bytes, bytes]:
        """The first and the last row. Checks that the rows ascend strictly, from above ``last``."""
        first = plain[: self.row_size]
        for at in range(0, len(plain), self.entry_size):
            row = plain[at : at + self.row_size]
            if row <= last:
                raise self._damaged("its entries are not in order")
            last = row
        return first, last

    def _damaged(self, what: str) -> CertificateError:
        return CertificateError(f"{self.path!r} is damaged: {what}")


def write_certificate(
    path: str | os.PathLike[str], header: Header, entries: Iterable[tuple[int, bytes]], entry_size: int
) -> None:
    """Write a file, completely or not at all, from blocks of sorted entries: each block's count and its bytes."""
    checksum = hashlib.sha256()
    with written_whole(path) as file:

        def put(part: bytes) -> None:
            checksum.update(part)
            file.write(part)

        put(json.dumps({**FORMAT.stamp, **asdict(header)}, ensure_ascii=False).encode() + b"\n")
        for count, plain in entries:
            packed = zlib.compress(b"".join(plain[place::entry_size] for place in range(entry_size)), 6)
            put(BLOCK.pack(count, len(packed)))
            put(packed)
        file.write(checksum.digest())


def _exactly(file: BinaryIO, size: int, path: str) -> bytes:
    found = file.read(size)
    if len(found) != size:
        raise CertificateError(f"{path!r} is damaged: it ends too early")
    return found


def _header(line: bytes, path: str) -> Header:
    try:
        found = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        found = None
    FORMAT.check(found, path)
    assert isinstance(found, dict)
    parts = {name: found.get(name) for name in Header.__dataclass_fields__}
    if not _is_sound(parts):
        raise CertificateError(f"{path!r} is damaged: its header is invalid")
    return Header(**parts)  # type: ignore[arg-type]


def _is_sound(parts: dict[str, Any]) -> bool:
    """Whether every part of a header has the right type."""
    return (
        isinstance(parts["game"], str)
        and isinstance(parts["position"], str)
        and isinstance(parts["database"], str)
        and isinstance(parts["parameters"], dict)
        and isinstance(parts["made"], dict)
        and _all(parts["words"], lambda word: word in ("int", "u64"))
        and 0 < len(parts["words"]) < LARGEST_BLOCK // 16
        and _all(parts["start"], lambda word: type(word) is int)
        and _all(parts["claims"], _is_claim)
        and len(parts["claims"]) > 0
    )


def _all(items: Any, test: Any) -> bool:
    return isinstance(items, list) and all(test(item) for item in items)


def _is_claim(one: Any) -> bool:
    return (
        isinstance(one, dict)
        and one.keys() == {"player", "least", "entries"}
        and all(type(number) is int and abs(number) < 2**62 for number in one.values())
        and one["player"] in (MAX, MIN)
        and one["entries"] >= 0
    )
