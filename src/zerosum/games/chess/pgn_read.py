"""PGN in: the games of a file; ``games/pgn/read.py`` says what is understood."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TextIO

from zerosum.errors import MoveError, PgnError
from zerosum.games.chess.notation import from_fen, from_san
from zerosum.games.chess.pgn_tree import NULL_MOVE, REMEMBERED, PgnGame, can_pass
from zerosum.games.pgn.read import GameReader, games_in, only_game

_remembered = lru_cache(REMEMBERED)(from_san)


def read_games(
    source: str | os.PathLike[str] | TextIO,
    on_error: Callable[[PgnError], None] | None = None,
    plies: int | None = None,
) -> Iterator[PgnGame]:
    """The games of a file or an open text stream, one after the other.

    The first game that makes no sense ends the reading with a PgnError; with ``on_error`` that is called with
    the error instead, and the reading goes on with the next game. ``plies`` leaves out the moves behind so many
    and all variations: much faster where only openings are wanted.

    >>> import io
    >>> [game.tags["White"] for game in read_games(io.StringIO('[White "A"]\\n\\n1. e4 *\\n\\n[White "B"]\\n\\n*\\n'))]
    ['A', 'B']
    """
    return games_in(source, _ChessReader, on_error, plies)


def parse_game(text: str) -> PgnGame:
    """The one game in a text.

    >>> parse_game("1. e4 (1. d4 d5) e5 1-0").result
    '1-0'
    """
    game: PgnGame = only_game(text, _ChessReader)
    return game


class _ChessReader(GameReader):
    def new_game(self, start: Any) -> PgnGame:
        return PgnGame(self.tags, start, line=self.first_line)

    def position(self, fen: str) -> Any:
        return from_fen(fen)

    def move(self, s: Any, word: str, passes: bool) -> int:
        if not passes:
            return int(_remembered(s, word))
        if not can_pass(s):
            raise MoveError("is a pass, which nobody can make in check")
        return NULL_MOVE
