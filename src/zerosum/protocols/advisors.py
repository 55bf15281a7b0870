"""Moves without a search: an opening book, and endgame tables at the root.

The game opens both: ``book(path)`` has ``pick(s, rng)``; ``tablebase(path)`` has ``best_move(s)`` and ``outcome(s)``.
Each returns None for an unknown position.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.game import Game


class Advice(NamedTuple):
    """A move, its source, and the outcome for the side to move: 1 a win, 0 a draw, -1 a loss, None if unknown."""

    move: int
    source: str
    outcome: int | None = None


class Advisors:
    """The book and the tables of a game, if files were given."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.book: Any = None
        self.tables: Any = None
        self._chance = random.Random(seed)

    def open_book(self, path: str) -> None:
        """Use this book, or none if ``path`` is empty; raises ZerosumError if it cannot be read."""
        self.book = None
        self.book = _opened(self.game.book, path) if path else None

    def open_tables(self, path: str) -> None:
        """Use these tables, or none if ``path`` is empty; raises ZerosumError if they cannot be read."""
        self.tables = None
        self.tables = _opened(self.game.tablebase, path) if path else None

    def advise(self, s: Any, legal: list[int], own_book: bool) -> Advice | None:
        """A move from the book (with ``own_book``) or from the tables; None if neither has one."""
        if own_book and self.book is not None:
            move = self.book.pick(s, self._chance)
            if move in legal:
                return Advice(move, "book")
        if self.tables is not None:
            move = self.tables.best_move(s)
            if move in legal:
                return Advice(move, "tables", self.tables.outcome(s))
        return None


def _opened(open_file: Callable[[str], Any], path: str) -> Any:
    try:
        return open_file(path)
    except ZerosumError:
        raise
    except ImportError as problem:
        raise ZerosumError(f"{path!r} cannot be used: {problem}") from problem
    except OSError as problem:
        raise ZerosumError(f"{path!r} cannot be read: {problem.strerror or problem}") from problem
