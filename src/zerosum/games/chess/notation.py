"""The text of moves: standard algebraic notation (SAN: Nf3, exd5, O-O, e8=Q+) and UCI (g1f3, e7e8q).

>>> from zerosum.games.chess.fen import START, from_fen
>>> s = from_fen(START)
>>> move = from_san(s, "Nf3")
>>> to_uci(s, move), to_san(s, from_uci(s, "e2e4"))
('g1f3', 'e4')
"""

from __future__ import annotations

import re
from functools import lru_cache

from zerosum.errors import MoveError
from zerosum.games.chess.attacks import in_check
from zerosum.games.chess.fen import castling_letters, from_fen, mark_at, square_name, to_fen
from zerosum.games.chess.generate import moves
from zerosum.games.chess.play import play
from zerosum.games.chess.position import (
    CASTLING,
    KING,
    LETTERS,
    NONE,
    PAWN,
    Position,
    captured,
    kind,
    move_type,
    origin,
    promotion,
    target,
)
from zerosum.games.chess.rules import clock, is_insufficient
from zerosum.games.chess.tables import default_tables
from zerosum.jit.bits import bits

__all__ = ["from_fen", "from_san", "from_uci", "legal_moves", "parse_move", "show", "to_fen", "to_san", "to_uci"]

UCI = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrqNBRQ]?)")
SAN = re.compile(r"([PNBRQK]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?\(?([NBRQ])\)?)?(?: ?e\.p\.)?")
CASTLE = re.compile(r"[O0]-[O0](-[O0])?")
DECORATION = "+#!?"
SHOWN = 20


@lru_cache(maxsize=64)
def legal_moves(s: Position) -> tuple[int, ...]:
    """All legal moves, ignoring draws by the fifty-move rule or insufficient material."""
    return tuple(moves(s, default_tables()))


def to_uci(s: Position, move: int, chess960: bool = False) -> str:
    """The move in UCI notation.

    Castling is a king's move of two squares. With ``chess960``, or if king or rook did not start on their usual
    squares, it is "king takes rook".
    """
    start, end = origin(move), target(move)
    if move_type(move) == CASTLING:
        rook = castling_rook(s, move)
        if chess960 or start % 8 != 4 or rook % 8 not in (0, 7):
            end = rook
    letter = LETTERS[promotion(move)].lower() if promotion(move) else ""
    return square_name(start) + square_name(end) + letter


def castling_rook(s: Position, move: int) -> int:
    """The square of the rook in a castling move."""
    start = origin(move)
    row = 0xFF << (start & 56)
    rooks = [rook for rook in bits(int(s.castling) & row) if (rook > start) == (target(move) % 8 == 6)]
    return rooks[0]


def from_uci(s: Position, text: str) -> int:
    """The legal move for a text in UCI notation; castling in either form."""
    found = UCI.fullmatch(text.strip())
    if found is None:
        raise MoveError(f"{_short(text)} is not a move in UCI notation, such as e2e4 or e7e8q")
    wanted = found[0].lower()
    for move in legal_moves(s):
        if to_uci(s, move) == wanted or (move_type(move) == CASTLING and to_uci(s, move, chess960=True) == wanted):
            return move
    raise MoveError(f"{_short(text)} is not legal in {to_fen(s)}")


def to_san(s: Position, move: int) -> str:
    """The move in standard algebraic notation, with + for check and # for checkmate."""
    after = play(s, move, default_tables())
    suffix = ""
    if in_check(after, default_tables()):
        suffix = "+" if legal_moves(after) else "#"
    if move_type(move) == CASTLING:
        return ("O-O" if target(move) % 8 == 6 else "O-O-O") + suffix
    there = square_name(target(move))
    takes = "x" if captured(move) else ""
    if kind(move) == PAWN:
        start = square_name(origin(move))[0] if takes else ""
        becomes = f"={LETTERS[promotion(move)]}" if promotion(move) else ""
        return f"{start}{takes}{there}{becomes}{suffix}"
    return f"{LETTERS[kind(move)]}{_which(s, move)}{takes}{there}{suffix}"


def _which(s: Position, move: int) -> str:
    """The file, rank or both that distinguish a piece from others of its kind that can move to the same square."""
    if kind(move) == KING:
        return ""
    start = square_name(origin(move))
    others = [
        square_name(origin(other))
        for other in legal_moves(s)
        if other != move and kind(other) == kind(move) and target(other) == target(move)
    ]
    if not others:
        return ""
    if all(other[0] != start[0] for other in others):
        return start[0]
    if all(other[1] != start[1] for other in others):
        return start[1]
    return start


def from_san(s: Position, text: str) -> int:
    """The legal move for a text in algebraic notation, including the long form and castling with zeros."""
    word = text.strip().rstrip(DECORATION).rstrip()
    castles = CASTLE.fullmatch(word)
    if castles:
        column = 2 if castles[1] else 6
        found = [m for m in legal_moves(s) if move_type(m) == CASTLING and target(m) % 8 == column]
    else:
        parts = SAN.fullmatch(word)
        if parts is None:
            raise MoveError(f"{_short(text)} is not a move in algebraic notation, such as Nf3, exd5, e8=Q or O-O")
        found = [m for m in legal_moves(s) if _is_meant(m, *parts.groups())]
    if not found:
        raise MoveError(f"{_short(text)} is not legal in {to_fen(s)}")
    if len(found) > 1:
        ways = ", ".join(to_san(s, move) for move in found)
        raise MoveError(f"{_short(text)} is ambiguous; it can mean {ways}")
    return found[0]


def _is_meant(move: int, letter: str, column: str, row: str, there: str, becomes: str | None) -> bool:
    start = square_name(origin(move))
    return (
        LETTERS[kind(move)] == (letter or "P")
        and square_name(target(move)) == there
        and column in ("", start[0])
        and row in ("", start[1])
        and promotion(move) == (LETTERS.index(becomes) if becomes else NONE)
        and move_type(move) != CASTLING
    )


def parse_move(s: Position, text: str) -> int:
    """The legal move for a text in UCI or algebraic notation."""
    return from_uci(s, text) if UCI.fullmatch(text.strip()) else from_san(s, text)


def _short(text: str) -> str:
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")


# The whole board


def show(s: Position) -> str:
    """The board with White at the bottom, and a line about the state of the game."""
    lines = []
    for row in range(7, -1, -1):
        lines.append(f"{row + 1} " + " ".join(mark_at(s, 8 * row + column) for column in range(8)))
    lines.append("  a b c d e f g h")
    lines.append(status(s))
    return "\n".join(lines)


def status(s: Position) -> str:
    """The side to move, or how the game ended, on one line."""
    t = default_tables()
    side, other = ("White", "Black") if s.turn == 0 else ("Black", "White")
    if is_insufficient(s):
        return "a draw: insufficient material"
    check = in_check(s, t)
    if not legal_moves(s):
        return f"checkmate: {other} wins" if check else f"a draw: {side} is stalemated"
    if clock(s) <= 0:
        return "a draw: fifty moves without a capture or a pawn move"
    facts = [f"{side} to move"]
    if check:
        facts.append("in check")
    if s.en_passant:
        facts.append(f"en passant {square_name(s.en_passant)}")
    rights = castling_letters(s)
    if rights:
        facts.append(f"castling {rights}")
    return ", ".join(facts)
