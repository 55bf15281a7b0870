"""The suites of published perft counts, read from the shared data if it exists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SUITES = Path(__file__).parents[3] / "shared" / "data" / "chess" / "perft"

# From the Chess Programming Wiki, "Perft Results".
PUBLISHED = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (20, 400, 8902, 197281, 4865609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039, 97862, 4085603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624, 11030083),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2079, 89890, 3894594),
}


class Count(NamedTuple):
    fen: str
    depth: int
    nodes: int


def suite_counts(folder: Path = SUITES) -> Iterator[Count]:
    """All counts of all positions in the suites."""
    for line in (folder / "standard.epd").read_text().splitlines():
        fen, *operations = line.split(";")
        for operation in operations:
            depth, nodes = operation.split()
            yield Count(fen.strip(), int(depth.removeprefix("D")), int(nodes))
    fen = ""
    for line in (folder / "tricky.perft").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "epd":
            fen = rest
        elif word == "perft":
            depth, nodes = rest.split()
            yield Count(fen, int(depth), int(nodes))
