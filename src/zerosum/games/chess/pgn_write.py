"""PGN out: the export format, at most 80 signs to a line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, TextIO

from zerosum.errors import PositionError
from zerosum.games.chess.notation import from_fen, to_fen, to_san
from zerosum.games.chess.pgn_tree import NULL_MOVE, PgnGame, after, chess
from zerosum.games.chess.position import BLACK
from zerosum.games.pgn.write import WIDTH, Notation, roster_first, write_texts, written


def format_game(game: PgnGame, width: int = WIDTH) -> str:
    """A game as text that ends with an empty line, so that games can be written one behind the other.

    >>> print(format_game(PgnGame(tags={"White": "Anna"})).splitlines()[4])
    [White "Anna"]
    """
    return written(game, _tags(game), SAN, width)


def write_games(games: Iterable[PgnGame], target: str | os.PathLike[str] | TextIO, width: int = WIDTH) -> int:
    """Write games to a file, which appears when all are written, or to an open stream; how many they were."""
    return write_texts((format_game(game, width) for game in games), target)


def _tags(game: PgnGame) -> dict[str, str]:
    """With the position it starts from, unless that is the usual one."""
    tags = roster_first(game)
    told = _position(tags["FEN"]) if "FEN" in tags else chess().start()
    if told != game.start:
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
