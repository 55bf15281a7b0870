"""Othello on bitboards: legal moves, flipped discs, stable discs, and the exact score with few empty squares.

A board is a ``u64`` with square 0 in the lowest bit. ``own`` are the discs of the player to move, ``other`` the
opponent's.
"""

from __future__ import annotations

import numpy as np

from zerosum.jit.bits import lowest_bit, popcount, signed
from zerosum.jit.words import drop_lowest, scratch_words, to_u64, u64

NOWHERE = u64(0)
# Discs on the outer columns are never flipped along a row or diagonal, and shifts must not wrap around there.
MIDDLE_COLUMNS = u64(0x7E7E_7E7E_7E7E_7E7E)
CORNERS = u64(0x8100_0000_0000_0081)
EDGES = u64(0xFF81_8181_8181_81FF)
FIRST_COLUMN, LAST_COLUMN = u64(0x0101_0101_0101_0101), u64(0x8080_8080_8080_8080)
TOP_AND_BOTTOM = u64(0xFF00_0000_0000_00FF)
LEFT_AND_RIGHT = u64(0x8181_8181_8181_8181)

LAST = 7
"""The most empty squares for which ``last_squares`` finds the score."""

NO_MOVE = -128
"""Below every score."""

# For move ordering: each answer that the opponent gets, and an even number of empty squares in the quarter.
ANSWER, EVEN = 2, 1

STEPS = ((0, 1), (1, -1), (1, 0), (1, 1))  # towards higher squares: right, down-left, down, down-right


def _ray(square: int, down: int, right: int) -> int:
    """The squares after this one, up to the edge."""
    row, column, found = square // 8 + down, square % 8 + right, 0
    while 0 <= row < 8 and 0 <= column < 8:
        found |= 1 << 8 * row + column
        row, column = row + down, column + right
    return found


def _quarter(square: int) -> int:
    """The quarter of the board, 4×4 squares, that contains this square."""
    return 0x0F0F_0F0F << 32 * (square // 32) + 4 * (square % 8 // 4)


# For each square, four rays to higher squares, then four to lower ones.
RAYS = np.array(
    [_ray(square, sign * down, sign * right) for square in range(64) for sign in (1, -1) for down, right in STEPS],
    np.uint64,
)
NEIGHBOURS = np.array(
    [
        sum(
            1 << 8 * row + column
            for row in range(8)
            for column in range(8)
            if max(abs(row - square // 8), abs(column - square % 8)) == 1
        )
        for square in range(64)
    ],
    np.uint64,
)
QUARTERS = np.array([_quarter(square) for square in range(64)], np.uint64)


def _turned_on_line(place: int, own: int) -> int:
    """The number of discs enclosed from this place on a full line: discs that are not ``own`` are the opponent's."""
    ends = [[at for at in side if own >> at & 1][:1] for side in (range(place + 1, 8), range(place - 1, -1, -1))]
    return sum(abs(at - place) - 1 for found in ends for at in found)


TURNED_ON_LINE = np.array([_turned_on_line(place, own) for place in range(8) for own in range(256)], np.int8)
# For each square, the diagonal through it down to the right, and the one down to the left.
DIAGONALS = np.array(
    [_ray(square, 1, right) | _ray(square, -1, -right) | 1 << square for square in range(64) for right in (1, -1)],
    np.uint64,
)


# Moves


def enclosing(own, prey, step):
    """The squares where a disc would enclose ``prey`` in either direction along ``step``."""
    ahead = prey & (own << step)
    ahead |= prey & (ahead << step)
    behind = prey & (own >> step)
    behind |= prey & (behind >> step)
    # At most six discs can be enclosed: after two, extend by two more, twice.
    pairs_ahead = prey & (prey << step)
    pairs_behind = pairs_ahead >> step
    twice = step + step
    ahead |= pairs_ahead & (ahead << twice)
    ahead |= pairs_ahead & (ahead << twice)
    behind |= pairs_behind & (behind >> twice)
    behind |= pairs_behind & (behind >> twice)
    return (ahead << step) | (behind >> step)


def placements(own, other):
    """The squares where the owner of ``own`` may play."""
    inner = other & MIDDLE_COLUMNS
    found = enclosing(own, inner, u64(1)) | enclosing(own, other, u64(8))
    found |= enclosing(own, inner, u64(7)) | enclosing(own, inner, u64(9))
    return found & ~(own | other)


def surroundings(discs):
    """The squares next to these discs, and the discs themselves."""
    found = discs | ((discs & ~LAST_COLUMN) << u64(1)) | ((discs & ~FIRST_COLUMN) >> u64(1))
    return found | (found << u64(8)) | (found >> u64(8))


def turned_above(ray, own, other):
    """The discs enclosed on a ray to higher squares."""
    stops = ray & ~other
    first = stops ^ u64(drop_lowest(stops))
    return ray & (first - u64(1)) if own & first != NOWHERE else NOWHERE


def turned_below(ray, step, own, other):
    """The discs enclosed on a ray to lower squares, which are ``step`` apart."""
    stops = ray & ~other
    behind = stops | (stops >> step)
    behind |= behind >> (step + step)
    behind |= behind >> (step << u64(2))
    first = stops & ~(behind >> step)
    return ray & ~behind if own & first != NOWHERE else NOWHERE


def turned_by(square, own, other):
    """The discs that the owner of ``own`` flips by playing on this square.

    It treats four rays at a time in the same way, so that LLVM vectorises each four.
    """
    at = u64(square) * u64(8)
    right, left, down, across = RAYS[at], RAYS[at + u64(1)], RAYS[at + u64(2)], RAYS[at + u64(3)]
    above = turned_above(right, own, other) | turned_above(left, own, other)
    above |= turned_above(down, own, other) | turned_above(across, own, other)
    right, left, down, across = RAYS[at + u64(4)], RAYS[at + u64(5)], RAYS[at + u64(6)], RAYS[at + u64(7)]
    below = turned_below(right, u64(1), own, other) | turned_below(left, u64(7), own, other)
    below |= turned_below(down, u64(8), own, other) | turned_below(across, u64(9), own, other)
    return above | below


# Stable discs


def anchored(own):
    """The discs in an unbroken row along an edge from a corner of their colour: they can never be flipped."""
    rows, columns = own & TOP_AND_BOTTOM, own & LEFT_AND_RIGHT
    along_rows = along_columns = own & CORNERS
    if along_rows == NOWHERE:
        return NOWHERE
    for _ in range(6):
        # A shift that wraps around leaves the top and bottom rows, where the mask drops it.
        along_rows |= rows & ((along_rows << u64(1)) | (along_rows >> u64(1)))
        along_columns |= columns & ((along_columns << u64(8)) | (along_columns >> u64(8)))
    return along_rows | along_columns


def full_lines(discs):
    """For each of the four directions, the squares whose line in that direction has no empty square.

    A square on an edge counts as full in every direction that crosses the edge: nothing can enclose it there.
    """
    rows = discs & (discs >> u64(4))
    rows &= rows >> u64(2)
    rows = (rows & (rows >> u64(1)) & FIRST_COLUMN) * u64(0xFF)
    columns = discs & ((discs >> u64(8)) | (discs << u64(56)))
    columns &= (columns >> u64(16)) | (columns << u64(48))
    columns &= (columns >> u64(32)) | (columns << u64(32))
    # Diagonals: full up to the edge on one side and on the other, extended by one square, then two, then four.
    up, down = discs & (EDGES | (discs >> u64(9))), discs & (EDGES | (discs << u64(9)))
    up &= u64(0xFFFF_C0C0_C0C0_C0C0) | (up >> u64(18))
    down &= u64(0x0303_0303_0303_FFFF) | (down << u64(18))
    falling = up & down & (u64(0x0F0F_0F0F_F0F0_F0F0) | (up >> u64(36)) | (down << u64(36)))
    up, down = discs & (EDGES | (discs >> u64(7))), discs & (EDGES | (discs << u64(7)))
    up &= u64(0xFFFF_0303_0303_0303) | (up >> u64(14))
    down &= u64(0xC0C0_C0C0_C0C0_FFFF) | (down << u64(14))
    up &= u64(0xFFFF_FFFF_0F0F_0F0F) | (up >> u64(28))
    down &= u64(0xF0F0_F0F0_FFFF_FFFF) | (down << u64(28))
    return rows | LEFT_AND_RIGHT, columns | TOP_AND_BOTTOM, falling | EDGES, (up & down) | EDGES


def stable(own, rows, columns, falling, rising):
    """The stable discs, which can never be flipped: in each direction their line is full or a neighbour is stable.

    The other arguments are the full lines, which include every edge square from which a shift could wrap around.
    """
    found = own & rows & columns & falling & rising
    before = NOWHERE
    while found != before:
        before = found
        beside = rows | (found << u64(1)) | (found >> u64(1))
        beside &= columns | (found << u64(8)) | (found >> u64(8))
        beside &= falling | (found << u64(9)) | (found >> u64(9))
        beside &= rising | (found << u64(7)) | (found >> u64(7))
        found |= own & beside
    return found


# The last squares. All values are for the owner of ``own``, and fail-soft with respect to (low, high).


def final_score(own, other):
    """The disc difference when neither player can move; empty squares count for the winner."""
    mine, theirs = popcount(own), popcount(other)
    if mine > theirs:
        return 64 - 2 * theirs
    return 2 * mine - 64 if mine < theirs else 0


def pushed_down(diagonal):
    """The discs of a diagonal as a single row: the product adds up all rows in the highest byte."""
    return to_u64(signed(diagonal) * 0x0101_0101_0101_0101) >> u64(56)


def turned_at_last(own, square):
    """The number of discs that the owner of ``own`` flips by playing on the last empty square.

    Each line becomes a row of eight. The missing end of a short line looks like opponent's discs that nothing encloses.
    """
    row, column = square >> 3, square & 7
    # The product moves the disc of row r from bit 8 r to bit 56 + r.
    upright = to_u64(signed((own >> u64(column)) & FIRST_COLUMN) * 0x0102_0408_1020_4080) >> u64(56)
    count = TURNED_ON_LINE[row << 8 | int(upright)]
    count += TURNED_ON_LINE[column << 8 | int((own >> u64(8 * row)) & u64(0xFF))]
    count += TURNED_ON_LINE[column << 8 | int(pushed_down(own & DIAGONALS[2 * square]))]
    return count + TURNED_ON_LINE[column << 8 | int(pushed_down(own & DIAGONALS[2 * square + 1]))]


def one_square(own, other, square):
    """The score with one empty square."""
    turned = turned_at_last(own, square)
    if turned > 0:
        return 2 * popcount(own) + 2 * turned - 62
    turned = turned_at_last(other, square)
    if turned > 0:
        return 62 - 2 * popcount(other) - 2 * turned
    return final_score(own, other)


def best_of_two(own, other, one, two, high):
    """The score of the better move with two empty squares, or NO_MOVE."""
    best = NO_MOVE
    if NEIGHBOURS[u64(one)] & other != NOWHERE:
        turned = turned_by(one, own, other)
        if turned != NOWHERE:
            best = -one_square(other ^ turned, own | turned | (u64(1) << u64(one)), two)
            if best >= high:
                return best
    if NEIGHBOURS[u64(two)] & other != NOWHERE:
        turned = turned_by(two, own, other)
        if turned != NOWHERE:
            best = max(best, -one_square(other ^ turned, own | turned | (u64(1) << u64(two)), one))
    return best


def two_squares(own, other, empty, odd, low, high):
    """The score with two empty squares."""
    one, two = lowest_bit(empty), lowest_bit(drop_lowest(empty))
    best = best_of_two(own, other, one, two, high)
    if best == NO_MOVE:
        best = best_of_two(other, own, one, two, -low)
        return final_score(own, other) if best == NO_MOVE else -best
    return best


def with_one_more(fewer):
    """Return a function for the score with one more empty square than ``fewer`` handles.

    ``odd`` are the quarters of the board with an odd number of empty squares. They are tried first, because the player
    who moves there first is likely to make the last move there.
    """

    def best_of(own, other, empty, odd, low, high):
        best = NO_MOVE
        first, later = empty & odd, empty & ~odd
        while first | later != NOWHERE:
            square = u64(lowest_bit(first if first != NOWHERE else later))
            if first != NOWHERE:
                first = u64(drop_lowest(first))
            else:
                later = u64(drop_lowest(later))
            if NEIGHBOURS[square] & other != NOWHERE:
                turned = turned_by(square, own, other)
                if turned != NOWHERE:
                    disc = u64(1) << square
                    after = own | turned | disc
                    found = -fewer(other ^ turned, after, empty ^ disc, odd ^ QUARTERS[square], -high, -max(low, best))
                    if found > best:
                        best = found
                        if best >= high:
                            return best
        return best

    def score(own, other, empty, odd, low, high):
        best = best_of(own, other, empty, odd, low, high)
        if best == NO_MOVE:
            best = best_of(other, own, empty, odd, -high, -low)
            return final_score(own, other) if best == NO_MOVE else -best
        return best

    return score


three_squares = with_one_more(two_squares)
four_squares = with_one_more(three_squares)


def fewest_answers_first(fewer):
    """The same as ``with_one_more``, with moves sorted by the opponent's answers, fewest first; corners count twice."""

    def best_of(own, other, legal, empty, odd, low, high):
        row, end = scratch_words(), 0  # rank, square and flipped discs of each move, by insertion sort
        while legal != NOWHERE:
            square = lowest_bit(legal)
            legal = u64(drop_lowest(legal))
            turned, disc = turned_by(square, own, other), u64(1) << u64(square)
            answers = placements(other ^ turned, own | turned | disc)
            rank = ANSWER * (popcount(answers) + popcount(answers & CORNERS))
            if odd & disc == NOWHERE:
                rank += EVEN
            at = end
            while at > 0 and row[at - 3] > rank:
                row[at], row[at + 1], row[at + 2] = row[at - 3], row[at - 2], row[at - 1]
                at -= 3
            row[at], row[at + 1], row[at + 2] = rank, square, signed(turned)
            end += 3
        best = NO_MOVE
        for at in range(0, end, 3):
            place, turned = to_u64(row[at + 1]), to_u64(row[at + 2])
            disc = u64(1) << place
            after = own | turned | disc
            found = -fewer(other ^ turned, after, empty ^ disc, odd ^ QUARTERS[place], -high, -max(low, best))
            if found > best:
                best = found
                if best >= high:
                    return best
        return best

    def score(own, other, empty, odd, low, high):
        legal = placements(own, other)
        if legal != NOWHERE:
            return best_of(own, other, legal, empty, odd, low, high)
        legal = placements(other, own)
        if legal == NOWHERE:
            return final_score(own, other)
        return -best_of(other, own, legal, empty, odd, -high, -low)

    return score


five_squares = with_one_more(four_squares)
six_squares = with_one_more(five_squares)
seven_squares = fewest_answers_first(six_squares)


def odd_quarters(empty):
    """The quarters with an odd number of empty squares."""
    odd = NOWHERE
    for corner in (0, 7, 56, 63):
        quarter = QUARTERS[u64(corner)]
        if popcount(empty & quarter) & 1:
            odd |= quarter
    return odd


def last_squares(own, other, low, high):
    """The score for the owner of ``own``, who is to move, with at most ``LAST`` empty squares."""
    empty = ~(own | other)
    odd = odd_quarters(empty)
    count = popcount(empty)
    if count == 7:
        return seven_squares(own, other, empty, odd, low, high)
    if count == 6:
        return six_squares(own, other, empty, odd, low, high)
    if count == 5:
        return five_squares(own, other, empty, odd, low, high)
    if count == 4:
        return four_squares(own, other, empty, odd, low, high)
    if count == 3:
        return three_squares(own, other, empty, odd, low, high)
    if count == 2:
        return two_squares(own, other, empty, odd, low, high)
    if count == 1:
        return one_square(own, other, lowest_bit(empty))
    return final_score(own, other)
