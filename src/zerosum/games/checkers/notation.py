"""The standard notation of moves, and the board in plain text.

A step is ``11-15``. A jump is ``15x22``, or ``15x22x31`` with all squares on the way if another jump begins and ends on
the same squares.

>>> from zerosum.games.checkers import checkers
>>> game = checkers()
>>> s = game.parse_state("B:W6,14,15:BK1")
>>> [game.format_move(s, move) for move in game.moves(s)]
['1x17', '1x19']
>>> s = game.parse_state("B:W14,15,22,23:B10")
>>> [game.format_move(s, move) for move in game.moves(s)]
['10x17x26', '10x19x26']
"""

from __future__ import annotations

import re

from zerosum.games.checkers.position import Position, bit_of, captures_of, square_of, way
from zerosum.games.checkers.rules import can_move, moves, play

SIDES = ("Black", "White")
WORD = re.compile(r"\d{1,2}(?:\s*[-x:]\s*\d{1,2})+", re.ASCII)


def squares_on(move: int) -> list[int]:
    """The squares that a move touches, 1 to 32, from first to last."""
    return [square_of(bit) for bit in way(move)]


def format_move(s: Position, move: int) -> str:
    """The shortest unambiguous text of a move."""
    squares = squares_on(move)
    if not captures_of(move):
        return f"{squares[0]}-{squares[1]}"
    ends = squares[0], squares[-1]
    alike = [other for other in map(squares_on, moves(s)) if (other[0], other[-1]) == ends]
    return "x".join(map(str, squares if len(alike) > 1 else ends))


def parse_move(s: Position, text: str) -> int:
    """The move that a text means; ValueError if there is none, or if it is ambiguous and the results differ."""
    word = text.strip().lower().rstrip("!?*")
    if not WORD.fullmatch(word):
        raise ValueError(f"{text!r} is not a move such as 11-15 or 15x22")
    squares = [int(number) for number in re.findall(r"\d+", word)]
    known: list[tuple[int, list[int]]] = [(move, squares_on(move)) for move in moves(s)]
    found = [move for move, way in known if way == squares]
    if not found and len(squares) == 2:
        found = [move for move, way in known if [way[0], way[-1]] == squares]
    if len({play(s, move) for move in found}) != 1:
        raise ValueError(f"{text!r} is {'not a legal move' if not found else 'ambiguous'} here")
    return found[0]


def show(s: Position) -> str:
    """The board with Black at the top: b and w are men, B and W kings; the right shows each row's square numbers."""
    rows = []
    for row in range(8):
        marks = "   ".join(_mark(s, square) for square in range(4 * row + 1, 4 * row + 5))
        rows.append(f"{'  ' if row % 2 == 0 else ''}{marks}{'  ' if row % 2 else ''}   {4 * row + 1}-{4 * row + 4}")
    if can_move(s):
        said = f"{SIDES[s.turn]} to move"
        if s.clock:
            said += f"; {s.clock} plies without progress"
    else:
        said = f"{SIDES[s.turn]} cannot move: {SIDES[1 - s.turn]} wins"
    return "\n".join([*rows, said])


def _mark(s: Position, square: int) -> str:
    bit = 1 << bit_of(square)
    if not (s.black | s.white) & bit:
        return "."
    letter = "b" if s.black & bit else "w"
    return letter.upper() if s.kings & bit else letter
