"""The endgame databases of a studio. Databases of games other than the one on the board are ignored."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from threading import Lock
from typing import Any

from zerosum.endgame.database import Database, Probe, read_manifest
from zerosum.errors import EndgameError, OutsideDatabase
from zerosum.game import Game


class Databases:
    """Folders with databases, opened when a game first needs one."""

    def __init__(self, folders: Iterable[str] = ()) -> None:
        self.folders = tuple(folders)
        for folder in self.folders:
            if read_manifest(Path(folder)) is None:
                raise EndgameError(f"--database {folder!r}: there is no endgame database in this folder")
        self._opened: dict[tuple[str, str], Database | None] = {}
        self._lock = Lock()

    def probe(self, game: Game, s: Any) -> Probe | None:
        """The outcome of ``s`` for MAX and the plies to the end; None if no database contains it."""
        for database in self._all_of(game):
            try:
                return database.probe(s)
            except OutsideDatabase:
                continue
        return None

    def of(self, game: Game) -> Database | None:
        """The first database of this game, for searches; None if there is none."""
        found = self._all_of(game)
        return found[0] if found and not game.has("chances") else None

    def _all_of(self, game: Game) -> list[Database]:
        with self._lock:
            opened = [self._database(folder, game) for folder in self.folders]
        return [database for database in opened if database is not None]

    def _database(self, folder: str, game: Game) -> Database | None:
        key = (folder, game.name)
        if key not in self._opened:
            try:
                self._opened[key] = Database.open(folder, game)
            except EndgameError:
                self._opened[key] = None  # a database of another game
        return self._opened[key]
