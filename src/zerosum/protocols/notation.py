"""Moves as single words, as programs write them to each other.

For most games this is the usual notation. If programs use another one, the game declares it: ``Game(programs=)``.

>>> from zerosum.games import load
>>> game = load("othello")
>>> notation = Notation(game)
>>> notation.write(game.initial(), notation.read(game.initial(), "D3"))
'd3'
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from zerosum.errors import MoveError
from zerosum.game import Game

BLANK = "_"
"""Replaces spaces within a move, because lines are split at spaces."""


class Notation:
    """Moves of one game as words."""

    def __init__(self, game: Game) -> None:
        self.game, self.programs = game, game.programs

    def choose(self, options: list[str]) -> None:
        """Use the notation of the game with these of its own options on."""
        self.programs = self.game.programs
        for name in options:
            assert self.programs is not None
            self.programs = self.programs._replace(**self.programs.options[name])

    def write(self, s: Any, move: int) -> str:
        """The move as one word."""
        if self.programs is not None:
            return self.programs.format_move(s, move)
        return BLANK.join(self.game.format_move(s, move).split())

    def read(self, s: Any, word: str) -> int:
        """The legal move that the word stands for; raises MoveError, quoting it, if there is none."""
        if self.programs is not None:
            return int(self.programs.parse_move(s, word))
        try:
            return self.game.parse_move(s, word)
        except MoveError:
            for move in self.game.legal_moves(s):
                if self.write(s, move).lower() == word.lower():
                    return move
            raise

    def read_any(self, s: Any, word: str) -> int:
        """The legal move of a word in the notation of people, books or programs."""
        try:
            return self.game.parse_move(s, word)
        except MoveError:
            with suppress(MoveError):
                return self.read(s, word)
            raise

    def write_line(self, s: Any, moves: tuple[int, ...]) -> str:
        """A sequence of moves from ``s``, as words."""
        words = []
        for move in moves:
            words.append(self.write(s, move))
            s = self.game.play(s, move)
        return " ".join(words)
