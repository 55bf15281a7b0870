"""Positions on one line of text: the FEN of draughts, as used in PDN files.

The side to move, then the squares of both sides, with a K before kings: ``B:W18,24,K10:B12,16,K22``. Either side may be
first, ``21-32`` means all squares from 21 to 32, and the line may end with a full stop. After another colon, ``H`` with
a number is the plies since a jump or a man's move, and ``F`` is the move number, which is ignored.

>>> s = from_fen("W:W21-32:B1-12.")
>>> to_fen(s)
'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12'
>>> to_fen(from_fen("B:BK1:WK32,18:H7:F40"))
'B:W18,K32:BK1:H7'
>>> from_fen("B:W18:B33")
Traceback (most recent call last):
zerosum.errors.PositionError: 'B:W18:B33' is not a position of checkers: '33' is not a square, 1 to 32
"""

from __future__ import annotations

import re

from zerosum.errors import PositionError
from zerosum.games.checkers.position import BLACK, WHITE, Position, bit_of, squares_of

SIDES = ("Black", "White")
LETTERS = "BW"
MOST = 12  # pieces per side
MOST_CLOCK = 1000
SHOWN = 100  # characters of a text that are quoted
PLACE = re.compile(r"(K?)(\d{1,2})(?:-(K?)(\d{1,2}))?", re.ASCII)
NUMBER = re.compile(r"\d{1,5}", re.ASCII)


def from_fen(text: str) -> Position:
    """The position of a FEN; PositionError quotes what is wrong with it."""
    try:
        return _from_fen(text)
    except PositionError as problem:
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        raise PositionError(f"{shown!r} is not a position of checkers: {problem}") from problem


def _from_fen(text: str) -> Position:
    turn, *fields = (field.strip() for field in text.strip().upper().removesuffix(".").split(":"))
    if turn not in ("B", "W"):
        raise PositionError(f"the side to move must be B or W, not {turn!r}")
    boards: dict[str, tuple[int, int]] = {}
    clock = 0
    for field in fields:
        letter, rest = field[:1], field[1:]
        if letter in ("B", "W"):
            if letter in boards:
                raise PositionError(f"{SIDES[LETTERS.index(letter)]}'s pieces are given twice")
            boards[letter] = _pieces(LETTERS.index(letter), rest)
        elif letter in ("H", "F"):
            if not NUMBER.fullmatch(rest) or int(rest) > MOST_CLOCK:
                raise PositionError(f"{field!r} is not a number of plies or moves, such as {letter}12")
            clock = int(rest) if letter == "H" else clock
        else:
            raise PositionError(f"{field!r} is neither W or B with squares nor H with a number of plies")
    for letter, side in zip(LETTERS, SIDES, strict=True):
        if letter not in boards:
            raise PositionError(f"{side}'s pieces are missing; write {letter}: alone if there are none")
    (black, black_kings), (white, white_kings) = boards["B"], boards["W"]
    if black & white:
        raise PositionError(f"there are two pieces on square {squares_of(black & white)[0]}")
    if not black | white:
        raise PositionError("there are no pieces")
    return Position(black, white, black_kings | white_kings, LETTERS.index(turn), clock)


def _pieces(side: int, text: str) -> tuple[int, int]:
    """The pieces of a side, and which of them are kings."""
    pieces = kings = 0
    for word in text.split(",") if text.strip() else ():
        for square, is_king in _squares(word.strip()):
            bit = 1 << bit_of(square)
            if pieces & bit:
                raise PositionError(f"square {square} is given twice")
            if not is_king and (square > 28 if side == BLACK else square < 5):
                raise PositionError(f"{SIDES[side]}'s man on square {square} would have been crowned; write K{square}")
            pieces |= bit
            kings |= bit if is_king else 0
    if pieces.bit_count() > MOST:
        raise PositionError(f"{SIDES[side]} has {pieces.bit_count()} pieces, more than {MOST}")
    return pieces, kings


def _squares(word: str) -> list[tuple[int, bool]]:
    """The squares in a word: a number, with or without K, or a range."""
    found = PLACE.fullmatch(word)
    if found is None:
        raise PositionError(f"{word!r} is not a square, such as 18 or K18")
    first, last = int(found[2]), int(found[4] or found[2])
    for square in (first, last):
        if not 1 <= square <= 32:
            raise PositionError(f"'{square}' is not a square, 1 to 32")
    if last < first:
        raise PositionError(f"{word!r} is not a range of squares: its first number is larger than its last")
    return [(square, bool(found[1])) for square in range(first, last + 1)]


def to_fen(s: Position) -> str:
    """The position on one line, with the clock if it is not 0."""
    text = f"{LETTERS[s.turn]}:W{_words(s, WHITE)}:B{_words(s, BLACK)}"
    return f"{text}:H{s.clock}" if s.clock else text


def _words(s: Position, side: int) -> str:
    kings = squares_of(s.kings)
    return ",".join(f"K{n}" if n in kings else str(n) for n in squares_of((s.black, s.white)[side]))
