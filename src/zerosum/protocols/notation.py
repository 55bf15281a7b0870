"""Moves as single words: how programs write them to each other.

Most games' own notation for people will do. Where programs have another one for a game, ``PROGRAMS`` names the module
with its functions: ``to_uci(s, move, fischer)`` and ``from_uci(s, text)``, and for people ``to_san`` and ``from_san``.

>>> from zerosum.games import load
>>> game = load("othello")
>>> notation = Notation(game)
>>> notation.write(game.initial(), notation.read(game.initial(), "D3"))
'd3'
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any

from zerosum.errors import MoveError
from zerosum.game import Game

PROGRAMS = {"chess": "zerosum.games.chess.notation"}
"""By name of the game: the module with the notation that programs use for its moves."""

BLANK = "_"
"""Stands for a blank within a move: words of a line are split at blanks."""


class Notation:
    """Moves of one game as words."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.fischer = False  # castling is written "king takes rook", as in Fischer's chess
        self._module: Any = import_module(PROGRAMS[game.name]) if game.name in PROGRAMS else None

    def write(self, s: Any, move: int) -> str:
        """The move as one word."""
        if self._module is not None:
            return str(self._module.to_uci(s, move, self.fischer))
        return BLANK.join(self.game.format_move(s, move).split())

    def read(self, s: Any, word: str) -> int:
        """The legal move that the word stands for; MoveError, quoting it, if there is none."""
        if self._module is not None:
            return int(self._module.from_uci(s, word))
        try:
            return self.game.parse_move(s, word)
        except MoveError:
            for move in self.game.legal_moves(s):
                if self.write(s, move).lower() == word.lower():
                    return move
            raise

    def read_by_people(self, s: Any, word: str) -> int:
        """The legal move that a person or a book writes like this: SAN in chess."""
        if self._module is None:
            return self.read(s, word)
        try:
            return int(self._module.from_san(s, word))
        except MoveError:
            with suppress(MoveError):
                return self.read(s, word)
            raise

    def write_for_people(self, s: Any, move: int) -> str:
        """The move as a person writes it: SAN in chess."""
        return str(self._module.to_san(s, move)) if self._module is not None else self.game.format_move(s, move)

    def write_line(self, s: Any, moves: tuple[int, ...]) -> str:
        """Moves one after the other, played from ``s``."""
        words = []
        for move in moves:
            words.append(self.write(s, move))
            s = self.game.play(s, move)
        return " ".join(words)
