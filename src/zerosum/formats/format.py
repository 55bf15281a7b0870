"""A file format for games: how they are read, written, and stored by a match.

Every Game imports this module, so it imports little. The author of a game writes only a few lines; with ``comment``,
the format can also be used for matches, which store their data in comments:

>>> from zerosum.formats.played import Played
>>> from zerosum.line import Line
>>> def read(game, text):
...     for row in text.splitlines():
...         if row.strip():
...             yield Played(Line.parse(game, row))
>>> def write(played):
...     return " ".join(played.line.texts())
>>> rows = Format(".rows", "a game a row", read, write, comment="#")
>>> from zerosum.games import load
>>> [list(played.line.texts()) for played in rows.parse(load("nim"), "# two games\\na1 b2\\nc3\\n")]
[['a1', 'b2'], ['c3']]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.errors import FormatError, GameError, ZerosumError
from zerosum.files import FileFormat
from zerosum.formats.played import Played
from zerosum.line import Line

if TYPE_CHECKING:
    from pathlib import Path

    from zerosum.formats.record import GameRecord
    from zerosum.game import Game

Reader = Callable[["Game", str], Iterable[Played]]
Writer = Callable[[Played], str]

MATCH = FileFormat("zerosum match", 1, FormatError)
"""The first line of the file of a match."""

TAKEN = (".jsonl", ".json", ".txt", ".moves", ".epd", ".fen", ".zip")
"""Extensions that mean the same in every game."""


class Piece(NamedTuple):
    """One game of a text, not parsed yet. ``read(text, plies)`` returns the line of its first plies; None for all."""

    where: str
    text: str
    read: Callable[[str, int | None], Line]

    def line(self, plies: int | None) -> Line:
        return self.read(self.text, plies)


class Format:
    """A text format for games. Subclasses override what a pair of functions cannot express.

    Attributes:
        suffix: the extension of such files.
        title: the name of the format.
        mark: the prefix of a comment line; '' in a format without comments.
        heading: the text between the first line of a match and its games.
        usual: whether matches use this format if no file is named.
        largest: maximum size in bytes; a larger file is considered a mistake.
    """

    heading = ""
    largest = 1 << 30

    def __init__(
        self,
        suffix: str,
        title: str,
        read: Reader | None = None,
        write: Writer | None = None,
        *,
        comment: str = "",
        usual: bool = False,
    ) -> None:
        """``read(game, text)`` yields all games of a text, ``write(played)`` returns the text of one.

        Lines that start with ``comment`` are replaced by empty lines before the text is passed to ``read``.
        """
        if not isinstance(suffix, str) or not re.fullmatch(r"\.\w+", suffix) or suffix != suffix.lower():
            raise GameError(f"a format's suffix must be like '.pgn', in lower case, not {suffix!r}")
        if type(self) is Format and not (callable(read) and callable(write)):
            raise GameError(f"the format {suffix!r} needs two functions, read(game, text) and write(played)")
        self.suffix, self.title, self.usual = suffix, title, usual
        self.mark = f"{comment} " if comment else ""
        self._comment, self._reader, self._writer = comment, read, write

    def __repr__(self) -> str:
        return f"<Format {self.suffix}: {self.title}>"

    # Reading games

    def games(self, game: Game, path: Path) -> Iterator[Played]:
        """All games of a file. An error in a game may only be raised when its line is accessed."""
        try:
            yield from self.parse(game, self.content(path))
        except ZerosumError as problem:
            if str(path) in str(problem):
                raise
            raise FormatError(f"{str(path)!r}: {problem}") from problem

    def content(self, path: Path) -> str:
        """The text of a file."""
        try:
            if path.stat().st_size > self.largest:
                raise FormatError(f"{str(path)!r} is larger than {self.largest >> 20} MiB: too large for {self.title}")
            return path.read_text(encoding="utf-8-sig", errors="replace")
        except OSError as problem:
            raise FormatError(f"{str(path)!r} cannot be read: {problem.strerror or problem}") from problem

    def parse(self, game: Game, text: str) -> Iterator[Played]:
        """All games in a text; raises FormatError or another ZerosumError if it cannot be read."""
        assert self._reader is not None
        try:
            for played in self._reader(game, self._without_comments(text)):
                if not isinstance(played, Played):
                    raise FormatError(f"{self.title}: read must yield Played, not {played!r}")
                yield played
        except ZerosumError:
            raise
        except (ValueError, LookupError) as problem:
            raise FormatError(f"{self.title}: {str(problem) or type(problem).__name__}") from problem

    def _without_comments(self, text: str) -> str:
        if not self._comment:
            return text
        rows = text.splitlines(keepends=True)
        return "".join("\n" if row.startswith(self._comment) else row for row in rows)

    def looks_like(self, text: str) -> bool:
        """Whether a pasted text may be in this format; if so, this format is tried first."""
        return True

    def pieces(self, game: Game, text: str) -> list[Piece]:
        """The games of a text, for callers that need only some of them or only their openings."""

        def cut(played: Played) -> Callable[[str, int | None], Line]:
            return lambda _, plies: played.line.back(0 if plies is None else max(0, len(played.line) - plies))

        found = enumerate(self.parse(game, text), 1)
        return [Piece(f"game {number}", f"of game {number}", cut(played)) for number, played in found]

    # Writing games

    def write(self, played: Played) -> str:
        """The text of a file with only this game."""
        assert self._writer is not None
        text = self._writer(played)
        if not isinstance(text, str):
            raise GameError(f"{self.title}: write must return a text, not {text!r}")
        return text

    # The file of a match: a line that identifies it, then the games. A partly written game can be recognised.

    def check(self, header: Mapping[str, Any], path: Path) -> None:
        """Raise FormatError if the games of this match cannot be written in this format."""
        if not self.mark:
            raise FormatError(
                f"the games file {str(path)!r}: {self.title} has no comments, which a match needs; use .jsonl"
            )

    def first(self, header: Mapping[str, Any]) -> str:
        """The start of a new file, which identifies its match."""
        import json

        text = json.dumps({**MATCH.stamp, **header}, ensure_ascii=False, separators=(",", ":"))
        return f"{self.mark}{text}\n{self.heading}"

    def header(self, line: bytes) -> dict[str, Any]:
        """The contents of the first line; raises ValueError or similar if it is not that of a match."""
        import json

        found: dict[str, Any] = json.loads(line.removeprefix(self.mark.encode()))
        _ = found[MATCH.name]
        return found

    def entry(self, record: GameRecord, line: Line, control: str, before: Mapping[int, GameRecord]) -> str:
        """The text of a game, to be appended after the games ``before``; here it ends with a comment."""
        from zerosum.formats.record import as_played, to_json, without_moves

        text = self.write(as_played(record, line, control))
        return f"{text}{'' if text.endswith(chr(10)) else chr(10)}{self.mark}{to_json(without_moves(record))}"

    def entries(self, content: bytes) -> tuple[list[bytes], int]:
        """The complete games after the heading, and the offset where they end."""
        last = re.compile(rb"^" + re.escape(self.mark.encode()) + rb"\{.*\n", re.MULTILINE)
        ends = [0, *(found.end() for found in last.finditer(content))]
        return [content[start:end] for start, end in pairwise(ends)], ends[-1]

    def record(self, entry: str) -> GameRecord:
        """The record of an entry, for tables; the moves may be left out."""
        from zerosum.formats.record import from_json

        return from_json(entry.rstrip("\n").rpartition("\n")[2].removeprefix(self.mark))

    def match(self, content: bytes, path: Path) -> tuple[dict[str, Any], dict[int, GameRecord], int]:
        """A match's header, its games by number, and the number of valid bytes; FormatError for other files."""
        line, end, rest = content.partition(b"\n" + self.heading.encode())
        try:
            header = self.header(line)
            if not end:
                raise ValueError
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            raise FormatError(f"{str(path)!r} is not the games file of a match: choose another name") from None
        MATCH.check(header, path)
        del header[MATCH.name]
        entries, good = self.entries(rest)
        records: dict[int, GameRecord] = {}
        for number, entry in enumerate(entries, 1):
            try:
                record = self.record(entry.decode("utf-8", "replace"))
            except FormatError as problem:
                raise FormatError(f"{str(path)!r}, game {number} of the file: {problem}") from problem
            if record.number in records:
                raise FormatError(f"{str(path)!r} holds game {record.number} twice")
            records[record.number] = record
        return header, records, len(line) + len(end) + good


def checked_formats(game: str, formats: Any) -> tuple[Format, ...]:
    """The formats that a game declares; raises GameError unless they are Formats with distinct extensions."""
    found = tuple(formats) if isinstance(formats, (tuple, list)) else (formats,)
    for one in found:
        if not isinstance(one, Format):
            raise GameError(f"{game}: formats must be Formats, as in formats=(zs.Format(...),), not {one!r}")
    endings = [one.suffix for one in found]
    for suffix in endings:
        if suffix in TAKEN or endings.count(suffix) > 1:
            why = "twice" if suffix not in TAKEN else "which means the same in every game"
            raise GameError(f"{game}: formats has {suffix!r}, {why}")
    return found
