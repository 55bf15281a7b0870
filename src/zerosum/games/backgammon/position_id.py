"""GNU Backgammon's position IDs: fourteen letters for the checkers of both sides.

An ID distinguishes the two players only as the one on roll and the opponent. So a position is written as the ID, then
the roll if the dice have been rolled, then ``min`` if MIN is on roll: ``4HPwATDgc/ABMA:31:min``.

The ID is 80 bits in base 64. For each of a side's points 1 to 24, as that side counts them, and for its bar, there are
as many ones as checkers, then a zero. GNU Backgammon itself writes the side that is *not* on roll first (its manual
says the opposite): after an opening 31 played 8/5 6/5, the ID is sGfwATDgc/ABMA.

>>> from zerosum.games.backgammon.position import initial
>>> format_state(initial()._replace(roll=31))
'4HPwATDgc/ABMA:31'
>>> parse_state("4HPwATDgc/ABMA:min").player
1
"""

from __future__ import annotations

import base64
import binascii

from zerosum.game import MAX, MIN
from zerosum.games.backgammon.position import BAR, CHECKERS, OFF, POINTS, SLOTS, Position, checkers, packed

ID_LETTERS = 14
MATCH_ID_LETTERS = 12
KEY_BYTES = 10
SIDES = ("max", "min")
OWNERS = ("the player who is not on roll", "the player on roll")


def sides(s: Position) -> tuple[list[int], list[int]]:
    """The checkers in each slot, of the player on roll and of the opponent, each as that player counts.

    >>> from zerosum.games.backgammon.position import initial
    >>> own, other = sides(initial())
    >>> own[24], other[6], own[25], other[0]
    (2, 5, 0, 0)
    """
    max_side = [checkers(s.max_low, s.max_high, slot) for slot in range(SLOTS)]
    min_side = [checkers(s.min_low, s.min_high, slot) for slot in range(SLOTS)]
    return (max_side, min_side) if s.player == MAX else (min_side, max_side)


def position_of(own: list[int], other: list[int], player: int, roll: int = 0) -> Position:
    """The position with these checkers of the player on roll and of the opponent: the inverse of ``sides``."""
    first, second = (own, other) if player == MAX else (other, own)
    return Position(*packed(enumerate(first)), *packed(enumerate(second)), player, roll)


def format_state(s: Position) -> str:
    own, other = sides(s)
    words = [position_id(own, other)]
    if s.roll:
        words.append(str(s.roll))
    if s.player == MIN:
        words.append(SIDES[MIN])
    return ":".join(words)


def parse_state(text: str) -> Position:
    """Read a position ID, then optionally the roll (default: not rolled yet) and the player (default: max).

    A match ID may replace both: ``4HPwATDgc/ABMA:cIksAgAAAAAA``, as GNU Backgammon writes it.
    """
    identity, *rest = text.strip().split(":")
    own, other = from_position_id(identity)
    roll, player = 0, MAX
    if rest and rest[-1].lower() in SIDES:
        player = SIDES.index(rest.pop().lower())
    if rest and len(rest[0]) == MATCH_ID_LETTERS:
        roll, player = from_match_id(rest.pop(0))
    elif rest and rest[0]:
        roll = parse_roll(rest.pop(0))
    if any(rest):
        raise ValueError(f"the ID is followed by a roll, as in :31, and max or min; {rest[0]!r} is neither")
    if roll and CHECKERS in (own[OFF], other[OFF]):
        raise ValueError("the game is over: leave out the roll")
    return position_of(own, other, player, roll)


def from_match_id(text: str) -> tuple[int, int]:
    """The roll (0 if not rolled yet) and the player, from the match ID that GNU Backgammon appends to a position ID.

    GNU Backgammon's player 1, at the bottom, is MAX. The score and the cube, which are in it too, are ignored.

    >>> from_match_id("cIksAgAAAAAA")
    (31, 0)
    """
    try:
        key = int.from_bytes(base64.b64decode(text, validate=True), "little")
    except (binascii.Error, ValueError) as problem:
        raise ValueError(f"{text!r} is neither a roll, such as 31, nor a match ID") from problem
    faces = key >> 15 & 7, key >> 18 & 7  # bits 16 to 21 as the manual counts; bit 7 is the player
    roll = 0 if faces == (0, 0) else parse_roll(f"{faces[0]}{faces[1]}")
    return roll, MAX if key >> 6 & 1 else MIN


def parse_roll(text: str) -> int:
    """Read a roll such as 31 or 6-6, and put the larger die first; ValueError if it is not a roll.

    >>> parse_roll("13"), parse_roll("6-6")
    (31, 66)
    """
    faces = [letter for letter in text if letter not in " -,"]
    if len(faces) != 2 or any(face not in "123456" for face in faces):
        raise ValueError(f"{text!r} is not a roll of two dice, such as 31 or 66")
    small, large = sorted(map(int, faces))
    return 10 * large + small


def position_id(own: list[int], other: list[int]) -> str:
    """The ID of a position, from the checkers of the player on roll and of the opponent."""
    key, at = 0, 0
    for side in (other, own):
        for slot in range(1, SLOTS):
            key |= (1 << side[slot]) - 1 << at
            at += side[slot] + 1
    return base64.b64encode(key.to_bytes(KEY_BYTES, "little")).decode("ascii")[:ID_LETTERS]


def from_position_id(text: str) -> tuple[list[int], list[int]]:
    """The checkers of the player on roll and of the opponent; ValueError if no position has this ID."""
    letters = text.rstrip("=")
    if len(letters) != ID_LETTERS:
        raise ValueError(f"a position ID has {ID_LETTERS} letters, like 4HPwATDgc/ABMA; {text!r} has {len(letters)}")
    try:
        key = int.from_bytes(base64.b64decode(letters + "==", validate=True), "little")
    except (binascii.Error, ValueError) as problem:
        raise ValueError(f"{text!r} is not a position ID: it may contain only A-Z, a-z, 0-9, + and /") from problem
    found: list[list[int]] = []
    for owner in OWNERS:
        side = [0] * SLOTS
        for slot in range(1, SLOTS):
            while key & 1:
                side[slot] += 1
                key >>= 1
            key >>= 1
        if sum(side) > CHECKERS:
            raise ValueError(f"{owner} would have {sum(side)} checkers; there are {CHECKERS}")
        side[OFF] = CHECKERS - sum(side)
        found.append(side)
    other, own = found
    if key:
        raise ValueError("there are extra bits after the checkers of both sides")
    for point in range(1, POINTS + 1):
        if own[point] and other[BAR - point]:
            raise ValueError(f"both sides would have checkers on point {point} of the player on roll")
    if own[OFF] == other[OFF] == CHECKERS:
        raise ValueError("both sides would have borne off all checkers")
    return own, other
