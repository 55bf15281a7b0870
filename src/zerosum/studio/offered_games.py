"""The games of a studio: the installed ones, and the files given when it was started; never any other file.

>>> offered = OfferedGames()
>>> offered.game("tictactoe", {}).name
'tictactoe'
>>> offered.game("/etc/passwd.py", {})
Traceback (most recent call last):
    ...
zerosum.errors.StudioError: this studio has no game '/etc/passwd.py'
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from zerosum.board.inferred import drawable
from zerosum.errors import StudioError, ZerosumError
from zerosum.game import Game
from zerosum.games import catalogue, load, parameters_of
from zerosum.studio import positions
from zerosum.studio.messages import in_one_line

KEPT = 32
"""Number of games, each with its parameters, kept in memory."""


class OfferedGames:
    """Games by the names that pages use."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._files = _named(files)
        self._loaded: OrderedDict[Any, Game] = OrderedDict()
        self._lock = Lock()

    @property
    def first(self) -> str:
        """The game that a new page opens."""
        return next(iter(self._files), "tictactoe")

    def id_of(self, name: str) -> str:
        """The name that pages use for a game named on the command line: for a file, the last part of its path."""
        return next((id for id, file in self._files.items() if file == name), name)

    def catalogue(self) -> list[dict[str, Any]]:
        """Every game with its title, description and parameters; the user's own games come first."""
        return [*(self._own_entry(name, path) for name, path in self._files.items()), *self._installed]

    def thumbnails(self) -> dict[str, Any]:
        """The starting board of every game, or None if it has none, by the names of the catalogue."""
        found = {}
        for entry in self.catalogue():
            try:
                game = self.game(entry["id"], {})
                found[entry["id"]] = {**positions.board(game), "pieces": positions.pieces(game, game.start())}
            except Exception as problem:  # also of a rule of a user's game
                found[entry["id"]] = {"layout": None, "problem": in_one_line(problem)}
        return found

    @cached_property
    def _installed(self) -> list[dict[str, Any]]:
        """The installed games, which do not change while the server runs; finding them takes a while."""
        return [self._entry(name, entry.about, name) for name, entry in catalogue().items()]

    def _own_entry(self, name: str, path: str) -> dict[str, Any]:
        """The entry of a file, titled by the name of its game, or by the file's name if it cannot be loaded."""
        try:
            game = self.game(name, {})
            title, about = positions.title_of(game.name), game.about or "your own game"
        except ZerosumError:
            title, about = name, "cannot be loaded: open it to see why"
        return {**self._entry(name, about, path), "title": title, "own": True}

    def _entry(self, name: str, about: str, where: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        openings: list[tuple[str, str]] = []
        players: tuple[str, ...] = ()
        try:
            found = {k: v for k, v in parameters_of(where).items() if isinstance(v, (int, float, str))}
            game = load(where)
            players = game.players
            openings = [pair for one in game.openings().values() for pair in one.items()]
        except Exception:  # also of a rule of a user's game
            pass  # opening it reports the error
        return {
            "id": name,
            "title": positions.title_of(name),
            "about": about,
            "own": False,
            "players": list(players),
            "parameters": found,
            "openings": openings,
        }

    def game(self, name: str, settings: Mapping[str, Any]) -> Game:
        """The game with these parameters; a file that has changed is loaded again."""
        where = self._files.get(name, name)
        if name not in self._files and all(name != entry["id"] for entry in self._installed):
            raise StudioError(f"this studio has no game {name!r}")
        key = (where, _changed(where), tuple(sorted(settings.items())))
        with self._lock:
            if key not in self._loaded:
                self._loaded[key] = drawable(load(where, **settings))
                while len(self._loaded) > KEPT:
                    self._loaded.popitem(last=False)
            self._loaded.move_to_end(key)
            return self._loaded[key]


def _named(files: Iterable[str]) -> dict[str, str]:
    """Files by the last part of their path, or by the whole path if two have the same name."""
    named: dict[str, str] = {}
    for file in files:
        name = Path(file).name
        named[file if name in named else name] = file
    return named


def _changed(where: str) -> float:
    try:
        return os.stat(where).st_mtime if where.endswith(".py") else 0.0
    except OSError:
        return 0.0
