"""A game on its way, for libraries that keep the past themselves: where it stands, and whether that is its end."""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.game import CHANCE, Game

LONGEST = 1000
"""Plies after which a game is broken off unless told otherwise."""


class Walk(NamedTuple):
    """A State, and what it does not know: how many plies it took, and the positions that may come again.

    >>> from zerosum.games import load
    >>> game = load("tictactoe")
    >>> walk = Walk.begin(game)
    >>> walk.legal(game), walk.after(game, 4).legal(game)[:4]
    ([0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 2, 3])
    """

    s: Any
    plies: int = 0
    past: tuple[Any, ...] = ()  # identities of positions, this one last; only where repetition counts
    is_repetition: bool = False

    @classmethod
    def begin(cls, game: Game) -> Walk:
        s = game.start()
        return cls(s, 0, (_identity(game, s),) if game.repetition else ())

    def after(self, game: Game, move: int) -> Walk:
        """One legal move, or outcome of chance, later."""
        s = game.successor(self.s, move)
        if not game.repetition:
            return Walk(s, self.plies + 1)
        now = _identity(game, s)
        starts_anew = game.has("reversible") and game.to_move(self.s) != CHANCE and not game.reversible(self.s, move)
        past = (now,) if starts_anew else (*self.past, now)
        return Walk(s, self.plies + 1, past, past.count(now) >= game.repetition)

    def legal(self, game: Game) -> list[int]:
        """Moves, or outcomes of chance; none where the game is over."""
        return [] if self.is_repetition else game.legal_moves(self.s)

    def value(self, game: Game) -> float:
        """The result for MAX of a game that is over."""
        return 0.0 if self.is_repetition else game.final_value(self.s)


def _identity(game: Game, s: Any) -> Any:
    """What makes two positions the same one, as plain numbers, which can be copied and sent anywhere."""
    return game.identity(s) if game.has("key") else tuple(game.state_type.words(s))
