"""A file format of games: how they are read, written, and kept by a match.

Every Game imports this, so it imports little. The few lines that a game's author writes; comments make it fit for
matches, which keep their own notes in them:

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
"""The first line of a match's file."""

TAKEN = (".jsonl", ".json", ".txt", ".moves", ".epd", ".fen", ".zip")
"""Endings that mean the same in every game."""


class Piece(NamedTuple):
    """One game of a text, not read yet. ``read(text, plies)`` is the line of its first plies; None: of all."""

    where: str
    text: str
    read: Callable[[str, int | None], Line]

    def line(self, plies: int | None) -> Line:
        return self.read(self.text, plies)


class Format:
    """A text format of games. Subclasses override what a pair of functions cannot say.

    Attributes:
        suffix: how names of such files end.
        title: what people call it.
        mark: what makes a comment of a line; '' in a format without comments.
        heading: what follows the first line of a match, before its games.
        usual: whether matches are written so where nobody names a file.
        largest: bytes; a larger file is a slip.
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
        """``read(game, text)`` yields all games of a text, ``write(played)`` is the text of one.

        Lines that begin with ``comment`` are not passed to ``read``; in their place it finds empty lines.
        """
        if not isinstance(suffix, str) or not re.fullmatch(r"\.\w+", suffix) or suffix != suffix.lower():
            raise GameError(f"a format's suffix must be like '.pgn', in small letters, not {suffix!r}")
        if type(self) is Format and not (callable(read) and callable(write)):
            raise GameError(f"the format {suffix!r} needs two functions, read(game, text) and write(played)")
        self.suffix, self.title, self.usual = suffix, title, usual
        self.mark = f"{comment} " if comment else ""
        self._comment, self._reader, self._writer = comment, read, write

    def __repr__(self) -> str:
        return f"<Format {self.suffix}: {self.title}>"

    # Games in

    def games(self, game: Game, path: Path) -> Iterator[Played]:
        """All games of a file. One that makes no sense may be told when its line is asked for."""
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
        """All games in a text; FormatError, or another of ours, if it makes no sense."""
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
        """Whether a text that somebody pasted may be in this format: then it is tried first."""
        return True

    def pieces(self, game: Game, text: str) -> list[Piece]:
        """The games of a text for whoever needs some of them, or only their openings."""

        def cut(played: Played) -> Callable[[str, int | None], Line]:
            return lambda _, plies: played.line.back(0 if plies is None else max(0, len(played.line) - plies))

        found = enumerate(self.parse(game, text), 1)
        return [Piece(f"game {number}", f"of game {number}", cut(played)) for number, played in found]

    # Games out

    def write(self, played: Played) -> str:
        """A file with this game only."""
        assert self._writer is not None
        text = self._writer(played)
        if not isinstance(text, str):
            raise GameError(f"{self.title}: write must return a text, not {text!r}")
        return text

    # The file of a match: a line that says which, then the games. A whole game can be told from one half written.

    def check(self, header: Mapping[str, Any], path: Path) -> None:
        """FormatError if the games of this match cannot be written so."""
        if not self.mark:
            raise FormatError(
                f"the games file {str(path)!r}: {self.title} has no comments, which a match needs; use .jsonl"
            )

    def first(self, header: Mapping[str, Any]) -> str:
        """What a new file begins with: which match it is of."""
        import json

        text = json.dumps({**MATCH.stamp, **header}, ensure_ascii=False, separators=(",", ":"))
        return f"{self.mark}{text}\n{self.heading}"

    def header(self, line: bytes) -> dict[str, Any]:
        """What the first line says; ValueError and the like if it is of something else."""
        import json

        found: dict[str, Any] = json.loads(line.removeprefix(self.mark.encode()))
        _ = found[MATCH.name]
        return found

    def entry(self, record: GameRecord, line: Line, control: str, before: Mapping[int, GameRecord]) -> str:
        """A game as it is written behind those that are in the file ``before``: here, a comment ends it."""
        from zerosum.formats.record import as_played, to_json, without_moves

        text = self.write(as_played(record, line, control))
        return f"{text}{'' if text.endswith(chr(10)) else chr(10)}{self.mark}{to_json(without_moves(record))}"

    def entries(self, content: bytes) -> tuple[list[bytes], int]:
        """The whole games after the heading, and where they end."""
        last = re.compile(rb"^" + re.escape(self.mark.encode()) + rb"\{.*\n", re.MULTILINE)
        ends = [0, *(found.end() for found in last.finditer(content))]
        return [content[start:end] for start, end in pairwise(ends)], ends[-1]

    def record(self, entry: str) -> GameRecord:
        """What an entry says about its game, for tables; the moves may be left out."""
        from zerosum.formats.record import from_json

        return from_json(entry.rstrip("\n").rpartition("\n")[2].removeprefix(self.mark))

    def match(self, content: bytes, path: Path) -> tuple[dict[str, Any], dict[int, GameRecord], int]:
        """A match's header, its games by number, and how many bytes are good; FormatError for another kind of file."""
        line, end, rest = content.partition(b"\n" + self.heading.encode())
        try:
            header = self.header(line)
            if not end:
                raise ValueError
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            raise FormatError(f"{str(path)!r} is no games file of a match: give another name") from None
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
    """The formats that a game declares; GameError unless they are some, with endings of their own."""
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
