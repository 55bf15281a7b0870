"""Endgames that the sum of features misjudges: some that cannot be won, and how to mate a bare king."""

from __future__ import annotations

from zerosum.games.chess.pawns import distance
from zerosum.games.chess.position import DARK, EMPTY
from zerosum.jit.bits import lowest_bit, popcount

FULL = 64  # the endgame score counts in full


def scale_and_drive(s, end):
    """How much of the endgame score counts, out of FULL, and a bonus (for White) for driving a bare king to mate."""
    strong_is_white = end > 0
    strong, weak = (s.white, s.black) if strong_is_white else (s.black, s.white)
    drive = 0
    if weak & ~s.kings == EMPTY:
        drive = driving(s, strong, weak)
        return FULL, drive if strong_is_white else -drive
    if s.pawns & strong == EMPTY:
        # Without pawns, a win takes an advantage of about a rook.
        ahead = strength(s, strong) - strength(s, weak)
        if ahead <= 3:
            return (4 if strength(s, strong) <= 3 else 14), 0
    if only_opposite_bishops(s):
        return 28 + 3 * popcount(s.pawns & strong), 0
    return FULL, 0


def strength(s, side):
    """The value of the pieces in pawns, without the pawns."""
    return 3 * popcount((s.knights | s.bishops) & side) + 5 * popcount(s.rooks & side) + 9 * popcount(s.queens & side)


def only_opposite_bishops(s):
    """Whether each side has only one bishop besides pawns, and the bishops are on opposite colours."""
    if s.knights | s.rooks | s.queens != EMPTY or popcount(s.bishops) != 2 or popcount(s.bishops & s.white) != 1:
        return False
    return popcount(s.bishops & DARK) == 1


def driving(s, strong, weak):
    """The bonus grows as the bare king nears the edge (with bishop and knight, a corner of the bishop's colour) and as
    the other king approaches it."""
    own, lonely = lowest_bit(s.kings & strong), lowest_bit(s.kings & weak)
    row, column = lonely >> 3, lonely & 7
    points = 12 * (7 - distance(own, lonely))
    if s.pawns | s.rooks | s.queens == EMPTY and popcount(s.knights) == 1 and popcount(s.bishops) == 1:
        # a1 and h8 are dark, a8 and h1 light.
        dark = s.bishops & DARK != EMPTY
        to_corner = min(row + column, 14 - row - column) if dark else min(7 - row + column, row + 7 - column)
        # Much more than for the king's distance, because on the way there it must often step back.
        points += 100 * (7 - to_corner)
    else:
        from_edge = min(row, 7 - row), min(column, 7 - column)
        points += 10 * (6 - from_edge[0] - from_edge[1]) + 10 * (3 - min(from_edge[0], from_edge[1]))
    return points + 200 if can_mate(s) else points


def can_mate(s):
    """Whether the pieces, all of one side except the bare king, suffice to force mate; pawns may promote."""
    if s.pawns | s.rooks | s.queens != EMPTY:
        return True
    both_colours = s.bishops & DARK != EMPTY and s.bishops & ~DARK != EMPTY
    return both_colours or (s.knights != EMPTY and s.bishops != EMPTY)
