"""What a certificate claims, and what that takes: see docs/certificates.md."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from zerosum.errors import GameError
from zerosum.game import MAX, Game


class Claim(NamedTuple):
    """``player`` gets at least ``least``: of a game without margins 1 is a win, and 0 is at least a draw."""

    player: int
    least: int

    def gain(self, game: Game, s: Any) -> float:
        """What the player gets in the finished state ``s``."""
        value = game.final_value(s)
        if not game.scored:
            value = (value > 0) - (value < 0)
        return value if self.player == MAX else -value

    def is_safe(self, game: Game) -> bool:
        """Whether a game that never ends otherwise satisfies the claim: positions that come again make it a draw.

        Every other claim needs ranks, which show that the game ends.
        """
        return game.repetition > 0 and self.least <= 0


def claims_of(value: int, scored: bool) -> list[Claim]:
    """The claims that together say that a position has this value for MAX.

    >>> claims_of(3, scored=True)
    [Claim(player=0, least=3), Claim(player=1, least=-3)]
    >>> claims_of(-1, scored=False)
    [Claim(player=1, least=1)]
    """
    if not scored and value:
        return [Claim(0 if value > 0 else 1, 1)]
    return [Claim(0, value), Claim(1, -value)]


class Rows:
    """The positions of a game as rows of bytes: the words of a State, each in 8 bytes, the highest first.

    >>> from zerosum.games import load
    >>> rows = Rows(load("nim", heaps="1,2"))
    >>> rows.size, rows.state(rows.row(rows.game.start())) == rows.game.start()
    (16, True)
    """

    def __init__(self, game: Game) -> None:
        self.game, self.type = game, game.state_type
        self.size = 8 * self.type.size
        self._words = struct.Struct(">" + "".join("Q" if kind == "u64" else "q" for kind in self.type.kinds))

    def row(self, s: Any) -> bytes:
        """The row of a State; GameError if a field of it is not a number of 64 bits."""
        try:
            return self._words.pack(*self.type.leaves(s))
        except (struct.error, TypeError):
            self.game.state(s)  # says what is wrong
            raise GameError(f"{self.game.name}: {s!r} is not a State") from None

    def state(self, row: bytes) -> Any:
        """The State of a row."""
        return self.type.from_words(self._words.unpack(row))

    def words(self, row: bytes) -> list[int]:
        """The numbers in a row."""
        return list(self._words.unpack(row))

    def of_words(self, words: Sequence[int]) -> bytes:
        """The row of these numbers; struct.error if they do not fit."""
        return self._words.pack(*words)

    def tell(self, row: bytes) -> str:
        """The position for people, in quotes; its numbers, where the game cannot say it."""
        try:
            return repr(self.game.format_state(self.state(row)))
        except Exception:  # of a file that somebody has made up, anything may come
            return repr(" ".join(map(str, self.words(row))))
