"""The index of chess endgame databases: a number for each position with up to four pieces, and back.

A tier is an endgame such as KRvK, with either side to move and for both colours: White's rook against Black's king is
the same as Black's against White's. So a position is first turned until the stronger side is White (if both have the
same material, the side to move), and the board is turned or mirrored until White's king is on files a to d, or, without
pawns, in the triangle a1-d1-d4. Its index is then made of

    the side to move, the two kings (462 pairs without pawns, 1,806 with them), the square of each other piece

where two pieces of the same kind and colour are an unordered pair. Indices with two pieces on one square are unused,
and so is the second of two mirror images with both kings on the long diagonal. Positions with en passant, which occur
only in KPvKP, come after all others. Positions with castling rights are in no tier; the fifty-move clock is ignored.

>>> from zerosum.games.chess import chess
>>> game = chess()
>>> s = game.parse_state("8/8/8/4k3/8/8/8/R3K3 w - - 0 1")
>>> game.tier(s), game.rank(s), game.is_valid(s)
(3, 11399, True)
>>> game.format_state(game.unrank(3, 11399))
'8/8/8/3k4/8/8/8/3K3R w - - 0 1'
"""

from __future__ import annotations

from zerosum.games.chess.attacks import attackers_to, own_and_other
from zerosum.games.chess.endgame_tiers import (
    EN_PASSANT_FROM,
    EN_PASSANT_PLACES,
    EN_PASSANT_TIER,
    FIRST,
    HIGHER,
    MAN_CODES,
    MEN,
    MOST_MEN,
    PAIR_COUNT,
    PAIR_NUMBER,
    PAIR_SQUARES,
    PLACES,
    SECOND,
    SHAPE,
    SWAP,
    TOGETHER,
    TWINS,
    WEAK_SECOND,
    WITH_PAWNS,
)
from zerosum.games.chess.position import (
    BACK_RANKS,
    BISHOP,
    BLACK,
    EMPTY,
    KNIGHT,
    NONE,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    Position,
    piece_at,
)
from zerosum.games.chess.zobrist import TURN
from zerosum.jit.bits import bits, lowest_bit, popcount
from zerosum.jit.words import u64

OUTSIDE = -1
NO_SQUARE = 64


def tier(s):
    """The index of the endgame in ``tiers``; OUTSIDE if there are too many pieces or castling rights."""
    if popcount(s.white | s.black) > MOST_MEN or s.castling != EMPTY or popcount(s.kings) != 2:
        return OUTSIDE
    return int(MEN[u64(men_code(s)), 0])


def men_code(s):
    """The pieces other than kings, at most two, as one number."""
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
    """The index of a position within its tier, which must not be OUTSIDE."""
    code = u64(men_code(s))
    shape = u64(MEN[code, 0])
    swapped = int(MEN[code, 1])
    if swapped == 2:
        swapped = s.turn  # equal material: the side to move becomes White
    strong = s.black if swapped == SWAP else s.white
    king, other = lowest_bit(s.kings & strong), lowest_bit(s.kings & ~strong)
    men = (s.white | s.black) & ~s.kings
    one, two = lowest_bit(men), NO_SQUARE
    if men != EMPTY:
        two = lowest_bit(men & (men - ONE))
    if MEN[code, u64(2 + swapped)] == 1:
        one, two = two, one
    turn = s.turn ^ swapped
    # Turn the board: swap colours, then left and right, then top and bottom, then reflect in the diagonal.
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
    """Positive above the diagonal a1-h8, 0 on it, negative below."""
    return (square >> 3) - (square & 7)


def mirror(square):
    """The square reflected in that diagonal."""
    return (square & 7) << 3 | square >> 3 & 7


def place(shape, turn, king, other, one, two):
    """The index of a position whose board has been turned."""
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
    """The position with this index, with White as the stronger side; an empty board for an unused index."""
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
            return empty_board()  # the mirror image of a position with a lower index
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
    return Position(EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, WHITE, EMPTY, 0, 0, 1, EMPTY)


def keyed(pawns, knights, bishops, rooks, queens, kings, white, black, turn, en_passant, t):
    """The position with its key."""
    s = Position(pawns, knights, bishops, rooks, queens, kings, white, black, turn, EMPTY, en_passant, 0, 1, EMPTY)
    key = t.zobrist_en_passant[u64(en_passant)]
    if turn == BLACK:
        key ^= TURN
    for square in bits(white | black):
        kind = piece_at(s, square)
        key ^= t.zobrist[u64(kind + 8 * int(black >> u64(square) & ONE)), u64(square)]
    return s._replace(key=key)


def is_valid(s, t):
    """Whether this is a legal endgame position: one king each, and the side that has just moved is not in check."""
    if tier(s) == OUTSIDE or popcount(s.kings & s.white) != 1 or s.pawns & BACK_RANKS != EMPTY:
        return False
    own, other = own_and_other(s)
    if s.en_passant != 0:
        # The square that the pawn came from and the one it passed must be empty.
        behind = s.en_passant + 8 if s.turn == WHITE else s.en_passant - 8
        if (ONE << u64(s.en_passant) | ONE << u64(behind)) & (own | other) != EMPTY:
            return False
    return bool(attackers_to(s, lowest_bit(s.kings & other), own | other, t) & own == EMPTY)
