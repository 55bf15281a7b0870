"""Functions for bit boards and tuples that work the same in plain Python and in compiled rules.

Boards of up to 63 cells are plain ``int``. Use ``u64`` only if you need all 64 bits, and then
make every operand ``u64(...)``: compiled, ``u64 & 1`` would be a signed number.

>>> popcount(0b1011), lowest_bit(0b1000), highest_bit(0b1011), list(bits(0b1010))
(3, 3, 3, [1, 3])
>>> replace((7, 8, 9), 1, 0)
(7, 0, 9)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zerosum.state import WORD, signed

__all__ = ["bits", "highest_bit", "lowest_bit", "mix", "popcount", "replace", "signed"]


def popcount(board: Any) -> int:
    """The number of bits that are set."""
    return (int(board) & WORD).bit_count()


def lowest_bit(board: Any) -> int:
    """The index of the lowest bit that is set; 64 for an empty board."""
    board = int(board) & WORD
    return (board & -board).bit_length() - 1 if board else 64


def highest_bit(board: Any) -> int:
    """The index of the highest bit that is set; -1 for an empty board."""
    return (int(board) & WORD).bit_length() - 1


def bits(board: Any) -> Iterator[int]:
    """The indices of the bits that are set, lowest first."""
    board = int(board) & WORD
    while board:
        yield (board & -board).bit_length() - 1
        board &= board - 1


def replace(items: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The tuple with one item replaced."""
    return (*items[:index], value, *items[index + 1 :])


def mix(seed: Any, word: Any) -> int:
    """A signed 64-bit hash of ``seed`` and ``word``: one round of a position key.

    The first seed can be any number, including a field of the State. The seed is multiplied before it is combined with
    the word; otherwise a small seed would cancel the low bits of the word, and ``mix(turn, board)`` would give two
    positions the same key. With seed 0 this is the hash of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) without its
    first shift; the seed's multiplier is 2**64 divided by the golden ratio.

    >>> mix(0, 1) != mix(1, 0)
    True
    """
    h = ((int(seed) * 0x9E3779B97F4A7C15 ^ int(word)) * 0xBF58476D1CE4E5B9) & WORD
    h = ((h ^ (h >> 27)) * 0x94D049BB133111EB) & WORD
    return signed(h ^ (h >> 31))
