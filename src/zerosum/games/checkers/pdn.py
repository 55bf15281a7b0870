"""Read and write games of draughts in PDN, which is PGN with other moves.

Black moves first, and ``1-0`` is a win for White, as in chess. Comments, glyphs and variations are kept. Games whose
GameType is not English draughts are refused.

>>> game = parse_game('[Black "Anna"] [GameType "21"] 1. 11-15 { the usual one } 22-18 (22-17 $1) 2. 15x22 25x18 0-1')
>>> game.result, [len(node.variations) for node in game.main.moves]
('0-1', [0, 1, 0, 0])
>>> print(format_game(game).splitlines()[-2])
1. 11-15 { the usual one } 1... 22-18 (1... 22-17 $1) 2. 15x22 25x18 0-1
>>> parse_game("1. 11-15 22-18 2. 8-11")
Traceback (most recent call last):
zerosum.errors.PgnError: line 1: '8-11' is not a legal move here; legal: 15x22
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TextIO

from zerosum.errors import PgnError
from zerosum.game import Game
from zerosum.games import load
from zerosum.games.checkers.fen import from_fen, to_fen
from zerosum.games.checkers.position import WHITE
from zerosum.games.pgn.read import GameReader, games_in, only_game
from zerosum.games.pgn.tree import AnnotatedGame
from zerosum.games.pgn.write import WIDTH, Notation, roster_first, write_texts, written

GAME_TYPE = "21"
"""The number of English draughts among PDN's game types."""

# Some files count two points for a win and one each for a draw.
POINTS = {"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2", "0-0": "*"}


@dataclass
class PdnGame(AnnotatedGame):
    """A game in a PDN file; see AnnotatedGame for its fields."""

    @staticmethod
    def rules() -> Game:
        return checkers()


@cache
def checkers() -> Game:
    """The rules of checkers, loaded once."""
    return load("checkers")


def read_games(
    source: str | os.PathLike[str] | TextIO,
    on_error: Callable[[PgnError], None] | None = None,
    plies: int | None = None,
) -> Iterator[PdnGame]:
    """Read the games in a file or an open text stream, one at a time.

    The first invalid game raises a PgnError, which quotes the line number and the word. With ``on_error``, that
    function is called with the error instead, and reading continues with the next game. ``plies`` limits the number of
    moves that are read.
    """
    return games_in(source, _PdnReader, on_error, plies)


def parse_game(text: str) -> PdnGame:
    """The only game in a text; PgnError if there is not exactly one."""
    game: PdnGame = only_game(text, _PdnReader)
    return game


class _PdnReader(GameReader):
    other_results = POINTS

    def new_game(self, start: Any) -> PdnGame:
        return PdnGame(self.tags, start, line=self.first_line)

    def position(self, fen: str) -> Any:
        return from_fen(fen)

    def check_tags(self) -> None:
        kind = self.tags.get("GameType", GAME_TYPE)
        if kind.split(",")[0].strip() != GAME_TYPE:
            self.fail(kind, f"is not the GameType of English draughts, {GAME_TYPE}", self.first_line)

    def move(self, s: Any, word: str, passes: bool) -> int:
        return int(checkers().parse_move(s, word))


# Writing


def format_game(game: AnnotatedGame, width: int = WIDTH) -> str:
    """The game as text, ending with an empty line so that another game can follow."""
    return written(game, _tags(game), NUMBERS, width)


def write_games(games: Iterable[AnnotatedGame], target: str | os.PathLike[str] | TextIO, width: int = WIDTH) -> int:
    """Write games to a file, which appears only when all are written, or to an open stream; return their number."""
    return write_texts((format_game(game, width) for game in games), target)


def _tags(game: AnnotatedGame) -> dict[str, str]:
    """The tags to write, with the GameType, and with the start position unless it is the usual one."""
    tags = roster_first(game, {"GameType": GAME_TYPE})
    if "FEN" in tags or game.start != checkers().start():
        tags |= {"SetUp": "1", "FEN": to_fen(game.start)}
    return tags


def _ply(s: Any) -> int:
    """The ply of a position: a FEN has no reliable move number, so the first move is number 1."""
    return 2 + int(s.turn == WHITE)


NUMBERS = Notation(lambda s, move: checkers().format_move(s, move), lambda s, move: checkers().play(s, move), _ply)
