"""The rules of English draughts: legal moves, their effect, and the end of the game.

Men step and jump forwards, kings both ways. Jumping is compulsory, and a jump continues until no further one is
possible. A man that reaches the last row is crowned, and the move ends there. A player who cannot move loses.
"""

from __future__ import annotations

from zerosum.game import MAX
from zerosum.games.checkers.position import (
    BOARD,
    BOTTOM_ROW,
    CROWN_ROWS,
    DOWN_4,
    DOWN_5,
    LENGTH,
    PATH,
    START,
    TOP_ROW,
    UP_4,
    UP_5,
    Position,
    own_and_other,
)
from zerosum.jit.bits import bits, mix


def initial():
    return START


def to_move(s):
    return s.turn


def walkers(s):
    """The pieces of the side to move that may go down, and those that may go up."""
    if s.turn == MAX:
        return s.black, s.black & s.kings
    return s.white & s.kings, s.white


def jumpers(s):
    """The pieces of the side to move that can jump."""
    down, up = walkers(s)
    _, other = own_and_other(s)
    empty = BOARD & ~(s.black | s.white)
    found = down & (((other >> 4) & (empty >> 8)) | ((other >> 5) & (empty >> 10)))
    return found | up & (((other << 4) & (empty << 8)) | ((other << 5) & (empty << 10)))


def steppers(s):
    """The pieces of the side to move that can step to an empty square."""
    down, up = walkers(s)
    empty = BOARD & ~(s.black | s.white)
    return down & (empty >> 4 | empty >> 5) | up & (empty << 4 | empty << 5)


def moves(s):
    able = jumpers(s)
    if able:
        yield from jumps(s, able)
    else:
        yield from steps(s)


def steps(s):
    down, up = walkers(s)
    empty = BOARD & ~(s.black | s.white)
    for start in bits(down & empty >> 4):
        yield start | DOWN_4 << PATH
    for start in bits(down & empty >> 5):
        yield start | DOWN_5 << PATH
    for start in bits(up & empty << 4):
        yield start | UP_4 << PATH
    for start in bits(up & empty << 5):
        yield start | UP_5 << PATH


def noisy_moves(s):
    """The jumps, which are compulsory."""
    able = jumpers(s)
    if able:
        yield from jumps(s, able)


def is_forced(s):
    """Whether the side to move must jump."""
    return jumpers(s) != 0


def towards(piece, direction):
    """The neighbour of a square in a direction, both as bits."""
    if direction == DOWN_4:
        return piece << 4
    if direction == DOWN_5:
        return piece << 5
    if direction == UP_4:
        return piece >> 4
    return piece >> 5


def jumps(s, able):
    """All jumps, depth first. The path itself records the way back, so no stack is needed."""
    _, other = own_and_other(s)
    empty = BOARD & ~(s.black | s.white)
    for start in bits(able):
        piece = 1 << start
        is_man = piece & s.kings == 0
        first, last = 0, 4
        if is_man:
            first, last = (0, 2) if s.turn == MAX else (2, 4)
        # The start square is free once the piece has left, and a captured piece cannot be captured again.
        free, prey = empty | piece, other
        length, path, direction = 0, 0, first
        has_gone_on = False
        while True:
            if direction < last:
                over = towards(piece, direction)
                to = towards(over, direction)
                if over & prey != 0 and to & free != 0:
                    piece, prey = to, prey ^ over
                    path |= direction << 2 * length
                    length += 1
                    has_gone_on = False
                    # A man that is crowned stops here.
                    direction = last if is_man and to & CROWN_ROWS != 0 else first
                else:
                    direction += 1
            else:
                if not has_gone_on:
                    yield start | length << LENGTH | path << PATH
                if length == 0:
                    break
                length -= 1
                direction = path >> 2 * length & 3
                path ^= direction << 2 * length
                over = towards(piece, direction ^ 2)
                piece, prey = towards(over, direction ^ 2), prey ^ over
                has_gone_on = True
                direction += 1


def play(s, move):
    """The position after a legal move."""
    own, other = own_and_other(s)
    here = 1 << (move & 63)
    length = move >> LENGTH & 15
    there = here
    kings, clock = s.kings, s.clock + 1
    if length == 0:
        there = towards(here, move >> PATH)
    else:
        path = move >> PATH
        taken = 0
        for _ in range(length):
            over = towards(there, path & 3)
            taken |= over
            there = towards(over, path & 3)
            path >>= 2
        other ^= taken
        kings &= ~taken
        clock = 0
    # A king may end where it began, so remove it before placing it.
    own = own & ~here | there
    if here & s.kings != 0:
        kings = kings & ~here | there
    else:
        clock = 0
        kings |= there & (BOTTOM_ROW if s.turn == MAX else TOP_ROW)
    if s.turn == MAX:
        return Position(own, other, kings, 1, clock)
    return Position(other, own, kings, 0, clock)


def can_move(s):
    return (steppers(s) | jumpers(s)) != 0


def clock(s, t):
    """The plies left before the game is drawn, unless there is a capture or a man's move."""
    return t.patience[0] - s.clock


def utility(s):
    """The side to move cannot move, and has lost."""
    return -1 if s.turn == MAX else 1


def key(s):
    """A hash of everything but the clock, in two words without loss: White's bits that overflow are in the second."""
    return mix(mix(0, s.black | s.white << 35), s.kings | s.white >> 28 << 35 | s.turn << 42)


def reversible(s, move):
    """Whether earlier positions can recur: not after a jump or a man's move."""
    return move >> LENGTH & 15 == 0 and (1 << (move & 63)) & s.kings != 0
