"""The check of one claim of a certificate: its entries, their demands, and whether these are met."""

from __future__ import annotations

import os
import signal
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from zerosum.certificates.claims import Claim, Endings
from zerosum.certificates.expanding import Expander
from zerosum.certificates.file import Block, Certificate
from zerosum.certificates.spill import Spill
from zerosum.errors import CertificateError
from zerosum.game import Game

BUCKET_BYTES = 64 << 20
"""Memory for the entries of a bucket."""

OVERHEAD = 192
"""Bytes of memory that an entry takes in addition to its own."""

NO_LIMIT = 0xFFFF_FFFF
"""The limit for an entry whose rank does not matter."""


class Bucket(NamedTuple):
    """Entries that are loaded together: their blocks, and their first row."""

    blocks: list[Block]
    first: bytes


def buckets_of(blocks: Iterable[tuple[Block, bytes]], row_size: int) -> list[Bucket]:
    """The blocks, each with its first row, in groups that fit in memory."""
    groups: list[Bucket] = []
    room = 0
    for block, first in blocks:
        needed = block.entries * (row_size + OVERHEAD)
        if not groups or needed > room:
            groups.append(Bucket([], first))
            room = BUCKET_BYTES
        groups[-1].blocks.append(block)
        room -= needed
    return groups


class ClaimCheck:
    """The check of one claim, in one process; other processes may check other parts of it at the same time."""

    def __init__(
        self,
        game: Game,
        certificate: Certificate,
        claim: Claim,
        start: bytes,
        buckets: list[Bucket],
        folder: Path,
        endings: Endings | None = None,
    ) -> None:
        self.given = game, certificate, claim, start, buckets, folder, endings
        self.game, self.certificate, self.start, self.buckets = game, certificate, start, buckets
        self.expander = Expander(game, claim, endings)
        name = str(os.getpid())
        self._firsts = [bucket.first for bucket in buckets]
        self._demands = Spill(folder, "demands", len(buckets), certificate.row_size, name)
        self._identities = Spill(folder, "identities", len(buckets), 8, name)

    def begin(self) -> None:
        """Demand an entry for the start, unless it is finished."""
        if not self.expander.is_finished(self.start):
            self._demand(self.start, NO_LIMIT)

    def expand(self, block: Block) -> int:
        """Check each entry of a block on its own and record its demands on others. Returns the number of entries."""
        expander, has_identities = self.expander, self.expander.has_identities
        for row, move, rank in self.certificate.entries(block):
            limit = rank if expander.is_ranked else NO_LIMIT
            for behind in expander.demands(row, move, rank):
                self._demand(behind, limit)
            if has_identities:
                identity = expander.identity(row)
                self._identities.add(zlib.crc32(identity) % len(self.buckets), identity, rank)
        return block.entries

    def _demand(self, row: bytes, limit: int) -> None:
        """Demand an entry for this position, with a rank below ``limit``."""
        bucket = bisect_right(self._firsts, row) - 1
        if bucket < 0:
            raise self._missing(row)
        self._demands.add(bucket, row, limit)

    def flush(self) -> None:
        """Write all records to disk, where other processes can read them."""
        self._demands.flush()
        self._identities.flush()

    def meet(self, number: int) -> int:
        """Check that the demands on a bucket are met. Returns the rank of the start if the bucket has it, else 0."""
        ranks = {row: rank for block in self.buckets[number].blocks for row, _, rank in self.certificate.entries(block)}
        for row, limit in self._demands.read(number):
            rank = ranks.get(row)
            if rank is None:
                raise self._missing(row)
            if rank >= limit:
                raise self.expander.fault(
                    row, f"its rank {rank:,} is not below the rank {limit:,} of a position before it"
                )
        return ranks.get(self.start, 0) if self.expander.is_ranked else 0

    def agree(self, number: int) -> int:
        """Check that positions which count as the same one have the same rank. Returns 0."""
        ranks: dict[bytes, int] = {}
        for identity, rank in self._identities.read(number):
            if ranks.setdefault(identity, rank) != rank:
                raise CertificateError(
                    f"not proved: positions with the key {int.from_bytes(identity, 'big')} count as the same one,"
                    f" but have the ranks {ranks[identity]:,} and {rank:,}"
                )
        return 0

    def _missing(self, row: bytes) -> CertificateError:
        return self.expander.fault(row, "it can be reached but has no entry")


class InThisProcess:
    """Does the work in this process, one item after another."""

    def __init__(self, check: ClaimCheck) -> None:
        self.check = check

    def do(self, task: str, items: Iterable[Any]) -> Iterator[int]:
        """Call the check's method ``task`` with each item, and yield the results as they come."""
        for item in items:
            yield getattr(self.check, task)(item)


class InProcesses:
    """Does the work in other processes, several items at a time."""

    def __init__(self, check: ClaimCheck, pool: ProcessPoolExecutor) -> None:
        check.flush()
        self._pool = pool

    def do(self, task: str, items: Iterable[Any]) -> Iterator[int]:
        """Call the check's method ``task`` with each item, and yield the results as they come."""
        for future in as_completed([self._pool.submit(_do, task, item) for item in items]):
            yield future.result()


@contextmanager
def workers(check: ClaimCheck, processes: int) -> Iterator[InThisProcess | InProcesses]:
    """The workers: this process, or several others."""
    if processes <= 1:
        yield InThisProcess(check)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _begin, check.given)
    try:
        yield InProcesses(check, pool)
    finally:
        pool.shutdown(cancel_futures=True)


_check: ClaimCheck
"""The claim that this process of the pool checks."""


def _begin(*given: Any) -> None:
    global _check
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C and ends the others
    _check = ClaimCheck(*given)


def _do(task: str, item: Any) -> int:
    found: int = getattr(_check, task)(item)
    _check.flush()
    return found
