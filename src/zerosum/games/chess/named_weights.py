"""The weights of the chess evaluation by name, for training.

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

from zerosum.games.chess.position import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from zerosum.games.chess.tables import Tables
from zerosum.games.chess.weights import FEATURES, ROW, endgame, middle_game, packed

PHASES = ("middle game", "endgame")
PIECES = {PAWN: "pawn", KNIGHT: "knight", BISHOP: "bishop", ROOK: "rook", QUEEN: "queen", KING: "king"}


def _features() -> Iterator[tuple[int, str]]:
    """Each row of weights with its name, except danger points: they count by their square, which is not linear."""
    for name, pairs in FEATURES.items():
        if name.startswith("danger"):
            continue
        for step in range(len(pairs)):
            yield ROW[name] + step, name if len(pairs) == 1 else f"{name}: {step}"


def _squares() -> Iterator[tuple[int, int, str]]:
    """Each piece and square with its name; pawns are never on the first or last rank."""
    for kind, piece in PIECES.items():
        for square in range(64):
            if kind != PAWN or 8 <= square < 56:
                yield kind, square, f"{piece} on {'abcdefgh'[square & 7]}{(square >> 3) + 1}"


def weights_of(t: Tables) -> dict[str, float]:
    """All weights of the evaluation by name, from White's point of view."""
    found: dict[str, float] = {}
    for row, name in _features():
        word = int(t.weights[row])
        found[f"{name} ({PHASES[0]})"] = middle_game(word)
        found[f"{name} ({PHASES[1]})"] = endgame(word)
    for kind, square, name in _squares():
        word = int(t.piece_square[kind, square])
        found[f"{name} ({PHASES[0]})"] = middle_game(word)
        found[f"{name} ({PHASES[1]})"] = endgame(word)
    return found


def with_weights(numbers: Mapping[str, float], t: Tables) -> Tables:
    """The tables with these weights, rounded; weights that are not named stay the same."""

    def turned(word: int, name: str) -> int:
        pair = middle_game(word), endgame(word)
        return packed(*(round(numbers.get(f"{name} ({w})", old)) for w, old in zip(PHASES, pair, strict=True)))

    weights, squares = t.weights.copy(), t.piece_square.copy()
    for row, name in _features():
        weights[row] = turned(int(weights[row]), name)
    for kind, square, name in _squares():
        squares[kind, square] = turned(int(squares[kind, square]), name)
    return t._replace(weights=weights, piece_square=squares)
