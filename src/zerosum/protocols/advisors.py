"""Who may know the move without a search: an opening book, and endgame tables at the root.

Both belong to a game, which opens them: ``book(path)`` has ``pick(s, rng)``; ``tablebase(path)`` has ``best_move(s)``
and ``outcome(s)``. Each answer is None where they know nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.game import Game


class Advice(NamedTuple):
    """A move, where it is from, and who wins: 1 for the side to move, 0 for nobody, -1 for the other, or None."""

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
        self.book = _opened(self.game.book, path) if path else None

    def open_tables(self, path: str) -> None:
        """Use these tables from now on; none if ``path`` is empty. ZerosumError if they cannot be read."""
        self.tables = None
        self.tables = _opened(self.game.tablebase, path) if path else None

    def advise(self, s: Any, legal: list[int], own_book: bool) -> Advice | None:
        """The move that the book (if it is wanted) or the tables know."""
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
