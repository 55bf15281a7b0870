"""Openings: where the games of a match begin. Each is played from both sides.

A file holds positions (``.epd``, ``.fen``), games whose first moves count (``.pgn`` of chess, ``.pdn`` of checkers) or
lines of moves (``.txt``, ``.moves``); or it is a ``.zip`` of such files. Files of hundreds of thousands of openings are
only cut into pieces; a piece is read when its turn comes. ``random:4`` stands for four random moves from the start, and
``ballots`` for the openings that are drawn by lot in checkers.

>>> from zerosum.games import load
>>> openings = Openings(load("checkers"), "ballots")
>>> len(openings), len(openings.opening(0))
(157, 3)
"""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from zerosum.arena.forms import TREES, TreeForm
from zerosum.errors import ArenaError, ZerosumError
from zerosum.game import CHANCE, Game, Line
from zerosum.protocols.epd import parse_epd

LARGEST = 1 << 30
"""Bytes: a larger file of openings is a slip, or meant to harm."""

NAMED = {"ballots": ("checkers", "zerosum.games.checkers.ballots")}
"""Openings that come with a game: their name, the game, and the module whose ``path()`` is the file."""

PGN_GAME = re.compile(r'(?<=\n)[ \t]*\r?\n(?=\s*\[\s*\w+\s*")')
ATTEMPTS = 100
"""Random openings that end the game are thrown away; if so many do, there is none."""


class Openings:
    """All openings of a match, in an order that the seed decides. ``opening(n)`` begins anew after the last."""

    def __init__(self, game: Game, source: str = "", seed: int = 0, plies: int | None = None) -> None:
        self.game, self.source, self.seed, self.plies = game, source, seed, plies
        self._pieces: list[tuple[str, str, int]] = []  # kind, text, line in its file
        self._random_plies = 0
        if source.startswith("random:"):
            self._random_plies = _count(source)
        elif source:
            self._pieces = _read(_file(source, game), game)
        self._order = list(range(len(self._pieces)))
        random.Random(f"openings {seed}").shuffle(self._order)
        self._known: dict[int, Line] = {}

    def __len__(self) -> int:
        """How many different ones there are; 0 for random ones, which are as many as you like."""
        return 0 if self._random_plies else max(len(self._pieces), 1)

    def opening(self, number: int) -> Line:
        """The opening of this number, from 0; ArenaError, naming file and line, if it makes no sense."""
        if number not in self._known:
            self._known[number] = self._make(number)
        return self._known[number]

    def _make(self, number: int) -> Line:
        if self._random_plies:
            return self._random(number)
        if not self._pieces:
            return Line(self.game)
        kind, text, at = self._pieces[self._order[number % len(self._order)]]
        try:
            line = READERS[kind](self.game, text, self.plies)
        except ZerosumError as problem:
            raise ArenaError(f"{self.source!r}, line {at}: {problem}") from problem
        if self.game.is_over(line.state):
            raise ArenaError(f"{self.source!r}, line {at}: the opening {_brief(text)} ends the game")
        return line

    def _random(self, number: int) -> Line:
        chance = random.Random(f"opening {self.seed} {number}")
        for _ in range(ATTEMPTS):
            line, made = Line(self.game), 0
            while made < self._random_plies and (legal := self.game.legal_moves(line.state)):
                rolls = self.game.to_move(line.state) == CHANCE
                line = line.play(roll(self.game, line.state, chance) if rolls else chance.choice(legal))
                made += not rolls
            if not self.game.is_over(line.state):
                return line
        raise ArenaError(f"{self.source!r}: the game is over after so many random moves; take fewer")


def roll(game: Game, s: Any, dice: random.Random) -> int:
    """An outcome of chance; the same dice give equal outcomes in equal positions."""
    outcomes = game.checked_chances(s)
    left = dice.random()
    for outcome, chance in outcomes:
        left -= chance
        if left < 0:
            return outcome
    return outcomes[-1][0]


def _count(source: str) -> int:
    word = source.partition(":")[2]
    if not word.isdecimal() or not 0 < int(word) <= 1000:
        raise ArenaError(f"the openings {source!r}: write 'random:N' with N from 1 to 1000")
    return int(word)


# From a file to pieces


def _file(source: str, game: Game) -> Path:
    """Where openings are that go by a name, or else the file that was given."""
    if source not in NAMED:
        return Path(source)
    owner, module = NAMED[source]
    if game.name != owner:
        raise ArenaError(
            f"the openings {source!r} are those of {owner}; {game.name} has none: give a file, or random:4"
        )
    path: Path = import_module(module).path()
    return path


def _read(path: Path, game: Game) -> list[tuple[str, str, int]]:
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
        raise ArenaError(f"the openings {str(path)!r} hold none")
    return pieces


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def _cut(name: str, suffix: str, text: str, game: Game) -> list[tuple[str, str, int]]:
    form = TREES.get(suffix)
    if form is not None:
        if game.name != form.game:
            raise ArenaError(f"the openings {name!r}: {form.title} is for {form.game}, not for {game.name}")
        return _cut_games(text, suffix)
    kind = {".epd": "position", ".fen": "position", ".txt": "moves", ".moves": "moves"}.get(suffix)
    if kind is None:
        raise ArenaError(
            f"the openings {name!r}: {suffix or 'no ending'} is unknown; use .epd, .fen, .pgn, .pdn, .txt or .zip"
        )
    lines = enumerate(text.splitlines(), 1)
    return [(kind, line.strip(), at) for at, line in lines if line.strip() and not line.lstrip().startswith("#")]


def _cut_games(text: str, kind: str) -> list[tuple[str, str, int]]:
    """The games of a PGN or PDN file: a new one begins with the first tag behind moves."""
    pieces, begin, at = [], 0, 1
    for gap in PGN_GAME.finditer(text):
        piece = text[begin : gap.end()]
        if piece.strip():
            pieces.append((kind, piece, at))
        at += piece.count("\n")
        begin = gap.end()
    if text[begin:].strip():
        pieces.append((kind, text[begin:], at))
    return pieces


# From a piece to a line


def _from_position(game: Game, text: str, plies: int | None) -> Line:
    return Line(game, parse_epd(game, text).state)


def _from_moves(game: Game, text: str, plies: int | None) -> Line:
    return Line.parse(game, text.replace(",", " ").split()[:plies])


def _from_games(form: TreeForm) -> Callable[[Game, str, int | None], Line]:
    def read(game: Game, text: str, plies: int | None) -> Line:
        found = list(import_module(form.module).read_games(io.StringIO(text), plies=plies))
        if len(found) != 1:
            raise ArenaError(f"{_brief(text)} is not one game")
        return Line(game, found[0].start, found[0].moves[:plies])

    return read


READERS: dict[str, Callable[[Game, str, int | None], Line]] = {
    "position": _from_position,
    "moves": _from_moves,
    **{suffix: _from_games(form) for suffix, form in TREES.items()},
}


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else f"{line[:59]}…")
