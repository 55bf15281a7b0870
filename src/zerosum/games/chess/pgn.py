"""Read and write chess games in PGN, with comments, clocks, glyphs and variations.

``games/pgn/`` has the common parts of reading and writing; this module adds the moves of chess, and the null move.

>>> game = parse_game('[White "Anna"] [Result "1-0"] 1. e4 { [%clk 0:01:00] } e5 (1... c5 $1) 2. Qh5 Nc6 1-0')
>>> game.main.moves[0].clock, game.main.moves[1].variations[0].moves[0].nags, game.result
(60.0, [1], '1-0')
>>> print(format_game(game).splitlines()[-2])
1. e4 { [%clk 0:01:00] } 1... e5 (1... c5 $1) 2. Qh5 Nc6 1-0
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TextIO

from zerosum.errors import MoveError, PgnError, PositionError
from zerosum.game import Game
from zerosum.games import load
from zerosum.games.chess.notation import from_fen, from_san, to_fen, to_san
from zerosum.games.chess.play import complete
from zerosum.games.chess.position import BLACK
from zerosum.games.chess.tables import default_tables
from zerosum.games.pgn.read import GameReader, games_in, only_game
from zerosum.games.pgn.tree import AnnotatedGame
from zerosum.games.pgn.write import WIDTH, Notation, roster_first, write_texts, written

NULL_MOVE = -1
"""The null move ``--``, a pass in an annotator's variation; it is not a move of the game."""

REMEMBERED = 8192
"""The number of cached positions: games in a file share their openings, and playing moves in plain Python is slow."""

_remembered = lru_cache(REMEMBERED)(from_san)


@dataclass
class PgnGame(AnnotatedGame):
    """A game in a PGN file; see AnnotatedGame for its fields."""

    @staticmethod
    def rules() -> Game:
        return chess()

    @classmethod
    def after(cls, s: Any, move: int) -> Any:
        return after(s, move)


@cache
def chess() -> Game:
    """The rules of chess, loaded once."""
    return load("chess")


@lru_cache(REMEMBERED)
def after(s: Any, move: int) -> Any:
    """The position after a move, which may be the null move."""
    if move != NULL_MOVE:
        return chess().play(s, move)
    # Not the game's own ``skip``, which is for the search and returns the same position where zugzwang is common.
    passed = s._replace(turn=1 - s.turn, en_passant=0, clock=s.clock + 1, number=s.number + s.turn)
    return complete(passed, default_tables())


# Reading


def read_games(
    source: str | os.PathLike[str] | TextIO,
    on_error: Callable[[PgnError], None] | None = None,
    plies: int | None = None,
) -> Iterator[PgnGame]:
    """Read the games in a file or an open text stream, one at a time.

    The first invalid game raises a PgnError. With ``on_error``, that function is called with the error instead, and
    reading continues with the next game. ``plies`` limits the moves that are read and skips all variations, which is
    much faster if you need only the openings.

    >>> import io
    >>> [game.tags["White"] for game in read_games(io.StringIO('[White "A"]\\n\\n1. e4 *\\n\\n[White "B"]\\n\\n*\\n'))]
    ['A', 'B']
    """
    return games_in(source, _ChessReader, on_error, plies)


def parse_game(text: str) -> PgnGame:
    """The only game in a text; PgnError if there is not exactly one.

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
        if chess().is_forced(s):
            raise MoveError("is a null move, which is not allowed in check")
        return NULL_MOVE


# Writing


def format_game(game: PgnGame, width: int = WIDTH) -> str:
    """The game as text, ending with an empty line so that another game can follow.

    >>> print(format_game(PgnGame(tags={"White": "Anna"})).splitlines()[4])
    [White "Anna"]
    """
    return written(game, _tags(game), SAN, width)


def write_games(games: Iterable[PgnGame], target: str | os.PathLike[str] | TextIO, width: int = WIDTH) -> int:
    """Write games to a file, which appears only when all are written, or to an open stream; return their number."""
    return write_texts((format_game(game, width) for game in games), target)


def _tags(game: PgnGame) -> dict[str, str]:
    """The tags to write, with the start position unless it is the usual one."""
    tags = roster_first(game)
    start = _position(tags["FEN"]) if "FEN" in tags else chess().start()
    if start != game.start:
        tags |= {"SetUp": "1", "FEN": to_fen(game.start)}
    return tags


def _position(fen: str) -> Any:
    try:
        return from_fen(fen)
    except PositionError:
        return None


def _text(s: Any, move: int) -> str:
    return "--" if move == NULL_MOVE else to_san(s, move)


def _ply(s: Any) -> int:
    return 2 * int(s.number) + int(s.turn == BLACK)


SAN = Notation(_text, after, _ply)
