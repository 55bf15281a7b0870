"""The formats of every game, JSON lines and a text of moves, and the choice of a format for a file.

>>> from zerosum.games import load
>>> moves_of(load("tictactoe"), "1. 5 1 2. 9 *").moves
(4, 0, 8)
>>> format_of(load("tictactoe"), Path("games.pgn"))
Traceback (most recent call last):
zerosum.errors.FormatError: 'games.pgn': tictactoe has no format '.pgn'; use .jsonl or .txt
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.errors import FormatError, PositionError, ZerosumError
from zerosum.formats.annotated import NUMBER, is_annotated, parsed, written
from zerosum.formats.format import Format
from zerosum.formats.played import RESULTS, Played
from zerosum.formats.record import GameRecord, from_json, replay, to_json
from zerosum.line import Line

if TYPE_CHECKING:
    from zerosum.game import Game


class JsonLines(Format):
    """The file of a match of any game: one JSON object per line."""

    def games(self, game: Game, path: Path) -> Iterator[Played]:
        try:
            content = path.read_bytes()
        except OSError as problem:
            raise FormatError(f"{str(path)!r} cannot be read: {problem.strerror or problem}") from problem
        return self._games(game, content, path)

    def parse(self, game: Game, text: str) -> Iterator[Played]:
        return self._games(game, text.encode(), Path("games.jsonl"))

    def _games(self, game: Game, content: bytes, path: Path) -> Iterator[Played]:
        header, records, _ = self.match(content, path)
        parameters = game.source[1] if game.source else {}
        for what, found, wanted in (
            ("the game", header.get("game"), game.name),
            ("the parameters", header.get("parameters") or {}, parameters),
        ):
            if found != wanted:
                raise FormatError(f"{str(path)!r} belongs to another match: {what} there: {found!r}, here: {wanted!r}")
        for number in sorted(records):
            record = records[number]
            yield Played(_again(game, record), (record.max_player, record.min_player), record.result)

    def looks_like(self, text: str) -> bool:
        return text.startswith('{"zerosum match"')

    def write(self, played: Played) -> str:
        raise FormatError(f"{self.title} is for matches; a single game is written as {MOVES.title}")

    def check(self, header: Mapping[str, Any], path: Path) -> None:
        """Accept every match."""

    def entry(self, record: GameRecord, line: Line, control: str, before: Mapping[int, GameRecord]) -> str:
        return to_json(record)

    def entries(self, content: bytes) -> tuple[list[bytes], int]:
        good = content.rfind(b"\n") + 1
        return [entry for entry in content[:good].split(b"\n") if entry.strip()], good

    def record(self, entry: str) -> GameRecord:
        return from_json(entry)


def _again(game: Game, record: GameRecord) -> Callable[[], Line]:
    def line() -> Line:
        try:
            return replay(game, record)
        except ZerosumError as problem:
            raise FormatError(f"game {record.number}: {problem}") from problem

    return line


class MovesText(Format):
    """One game of any kind as its moves, optionally after a line with the starting position.

    It may contain names, comments and variations: see ``annotated``.
    """

    largest = 1 << 24

    def parse(self, game: Game, text: str) -> Iterator[Played]:
        text = text.strip()
        if not text:
            return
        if is_annotated(text):
            yield parsed(game, text)
            return
        start, _, rest = text.partition("\n")
        try:
            game.parse_state(start)
        except PositionError:
            start, rest = "", text
        yield Played(moves_of(game, rest, start))

    def looks_like(self, text: str) -> bool:
        return is_annotated(text)

    def write(self, played: Played) -> str:
        return written(played)


JSON_LINES = JsonLines(".jsonl", "JSON")
MOVES = MovesText(".txt", "a text of moves")


def moves_of(game: Game, text: str, start: str = "") -> Line:
    """The line of a sequence of moves, which may be numbered and end with a result."""
    if ";" in text:  # plays of several words
        words = text.replace("\n", " ").split(";")
    else:
        words = [NUMBER.sub("", word) for word in text.replace(",", " ").split()]
    found = [word.strip() for word in words if word.strip() and word.strip() not in (*RESULTS.values(), "*")]
    return Line.parse(game, found, game.parse_state(start) if start else None)


def format_of(game: Game, path: Path, default: Format | None = None) -> Format:
    """The format for a file name; raises FormatError if the game has none with this extension.

    Without an extension it is ``default``, otherwise the game's own format, or a text of moves.
    """
    suffix = path.suffix.lower()
    if not suffix:
        return default or next(iter(game.formats), MOVES)
    known = (*game.formats, JSON_LINES, MOVES)
    for one in known:
        if suffix == one.suffix or (one is JSON_LINES and suffix == ".json"):
            return one
    raise FormatError(f"{str(path)!r}: {game.name} has no format {suffix!r}; use {one_of(known)}")


def one_of(formats: tuple[Format, ...]) -> str:
    """The extensions of the formats, as a phrase.

    >>> one_of((JSON_LINES, MOVES))
    '.jsonl or .txt'
    """
    *others, last = (one.suffix for one in formats)
    return f"{', '.join(others)} or {last}" if others else last


def read_game(game: Game, path: str | os.PathLike[str], number: int = 1) -> Played:
    """Read game ``number``, from 1, of a file; errors name the file."""
    file, count = Path(path), 0
    try:
        for count, played in enumerate(format_of(game, file).games(game, file), 1):
            if count == number:
                _ = played.line  # raises here if the game cannot be read
                return played
    except ZerosumError as problem:
        if file.name in str(problem):
            raise
        raise FormatError(f"{str(file)!r}: {problem}") from problem
    if not count:
        raise FormatError(f"{str(file)!r} holds no game")
    raise FormatError(f"{str(file)!r} has no game {number}: it holds {count} {'game' if count == 1 else 'games'}")
