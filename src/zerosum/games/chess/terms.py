"""The terms of the chess evaluation, for display: each feature, how often it occurs, and its value here.

>>> from zerosum.games.chess import chess
>>> game = chess(network=0)
>>> found = game.terms(game.parse_state("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"))
>>> [term.feature for term in found if term.name == "queens"]
[1.0]
>>> round(sum(term.share for term in found))
1351
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np

from zerosum.games.chess.endings import scale_and_drive
from zerosum.games.chess.evaluate import (
    FULL_PHASE,
    TEMPO,
    black_contact,
    black_pawns,
    black_pieces,
    black_shelter,
    evaluate,
    phase_of,
    white_contact,
    white_pawns,
    white_pieces,
    white_shelter,
)
from zerosum.games.chess.named_weights import PIECES
from zerosum.games.chess.position import KING, PAWN, WHITE, Position
from zerosum.games.chess.tables import Tables
from zerosum.games.chess.weights import FEATURES, ROW, endgame, middle_game
from zerosum.jit.words import u64
from zerosum.terms import Term, linear_weights, product, with_rest

DANGER = "king danger (counts by its square)"
DRIVE = "driving a bare king to mate"


def terms(s: Position, t: Tables) -> list[Term]:
    """The terms of the evaluation by features, for White, in hundredths of a pawn."""
    score = _score(s, _remembering(t))
    phase = phase_of(s)
    scale, drive = scale_and_drive(s, endgame(score.value))

    def worth(word: int) -> Fraction:
        """The value of a pair of weights, or of a sum of pairs, in the current phase."""
        return Fraction(
            middle_game(word) * phase * 64 + endgame(word) * (FULL_PHASE - phase) * int(scale), 64 * FULL_PHASE
        )

    shares: dict[str, Fraction] = defaultdict(Fraction)
    features: dict[str, int] = defaultdict(int)
    total = 0  # the sum of all weighted features
    for (name, place), factor in score.factors.items():
        if factor == 0 or name.startswith("danger"):
            continue
        word = int(t.piece_square[place]) if isinstance(place, tuple) else int(t.weights[place])
        total += factor * word
        if isinstance(place, tuple) and place[0] != KING:
            plain = _plain_value(t, place[0])
            features[name] += factor
            shares[name] += factor * _worth_of_pair(plain, phase, int(scale))
            shares[f"where the {name} stand"] += factor * (worth(word) - _worth_of_pair(plain, phase, int(scale)))
        else:
            shares[name] += factor * worth(word)
            if isinstance(place, int) and len(FEATURES[name]) == 1:
                features[name] += factor
    found = [
        product(name, features[name], share) if features.get(name) else Term(name, None, None, float(share))
        for name, share in shares.items()
        if share or features.get(name)
    ]
    danger = worth(score.value - total)
    if danger:
        found.append(Term(DANGER, None, None, float(danger)))
    if drive:
        found.append(Term(DRIVE, None, None, float(drive)))
    return with_rest(found, evaluate(s, t))


def _score(s: Position, t: Any) -> Any:
    """The packed sum that ``evaluate`` computes before it blends middle game and endgame; a test compares them."""
    white, black = white_pieces(s, t), black_pieces(s, t)
    score = white[0] - black[0]
    score += white_contact(s, white, black, t) - black_contact(s, black, white, t)
    score += white_pawns(s, black[1], t) - black_pawns(s, white[1], t)
    score += white_shelter(s, t) - black_shelter(s, t)
    return score + (t.weights[u64(TEMPO)] if s.turn == WHITE else t.weights[u64(TEMPO)] * -1)


def _remembering(t: Tables) -> Any:
    """The tables with weights that remember their names, of features or pieces."""
    rows = {row + step: name for name, row in ROW.items() for step in range(len(FEATURES[name]))}
    words: dict[Any, int] = {(name, row): int(t.weights[row]) for row, name in rows.items()}
    for kind, piece in PIECES.items():
        name = "where the kings stand" if kind == KING else f"{piece}s"
        words |= {(name, (kind, square)): int(t.piece_square[kind, square]) for square in range(64)}
    linear = linear_weights(words)
    weights, squares = np.empty(t.weights.shape, object), np.empty(t.piece_square.shape, object)
    for (_, place), number in linear.items():
        if isinstance(place, tuple):
            squares[place] = number
        else:
            weights[place] = number
    return t._replace(weights=weights, piece_square=squares)


def _plain_value(t: Tables, kind: int) -> tuple[Fraction, Fraction]:
    """The average value of a piece over all squares that it can be on."""
    squares = range(8, 56) if kind == PAWN else range(64)
    pairs = [int(t.piece_square[kind, square]) for square in squares]
    middle, end = sum(map(middle_game, pairs)), sum(map(endgame, pairs))
    return Fraction(middle, len(pairs)), Fraction(end, len(pairs))


def _worth_of_pair(pair: tuple[Fraction, Fraction], phase: int, scale: int) -> Fraction:
    return (pair[0] * phase * 64 + pair[1] * (FULL_PHASE - phase) * scale) / (64 * FULL_PHASE)
