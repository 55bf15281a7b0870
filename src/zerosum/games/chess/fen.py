"""Positions on one line of text: FEN, with the castling letters of X-FEN.

>>> s = from_fen("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1")
>>> to_fen(s)
'8/8/8/8/4k3/8/4P3/4K3 w - - 0 1'

A FEN has six fields: the board from rank 8 down, the side to move, castling rights, the square behind a pawn that has
just moved two squares, the plies since a capture or a pawn move, and the move number; the last two are optional.
Positions that are impossible because of the kings, the pawns or a check are refused.

- Castling: K, Q, k, q mean the outermost rook on that side of the king; a letter A to H, the rook on that file.
- En passant is kept only if a pawn can legally make the capture, so that equal positions are equal.
"""

from __future__ import annotations

from zerosum.errors import PositionError
from zerosum.games.chess.attacks import checkers, is_attacked, own_and_other
from zerosum.games.chess.generate import is_safe_in_passing
from zerosum.games.chess.play import complete
from zerosum.games.chess.position import BLACK, EMPTY, KING, LETTERS, PAWN, ROOK, WHITE, Position
from zerosum.games.chess.tables import Tables, default_tables
from zerosum.jit.bits import bits, lowest_bit
from zerosum.jit.words import u64

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SIDES = ("White", "Black")
PIECES = (LETTERS[1:], LETTERS[1:].lower())
# The number of each kind at the start: any more are promoted pawns.
AT_HOME = (8, 2, 2, 2, 1, 1)
MOST_CLOCK, MOST_NUMBER = 1000, 10000
LEFT_OUT = ("0", "1")  # the defaults of the last two fields
SHOWN = 100  # characters of a text that are quoted


def square_name(square: int) -> str:
    """
    >>> square_name(0), square_name(63)
    ('a1', 'h8')
    """
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def parse_square(text: str) -> int:
    if len(text) != 2 or text[0] not in "abcdefgh" or text[1] not in "12345678":
        raise PositionError(f"{text!r} is not a square")
    return "abcdefgh".index(text[0]) + 8 * (int(text[1]) - 1)


def from_fen(text: str, tables: Tables | None = None) -> Position:
    """The position of a FEN; PositionError quotes what is wrong with it."""
    t = tables or default_tables()
    try:
        return _from_fen(text, t)
    except PositionError as problem:
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        raise PositionError(f"{shown!r} is not a position of chess: {problem}") from problem


def _from_fen(text: str, t: Tables) -> Position:
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise PositionError(f"a FEN has 4 to 6 fields, not {len(fields)}: board, w or b, castling, en passant, clocks")
    fields += LEFT_OUT[len(fields) - 4 :]
    boards, colours = _board(fields[0])
    if fields[1] not in ("w", "b"):
        raise PositionError(f"the side to move must be w or b, not {_short(fields[1])}")
    pieces = [u64(board) for board in (*boards, *colours)]
    turn = "wb".index(fields[1])
    castling = u64(_castling(fields[2], boards, colours))
    clock = _number(fields[4], "the clock", MOST_CLOCK)
    number = max(1, _number(fields[5], "the move number", MOST_NUMBER))
    s = Position._make([*pieces, turn, castling, 0, clock, number, EMPTY])
    own, other = own_and_other(s)
    # Not ``in_check``, which ignores kings because they are never adjacent in a game.
    if is_attacked(s._replace(turn=1 - turn), lowest_bit(s.kings & other), s.white | s.black, own, t):
        raise PositionError(f"{SIDES[s.turn]} is to move and could take the king")
    if len(list(bits(checkers(s, t)))) > 2:
        raise PositionError(f"{SIDES[s.turn]} is in check from more than two pieces")
    s = s._replace(en_passant=_en_passant(fields[3], s, t))
    whole: Position = complete(s, t)
    return whole


def _board(text: str) -> tuple[list[int], list[int]]:
    """The bitboards of the six kinds, and of the two colours."""
    rows = text.split("/")
    if len(rows) != 8:
        raise PositionError(f"a board has 8 ranks, not {len(rows)}")
    boards, colours = [0] * 6, [0, 0]
    for row, marks in zip(range(7, -1, -1), rows, strict=True):
        column = 0
        for mark in marks:
            if mark in "12345678":
                column += int(mark)
            elif mark in PIECES[WHITE] or mark in PIECES[BLACK]:
                colour = WHITE if mark in PIECES[WHITE] else BLACK
                # A rank that is too long is reported below; until then the bit must just not be lost.
                bit = 1 << 8 * row + min(column, 7)
                boards[PIECES[colour].index(mark)] |= bit
                colours[colour] |= bit
                column += 1
            else:
                raise PositionError(f"{mark!r} on rank {row + 1} is neither a piece nor a number of empty squares")
        if column != 8:
            raise PositionError(f"rank {row + 1}, {_short(marks)}, has {column} squares instead of 8")
    _check_pieces(boards, colours)
    return boards, colours


def _check_pieces(boards: list[int], colours: list[int]) -> None:
    """Refuse pieces that no sequence of moves can lead to."""
    for side, colour in zip(SIDES, colours, strict=True):
        counts = [(board & colour).bit_count() for board in boards]
        if counts[KING - 1] != 1:
            raise PositionError(f"{side} has {counts[KING - 1] or 'no'} king{'s' if counts[KING - 1] else ''}")
        if counts[PAWN - 1] > 8:
            raise PositionError(f"{side} has {counts[PAWN - 1]} pawns")
        promoted = sum(max(0, count - home) for count, home in zip(counts[1:], AT_HOME[1:], strict=True))
        if counts[PAWN - 1] + promoted > 8:
            raise PositionError(
                f"{side} has {counts[PAWN - 1]} pawns and more pieces than its other pawns can have promoted to"
            )
    if boards[PAWN - 1] & 0xFF00_0000_0000_00FF:
        square = lowest_bit(boards[PAWN - 1] & 0xFF00_0000_0000_00FF)
        raise PositionError(f"a pawn is on {square_name(square)}; pawns are never on the first or last rank")


def _castling(text: str, boards: list[int], colours: list[int]) -> int:
    """The rooks that may castle."""
    if text == "-":
        return 0
    found = 0
    for letter in text:
        colour = WHITE if letter.isupper() else BLACK
        row = 0 if colour == WHITE else 56
        king = lowest_bit(boards[KING - 1] & colours[colour])
        rooks = [square - row for square in bits(boards[ROOK - 1] & colours[colour] & 0xFF << row)]
        name = letter.upper()
        if king & 56 != row:
            rooks = []
        east = [column for column in rooks if column > king % 8]
        west = [column for column in rooks if column < king % 8]
        if name == "K":
            chosen = east[-1:]
        elif name == "Q":
            chosen = west[:1]
        elif name in "ABCDEFGH":
            chosen = [column for column in rooks if "ABCDEFGH"[column] == name]
        else:
            raise PositionError(f"castling rights are K, Q, k, q, files or '-', not {_short(letter)}")
        if not chosen:
            raise PositionError(f"castling {letter!r} needs {SIDES[colour]}'s king and that rook on their first rank")
        bit = 1 << row + chosen[0]
        if found & bit:
            raise PositionError(f"castling {_short(text)} names one rook twice")
        found |= bit
        for side in (east, west):
            if sum(found >> row + column & 1 for column in side) > 1:
                raise PositionError(f"castling {_short(text)} names two rooks on one side of {SIDES[colour]}'s king")
    return found


def _en_passant(text: str, s: Position, t: Tables) -> int:
    """The square if a pawn can legally capture there, otherwise 0."""
    if text == "-":
        return 0
    square = parse_square(text)
    forward = 8 if s.turn == WHITE else -8
    rank = 5 if s.turn == WHITE else 2
    occupied = int(s.white | s.black)
    own, other = own_and_other(s)
    passed = s.pawns & other & u64(1 << square - forward) if square // 8 == rank else EMPTY
    if passed == EMPTY or occupied >> square & 1 or occupied >> square + forward & 1:
        raise PositionError(f"en passant {text!r}: no pawn of {SIDES[1 - s.turn]} can have just passed that square")
    if checkers(s, t) & (s.knights | s.pawns) & ~passed != EMPTY:
        return 0  # impossible in a game, since a double step uncovers no such check; in a FEN, no pawn may capture
    there = s._replace(en_passant=square)
    king = lowest_bit(s.kings & own)
    takers = t.pawn[1 - s.turn, square] & s.pawns & own
    return square if any(is_safe_in_passing(there, taker, king, other, t) for taker in bits(takers)) else 0


def _number(text: str, what: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) <= most):
        raise PositionError(f"{what} must be a whole number from 0 to {most}, not {_short(text)}")
    return int(text)


def _short(text: str) -> str:
    return repr(text if len(text) <= 12 else f"{text[:12]}…")


def to_fen(s: Position) -> str:
    """The FEN of a position, with six fields."""
    rows = []
    for row in range(7, -1, -1):
        marks = "".join(mark_at(s, 8 * row + column) for column in range(8))
        for run in range(8, 0, -1):
            marks = marks.replace("." * run, str(run))
        rows.append(marks)
    passing = square_name(s.en_passant) if s.en_passant else "-"
    return f"{'/'.join(rows)} {'wb'[s.turn]} {castling_letters(s) or '-'} {passing} {s.clock} {s.number}"


def mark_at(s: Position, square: int) -> str:
    """The letter of the piece on a square, upper case for White, or '.'.

    >>> mark_at(from_fen(START), 4)
    'K'
    """
    for letter, board in zip(LETTERS[1:], s[:6], strict=True):
        if int(board) >> square & 1:
            return letter if int(s.white) >> square & 1 else letter.lower()
    return "."


def castling_letters(s: Position) -> str:
    """The castling rights, kingside first: K or Q for the outermost rook, otherwise the letter of its file."""
    found = ""
    for colour, own in ((WHITE, s.white), (BLACK, s.black)):
        row = 0 if colour == WHITE else 56
        king = lowest_bit(s.kings & own)
        rooks = list(bits(s.rooks & own & u64(0xFF << row)))
        for square in sorted(bits(s.castling & own), reverse=True):
            side = [rook for rook in rooks if (rook > king) == (square > king)]
            outermost = max(side) if square > king else min(side)
            letter = ("K" if square > king else "Q") if square == outermost else "ABCDEFGH"[square % 8]
            found += letter if colour == WHITE else letter.lower()
    return found
