"""Who may know the move without a search: an opening book, and endgame tables at the root.

Both belong to a game: the modules named here have ``Book(path)`` with ``pick(s, rng)``, and ``Tables(path)`` with
``best_move(s)`` and ``probe_wdl(s)``, each of which is None where they know nothing.
"""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.game import Game

BOOKS = {"chess": "zerosum.games.chess.book"}
TABLES = {"chess": "zerosum.games.chess.syzygy"}


class Advice(NamedTuple):
    """A move, where it is from, and for whom it is won: 1 for the player to move, 0 nobody, -1 the other, or None."""

    move: int
    source: str
    outcome: int | None = None


class Advisors:
    """The book and the tables of a game, as far as files were given."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.book: Any = None
        self.tables: Any = None
        self._chance = random.Random(seed)

    def open_book(self, path: str) -> None:
        """Use this book from now on; none if ``path`` is empty. ZerosumError if it cannot be read."""
        self.book = None
        self.book = _opened(BOOKS[self.game.name], "Book", path) if path else None

    def open_tables(self, path: str) -> None:
        """Use these tables from now on; none if ``path`` is empty. ZerosumError if they cannot be read."""
        self.tables = None
        self.tables = _opened(TABLES[self.game.name], "Tables", path) if path else None

    def advise(self, s: Any, legal: list[int], own_book: bool) -> Advice | None:
        """The move that the book (if it is wanted) or the tables know."""
        if own_book and self.book is not None:
            move = self.book.pick(s, self._chance)
            if move in legal:
                return Advice(move, "book")
        if self.tables is not None:
            move = self.tables.best_move(s)
            if move in legal:
                wdl = self.tables.probe_wdl(s)
                # Wins and losses that the fifty-move rule spoils are -1 and 1: draws.
                return Advice(move, "tables", None if wdl is None else (wdl == 2) - (wdl == -2))
        return None


def _opened(module: str, name: str, path: str) -> Any:
    try:
        return getattr(import_module(module), name)(path)
    except ZerosumError:
        raise
    except ImportError as problem:
        raise ZerosumError(f"{path!r} cannot be used: {problem}") from problem
    except OSError as problem:
        raise ZerosumError(f"{path!r} cannot be read: {problem.strerror or problem}") from problem
