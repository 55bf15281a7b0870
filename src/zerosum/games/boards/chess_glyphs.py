"""Our own drawings of the chess pieces: an outline for each, and the lines inside it.

All pieces share the same foot and are drawn in a square from (-50, -50) to (50, 50), with y pointing down.
"""

from __future__ import annotations

from zerosum.board import Glyph, Shape, circle, path

LINE = 3.6

FOOT = "M-28 42V37Q-28 31 -21 30H21Q28 31 28 37V42Z"

OUTLINES = {
    "pawn": (
        "M-24 42V37Q-24 31 -17 29Q-8 22 -6 3H-12Q-14 -2 -9 -5A15.5 15.5 0 1 1 9 -5Q14 -2 12 3H6Q8 22 17 29Q24 31 24 37"
        "V42Z",
    ),
    "rook": (
        "M-20 30L-16 -12L-24 -19V-38H-13V-30H-6V-38H6V-30H13V-38H24V-19L16 -12L20 30Z",
        FOOT,
    ),
    "knight": (
        "M-22 30C-22 14 -4 8 -3 -6C-9 -2 -13 -1 -19 2C-22 8 -29 9 -32 4C-34 0 -33 -3 -29 -8C-24 -15 -23 -22 -16 -28"
        "L-15 -40L-6 -33L1 -42L4 -32C20 -27 26 -8 23 30Z",
        FOOT,
    ),
    "bishop": (
        "M-14 30Q-10 24 -9 14H-14Q-16 9 -12 7Q-22 -2 -19 -14Q-15 -26 -4 -32A6.5 6.5 0 1 1 4 -32Q15 -26 19 -14Q22 -2"
        " 12 7Q16 9 14 14H9Q10 24 14 30Z",
        FOOT,
    ),
    "queen": (
        "M-20 30Q-17 20 -22 8L-36 -22L-20 -8L-16 -33L-5 -11L0 -36L5 -11L16 -33L20 -8L36 -22L22 8Q17 20 20 30Z",
        FOOT,
    ),
    "king": (
        "M-20 30Q-18 22 -24 14Q-38 2 -32 -11Q-24 -24 -8 -15Q-4 -12 -4 -18V-25H-11V-33H-4V-42H4V-33H11V-25H4V-18Q4 -12"
        " 8 -15Q24 -24 32 -11Q38 2 24 14Q18 22 20 30Z",
        FOOT,
    ),
}

# Lines and dots inside the outline, in the colour of the edge.
INSIDE = {
    "pawn": ("M-6 3H6",),
    "rook": ("M-17 -12H17M-20 24H20",),
    "knight": ("M4 -32C13 -24 17 -10 16 22",),
    "bishop": ("M0 -20V-4M-7 -12H7M-9 14H9",),
    "queen": ("M-19 15Q0 8 19 15M-19 23Q0 17 19 23",),
    "king": ("M-21 15Q0 7 21 15M-19 23Q0 16 19 23M0 -12V8",),
}
DOTS = {
    "knight": (circle(-11, -18, 3.4),),
    "queen": tuple(circle(x, y, 5.2) for x, y in ((-36, -25), (-16, -36), (0, -39), (16, -36), (36, -25))),
}


def glyphs() -> dict[str, Glyph]:
    """All twelve pieces, named ``white-king`` and so on."""
    return {f"{colour}-{kind}": drawn(kind, colour) for colour in ("white", "black") for kind in OUTLINES}


def drawn(kind: str, colour: str) -> Glyph:
    edge = f"{colour}-edge"
    parts: list[Shape] = [path(words, colour, edge, LINE) for words in OUTLINES[kind]]
    inside = "black-line" if colour == "black" else edge
    parts += [path(words, "", inside, 3) for words in INSIDE[kind]]
    if kind == "queen":  # the balls on the crown are part of the outline
        parts[:0] = [Shape("circle", ball.place, colour, edge, LINE) for ball in DOTS[kind]]
    else:
        parts += [Shape("circle", dot.place, inside) for dot in DOTS.get(kind, ())]
    return tuple(parts)
