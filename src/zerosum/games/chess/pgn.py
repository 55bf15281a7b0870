"""PGN: games of chess in and out, with comments, clocks, glyphs and variations.

>>> game = parse_game('[White "Anna"] [Result "1-0"] 1. e4 { [%clk 0:01:00] } e5 (1... c5 $1) 2. Qh5 Nc6 1-0')
>>> game.main.moves[0].clock, game.main.moves[1].variations[0].moves[0].nags, game.result
(60.0, [1], '1-0')
>>> print(format_game(game).splitlines()[-2])
1. e4 { [%clk 0:01:00] } 1... e5 (1... c5 $1) 2. Qh5 Nc6 1-0
"""

from __future__ import annotations

from zerosum.errors import PgnError
from zerosum.games.chess.pgn_read import parse_game, read_games
from zerosum.games.chess.pgn_tree import NULL_MOVE, PgnGame
from zerosum.games.chess.pgn_write import format_game, write_games
from zerosum.games.pgn.read import open_pgn
from zerosum.games.pgn.tree import PgnMove, Variation

__all__ = [
    "NULL_MOVE",
    "PgnError",
    "PgnGame",
    "PgnMove",
    "Variation",
    "format_game",
    "open_pgn",
    "parse_game",
    "read_games",
    "write_games",
]
