"""One entry of a certificate, checked with plain rules: what must hold for the positions after it."""

from __future__ import annotations

from collections.abc import Iterator

from zerosum.certificates.claims import Claim, Endings, Rows, leaf_fault
from zerosum.certificates.file import IN_DATABASE, NO_MOVE
from zerosum.errors import CertificateError
from zerosum.game import CHANCE, Game


class Expander:
    """Applies the rules to the entries of one claim."""

    def __init__(self, game: Game, claim: Claim, endings: Endings | None = None) -> None:
        self.game, self.claim, self.rows, self.endings = game, claim, Rows(game), endings
        self.is_ranked = not claim.is_safe(game)
        # Where repetitions are counted, positions with the same identity count as one position.
        self.has_identities = self.is_ranked and game.repetition > 0 and game.has("key")

    def demands(self, row: bytes, move: int, rank: int) -> Iterator[bytes]:
        """The positions after an entry where the claim must hold too; CertificateError if the entry is wrong.

        If the claim's player is to move, that is the position after the entry's move; otherwise it is every
        position that a move leads to. Finished positions are checked here and not returned.
        """
        try:
            yield from self._demands(row, move, rank)
        except CertificateError:
            raise
        except Exception as problem:  # in an impossible position the rules may raise anything
            raise self._failed(row, problem) from problem

    def _demands(self, row: bytes, move: int, rank: int) -> Iterator[bytes]:
        game, claim = self.game, self.claim
        s = self.rows.state(row)
        moves = game.legal_moves(s)
        if not moves:
            raise self.fault(row, "the game is over there, but it has an entry")
        if self.is_ranked and not rank:
            raise self.fault(row, "its rank is 0, which only finished positions have")
        mover = game.mover(s)
        if mover == CHANCE:
            raise self.fault(row, "chance is to move there")
        if move == IN_DATABASE:
            self._check_leaf(row, rank)
            return
        if mover != claim.player:
            if move != NO_MOVE:
                raise self.fault(row, "it has a move, but the other player is to move")
        elif move == NO_MOVE:
            raise self.fault(row, f"it has no move for {game.players[claim.player]}")
        elif move not in moves:
            raise self.fault(row, f"its move {move} is not legal there")
        else:
            moves = [move]
        for each in moves:
            behind = self.rows.row(game.play(s, each))
            # Check the row, not the State that made it: like everything else here, the row is what counts.
            if not self.is_finished(behind):
                yield behind

    def is_finished(self, row: bytes) -> bool:
        """Whether the game is over; CertificateError if it is over with a result below the claim."""
        try:
            if not self.game.is_over(self.rows.state(row)):
                return False
            self._check_finished(row)
        except CertificateError:
            raise
        except Exception as problem:
            raise self._failed(row, problem) from problem
        return True

    def _failed(self, row: bytes, problem: Exception) -> CertificateError:
        what = " ".join(str(problem).split())
        return self.fault(row, f"the rules fail there ({type(problem).__name__}: {what})")

    def _check_finished(self, row: bytes) -> None:
        """CertificateError unless the finished position is good enough for the claim."""
        gain = self.claim.gain(self.game, self.rows.state(row))
        if gain < self.claim.least:
            player = self.game.players[self.claim.player]
            raise self.fault(row, f"the game ends there with {gain:g} for {player}, but {self.claim.least} is claimed")

    def _check_leaf(self, row: bytes, rank: int) -> None:
        """CertificateError unless the database settles the claim, within ``rank`` plies if the claim needs ranks."""
        if self.endings is None:
            raise self.fault(row, "it is left to a database, but the certificate names none")
        s = self.rows.state(row)
        outcome, distance = self.endings.probe(s)
        fault = leaf_fault(self.game, self.claim, s, outcome, distance)
        if not fault and self.is_ranked and (distance or 0) > rank:
            fault = f"the database says {distance} plies, more than its rank {rank}"
        if fault:
            raise self.fault(row, fault)

    def identity(self, row: bytes) -> bytes:
        """A key that positions share if they count as repetitions of each other."""
        return (int(self.game.key(self.rows.state(row))) & (1 << 64) - 1).to_bytes(8, "big")

    def fault(self, row: bytes, what: str) -> CertificateError:
        return CertificateError(f"not proved: the position {self.rows.tell(row)!r}: {what}")
