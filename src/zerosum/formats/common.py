"""The formats of every game, lines of JSON and a text of moves, and the way from a file to its format.

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
    """What a match keeps of any game: an object a line."""

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
                raise FormatError(f"{str(path)!r} is of another match: {what} there: {found!r}, here: {wanted!r}")
        for number in sorted(records):
            record = records[number]
            yield Played(_again(game, record), (record.max_player, record.min_player), record.result)

    def looks_like(self, text: str) -> bool:
        return text.startswith('{"zerosum match"')

    def write(self, played: Played) -> str:
        raise FormatError(f"{self.title} is for matches; a single game is written as {MOVES.title}")

    def check(self, header: Mapping[str, Any], path: Path) -> None:
        """Every match can be written so."""

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
    """One game of any kind: its moves; a line before them may give the position that they begin from.

    Names, comments and variations may be among them: see ``annotated``.
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
    """Moves one after another. They may be numbered, and a result may follow."""
    if ";" in text:  # plays of several words
        words = text.replace("\n", " ").split(";")
    else:
        words = [NUMBER.sub("", word) for word in text.replace(",", " ").split()]
    found = [word.strip() for word in words if word.strip() and word.strip() not in (*RESULTS.values(), "*")]
    return Line.parse(game, found, game.parse_state(start) if start else None)


def format_of(game: Game, path: Path, default: Format | None = None) -> Format:
    """The format that a file's name asks for; FormatError if the game has none with this ending.

    Without an ending it is ``default``, or else the game's own format, or a text of moves.
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
    """Their endings, for people.

    >>> one_of((JSON_LINES, MOVES))
    '.jsonl or .txt'
    """
    *others, last = (one.suffix for one in formats)
    return f"{', '.join(others)} or {last}" if others else last


def read_game(game: Game, path: str | os.PathLike[str], number: int = 1) -> Played:
    """The game of this number, from 1, in a file; an error, which quotes the file, if there is none or it is wrong."""
    file, count = Path(path), 0
    try:
        for count, played in enumerate(format_of(game, file).games(game, file), 1):
            if count == number:
                _ = played.line  # if it makes no sense, that is told here
                return played
    except ZerosumError as problem:
        if file.name in str(problem):
            raise
        raise FormatError(f"{str(file)!r}: {problem}") from problem
    if not count:
        raise FormatError(f"{str(file)!r} holds no game")
    raise FormatError(f"{str(file)!r} has no game {number}: it holds {count} {'game' if count == 1 else 'games'}")
