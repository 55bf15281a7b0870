"""Openings: where the games of a match begin. Each is played from both sides.

A file contains positions (``.epd``, ``.fen``), games in a format of the game, whose first moves are used, or lines of
moves (``.txt``, ``.moves``); or it is a ``.zip`` of such files. Files may contain hundreds of thousands of openings:
they are only split into pieces, and a piece is parsed when it is needed. ``random:4`` means four random moves from the
start; other names are sets that come with the game, such as ``ballots`` in checkers.

>>> from zerosum.games import load
>>> openings = Openings(load("checkers"), "ballots")
>>> len(openings), len(openings.opening(0))
(157, 3)
"""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable
from pathlib import Path

from zerosum.errors import ArenaError, ZerosumError
from zerosum.formats.common import JSON_LINES
from zerosum.formats.format import Piece
from zerosum.game import CHANCE, Game, Line
from zerosum.protocols.epd import parse_epd

LARGEST = 1 << 30
"""Maximum size of a file of openings in bytes: a larger one is a mistake or an attack."""

Reader = Callable[[str, int | None], Line]
"""A function from the text of an opening to the line of its first plies."""

ATTEMPTS = 100
"""Attempts to find a random opening that does not end the game."""


class Openings:
    """All openings of a match, in an order that depends on the seed. ``opening(n)`` starts over after the last."""

    def __init__(self, game: Game, source: str = "", seed: int = 0, plies: int | None = None) -> None:
        self.game, self.source, self.seed, self.plies = game, source, seed, plies
        self._pieces: list[Piece] = []
        self._random_plies = 0
        if source.startswith("random:"):
            self._random_plies = _count(source)
        elif source:
            self._pieces = _pieces(game, source)
        self._order = list(range(len(self._pieces)))
        random.Random(f"openings {seed}").shuffle(self._order)
        self._known: dict[int, Line] = {}

    def __len__(self) -> int:
        """The number of different openings; 0 for random ones, which are unlimited."""
        return 0 if self._random_plies else max(len(self._pieces), 1)

    def opening(self, number: int) -> Line:
        """The opening with this number, from 0; ArenaError with file and line if it is invalid."""
        if number not in self._known:
            self._known[number] = self._make(number)
        return self._known[number]

    def _make(self, number: int) -> Line:
        if self._random_plies:
            return self._random(number)
        if not self._pieces:
            return Line(self.game)
        piece = self._pieces[self._order[number % len(self._order)]]
        try:
            line = piece.line(self.plies)
        except ZerosumError as problem:
            raise ArenaError(f"{self.source!r}, {piece.where}: {problem}") from problem
        if self.game.is_over(line.state):
            raise ArenaError(f"{self.source!r}, {piece.where}: the opening {_brief(piece.text)} ends the game")
        return line

    def _random(self, number: int) -> Line:
        chance = random.Random(f"opening {self.seed} {number}")
        for _ in range(ATTEMPTS):
            line, made = Line(self.game), 0
            while made < self._random_plies and (legal := self.game.legal_moves(line.state)):
                rolls = self.game.to_move(line.state) == CHANCE
                line = line.play(self.game.roll(line.state, chance) if rolls else chance.choice(legal))
                made += not rolls
            if not self.game.is_over(line.state):
                return line
        raise ArenaError(f"{self.source!r}: the game is over after this many random moves; use fewer")


def _count(source: str) -> int:
    word = source.partition(":")[2]
    if not word.isdecimal() or not 0 < int(word) <= 1000:
        raise ArenaError(f"the openings {source!r}: write 'random:N' with N from 1 to 1000")
    return int(word)


# Names and files to pieces


def _pieces(game: Game, source: str) -> list[Piece]:
    """The openings of a file, or of a set that comes with the game."""
    sets = game.openings()
    if source in sets:
        return [Piece(repr(name), moves, _moves(game)) for name, moves in sets[source].items()]
    path = Path(source)
    if not path.suffix and not path.exists():
        known = f"has {', '.join(map(repr, sets))}" if sets else "has none"
        raise ArenaError(
            f"the openings {source!r} are neither a file nor a set that comes with the game: {game.name} {known};"
            " give a file, or random:4"
        )
    return _read(path, game)


def _read(path: Path, game: Game) -> list[Piece]:
    try:
        if path.suffix.lower() != ".zip":
            if path.stat().st_size > LARGEST:
                raise ArenaError(f"the openings {str(path)!r} are larger than {LARGEST >> 20} MiB")
            pieces = _cut(str(path), path.suffix.lower(), _decoded(path.read_bytes()), game)
        else:
            pieces = []
            with zipfile.ZipFile(path) as archive:
                for member in archive.infolist():
                    if member.is_dir():
                        continue
                    if member.file_size > LARGEST:
                        raise ArenaError(f"{str(path)!r}: {member.filename!r} is larger than {LARGEST >> 20} MiB")
                    name = f"{path}/{member.filename}"
                    pieces += _cut(name, Path(member.filename).suffix.lower(), _decoded(archive.read(member)), game)
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ArenaError(f"the openings {str(path)!r} cannot be read: {reason}") from problem
    if not pieces:
        raise ArenaError(f"the file {str(path)!r} contains no openings")
    return pieces


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def _cut(name: str, suffix: str, text: str, game: Game) -> list[Piece]:
    formats = {one.suffix: one for one in (*game.formats, JSON_LINES)}
    if suffix in formats:
        try:
            return formats[suffix].pieces(game, text)
        except ZerosumError as problem:
            raise ArenaError(f"the openings {name!r}: {problem}") from problem
    own = {one.suffix: _position for one in (game.programs.positions if game.programs is not None else ())}
    rows = {**own, **ROWS}
    if suffix not in rows:
        endings = ", ".join([".epd", ".fen", *own, *formats, ".txt"])
        raise ArenaError(f"the openings {name!r}: unknown file type {suffix!r}; use {endings} or .zip")
    read = rows[suffix](game)
    lines = ((at, row.strip()) for at, row in enumerate(text.splitlines(), 1))
    return [Piece(f"line {at}", row, read) for at, row in lines if row and not row.startswith("#")]


# Rows of a file to lines


def _position(game: Game) -> Reader:
    return lambda text, plies: Line(game, parse_epd(game, text).state)


def _moves(game: Game) -> Reader:
    def read(text: str, plies: int | None) -> Line:
        line = Line.parse(game, text.replace(",", " ").split()[:plies])
        # A word may contain several moves.
        return line if plies is None else line.back(max(0, len(line) - plies))

    return read


ROWS = {".epd": _position, ".fen": _position, ".txt": _moves, ".moves": _moves}
"""How to read a row of a file, by suffix."""


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else f"{line[:59]}…")
