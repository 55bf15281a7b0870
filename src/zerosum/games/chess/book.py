"""Read Polyglot opening books, and make them from games.

A book is a file of 16-byte big-endian records, sorted by the position's key: key (8 bytes), move (2), weight (2),
learning data (4, not used here). The format is specified at http://hgm.nubati.net/book_format.html.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any

from zerosum.errors import BookError
from zerosum.files import written_whole
from zerosum.games.chess.notation import castling_rook, legal_moves
from zerosum.games.chess.pgn import REMEMBERED, PgnGame
from zerosum.games.chess.polyglot_keys import read_keys
from zerosum.games.chess.position import BLACK, CASTLING, DOUBLE, PAWN, WHITE, move_type, origin, promotion, target

RECORD = struct.Struct(">QHHI")
KEY = struct.Struct(">Q")
MAX_WEIGHT = 0xFFFF
SAMPLES = 1000  # records checked for sort order, so that even a big book opens immediately

_CASTLING, _EN_PASSANT, _TURN = 768, 772, 780
_CORNERS = (7, 0, 63, 56)  # the rooks' squares, in the order of the four castling rights


class Book:
    """An opening book, mapped into memory; ``with Book(path) as book`` closes it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        try:
            with Path(path).open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size == 0 or size % RECORD.size:
                    what = "is empty" if size == 0 else f"has {size} bytes, which is not a multiple of {RECORD.size}"
                    raise BookError(f"{self.path!r} is not a Polyglot book: it {what}")
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as problem:
            if isinstance(problem, BookError):
                raise
            reason = getattr(problem, "strerror", None) or problem
            raise BookError(f"the book {self.path!r} cannot be read: {reason}") from problem
        self._size = size // RECORD.size
        self._check_order()

    def _check_order(self) -> None:
        before = 0
        for index in sorted({number * (self._size - 1) // SAMPLES for number in range(SAMPLES + 1)}):
            key = self._key(index)
            if key < before:
                self.close()
                raise BookError(f"{self.path!r} is not a Polyglot book: record {index + 1} is out of order")
            before = key

    def __len__(self) -> int:
        return self._size

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        self._data.close()

    def moves(self, s: Any) -> list[tuple[int, int]]:
        """The book's legal moves in a position with their weights, highest first."""
        found: dict[int, int] = {}
        legal: dict[int, int] = {}
        for key in position_keys(s):
            for code, weight in self._records(key):
                legal = legal or _legal_codes(s)
                if code in legal:
                    found[legal[code]] = found.get(legal[code], 0) + weight
            if found:
                break
        return sorted(found.items(), key=lambda item: -item[1])

    def pick(self, s: Any, rng: Random) -> int | None:
        """Pick a random move, with probability proportional to its weight; None if the book has none to play.

        A weight of 0 means that the move is known but should not be played.
        """
        choices = [(move, weight) for move, weight in self.moves(s) if weight]
        if not choices:
            return None
        moves, weights = zip(*choices, strict=True)
        return int(rng.choices(moves, weights)[0])

    def _key(self, index: int) -> int:
        return int(KEY.unpack_from(self._data, index * RECORD.size)[0])

    def _records(self, key: int) -> Iterable[tuple[int, int]]:
        low, high = 0, self._size
        while low < high:
            middle = (low + high) // 2
            if self._key(middle) < key:
                low = middle + 1
            else:
                high = middle
        while low < self._size:
            found, code, weight, _ = RECORD.unpack_from(self._data, low * RECORD.size)
            if found != key:
                return
            yield code, weight
            low += 1


# The format's keys and moves


@cache
def _keys() -> tuple[int, ...]:
    return read_keys()


@lru_cache(REMEMBERED)
def position_key(s: Any, en_passant_file: int | None = None) -> int:
    """The Polyglot key of a position.

    >>> from zerosum.games.chess.notation import from_fen
    >>> hex(position_key(from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")))
    '0x463b96181691fc9c'
    """
    keys = _keys()
    key = 0
    white = int(s.white)
    boards = (s.pawns, s.knights, s.bishops, s.rooks, s.queens, s.kings)
    for kind, board in enumerate(boards):
        left = int(board)
        while left:
            lowest = left & -left
            key ^= keys[64 * (2 * kind + bool(white & lowest)) + lowest.bit_length() - 1]
            left ^= lowest
    rights = int(s.castling)
    for number, corner in enumerate(_CORNERS):
        if rights >> corner & 1:
            key ^= keys[_CASTLING + number]
    if en_passant_file is None and s.en_passant:
        en_passant_file = s.en_passant & 7
    if en_passant_file is not None:
        key ^= keys[_EN_PASSANT + en_passant_file]
    if s.turn == WHITE:
        key ^= keys[_TURN]
    return key


def position_keys(s: Any) -> list[int]:
    """The key of a position, and others that a book may use instead.

    Polyglot records en passant even if the capturing pawn is pinned; our positions do not, because it changes nothing.
    So if a pawn may have just moved two squares to stand next to one of ours, the key with en passant is possible too.
    """
    key = position_key(s)
    if s.clock or s.en_passant:
        return [key]
    return [key, *(key ^ _keys()[_EN_PASSANT + file] for file in range(8) if _beside_a_pawn(s, file))]


def _beside_a_pawn(s: Any, file: int) -> bool:
    """Whether the opponent's pawn on this file may have just moved two squares and is next to one of the mover's."""
    rank, back = (4, 1) if s.turn == WHITE else (3, -1)
    pawns, occupied = int(s.pawns), int(s.white | s.black)
    mine, theirs = (int(s.white), int(s.black)) if s.turn == WHITE else (int(s.black), int(s.white))
    square = 8 * rank + file
    if not (pawns & theirs) >> square & 1:
        return False
    if occupied >> (square + 8 * back) & 1 or occupied >> (square + 16 * back) & 1:
        return False
    beside = (1 << square >> 1 if file else 0) | (1 << square + 1 if file < 7 else 0)
    return bool(pawns & mine & beside)


def _key_after(s: Any, last_move: int | None) -> int:
    """The key as Polyglot computes it, which depends on the last move."""
    if last_move is not None and move_type(last_move) == DOUBLE and not s.en_passant:
        file = target(last_move) & 7
        if _beside_a_pawn(s, file):
            return position_key(s, file)
    return position_key(s)


def move_code(s: Any, move: int) -> int:
    """A move as 16 bits: target, origin, promotion; castling is the king capturing its rook."""
    to = target(move)
    if move_type(move) == CASTLING:
        to = castling_rook(s, move)
    promoted = promotion(move)
    return int(to | origin(move) << 6 | (promoted - PAWN if promoted else 0) << 12)


def _legal_codes(s: Any) -> dict[int, int]:
    """The legal moves by their codes; castling also as a king's move of two squares, which some programs write."""
    moves = legal_moves(s)
    codes = {target(move) | origin(move) << 6: move for move in moves if move_type(move) == CASTLING}
    return codes | {move_code(s, move): move for move in moves}


# Making books


class BookMaker:
    """Counts the moves in games and writes them as a book. A move's weight is two for each win, one for each draw."""

    def __init__(self, plies: int = 30) -> None:
        self.plies = plies
        self.games = 0
        # By key and move in one number; the value has the games in the high half and the points in the low half.
        self._counts: dict[int, int] = {}

    def add(self, game: PgnGame) -> None:
        """Count the main line of a game; a game without a result counts as a draw."""
        self.games += 1
        points = {"1-0": (2, 0), "0-1": (0, 2)}.get(game.result, (1, 1))
        last_move = None
        for ply, (s, move) in enumerate(game.positions()):
            if ply >= self.plies or move < 0:
                return
            place = _key_after(s, last_move) << 16 | move_code(s, move)
            self._counts[place] = self._counts.get(place, 0) + (1 << 32) + points[s.turn == BLACK]
            last_move = move

    def records(self, min_games: int = 1, min_score: float = 0.0) -> list[tuple[int, int, int]]:
        """The key, code and weight of every move that was played often and well enough, in the book's order.

        ``min_score`` is in percent, with draws counting half. A move that never scored is left out.
        """
        by_key: dict[int, list[tuple[int, int]]] = {}
        for place, count in self._counts.items():
            games, points = count >> 32, count & 0xFFFF_FFFF
            if points and games >= min_games and 50 * points >= min_score * games:
                by_key.setdefault(place >> 16, []).append((place & 0xFFFF, points))
        found = []
        for key in sorted(by_key):
            most = max(points for _, points in by_key[key])
            for code, points in sorted(by_key[key], key=lambda item: (-item[1], item[0])):
                weight = points if most <= MAX_WEIGHT else max(1, points * MAX_WEIGHT // most)
                found.append((key, code, weight))
        return found

    def write(self, path: str | os.PathLike[str], min_games: int = 1, min_score: float = 0.0) -> int:
        """Write the book, under a temporary name until it is complete; return its number of records."""
        records = self.records(min_games, min_score)
        if not records:
            raise BookError(f"no move was played often or well enough for a book: {os.fspath(path)!r} is not written")
        with written_whole(path) as file:
            for key, code, weight in records:
                file.write(RECORD.pack(key, code, weight, 0))
        return len(records)
