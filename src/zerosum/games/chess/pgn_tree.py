"""A game of chess as PGN holds it. Reading and writing are next door."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from zerosum.game import Game
from zerosum.games import load
from zerosum.games.chess.play import complete
from zerosum.games.chess.tables import default_tables
from zerosum.games.pgn.tree import AnnotatedGame

NULL_MOVE = -1
"""What stands for ``--``, a pass in an annotator's variation; it is not a move of the game."""

REMEMBERED = 8192
"""How many positions are kept: games of one file share their openings, and plain Python is slow at playing moves."""


@dataclass
class PgnGame(AnnotatedGame):
    """One game of a PGN file; see AnnotatedGame for what it holds."""

    @staticmethod
    def rules() -> Game:
        return chess()

    @classmethod
    def after(cls, s: Any, move: int) -> Any:
        return after(s, move)


@cache
def chess() -> Game:
    """The rules."""
    return load("chess")


@lru_cache(REMEMBERED)
def after(s: Any, move: int) -> Any:
    """The position after a move, which may be a pass."""
    if move != NULL_MOVE:
        return chess().play(s, move)
    # Not the rules' own skip, which serves the search and refuses where passing would mislead it.
    passed = s._replace(turn=1 - s.turn, en_passant=0, clock=s.clock + 1, number=s.number + s.turn)
    return complete(passed, default_tables())


def can_pass(s: Any) -> bool:
    """Whether ``--`` makes sense here: not in check."""
    return not chess().is_forced(s)
