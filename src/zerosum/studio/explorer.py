"""The opening explorer: the moves played in a position, from files of games and from books, and names of openings.

Each file is read in the background, once per game, and can be queried while it is still being read.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zerosum.errors import FormatError, StudioError, ZerosumError
from zerosum.files import why_not_a_file
from zerosum.formats.common import format_of
from zerosum.formats.format import Format
from zerosum.formats.played import Played
from zerosum.game import Game, Line

MOST_GAMES = 100_000
MOST_PLIES = 60
"""Openings are shorter than this, and memory is limited."""

BOOKS = ".bin"
VALUE = re.compile(r"(?:\[%eval )?([+-]?\d+\.\d+)")
"""An evaluation by a player or an engine, at the beginning of a comment."""


@dataclass
class Count:
    """Statistics of one move: games, results for MAX, and evaluations from comments."""

    games: int = 0
    results: dict[int, int] = field(default_factory=lambda: {1: 0, 0: 0, -1: 0})
    value: float = 0.0
    valued: int = 0
    weight: int = 0  # in a book


class Index:
    """The moves in one file of games, by the positions in which they were played."""

    def __init__(self, game: Game, path: Path, form: Format) -> None:
        self.game, self.path, self.form = game, path, form
        self.games = self.wrong = 0
        self.problem = ""
        self.moves: dict[Any, dict[int, Count]] = {}
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self._read, name="zerosum-explorer", daemon=True)
        self.thread.start()

    @property
    def is_reading(self) -> bool:
        return self.thread.is_alive()

    def _read(self) -> None:
        try:
            for played in self.form.games(self.game, self.path):
                if self.games >= MOST_GAMES:
                    return
                try:
                    self._add(played)
                except ZerosumError:
                    self.wrong += 1  # one unreadable game does not spoil the others
        except (ZerosumError, OSError) as problem:
            self.problem = str(problem)

    def _add(self, played: Played) -> None:
        line = played.line
        with self.lock:
            self.games += 1
            for ply, move in enumerate(line.moves[:MOST_PLIES]):
                count = self.moves.setdefault(self.game.identity(line.states[ply]), {}).setdefault(move, Count())
                count.games += 1
                if played.result is not None:
                    count.results[played.result] += 1
                found = VALUE.match(played.comments.get(ply, ""))
                if found:
                    count.value += getattr(self.form, "sign", 1) * float(found[1])
                    count.valued += 1

    def at(self, s: Any) -> dict[int, Count]:
        with self.lock:
            return dict(self.moves.get(self.game.identity(s), {}))


class Book:
    """A book of moves with weights, read by the game itself."""

    is_reading = False
    games = wrong = 0
    problem = ""

    def __init__(self, game: Game, path: Path) -> None:
        self.path, self.book = path, game.book(str(path))

    def at(self, s: Any) -> dict[int, Count]:
        return {move: Count(weight=weight) for move, weight in self.book.moves(s)}


class Explorer:
    """The files that a studio was started with, opened for each game that can read them."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        self.files = tuple(Path(file) for file in files)
        for path in self.files:
            if why := why_not_a_file(path):
                raise StudioError(f"--games {str(path)!r} {why}")
        self._opened: dict[tuple[Path, str], Index | Book | None] = {}
        self._names: dict[str, dict[Any, str]] = {}
        self._lock = threading.Lock()

    def sources(self, game: Game) -> list[Index | Book]:
        with self._lock:
            found = [self._source(path, game) for path in self.files]
        return [source for source in found if source is not None]

    def _source(self, path: Path, game: Game) -> Index | Book | None:
        key = (path, repr(game.source) if game.source else game.name)
        if key not in self._opened:
            self._opened[key] = self._open(path, game)
        return self._opened[key]

    def _open(self, path: Path, game: Game) -> Index | Book | None:
        try:
            if path.suffix.lower() == BOOKS:
                return Book(game, path) if game.has("book") else None
            return Index(game, path, format_of(game, path))
        except FormatError:
            return None  # a file of another game
        except ZerosumError as problem:
            raise StudioError(f"--games {str(path)!r}: {problem}") from problem

    def name(self, line: Line) -> str:
        """The name of the opening: that of the last position of the line that has a name."""
        game = line.game
        if line.start != game.start():
            return ""
        with self._lock:
            if game.name not in self._names:
                self._names[game.name] = named_positions(game)
            names = self._names[game.name]
        for s in reversed(line.states[1:MOST_PLIES]):
            if game.identity(s) in names:
                return names[game.identity(s)]
        return ""


def named_positions(game: Game) -> dict[Any, str]:
    """The positions that the game's openings lead to, with their names.

    >>> from zerosum.games import load
    >>> game = load("checkers")
    >>> named_positions(game)[game.identity(Line.parse(game, "9-13 21-17 5-9").state)]
    'ballot 1'
    """
    lines: dict[tuple[str, ...], Line] = {(): Line(game)}  # openings share their first moves
    found: dict[Any, str] = {}
    for group in reversed(game.openings().values()):
        for name, text in group.items():
            words = tuple(text.replace(",", " ").split())
            try:
                for count in range(len(words)):
                    if words[: count + 1] not in lines:
                        before = lines[words[:count]]
                        (move,) = game.parse_moves(before.state, words[count])
                        lines[words[: count + 1]] = before.play(move)
                found[game.identity(lines[words].state)] = name
            except (ZerosumError, ValueError):
                continue  # a user's game; playing this opening will report the error
    return found
