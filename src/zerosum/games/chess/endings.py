"""Endings that the sum of features gets wrong: some that cannot be won, and how to win against a lonely king."""

from __future__ import annotations

from zerosum.games.chess.pawns import distance
from zerosum.games.chess.position import DARK, EMPTY
from zerosum.jit.bits import lowest_bit, popcount

FULL = 64  # all of the endgame's score counts


def scale_and_drive(s, end):
    """How much of the endgame's score counts, of FULL, and points for White for driving a lonely king to its mate."""
    strong_is_white = end > 0
    strong, weak = (s.white, s.black) if strong_is_white else (s.black, s.white)
    drive = 0
    if weak & ~s.kings == EMPTY:
        drive = driving(s, strong, weak)
        return FULL, drive if strong_is_white else -drive
    if s.pawns & strong == EMPTY:
        # Without pawns one has to be a rook ahead, or nearly.
        ahead = strength(s, strong) - strength(s, weak)
        if ahead <= 3:
            return (4 if strength(s, strong) <= 3 else 14), 0
    if only_opposite_bishops(s):
        return 28 + 3 * popcount(s.pawns & strong), 0
    return FULL, 0


def strength(s, side):
    """Pieces in pawns' worth, pawns left out."""
    return 3 * popcount((s.knights | s.bishops) & side) + 5 * popcount(s.rooks & side) + 9 * popcount(s.queens & side)


def only_opposite_bishops(s):
    """Whether each side has just one bishop besides pawns, and they will never meet."""
    if s.knights | s.rooks | s.queens != EMPTY or popcount(s.bishops) != 2 or popcount(s.bishops & s.white) != 1:
        return False
    return popcount(s.bishops & DARK) == 1


def driving(s, strong, weak):
    """The nearer the lonely king is to the edge (with bishop and knight: to a corner that the bishop can reach), and
    the nearer the other king to it, the better."""
    own, lonely = lowest_bit(s.kings & strong), lowest_bit(s.kings & weak)
    row, column = lonely >> 3, lonely & 7
    points = 12 * (7 - distance(own, lonely))
    if s.pawns | s.rooks | s.queens == EMPTY and popcount(s.knights) == 1 and popcount(s.bishops) == 1:
        # a1 and h8 are dark, a8 and h1 light.
        dark = s.bishops & DARK != EMPTY
        to_corner = min(row + column, 14 - row - column) if dark else min(7 - row + column, row + 7 - column)
        # Much more than the king's nearness: on the way there it must often step back.
        points += 100 * (7 - to_corner)
    else:
        from_edge = min(row, 7 - row), min(column, 7 - column)
        points += 10 * (6 - from_edge[0] - from_edge[1]) + 10 * (3 - min(from_edge[0], from_edge[1]))
    return points + 200 if can_mate(s) else points


def can_mate(s):
    """Whether the pieces on the board, all but one king of one side, suffice to force mate; pawns may promote."""
    if s.pawns | s.rooks | s.queens != EMPTY:
        return True
    both_colours = s.bishops & DARK != EMPTY and s.bishops & ~DARK != EMPTY
    return both_colours or (s.knights != EMPTY and s.bishops != EMPTY)
