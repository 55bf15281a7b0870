"""What a certificate can claim, and how positions are stored in it: see docs/certificates.md."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from zerosum.errors import GameError
from zerosum.game import MAX, Game


class Claim(NamedTuple):
    """``player`` gets at least ``least``. In a game without margins, 1 is a win and 0 is at least a draw."""

    player: int
    least: int

    def gain(self, game: Game, s: Any) -> float:
        """The player's result in the finished state ``s``."""
        value = game.final_value(s)
        if not game.scored:
            value = (value > 0) - (value < 0)
        return value if self.player == MAX else -value

    def is_safe(self, game: Game) -> bool:
        """Whether an endless game satisfies the claim, because repeated positions make it a draw.

        Every other claim needs ranks, which prove that the game ends.
        """
        return game.repetition > 0 and self.least <= 0


def claims_of(value: int, scored: bool) -> list[Claim]:
    """The claims that together prove that a position has this value for MAX.

    >>> claims_of(3, scored=True)
    [Claim(player=0, least=3), Claim(player=1, least=-3)]
    >>> claims_of(-1, scored=False)
    [Claim(player=1, least=1)]
    """
    if not scored and value:
        return [Claim(0 if value > 0 else 1, 1)]
    return [Claim(0, value), Claim(1, -value)]


class Endings(Protocol):
    """An endgame database: who wins, if clocks and repetitions are ignored."""

    @property
    def sha256(self) -> str:
        """The hash that identifies the database."""

    def probe(self, s: Any) -> tuple[int, int | None]:
        """1, 0 or -1 for MAX, and the number of plies; ZerosumError for a position outside the database."""


def leaf_fault(game: Game, claim: Claim, s: Any, outcome: int, distance: int | None) -> str:
    """Why the database's answer for ``s`` does not settle the claim; empty if it does.

    A player who does not lose without clocks and repetitions does not lose with them either, as both only make draws.
    A win must come before the clock ends the game. It may visit each position twice: once before the database, and
    once within it.
    """
    gain = outcome if claim.player == MAX else -outcome
    if game.scored:
        return "it is left to a database, which says who wins but not by how much"
    if gain < claim.least:
        return f"the database says {gain} for {game.players[claim.player]}, but {claim.least} is claimed"
    if claim.is_safe(game):
        return ""
    if not gain:
        return "the database says that it is a draw, but not that the game ends"
    if distance is None:
        return "the database does not say in how many plies it is won"
    if game.has("clock") and game.clock(s) < distance:
        return f"it is won in {distance} plies, but the clock leaves {game.clock(s)}"
    if 0 < game.repetition < 3:
        return "no position may occur twice, and databases ignore repetitions"
    return ""


class Rows:
    """The positions of a game as rows of bytes: each word of a State in 8 bytes, big-endian.

    >>> from zerosum.games import load
    >>> rows = Rows(load("nim", heaps="1,2"))
    >>> rows.size, rows.state(rows.row(rows.game.start())) == rows.game.start()
    (16, True)
    """

    def __init__(self, game: Game) -> None:
        self.game, self.type = game, game.state_type
        self.size = 8 * self.type.size
        self._words = struct.Struct(">" + "".join("Q" if kind == "u64" else "q" for kind in self.type.kinds))
        # A shortcut for the many games whose State consists of numbers only.
        self._is_plain = self.type.is_flat and "u64" not in self.type.kinds

    def row(self, s: Any) -> bytes:
        """The row of a State; GameError if a field is not a 64-bit number."""
        try:
            return self._words.pack(*self.type.leaves(s))
        except (struct.error, TypeError):
            self.game.state(s)  # raises an error that says what is wrong
            raise GameError(f"{self.game.name}: {s!r} is not a State") from None

    def state(self, row: bytes) -> Any:
        """The State of a row."""
        if self._is_plain:
            return self.type.State(*self._words.unpack(row))
        return self.type.from_words(self._words.unpack(row))

    def words(self, row: bytes) -> list[int]:
        """The numbers in a row."""
        return list(self._words.unpack(row))

    def of_words(self, words: Sequence[int]) -> bytes:
        """The row of these numbers; struct.error if they do not fit."""
        return self._words.pack(*words)

    def tell(self, row: bytes) -> str:
        """The position in the game's notation; its numbers if that notation would not lead back to the same row."""
        try:
            words = self.game.format_state(self.state(row))
            if self.row(self.game.parse_state(words)) == row:
                return words
        except Exception:  # in a forged file, the rules may raise anything
            pass
        return " ".join(map(str, self.words(row)))
