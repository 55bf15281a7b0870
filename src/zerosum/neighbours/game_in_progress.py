"""A game in progress, for libraries that keep its history themselves: the position, and whether the game is over."""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.game import CHANCE, Game

LONGEST = 1000
"""Default number of plies after which a game is truncated."""


class GameInProgress(NamedTuple):
    """A State with what it does not contain: the number of plies so far, and the positions that may recur.

    >>> from zerosum.games import load
    >>> game = load("tictactoe")
    >>> current = GameInProgress.begin(game)
    >>> current.legal(game), current.after(game, 4).legal(game)[:4]
    ([0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 2, 3])
    """

    s: Any
    plies: int = 0
    past: tuple[Any, ...] = ()  # identities of positions, this one last; only if repetition counts
    is_repetition: bool = False

    @classmethod
    def begin(cls, game: Game) -> GameInProgress:
        s = game.start()
        return cls(s, 0, (_identity(game, s),) if game.repetition else ())

    def after(self, game: Game, move: int) -> GameInProgress:
        """The game after one legal move or outcome of chance."""
        s = game.successor(self.s, move)
        if not game.repetition:
            return GameInProgress(s, self.plies + 1)
        now = _identity(game, s)
        starts_anew = game.has("reversible") and game.to_move(self.s) != CHANCE and not game.reversible(self.s, move)
        past = (now,) if starts_anew else (*self.past, now)
        return GameInProgress(s, self.plies + 1, past, past.count(now) >= game.repetition)

    def legal(self, game: Game) -> list[int]:
        """The legal moves, or outcomes of chance; none if the game is over."""
        return [] if self.is_repetition else game.legal_moves(self.s)

    def value(self, game: Game) -> float:
        """The result of a finished game for MAX."""
        return 0.0 if self.is_repetition else game.final_value(self.s)


def _identity(game: Game, s: Any) -> Any:
    """The identity of a position as plain numbers, which can be copied and sent anywhere."""
    return game.identity(s) if game.has("key") else tuple(game.state_type.words(s))
