"""The endgames with up to four pieces, in the order of their tiers, and the tables that ``endgame_index`` uses.

>>> [name for name, size in tiers(3)]
['KvK', 'KNvK', 'KBvK', 'KRvK', 'KQvK', 'KPvK']
>>> tiers(3)[3]  # 462 pairs of kings, 64 squares for the rook, two sides to move
('KRvK', 59136)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.errors import PositionError
from zerosum.games.chess.position import BISHOP, BLACK, KNIGHT, LETTERS, NONE, PAWN, QUEEN, ROOK, WHITE

MOST_MEN = 4


class Ending(NamedTuple):
    """The pieces other than kings: the stronger side's, then the weaker side's, each from queen to pawn."""

    strong: tuple[int, ...]
    weak: tuple[int, ...]

    @property
    def name(self) -> str:
        return "K" + "".join(LETTERS[k] for k in self.strong) + "vK" + "".join(LETTERS[k] for k in self.weak)

    @property
    def men(self) -> tuple[int, ...]:
        return self.strong + self.weak

    @property
    def is_symmetric(self) -> bool:
        return self.strong == self.weak

    @property
    def are_twins(self) -> bool:
        return len(self.strong) == 2 and self.strong[0] == self.strong[1]


def endings() -> list[Ending]:
    """All endgames, fewer pieces first, then fewer pawns: captures and promotions lead to earlier ones."""
    kinds = (KNIGHT, BISHOP, ROOK, QUEEN, PAWN)
    singles = [Ending((kind,), ()) for kind in kinds]
    pairs = [(first, second) for second in kinds for first in kinds if first >= second]
    doubles = [Ending(pair, ()) for pair in pairs] + [Ending((first,), (second,)) for first, second in pairs]
    doubles.sort(key=lambda ending: ending.men.count(PAWN))
    return [Ending((), ()), *singles, *doubles]


ENDINGS = endings()
EN_PASSANT_TIER = ENDINGS.index(Ending((PAWN,), (PAWN,)))
EN_PASSANT_PLACES = 14  # a pawn and its left or right neighbour on one rank

Numbers = npt.NDArray[np.int64]


def king_pairs(with_pawns: bool) -> list[tuple[int, int]]:
    """The squares of the two kings once the board is turned: White's in its part of the board, and not adjacent."""
    found = []
    for king in range(64):
        row, column = divmod(king, 8)
        if column > 3 or (not with_pawns and row > column):
            continue
        for other in range(64):
            other_row, other_column = divmod(other, 8)
            if abs(row - other_row) <= 1 and abs(column - other_column) <= 1:
                continue
            if not with_pawns and row == column and other_row > other_column:
                continue
            found.append((king, other))
    return found


PAIRS = king_pairs(False), king_pairs(True)
PAIR_COUNT = [len(pairs) for pairs in PAIRS]


def _pair_numbers() -> Numbers:
    """The number of a pair of kings, by whether there are pawns, White's king and Black's; -1 if there is none."""
    numbers = np.full((2, 64, 64), -1)
    for with_pawns, pairs in enumerate(PAIRS):
        for number, (king, other) in enumerate(pairs):
            numbers[with_pawns, king, other] = number
    return numbers


def _pair_squares() -> Numbers:
    """The squares of a pair of kings as one number (White's times 64), by whether there are pawns and the pair."""
    squares = np.zeros((2, max(PAIR_COUNT)), np.int64)
    for with_pawns, pairs in enumerate(PAIRS):
        squares[with_pawns, : len(pairs)] = [king << 6 | other for king, other in pairs]
    return squares


def _shapes() -> Numbers:
    """Facts about each tier, for the compiled rules; the columns are named below."""
    rows = []
    for ending in ENDINGS:
        first, second = (*ending.men, NONE, NONE)[:2]
        places = [{NONE: 1, PAWN: 48}.get(kind, 64) for kind in (first, second)]
        together = places[0] * (places[0] - 1) // 2 if ending.are_twins else places[0] * places[1]
        weak_second = int(len(ending.weak) == 1)
        with_pawns = int(PAWN in ending.men)
        rows.append(
            [
                first,
                second,
                weak_second,
                with_pawns,
                int(ending.is_symmetric),
                int(ending.are_twins),
                places[1],
                together,
            ]
        )
    return np.array(rows, np.int64)


FIRST, SECOND, WEAK_SECOND, WITH_PAWNS, SYMMETRIC, TWINS, PLACES, TOGETHER = range(8)

# The code of a piece is 0 for none, its kind for White's, 5 more for Black's; two are one number, ordered by square.
MAN_CODES = 11
KEEP, SWAP = 0, 1


def _tiers_of_men() -> Numbers:
    """By the code of two pieces: their tier, or -1; then, with colours kept and swapped, which of them comes first.

    Columns: the tier; whether White and Black swap (2: if Black is to move); whether the two pieces swap when the
    colours stay, and when they swap.
    """
    found = np.full((MAN_CODES * MAN_CODES, 4), -1)
    for code in range(MAN_CODES * MAN_CODES):
        men = [(c - 1) % 5 + 1 for c in divmod(code, MAN_CODES)[::-1] if c]
        colours = [(c - 1) // 5 for c in divmod(code, MAN_CODES)[::-1] if c]
        for swap in (KEEP, SWAP):
            sides = [colour ^ swap for colour in colours]
            order = sorted(range(len(men)), key=lambda i: (sides[i], -men[i]))
            strong = tuple(men[i] for i in order if sides[i] == WHITE)
            weak = tuple(men[i] for i in order if sides[i] == BLACK)
            if Ending(strong, weak) in ENDINGS:
                ending = Ending(strong, weak)
                found[code, 0] = ENDINGS.index(ending)
                found[code, 1] = 2 if ending.is_symmetric else swap
                found[code, 2 + swap] = int(order == [1, 0])
    return found


PAIR_NUMBER, PAIR_SQUARES, SHAPE, MEN = _pair_numbers(), _pair_squares(), _shapes(), _tiers_of_men()
# The higher one of a pair of squares, by the number of the pair.
HIGHER = np.array([high for high in range(64) for low in range(high)], np.int64)


def tiers(men: int) -> list[tuple[str, int]]:
    """The name and size of each endgame with at most this many pieces, including kings."""
    if not 2 <= men <= MOST_MEN:
        raise PositionError(f"chess has an index for endgames of 2 to {MOST_MEN} pieces, not {men!r}")
    return [(ending.name, _size(tier)) for tier, ending in enumerate(ENDINGS) if 2 + len(ending.men) <= men]


def _size(tier: int) -> int:
    shape = SHAPE[tier]
    kings = PAIR_COUNT[shape[WITH_PAWNS]]
    size = int(kings * shape[TOGETHER] * (1 if shape[SYMMETRIC] else 2))
    return size + kings * EN_PASSANT_PLACES if tier == EN_PASSANT_TIER else size


EN_PASSANT_FROM = _size(EN_PASSANT_TIER) - PAIR_COUNT[1] * EN_PASSANT_PLACES
