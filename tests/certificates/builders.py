"""Certificates for the tests: made by an engine, taken apart and reassembled."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from zerosum.certificates.claims import Rows
from zerosum.certificates.file import TAIL, Certificate, write_certificate
from zerosum.certifying.writing import certify
from zerosum.engine import Engine
from zerosum.game import Game

Entry = tuple[bytes, int, int]


def proof(game: Game, path: Path, position: str = "", jit: bool = False) -> Path:
    """The certificate of a position, or of the start."""
    engine = Engine(game, hash_mb=1, jit=jit)
    s = game.parse_state(position) if position else game.start()
    certify(engine, s, engine.solve(s), path)
    return path


def entries_of(path: Path) -> list[list[Entry]]:
    """The entries of each claim."""
    certificate = Certificate(path)
    found: list[list[Entry]] = [[] for _ in certificate.header.claims]
    for block, _ in certificate.scan():
        found[block.claim_number] += certificate.entries(block)
    return found


def written(path: Path, entries_by_claim: list[list[Entry]], at_once: int = 1000, **changes: Any) -> Path:
    """Rewrite the certificate with other entries and header fields, and a correct checksum."""
    certificate = Certificate(path)
    claims = changes.pop("claims", certificate.header.claims)
    claims = [{**claim, "entries": len(entries)} for claim, entries in zip(claims, entries_by_claim, strict=True)]
    header = replace(certificate.header, claims=claims, **changes)
    blocks = [
        entries[first : first + at_once] for entries in entries_by_claim for first in range(0, len(entries), at_once)
    ]
    packed = [(len(block), b"".join(row + TAIL.pack(move, rank) for row, move, rank in block)) for block in blocks]
    write_certificate(path, header, packed, certificate.entry_size)
    return path


def handmade(
    game: Game, path: Path, claim: tuple[int, int], chosen: Iterable[tuple[Any, int, int]], start: Any = None
) -> Path:
    """A certificate with these States, moves and ranks."""
    from zerosum.certificates.claims import Claim
    from zerosum.certificates.file import Header

    rows = Rows(game)
    entries = sorted((rows.row(s), move, rank) for s, move, rank in chosen)
    header = Header.of(game, game.start() if start is None else start, {Claim(*claim): len(entries)}, {})
    plain = b"".join(row + TAIL.pack(move, rank) for row, move, rank in entries)
    write_certificate(path, header, [(len(entries), plain)], rows.size + TAIL.size)
    return path


def one_changed(
    entries_by_claim: list[list[Entry]], change: Callable[[Entry], Entry], dice: random.Random
) -> list[list[Entry]]:
    """The entries with a random one changed."""
    number = dice.choice([number for number, entries in enumerate(entries_by_claim) if entries])
    place = dice.randrange(len(entries_by_claim[number]))
    changed = [list(entries) for entries in entries_by_claim]
    changed[number][place] = change(changed[number][place])
    return changed
