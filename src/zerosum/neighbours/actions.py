"""A game as learners see it: actions as numbers from 0, and observations as vectors of zeros and ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zerosum.errors import LimitError
from zerosum.game import Game
from zerosum.state import WORD

OBSERVATIONS = ("nothing", "active", "bits")
"""Kinds of observations; ``stepping`` uses their indices."""


@dataclass(frozen=True)
class Actions:
    """The number of actions of a game, and whether an action is a move or the index of one in the list of moves.

    >>> from zerosum.games import load
    >>> Actions.of(load("tictactoe")), Actions.of(load("chess"))
    (Actions(count=9, are_moves=True), Actions(count=218, are_moves=False))
    """

    count: int
    are_moves: bool

    @classmethod
    def of(cls, game: Game, kind: str | None = None) -> Actions:
        if kind not in (None, "moves", "places"):
            raise LimitError(f"actions must be 'moves' or 'places', not {kind!r}")
        if kind == "moves" and game.actions is None:
            raise LimitError(f"{game.name} does not declare how many actions it has: use actions='places'")
        if game.actions is not None and kind != "places":
            return cls(game.actions, True)
        return cls(game.max_moves, False)

    def of_moves(self, legal: list[int]) -> list[int]:
        """The actions for these legal moves, in the same order."""
        return legal if self.are_moves else list(range(len(legal)))

    def move(self, action: int, legal: list[int]) -> int:
        """The move that an action stands for when these moves are legal."""
        return action if self.are_moves else legal[action]


def observation_size(game: Game, kind: str | None = None) -> tuple[str, int]:
    """The kind of observation, by default the game's own features if it has some, and its size."""
    if kind is not None and kind not in OBSERVATIONS:
        raise LimitError(f"observe must be 'active', 'bits' or 'nothing', not {kind!r}")
    if kind == "active" and not game.has("active"):
        raise LimitError(f"{game.name} defines no active(s, player): use observe='bits'")
    kind = kind or ("active" if game.has("active") else "bits")
    return kind, {"nothing": 0, "active": game.active_features, "bits": 64 * game.state_type.size}[kind]


def observation(game: Game, kind: str, s: Any, player: int) -> Any:
    """The observation of ``s`` by ``player``: a NumPy array of zeros and ones; all zeros if the game is over.

    >>> from zerosum.games import load
    >>> game = load("tictactoe")
    >>> observation(game, "bits", game.play(game.initial(), 4), 1)[:9]
    array([0, 0, 0, 0, 1, 0, 0, 0, 0], dtype=uint8)
    """
    import numpy as np

    _, size = observation_size(game, kind)
    seen = np.zeros(size, np.uint8)
    if game.is_over(s):
        return seen
    if kind == "active":
        seen[game.checked_active(s, player)] = 1
    elif kind == "bits":
        words = np.array([word & WORD for word in game.state_type.words(s)], "<u8")
        seen[:] = np.unpackbits(words.view(np.uint8), bitorder="little")
    return seen
