"""Whole Syzygy tables of wins, draws and losses: all values of a table, and the index of a position among them.

python-chess reads a table's header; this module adds speed. python-chess takes a tenth of a millisecond to probe a
position, and there are a hundred million with up to four men. Here a table is unpacked once, and the index of a
position is computed, both compiled. (The format is R. de Man's, 2013: pairs of values in a canonical Huffman code, in
blocks.)
"""

from __future__ import annotations

from pathlib import Path

import chess.syzygy as reader
import numpy as np
from numba import njit

TRIANGLE, LOWER, DIAGONAL, FLAP, PAWN_ORDER = (
    np.array(numbers, np.int64) for numbers in (reader.TRIANGLE, reader.LOWER, reader.DIAG, reader.FLAP, reader.PTWIST)
)
KINGS, PAWNS = np.array(reader.KK_IDX, np.int64), np.array(reader.PAWNIDX, np.int64)
BY_FILE = np.array(reader.FILE_TO_FILE, np.int64)


@njit(cache=True)
def unpack(data, head, base, count):
    """Return ``count`` values of one part of a table, from the bytes of the file."""
    blocks_at, sizes_at, block_bits, shortest, offsets_at, symbols_at = head
    values = np.empty(count, np.uint8)
    stack = np.empty(4096, np.int64)
    done = block = 0
    while done < count:
        left = int(data[sizes_at + 2 * block]) + (int(data[sizes_at + 2 * block + 1]) << 8) + 1
        at = blocks_at + (block << block_bits)
        bit = 0
        while left > 0 and done < count:
            # The next 64 bits, most significant first: enough for any code.
            code = np.uint64(0)
            byte = at + (bit >> 3)
            for i in range(8):
                code = code << np.uint64(8) | np.uint64(data[byte + i] if byte + i < len(data) else 0)
            code <<= np.uint64(bit & 7)
            if bit & 7 and byte + 8 < len(data):
                code |= np.uint64(data[byte + 8]) >> np.uint64(8 - (bit & 7))
            length = shortest
            while code < base[length - shortest]:
                length += 1
            where = offsets_at + 2 * length
            symbol = int(data[where]) + (int(data[where + 1]) << 8)
            symbol += int((code - base[length - shortest]) >> np.uint64(64 - length))
            bit += length
            # A symbol is a value, or two symbols.
            stack[0] = symbol
            depth = 1
            while depth > 0:
                depth -= 1
                where = symbols_at + 3 * stack[depth]
                first = int(data[where]) | (int(data[where + 1]) & 15) << 8
                second = int(data[where + 2]) << 4 | int(data[where + 1]) >> 4
                if second == 0xFFF:
                    # The last symbol of a block may stand for more values than are left in it.
                    if left > 0 and done < count:
                        values[done] = first & 255
                        done += 1
                    left -= 1
                else:
                    stack[depth], stack[depth + 1] = second, first
                    depth += 2
        block += 1
    return values


@njit(cache=True)
def slant(square):
    return (square >> 3) - (square & 7)


@njit(cache=True)
def choose(n, k):
    found = 1
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


@njit(cache=True)
def places_of_groups(squares, n, first, norm, factor, pawns):
    """Return the part of an index that comes from the groups of equal men after the leading one; pawns come next."""
    index = 0
    while first < n:
        size = pawns if pawns > 0 else norm[first]
        lowest = 8 if pawns > 0 else 0
        pawns = 0
        group = np.sort(squares[first : first + size])
        together = 0
        for k in range(size):
            before = 0
            for j in range(first):
                before += squares[j] < group[k]
            together += choose(group[k] - before - lowest, k + 1)
        index += together * factor[first]
        first += size
    return index


@njit(cache=True)
def place_without_pawns(squares, n, by_kings, norm, factor):
    """Return the index of a position without pawns; changes ``squares``, which are in the table's order."""
    if squares[0] & 4:
        squares[:n] ^= 7
    if squares[0] & 32:
        squares[:n] ^= 56
    leading = 2 if by_kings else 3
    for i in range(leading):
        if slant(squares[i]) != 0:
            if slant(squares[i]) > 0:
                for j in range(n):
                    squares[j] = (squares[j] & 7) << 3 | squares[j] >> 3
            break
    a, b = squares[0], squares[1]
    if by_kings:
        index = KINGS[TRIANGLE[a], b]
    else:
        c = squares[2]
        i, j = int(b > a), int(c > a) + int(c > b)
        if slant(a) != 0:
            index = TRIANGLE[a] * 63 * 62 + (b - i) * 62 + c - j
        elif slant(b) != 0:
            index = 6 * 63 * 62 + DIAGONAL[a] * 28 * 62 + LOWER[b] * 62 + c - j
        elif slant(c) != 0:
            index = 6 * 63 * 62 + 4 * 28 * 62 + DIAGONAL[a] * 7 * 28 + (DIAGONAL[b] - i) * 28 + LOWER[c]
        else:
            index = 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28
            index += DIAGONAL[a] * 7 * 6 + (DIAGONAL[b] - i) * 6 + DIAGONAL[c] - j
    return index * factor[0] + places_of_groups(squares, n, leading, norm, factor, 0)


@njit(cache=True)
def place_with_pawns(squares, n, leading, others, norm, factor):
    """Return the index of a position; its leading pawn, the lowest of those nearest to the edge, comes first."""
    if squares[0] & 4:
        squares[:n] ^= 7
    index = PAWNS[leading - 1, FLAP[squares[0]]]
    if leading == 2:
        index += PAWN_ORDER[squares[1]]
    return index * factor[0] + places_of_groups(squares, n, leading, norm, factor, others)


class Part:
    """The part of a table for one side to move and one file of the leading pawn: its values and their layout."""

    def __init__(self, data, table, pairs, pieces, norm, factor, count):
        self.pieces = [int(piece) for piece in pieces]
        self.norm, self.factor = np.array(norm, np.int64), np.array(factor, np.int64)
        if not pairs.idxbits:
            self.values = np.full(1, pairs.min_len, np.uint8)  # all the same
            return
        head = (pairs.data, pairs.sizetable, pairs.blocksize, pairs.min_len, pairs.offset, pairs.sympat)
        self.values = unpack(data, head, np.array(pairs.base, np.uint64), count)


class WholeTable:
    """A whole table, such as KQvKR: ``parts[file][side]``, with a single file if there are no pawns."""

    def __init__(self, folder: Path, name: str) -> None:
        self.table = reader.WdlTable(str(folder / f"{name}.rtbw"))
        self.table.init_table_wdl()
        table = self.table
        data = np.frombuffer(table.data, np.uint8)
        self.men = table.num
        self.with_pawns = bool(table.has_pawns)
        self.by_kings = not self.with_pawns and table.enc_type == 2
        self.pawns = [int(pawns) for pawns in table.pawns] if self.with_pawns else [0, 0]
        sides = 1 if table.symmetric else 2
        if self.with_pawns:
            self.parts = [
                [
                    Part(data, table, f.precomp[b], f.pieces[b], f.norm[b], f.factor[b], table.tb_size[2 * i + b])
                    for b in range(sides)
                ]
                for i, f in enumerate(table.files)
            ]
        else:
            self.parts = [
                [
                    Part(
                        data, table, table.precomp[b], table.pieces[b], table.norm[b], table.factor[b], table.tb_size[b]
                    )
                    for b in range(sides)
                ]
            ]
        self.is_symmetric = bool(table.symmetric)
