"""The file formats and protocols of chess: PGN, UCI notation, EPD, Polyglot books, Syzygy tables, openings.

The code behind them is imported on demand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.formats.programs import Programs
from zerosum.game import MAX
from zerosum.games.chess.notation import from_uci, to_uci
from zerosum.games.chess.position import Position
from zerosum.games.pgn.format import TreeFormat

if TYPE_CHECKING:
    from zerosum.games.chess.book import Book
    from zerosum.games.chess.syzygy import Tables

PGN = TreeFormat(".pgn", "PGN", "zerosum.games.chess.pgn", MAX, usual=True)

OPENINGS = {
    "Ruy Lopez": "e4 e5 Nf3 Nc6 Bb5",
    "Italian Game": "e4 e5 Nf3 Nc6 Bc4",
    "King's Gambit": "e4 e5 f4",
    "Sicilian Defence": "e4 c5",
    "Sicilian, Najdorf": "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    "French Defence": "e4 e6 d4 d5",
    "Caro-Kann Defence": "e4 c6 d4 d5",
    "Queen's Gambit": "d4 d5 c4",
    "Slav Defence": "d4 d5 c4 c6",
    "Nimzo-Indian Defence": "d4 Nf6 c4 e6 Nc3 Bb4",
    "King's Indian Defence": "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6",
    "Grünfeld Defence": "d4 Nf6 c4 g6 Nc3 d5",
    "English Opening": "c4",
}


def openings() -> dict[str, dict[str, str]]:
    """The sets of openings: a few classics for matches, and all named openings."""
    from zerosum.games.chess.opening_names import NAMES

    return {"classics": OPENINGS, "names": NAMES}


def book(path: str) -> Book:
    from zerosum.games.chess.book import Book

    return Book(path)


def tablebase(path: str) -> Tables:
    from zerosum.games.chess.syzygy import Tables

    return Tables(path)


def king_takes_rook(s: Position, move: int) -> str:
    """The move in UCI's Chess960 notation."""
    return to_uci(s, move, chess960=True)


PROGRAMS = Programs(
    to_uci,
    from_uci,
    options={"UCI_Chess960": {"format_move": king_takes_rook}},
    fields=4,
    counters={"hmvc": "0", "fmvn": "1"},
)


def presentation() -> dict[str, Any]:
    """All of these, by their parameter names in ``Game``."""
    return {"formats": (PGN,), "programs": PROGRAMS, "openings": openings, "book": book, "tablebase": tablebase}
