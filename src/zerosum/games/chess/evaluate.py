"""The static evaluation by features: a weighted sum, for White, in hundredths of a pawn.

Every feature has two weights, for the middle game and for the endgame; the material left determines how much each
counts. ``pieces_of`` and similar functions create the same function twice, once for each colour, so that all directions
are constants for the compiler.
"""

from __future__ import annotations

from zerosum.games.chess.attacks import bishop_attacks, pawn_attacks, rook_attacks
from zerosum.games.chess.endings import scale_and_drive
from zerosum.games.chess.pawns import pawn_half
from zerosum.games.chess.position import (
    BISHOP,
    BLACK,
    DARK,
    EMPTY,
    FILE_A,
    FILE_H,
    KING,
    KNIGHT,
    ONE,
    QUEEN,
    RANK_1,
    ROOK,
    WHITE,
)
from zerosum.games.chess.weights import ROW, endgame, middle_game
from zerosum.jit.bits import bits, lowest_bit, popcount
from zerosum.jit.words import u64

TEMPO = ROW["tempo"]
BISHOP_PAIR = ROW["bishop pair"]
OPEN_FILE, HALF_OPEN_FILE = ROW["rook on an open file"], ROW["rook on a half-open file"]
KNIGHT_OUTPOST, BISHOP_OUTPOST = ROW["knight outpost"], ROW["bishop outpost"]
BAD_BISHOP, BEHIND_PAWN = ROW["pawns on the bishop's colour"], ROW["minor piece behind a pawn"]
KNIGHT_MOBILITY, BISHOP_MOBILITY = ROW["knight mobility"], ROW["bishop mobility"]
ROOK_MOBILITY, QUEEN_MOBILITY = ROW["rook mobility"], ROW["queen mobility"]
PAWN_THREAT, MINOR_THREAT = ROW["pawn attacks a piece"], ROW["minor piece attacks a rook or queen"]
ROOK_THREAT, HANGING = ROW["rook attacks a queen"], ROW["hanging piece"]
LOOSE_PAWN = ROW["attacked and undefended pawn"]
ATTACKER = ROW["danger: knight, bishop, rook, queen attacks by the king"]
RING_HIT = ROW["danger: square by the king attacked"]
RING_WEAK = ROW["danger: square by the king that only king or queen defend"]
SAFE_CHECK = ROW["danger: safe check by knight, bishop, rook, queen"]
NO_QUEEN = ROW["danger: no queen attacks"]
SHELTER_1, SHELTER_2 = ROW["pawn right before the king"], ROW["pawn two steps before the king"]
NO_OWN_PAWN = ROW["no own pawn on a file by the king"]
NO_PAWN = ROW["no pawn at all on a file by the king"]
STORM = ROW["pawn storm, by steps from the king"]

WHITE_OUTPOSTS = u64(0x0000_FFFF_FF00_0000)  # ranks 4 to 6
BLACK_OUTPOSTS = u64(0x0000_00FF_FFFF_0000)
MOST_DANGER = 120


FULL_PHASE = 24
MELTING = 200  # plies: twice the length of the fifty-move rule


def phase_of(s):
    """The phase, from FULL_PHASE with all pieces on the board to 0 without any."""
    found = popcount(s.knights | s.bishops) + 2 * popcount(s.rooks) + 4 * popcount(s.queens)
    return min(found, FULL_PHASE)


def sides(s, colour):
    """The pieces of a colour, and the opponent's."""
    return (s.white, s.black) if colour == WHITE else (s.black, s.white)


def forward(board, colour):
    return board << u64(8) if colour == WHITE else board >> u64(8)


def beside(board):
    """A board and the squares left and right of it."""
    return board | (board & ~FILE_H) << ONE | (board & ~FILE_A) >> ONE


def files_of(board):
    """All squares of the files on which a board has a piece."""
    board |= board >> u64(32)
    board |= board >> u64(16)
    board |= board >> u64(8)
    board &= RANK_1
    board |= board << u64(8)
    board |= board << u64(16)
    return board | board << u64(32)


def king_zone(king, colour, t):
    """The squares around a king, and the row in front of them."""
    ring = t.king[u64(king)] | ONE << u64(king)
    return ring | forward(ring, colour)


def pieces_of(colour):
    """Return the function that evaluates one side's pieces."""
    turned = 0 if colour == WHITE else 56  # Black's squares are mirrored

    def pieces(s, t):
        """(score, attacked squares, squares attacked twice, by minor pieces, by rooks, by queens, danger points for
        the opponent's king, number of its attackers)."""
        own, other = sides(s, colour)
        occupied = s.white | s.black
        own_pawns, other_pawns = s.pawns & own, s.pawns & other
        guarded, hit = pawn_attacks(other_pawns, 1 - colour), pawn_attacks(own_pawns, colour)
        king = lowest_bit(s.kings & own)
        blocked = own_pawns & forward(occupied, 1 - colour)
        area = ~(blocked | s.kings & own | guarded)
        zone = king_zone(lowest_bit(s.kings & other), 1 - colour, t)
        posts = hit & (WHITE_OUTPOSTS if colour == WHITE else BLACK_OUTPOSTS)
        score, danger, attackers = t.piece_square[u64(KING), u64(king ^ turned)], 0, 0
        all_attacks = hit | t.king[u64(king)]
        twice = hit & t.king[u64(king)]
        by_minors, by_rooks, by_queens = EMPTY, EMPTY, EMPTY

        for square in bits(s.knights & own):
            reach = t.knight[u64(square)]
            score += t.piece_square[u64(KNIGHT), u64(square ^ turned)]
            score += t.weights[u64(KNIGHT_MOBILITY + popcount(reach & area))]
            twice |= all_attacks & reach
            all_attacks |= reach
            by_minors |= reach
            if reach & zone != EMPTY:
                attackers += 1
                danger += t.weights[u64(ATTACKER)] + t.weights[u64(RING_HIT)] * popcount(reach & zone)
        for square in bits(s.bishops & own):
            reach = bishop_attacks(square, occupied ^ s.queens & own, t)
            score += t.piece_square[u64(BISHOP), u64(square ^ turned)]
            score += t.weights[u64(BISHOP_MOBILITY + popcount(reach & area))]
            twice |= all_attacks & reach
            all_attacks |= reach
            by_minors |= reach
            same = DARK if DARK >> u64(square) & ONE != EMPTY else ~DARK
            score += t.weights[u64(BAD_BISHOP)] * popcount(own_pawns & same)
            if reach & zone != EMPTY:
                attackers += 1
                danger += t.weights[u64(ATTACKER + 1)] + t.weights[u64(RING_HIT)] * popcount(reach & zone)
        for square in bits(s.rooks & own):
            reach = rook_attacks(square, occupied ^ (s.queens | s.rooks) & own, t)
            score += t.piece_square[u64(ROOK), u64(square ^ turned)]
            score += t.weights[u64(ROOK_MOBILITY + popcount(reach & area))]
            twice |= all_attacks & reach
            all_attacks |= reach
            by_rooks |= reach
            column = FILE_A << u64(square & 7)
            if column & own_pawns == EMPTY:
                score += t.weights[u64(OPEN_FILE if column & other_pawns == EMPTY else HALF_OPEN_FILE)]
            if reach & zone != EMPTY:
                attackers += 1
                danger += t.weights[u64(ATTACKER + 2)] + t.weights[u64(RING_HIT)] * popcount(reach & zone)
        for square in bits(s.queens & own):
            reach = bishop_attacks(square, occupied, t) | rook_attacks(square, occupied, t)
            score += t.piece_square[u64(QUEEN), u64(square ^ turned)]
            score += t.weights[u64(QUEEN_MOBILITY + popcount(reach & area))]
            twice |= all_attacks & reach
            all_attacks |= reach
            by_queens |= reach
            if reach & zone != EMPTY:
                attackers += 1
                danger += t.weights[u64(ATTACKER + 3)] + t.weights[u64(RING_HIT)] * popcount(reach & zone)
        minors = (s.knights | s.bishops) & own
        score += t.weights[u64(KNIGHT_OUTPOST)] * popcount(s.knights & own & posts & ~guarded)
        score += t.weights[u64(BISHOP_OUTPOST)] * popcount(s.bishops & own & posts & ~guarded)
        score += t.weights[u64(BEHIND_PAWN)] * popcount(minors & forward(s.pawns, 1 - colour))
        if s.bishops & own & DARK != EMPTY and s.bishops & own & ~DARK != EMPTY:
            score += t.weights[u64(BISHOP_PAIR)]
        if s.queens & own == EMPTY:
            danger += t.weights[u64(NO_QUEEN)]
        return score, all_attacks, twice, by_minors, by_rooks, by_queens, danger, attackers

    return pieces


def contact_of(colour):
    """Return the function that evaluates one side's threats against the other."""

    def contact(s, mine, theirs, t):
        """The score of threats against the opponent's pieces, and of the danger to its king.

        ``mine`` and ``theirs`` are the results of ``pieces`` for both sides.
        """
        own, other = sides(s, colour)
        occupied = s.white | s.black
        _, attacks, twice, by_minors, by_rooks, by_queens, danger, attackers = mine
        _, defended, defended_twice, _, _, their_queens, _, _ = theirs
        own_pawns = s.pawns & own
        hit = pawn_attacks(own_pawns, colour)
        pieces = other & ~s.pawns & ~s.kings
        score = t.weights[u64(PAWN_THREAT)] * popcount(hit & pieces)
        score += t.weights[u64(MINOR_THREAT)] * popcount(by_minors & other & (s.rooks | s.queens))
        score += t.weights[u64(ROOK_THREAT)] * popcount(by_rooks & other & s.queens)
        score += t.weights[u64(HANGING)] * popcount(attacks & pieces & ~hit & (~defended | twice & ~defended_twice))
        score += t.weights[u64(LOOSE_PAWN)] * popcount(attacks & other & s.pawns & ~defended)

        # Danger to the opponent's king.
        king = lowest_bit(s.kings & other)
        ring = t.king[u64(king)]
        if attackers > 1 or (attackers == 1 and s.queens & own != EMPTY):
            weak = attacks & ~defended_twice & (~defended | t.king[u64(king)] | their_queens)
            danger += t.weights[u64(RING_WEAK)] * popcount(weak & ring)
            # Squares from which a piece could give check without being captured for nothing.
            safe = ~own & (~defended | weak & twice)
            straight, diagonal = rook_attacks(king, occupied, t), bishop_attacks(king, occupied, t)
            danger += t.weights[u64(SAFE_CHECK)] * popcount(t.knight[u64(king)] & by_knights(s, own, t) & safe)
            danger += t.weights[u64(SAFE_CHECK + 1)] * popcount(diagonal & by_minors & ~by_knights(s, own, t) & safe)
            danger += t.weights[u64(SAFE_CHECK + 2)] * popcount(straight & by_rooks & safe)
            danger += t.weights[u64(SAFE_CHECK + 3)] * popcount((straight | diagonal) & by_queens & safe)
            if danger > 0:
                danger = min(danger, MOST_DANGER)
                score += danger * danger // 16 + ((danger >> 1) << 32)
        return score

    return contact


def by_knights(s, own, t):
    """The squares that a side's knights attack."""
    found = EMPTY
    for square in bits(s.knights & own):
        found |= t.knight[u64(square)]
    return found


def shelter_of(colour):
    """Return the function that evaluates the pawns around one side's king."""

    def shelter(s, t):
        own, other = sides(s, colour)
        king = s.kings & own
        own_pawns, other_pawns = s.pawns & own, s.pawns & other
        step = forward(beside(king), colour)
        score = t.weights[u64(SHELTER_1)] * popcount(step & own_pawns)
        score += t.weights[u64(STORM + 1)] * popcount(step & other_pawns)
        step = forward(step, colour)
        score += t.weights[u64(SHELTER_2)] * popcount(step & own_pawns)
        score += t.weights[u64(STORM + 2)] * popcount(step & other_pawns)
        step = forward(step, colour)
        score += t.weights[u64(STORM + 3)] * popcount(step & other_pawns)
        score += t.weights[u64(STORM + 4)] * popcount(forward(step, colour) & other_pawns)
        near = files_of(beside(king))
        score += t.weights[u64(NO_OWN_PAWN)] * (popcount(near & ~files_of(own_pawns)) >> 3)
        score += t.weights[u64(NO_PAWN)] * (popcount(near & ~files_of(s.pawns)) >> 3)
        return score

    return shelter


white_pieces, black_pieces = pieces_of(WHITE), pieces_of(BLACK)
white_contact, black_contact = contact_of(WHITE), contact_of(BLACK)
white_shelter, black_shelter = shelter_of(WHITE), shelter_of(BLACK)
white_pawns, black_pawns = pawn_half(WHITE), pawn_half(BLACK)


def evaluate(s, t):
    """The evaluation for White, in hundredths of a pawn."""
    white, black = white_pieces(s, t), black_pieces(s, t)
    score = white[0] - black[0]
    score += white_contact(s, white, black, t) - black_contact(s, black, white, t)
    score += white_pawns(s, black[1], t) - black_pawns(s, white[1], t)
    score += white_shelter(s, t) - black_shelter(s, t)
    score += t.weights[u64(TEMPO)] if s.turn == WHITE else -t.weights[u64(TEMPO)]
    phase, middle, end = phase_of(s), middle_game(score), endgame(score)
    scale, drive = scale_and_drive(s, end)
    return (middle * phase * 64 + end * (FULL_PHASE - phase) * scale) // (64 * FULL_PHASE) + drive


def adjust(s, value):
    """Correct the value from a network, for White: endgames that cannot be won count less, a bare king is driven to
    mate, and an advantage shrinks as the fifty-move clock runs."""
    phase = phase_of(s)
    scale, drive = scale_and_drive(s, value)
    value = value * (64 * phase + scale * (FULL_PHASE - phase)) // (64 * FULL_PHASE) + drive
    return value * (MELTING - s.clock) // MELTING
