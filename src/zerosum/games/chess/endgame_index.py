"""A number for every position of up to four men, and back: what endgame databases of chess stand on.

A tier is an ending such as KRvK, for both sides to move and both colours: White's rook against Black's king is the
same as Black's against White's. So a position is first turned until the side that has more is White (where both have
the same, the side to move), and the board is turned or mirrored until White's king stands on the files a to d, or
without pawns in the triangle a1-d1-d4. Its number is then made of

    whose move, the two kings (462 pairs without pawns, 1,806 with them), the square of each man

and men of one kind and colour are one pair. A square that is taken twice, and the second of two mirror images of one
position with both kings on the long diagonal, are holes. En passant, possible in KPvKP alone, has numbers behind all
others. Positions with castling rights are in no tier; the clock of the fifty moves has no part in it.

>>> [name for name, size in tiers(3)]
['KvK', 'KNvK', 'KBvK', 'KRvK', 'KQvK', 'KPvK']
>>> tiers(3)[3]  # the rook, 462 pairs of kings, 64 squares, two sides to move
('KRvK', 59136)
>>> from zerosum.games.chess import chess
>>> game = chess()
>>> s = game.parse_state("8/8/8/4k3/8/8/8/R3K3 w - - 0 1")
>>> game.tier(s), game.rank(s), game.is_valid(s)
(3, 11399, True)
>>> game.format_state(game.unrank(3, 11399))
'8/8/8/3k4/8/8/8/3K3R w - - 0 1'
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.errors import PositionError
from zerosum.games.chess.attacks import attackers_to, own_and_other
from zerosum.games.chess.position import (
    BACK_RANKS,
    BISHOP,
    BLACK,
    EMPTY,
    KNIGHT,
    LETTERS,
    NONE,
    ONE,
    PAWN,
    PHASE,
    QUEEN,
    ROOK,
    WHITE,
    Position,
    piece_at,
)
from zerosum.games.chess.zobrist import TURN
from zerosum.jit.bits import bits, lowest_bit, popcount
from zerosum.jit.words import u64

MOST_MEN = 4
OUTSIDE = -1
NO_SQUARE = 64


class Ending(NamedTuple):
    """What stands beside the kings: the stronger side's men, then the weaker side's, each from queen to pawn."""

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
    """Fewer men first, then fewer pawns: captures and promotions lead to earlier endings."""
    kinds = (KNIGHT, BISHOP, ROOK, QUEEN, PAWN)
    singles = [Ending((kind,), ()) for kind in kinds]
    pairs = [(first, second) for second in kinds for first in kinds if first >= second]
    doubles = [Ending(pair, ()) for pair in pairs] + [Ending((first,), (second,)) for first, second in pairs]
    doubles.sort(key=lambda ending: ending.men.count(PAWN))
    return [Ending((), ()), *singles, *doubles]


ENDINGS = endings()
EN_PASSANT_TIER = ENDINGS.index(Ending((PAWN,), (PAWN,)))
EN_PASSANT_PLACES = 14  # a pawn and its neighbour on one rank, left or right

Numbers = npt.NDArray[np.int64]


def king_pairs(with_pawns: bool) -> list[tuple[int, int]]:
    """Where the two kings may stand once the board is turned: White's in its part of the board, not side by side."""
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
    """By pawns or none, White's king and Black's: the number of the pair; -1 where there is none."""
    numbers = np.full((2, 64, 64), -1)
    for with_pawns, pairs in enumerate(PAIRS):
        for number, (king, other) in enumerate(pairs):
            numbers[with_pawns, king, other] = number
    return numbers


def _pair_squares() -> Numbers:
    """By pawns or none, and the number of a pair: the squares of both kings in one, White's times 64."""
    squares = np.zeros((2, max(PAIR_COUNT)), np.int64)
    for with_pawns, pairs in enumerate(PAIRS):
        squares[with_pawns, : len(pairs)] = [king << 6 | other for king, other in pairs]
    return squares


def _shapes() -> Numbers:
    """Facts about each tier, for the compiled rules: columns as named below."""
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

# A man is 0 for none, its kind for White's, 5 more for Black's; two men are one number, in the order of their squares.
MAN_CODES = 11
KEEP, SWAP = 0, 1


def _tiers_of_men() -> Numbers:
    """By the code of two men: their tier, or -1; then, for each way to see the colours, which of them comes first.

    Columns: the tier; whether White and Black change places (2: if Black is to move); whether the men change places
    when the colours stay, and when they change.
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
# Of two squares below 64 in one number, the higher one.
HIGHER = np.array([high for high in range(64) for low in range(high)], np.int64)


def tiers(men: int) -> list[tuple[str, int]]:
    """Name and size of every ending of up to so many men, kings included."""
    if not 2 <= men <= MOST_MEN:
        raise PositionError(f"chess has an index for endings of 2 to {MOST_MEN} men, not {men!r}")
    return [(ending.name, _size(tier)) for tier, ending in enumerate(ENDINGS) if 2 + len(ending.men) <= men]


def _size(tier: int) -> int:
    shape = SHAPE[tier]
    kings = PAIR_COUNT[shape[WITH_PAWNS]]
    size = int(kings * shape[TOGETHER] * (1 if shape[SYMMETRIC] else 2))
    return size + kings * EN_PASSANT_PLACES if tier == EN_PASSANT_TIER else size


EN_PASSANT_FROM = _size(EN_PASSANT_TIER) - PAIR_COUNT[1] * EN_PASSANT_PLACES


def tier(s):
    """The place of the ending in ``tiers``; OUTSIDE where there are too many men, or castling is still allowed."""
    if popcount(s.white | s.black) > MOST_MEN or s.castling != EMPTY or popcount(s.kings) != 2:
        return OUTSIDE
    return int(MEN[u64(men_code(s)), 0])


def men_code(s):
    """All men but the kings, two at most, as one number."""
    men = (s.white | s.black) & ~s.kings
    code = 0
    if men != EMPTY:
        code = man_code(s, lowest_bit(men))
        rest = men & (men - ONE)
        if rest != EMPTY:
            code += MAN_CODES * man_code(s, lowest_bit(rest))
    return code


def man_code(s, square):
    return piece_at(s, square) + 5 * int(s.black >> u64(square) & ONE)


def rank(s):
    """The number of a position within its tier, which must not be OUTSIDE."""
    code = u64(men_code(s))
    shape = u64(MEN[code, 0])
    swapped = int(MEN[code, 1])
    if swapped == 2:
        swapped = s.turn  # both sides have the same: the one to move is White
    strong = s.black if swapped == SWAP else s.white
    king, other = lowest_bit(s.kings & strong), lowest_bit(s.kings & ~strong)
    men = (s.white | s.black) & ~s.kings
    one, two = lowest_bit(men), NO_SQUARE
    if men != EMPTY:
        two = lowest_bit(men & (men - ONE))
    if MEN[code, u64(2 + swapped)] == 1:
        one, two = two, one
    turn = s.turn ^ swapped
    # Turn the board: colours, then left and right, then up and down, then along the diagonal.
    flip = 56 if swapped == SWAP else 0
    if king & 4:
        flip ^= 7
    if SHAPE[shape, WITH_PAWNS] == 0 and (king ^ flip) & 32:
        flip ^= 56
    king, other, one, two = king ^ flip, other ^ flip, one ^ flip, two ^ flip
    if SHAPE[shape, WITH_PAWNS] == 1:
        if s.en_passant != 0:
            pair = PAIR_NUMBER[1, u64(king), u64(other)]
            return int(EN_PASSANT_FROM + pair * EN_PASSANT_PLACES + 2 * (one & 7) + (1 if two > one else 0) - 1)
        return place(shape, turn, king, other, one, two)
    slant = above_diagonal(king)
    if slant == 0:
        slant = above_diagonal(other)
    if slant < 0:
        return place(shape, turn, king, other, one, two)
    mirrored = place(shape, turn, mirror(king), mirror(other), mirror(one), mirror(two))
    if slant > 0:
        return mirrored
    return min(mirrored, place(shape, turn, king, other, one, two))


def above_diagonal(square):
    """Positive above the diagonal from a1 to h8, 0 on it, negative below."""
    return (square >> 3) - (square & 7)


def mirror(square):
    """The square on the other side of that diagonal."""
    return (square & 7) << 3 | square >> 3 & 7


def place(shape, turn, king, other, one, two):
    """The number of a position whose board has been turned."""
    if SHAPE[shape, FIRST] == PAWN:
        one -= 8
    if SHAPE[shape, SECOND] == PAWN:
        two -= 8
    if SHAPE[shape, FIRST] == NONE:
        men = 0
    elif SHAPE[shape, SECOND] == NONE:
        men = one
    elif SHAPE[shape, TWINS] == 1:
        low, high = min(one, two), max(one, two)
        men = (high * (high - 1) >> 1) + low
    else:
        men = one * SHAPE[shape, PLACES] + two
    with_pawns = u64(SHAPE[shape, WITH_PAWNS])
    kings = turn * PAIR_COUNT[with_pawns] + PAIR_NUMBER[with_pawns, u64(king), u64(other)]
    return int(kings * SHAPE[shape, TOGETHER] + men)


def unrank(tier, index, t):
    """The position with this number, the stronger side White; an empty board for a hole.

    Its sums of tuned weights are 0, so that a database does not depend on them: ``refresh`` fills them in.
    """
    shape = u64(tier)
    with_pawns = u64(SHAPE[shape, WITH_PAWNS])
    first, second = int(SHAPE[shape, FIRST]), int(SHAPE[shape, SECOND])
    one, two = NO_SQUARE, NO_SQUARE
    turn, en_passant = WHITE, 0
    if tier == EN_PASSANT_TIER and index >= EN_PASSANT_FROM:
        number = index - EN_PASSANT_FROM
        pair = number // EN_PASSANT_PLACES
        step = number - pair * EN_PASSANT_PLACES + 1
        one = 32 + (step >> 1)
        two = one + 1 if step & 1 else one - 1
        en_passant = two + 8
    else:
        together = int(SHAPE[shape, TOGETHER])
        kings = index // together
        men = index - kings * together
        turn = kings // PAIR_COUNT[with_pawns]
        pair = kings - turn * PAIR_COUNT[with_pawns]
        if first != NONE:
            one = men
            if SHAPE[shape, TWINS] == 1:
                two = int(HIGHER[u64(men)])
                one = men - (two * (two - 1) >> 1)
            elif second != NONE:
                one = men // int(SHAPE[shape, PLACES])
                two = men - one * int(SHAPE[shape, PLACES])
        if first == PAWN:
            one += 8
        if second == PAWN:
            two += 8
    squares = int(PAIR_SQUARES[with_pawns, u64(pair)])
    king, other = squares >> 6, squares & 63
    weak_second = int(SHAPE[shape, WEAK_SECOND])
    if SHAPE[shape, WITH_PAWNS] == 0 and above_diagonal(king) == 0 and above_diagonal(other) == 0:
        if place(shape, turn, king, other, mirror(one), mirror(two)) < index:
            return empty_board()  # the mirror image of a position with a lower number
    white = ONE << u64(king)
    black = ONE << u64(other)
    kings_board = white | black
    one_board = ONE << u64(one) if first != NONE else EMPTY
    two_board = ONE << u64(two) if second != NONE else EMPTY
    if (kings_board & (one_board | two_board)) | (one_board & two_board) != EMPTY:
        return empty_board()
    white |= one_board
    if weak_second == 1:
        black |= two_board
    else:
        white |= two_board
    return keyed(
        board_of(PAWN, first, one_board, second, two_board),
        board_of(KNIGHT, first, one_board, second, two_board),
        board_of(BISHOP, first, one_board, second, two_board),
        board_of(ROOK, first, one_board, second, two_board),
        board_of(QUEEN, first, one_board, second, two_board),
        kings_board,
        white,
        black,
        turn,
        en_passant,
        t,
    )


def board_of(kind, first, one_board, second, two_board):
    return (one_board if first == kind else EMPTY) | (two_board if second == kind else EMPTY)


def empty_board():
    return Position(EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, WHITE, EMPTY, 0, 0, 1, EMPTY, 0, 0, 0)


def keyed(pawns, knights, bishops, rooks, queens, kings, white, black, turn, en_passant, t):
    """The position with its key."""
    s = Position(
        pawns, knights, bishops, rooks, queens, kings, white, black, turn, EMPTY, en_passant, 0, 1, EMPTY, 0, 0, 0
    )
    key = t.zobrist_en_passant[u64(en_passant)]
    if turn == BLACK:
        key ^= TURN
    phase = 0
    for square in bits(white | black):
        kind = piece_at(s, square)
        key ^= t.zobrist[u64(kind + 8 * int(black >> u64(square) & ONE)), u64(square)]
        phase += PHASE[kind]
    return s._replace(key=key, phase=phase)


def is_valid(s, t):
    """Whether this is a position of some ending: a king each, the one not to move not in check."""
    if tier(s) == OUTSIDE or popcount(s.kings & s.white) != 1 or s.pawns & BACK_RANKS != EMPTY:
        return False
    own, other = own_and_other(s)
    if s.en_passant != 0:
        # The pawn came over two empty squares.
        behind = s.en_passant + 8 if s.turn == WHITE else s.en_passant - 8
        if (ONE << u64(s.en_passant) | ONE << u64(behind)) & (own | other) != EMPTY:
            return False
    return bool(attackers_to(s, lowest_bit(s.kings & other), own | other, t) & own == EMPTY)
