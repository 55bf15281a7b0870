"""Check that a certificate is a proof, with plain rules and in bounded memory.

There are four steps, and only the second uses the rules:

1. Read the whole file: check the checksum and the order, and note where each block begins.
2. For each entry, find its demands: the positions after it where the claim must hold too. Sort them into
   buckets, by the range of entries that must answer them, and move them to disk if there are many.
3. For each bucket, load the entries of its range. Each demand must find its entry there, with a lower rank.
4. Where different positions count as repetitions of each other, they must have the same rank.

>>> from zerosum.certificates.claims import Rows
>>> from zerosum.certificates.file import TAIL, Header, write_certificate
>>> from zerosum.games import load
>>> game, claim = load("nim", heaps="1"), Claim(0, 1)  # one object: MAX takes it, and wins
>>> s = game.start()
>>> entry = Rows(game).row(s) + TAIL.pack(game.legal_moves(s)[0], 1)
>>> with tempfile.TemporaryDirectory() as folder:
...     write_certificate(f"{folder}/nim.proof", Header.of(game, s, {claim: 1}, {}), [(1, entry)], len(entry))
...     verify(game, f"{folder}/nim.proof").in_words()
"MAX wins from '1 max' within 1 ply"
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from zerosum.certificates.claim_check import ClaimCheck, InProcesses, InThisProcess, buckets_of, workers
from zerosum.certificates.claims import Claim, Endings, Rows
from zerosum.certificates.file import Certificate
from zerosum.errors import CertificateError
from zerosum.game import MIN, Game

WORTH_PROCESSES = 20_000
"""With fewer entries than this, starting other processes takes longer than the check itself."""

OnProgress = Callable[[float, str], None]
"""Called with the share of the work that is done, from 0 to 1, and a text that says what is being done."""

SCANNING, EXPANDING = 0.05, 0.75
"""The approximate share of the time taken by step 1, and the share of the rest taken by step 2."""


@dataclass(frozen=True)
class Proved:
    """What a certificate proves.

    Attributes:
        position: the start position in the game's notation; its numbers if that would mean another position.
        claims: what holds there, each with the number of plies within which the game ends; 0 if no limit is proved.
        database: the SHA-256 of the endgame database that must be right; empty if there is none.
        entries: the number of entries checked.
        seconds: the time taken.
    """

    game: Game
    position: str
    claims: tuple[tuple[Claim, int], ...]
    database: str
    entries: int
    seconds: float

    def in_words(self) -> str:
        """The result in words: who wins or gets what, and from which position."""
        values = {-claim.least if claim.player == MIN else claim.least for claim, _ in self.claims}
        is_exact = len({claim.player for claim, _ in self.claims}) == 2 and len(values) == 1
        if is_exact and (self.game.scored or values == {0}):
            return f"{self._exactly(*values)} from {self.position!r}"
        return "; ".join(self._at_least(claim, plies) for claim, plies in self.claims)

    def _exactly(self, value: int) -> str:
        return f"{self.game.players[value < 0]} wins by {abs(value)}" if value else "a draw"

    def _at_least(self, claim: Claim, plies: int) -> str:
        player = self.game.players[claim.player]
        if self.game.scored:
            return f"{player} gets at least {claim.least} from {self.position!r}"
        if claim.least <= 0:
            return f"{player} does not lose from {self.position!r}"
        return f"{player} wins from {self.position!r} within {plies:,} {'ply' if plies == 1 else 'plies'}"


def verify(
    game: Game,
    path: str | os.PathLike[str],
    *,
    endings: Endings | None = None,
    processes: int = 1,
    on_progress: OnProgress | None = None,
) -> Proved:
    """What the certificate in a file proves; CertificateError, which shows the fault, if it proves nothing.

    If a certificate depends on an endgame database, pass that database as ``endings``; one process then does the check.

    Each process takes about 150 MB of memory, however large the file is. What does not fit goes to the
    system's temporary folder: about the size of the unpacked file times the number of moves in a position.
    """
    started = time.perf_counter()
    tell = on_progress or (lambda done, text: None)
    certificate = Certificate(path)
    start = certificate.header.check(game, certificate.path)
    endings = _check_endings(certificate, endings)
    blocks = []
    for found in certificate.scan():
        blocks.append(found)
        tell(SCANNING * found[0].offset / certificate.bytes, "reading")
    claims = certificate.header.claims_with_sizes()
    total = sum(count for _, count in claims)
    proved, done = [], SCANNING
    for number, (claim, count) in enumerate(claims):
        share = (1 - SCANNING) * count / max(1, total)
        buckets = buckets_of((one for one in blocks if one[0].claim_number == number), certificate.row_size)
        with tempfile.TemporaryDirectory(prefix="zerosum-verify-") as folder:
            check = ClaimCheck(game, certificate, claim, start, buckets, Path(folder), endings)
            check.begin()
            is_large = count >= WORTH_PROCESSES and endings is None
            with workers(check, processes if is_large else 1) as crew:
                plies = _prove(check, crew, count, _part(tell, done, share))
        proved.append((claim, plies))
        done += share
    seconds = time.perf_counter() - started
    return Proved(game, Rows(game).tell(start), tuple(proved), certificate.header.database, total, seconds)


def _check_endings(certificate: Certificate, endings: Endings | None) -> Endings | None:
    """The database that the certificate depends on, if any; CertificateError if ``endings`` is not that one."""
    wanted = certificate.header.database
    if wanted and endings is None:
        raise CertificateError(
            f"{certificate.path!r} depends on the endgame database with the SHA-256 {wanted}: pass it with --database"
        )
    if wanted and endings is not None and endings.sha256 != wanted:
        raise CertificateError(
            f"{certificate.path!r} depends on the endgame database with the SHA-256 {wanted}, not on {endings.sha256}"
        )
    return endings if wanted else None


def _part(tell: OnProgress, done: float, share: float) -> OnProgress:
    """A progress callback for a part of the work."""
    return lambda part, text: tell(done + share * part, text)


def _prove(check: ClaimCheck, crew: InThisProcess | InProcesses, count: int, tell: OnProgress) -> int:
    """Steps 2 to 4 for one claim. Returns the rank of the start."""
    checked, plies = 0, 0
    for entries in crew.do("expand", [block for bucket in check.buckets for block in bucket.blocks]):
        checked += entries
        tell(EXPANDING * checked / count, f"{checked:,} of {count:,} positions")
    numbers = range(len(check.buckets))
    for step, rank in enumerate(crew.do("meet", numbers), 1):
        plies = max(plies, rank)
        tell(EXPANDING + (1 - EXPANDING) * step / len(numbers), "comparing")
    if check.expander.has_identities:
        for _ in crew.do("agree", numbers):
            tell(1.0, "comparing")
    return plies
