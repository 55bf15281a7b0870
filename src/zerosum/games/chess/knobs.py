"""The numbers of the chess evaluation by name, for training to turn.

>>> from zerosum.games.chess.tables import default_tables
>>> numbers = weights_of(default_tables())
>>> sorted(name for name in numbers if name.startswith("tempo"))
['tempo (endgame)', 'tempo (middle game)']
>>> tables = with_weights({**numbers, "knight on f3 (middle game)": 1000}, default_tables())
>>> weights_of(tables)["knight on f3 (middle game)"]
1000
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from zerosum.games.chess.piece_square import for_both
from zerosum.games.chess.position import BISHOP, KING, KNIGHT, ONE, PAWN, QUEEN, ROOK
from zerosum.games.chess.tables import Tables
from zerosum.games.chess.weights import FEATURES, ROW, endgame, middle_game, packed
from zerosum.jit.bits import bits
from zerosum.jit.words import u64

PHASES = ("middle game", "endgame")
PIECES = {PAWN: "pawn", KNIGHT: "knight", BISHOP: "bishop", ROOK: "rook", QUEEN: "queen", KING: "king"}


def _features() -> Iterator[tuple[int, str]]:
    """Each row of weights with its name; not the points of danger: they count by their square, and no line fits."""
    for name, pairs in FEATURES.items():
        if name.startswith("danger"):
            continue
        for step in range(len(pairs)):
            yield ROW[name] + step, name if len(pairs) == 1 else f"{name}: {step}"


def _squares() -> Iterator[tuple[int, int, str]]:
    """Each piece and square with its name; pawns never stand on the first or last rank."""
    for kind, piece in PIECES.items():
        for square in range(64):
            if kind != PAWN or 8 <= square < 56:
                yield kind, square, f"{piece} on {'abcdefgh'[square & 7]}{(square >> 3) + 1}"


def weights_of(t: Tables) -> dict[str, float]:
    """All numbers of the evaluation, White's view."""
    found: dict[str, float] = {}
    for row, name in _features():
        word = int(t.weights[row])
        found[f"{name} ({PHASES[0]})"] = middle_game(word)
        found[f"{name} ({PHASES[1]})"] = endgame(word)
    for kind, square, name in _squares():
        for phase, words in enumerate(PHASES):
            found[f"{name} ({words})"] = int(t.piece_square[kind, square, phase])
    return found


def with_weights(numbers: Mapping[str, float], t: Tables) -> Tables:
    """Tables with these numbers in them, rounded; those not named stay."""
    weights = t.weights.copy()
    for row, name in _features():
        pair = middle_game(int(weights[row])), endgame(int(weights[row]))
        middle, end = (round(numbers.get(f"{name} ({w})", old)) for w, old in zip(PHASES, pair, strict=True))
        weights[row] = packed(middle, end)
    white = np.array(t.piece_square[:8])
    for kind, square, name in _squares():
        for phase, words in enumerate(PHASES):
            white[kind, square, phase] = round(numbers.get(f"{name} ({words})", int(white[kind, square, phase])))
    return t._replace(weights=weights, piece_square=for_both(white))


def refresh(s, t):
    """The position with its sums of material and squares counted anew."""
    mg, eg = 0, 0
    for kind in range(PAWN, KING + 1):
        if kind == PAWN:
            board = s.pawns
        elif kind == KNIGHT:
            board = s.knights
        elif kind == BISHOP:
            board = s.bishops
        elif kind == ROOK:
            board = s.rooks
        elif kind == QUEEN:
            board = s.queens
        else:
            board = s.kings
        for square in bits(board):
            piece = kind if s.white >> u64(square) & ONE else 8 + kind
            mg += int(t.piece_square[u64(piece), u64(square), 0])
            eg += int(t.piece_square[u64(piece), u64(square), 1])
    return s._replace(mg=mg, eg=eg)
