"""Write the certificate of a solved position."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from zerosum.certificates.claims import Claim, claims_of
from zerosum.certificates.file import BLOCK_BYTES, IN_DATABASE, Header, write_certificate
from zerosum.certifying.strategy import CycleFound, OnPositions, Strategy
from zerosum.engine import Engine
from zerosum.errors import CertificateError
from zerosum.search.result import Result


def certify(
    engine: Engine, s: Any, result: Result, path: str | os.PathLike[str], on_positions: OnPositions | None = None
) -> int:
    """Write a certificate that ``s`` has the value of ``result``, and return its number of entries.

    CertificateError if ``result`` is not proven, or if the engine cannot prove a move somewhere.
    """
    game = engine.game
    if not result.proven:
        raise CertificateError(f"{game.format_state(s)!r} is not solved, so it cannot be certified")
    value = int(result.value) if game.scored else int(result.outcome or 0)
    done = 0

    def tell(number: int, waiting: int) -> None:
        if on_positions is not None:
            on_positions(done + number, waiting)

    entries_of: dict[Claim, Any] = {}
    for claim in claims_of(value, game.scored):
        entries_of[claim] = _entries(engine, claim, s, result.distance or 0, tell)
        done += len(entries_of[claim])
    made = {"program": f"zerosum {_version()}", "algorithm": repr(engine.algorithm)}
    is_left = any((entries["move"] == IN_DATABASE).any() for entries in entries_of.values())
    database = engine.database.sha256 if engine.database is not None and is_left else ""
    header = Header.of(game, s, {claim: len(entries) for claim, entries in entries_of.items()}, made, database)
    entry_size = next(iter(entries_of.values())).dtype.itemsize
    write_certificate(path, header, _blocks(entries_of.values(), entry_size), entry_size)
    return done


def _entries(engine: Engine, claim: Claim, s: Any, distance: int, tell: OnPositions) -> Any:
    """The entries of one claim. Wins take the fastest line where other moves could lead into a cycle."""
    game = engine.game
    nearest = distance if not game.scored and claim.least > 0 else 0
    if nearest and game.repetition:
        ways = [nearest]
    else:
        ways = [0, nearest] if nearest else [0]
    for plies in ways:
        try:
            return Strategy(engine, claim, s, plies, tell).entries()
        except CycleFound:
            continue
    player = game.players[claim.player]
    position = game.format_state(s)
    raise CertificateError(
        f"the moves of {player} from {position!r} can lead back to the same position: no certificate written"
    )


def _blocks(parts: Any, entry_size: int) -> Iterator[tuple[int, bytes]]:
    at_once = max(1, BLOCK_BYTES // entry_size)
    for entries in parts:
        for first in range(0, len(entries), at_once):
            block = entries[first : first + at_once]
            yield len(block), block.tobytes()


def _version() -> str:
    from zerosum import __version__

    return __version__
