"""Drawings that several games share: discs, dice."""

from __future__ import annotations

from zerosum.board import Glyph, circle, rectangle

PIP = 9.0
SPREAD = 24.0
# The positions of the pips of a die, in steps of SPREAD from its centre.
EYES = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def disc(colour: str, ring: bool = False) -> Glyph:
    """A flat disc in a colour that has a matching edge; with a ring, as on draughts pieces.

    >>> len(disc("red")), len(disc("red", ring=True))
    (1, 2)
    """
    whole = circle(0, 0, 46, colour, f"{colour}-edge", 4)
    inner = circle(0, 0, 30, "", "black-line" if colour == "black" else f"{colour}-edge", 3)
    return (whole, inner) if ring else (whole,)


def die(face: int) -> Glyph:
    """A die showing this face."""
    eyes = (circle(SPREAD * x, SPREAD * y, PIP, "pip") for x, y in EYES[face])
    return (rectangle(-46, -46, 92, 92, "die", "die-edge", 3, 16), *eyes)


def dice() -> dict[str, Glyph]:
    """All six faces, as ``die-1`` to ``die-6``.

    >>> list(dice())[:2]
    ['die-1', 'die-2']
    """
    return {f"die-{face}": die(face) for face in EYES}
