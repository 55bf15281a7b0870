"""A row of numbers outside a kernel's memory, which holds only its address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zerosum.jit.target import GPU, Target
from zerosum.state import signed


class Row:
    """A row of zeros that kernels access by ``address``: an array for compiled ones, a list for plain ones.

    For a graphics card it is in the card's memory, and is accessed only with ``array``, ``get`` and ``put``.

    >>> from zerosum.jit.target import PLAIN
    >>> row = Row(2, PLAIN)
    >>> row.row[1] = 1 << 63
    >>> row.array()
    array([                   0, -9223372036854775808])
    """

    def __init__(self, count: int, target: Target) -> None:
        self.target, self.count = target, count
        self.row: Any
        if target is GPU:
            from zerosum.jit.gpu.card import Buffer

            self.row, self.buffer = None, Buffer(8 * count)
        elif target.is_compiled:
            import numpy as np

            self.row = np.zeros(count, np.int64)
        else:
            self.row = [0] * count

    @classmethod
    def of(cls, numbers: Any, target: Target) -> Row:
        """A row with these numbers, a sequence or an int64 array; it may share the array's memory."""
        if not target.is_compiled:
            row = cls(0, target)
            row.row = list(numbers) if isinstance(numbers, Sequence) else numbers.reshape(-1).tolist()
            row.count = len(row.row)
            return row
        import numpy as np

        words = np.ascontiguousarray(numbers, np.int64).reshape(-1)
        if target is GPU:
            row = cls(len(words), target)
            row.buffer.put(words)
            return row
        row = cls(0, target)
        row.row, row.count = words, len(words)
        return row

    @property
    def address(self) -> Any:
        if self.target is GPU:
            return self.buffer.address
        return self.row.ctypes.data if self.target.is_compiled else self.row

    def address_of(self, place: int) -> Any:
        """The address of the number at ``place``; for a plain row, a copy from there on."""
        return self.address + 8 * place if self.target.is_compiled else self.row[place:] if place else self.row

    def put(self, place: int, number: int) -> None:
        """Set the number at ``place``."""
        if self.target is not GPU:
            self.row[place] = number
            return
        import numpy as np

        word = np.array([number], np.int64)
        self.buffer.card.upload(self.address_of(place), word.ctypes.data, 8)

    def get(self, place: int) -> int:
        """The number at ``place``."""
        if self.target is not GPU:
            return int(self.row[place])
        import numpy as np

        word = np.empty(1, np.int64)
        self.buffer.card.download(word.ctypes.data, self.address_of(place), 8)
        return int(word[0])

    def array(self, count: int | None = None) -> Any:
        """The row, or its first numbers, as an int64 array; from a card, as a copy."""
        import numpy as np

        count = self.count if count is None else count
        if self.target is GPU:
            words = np.empty(count, np.int64)
            self.buffer.get(words)
            return words
        return (
            self.row[:count] if self.target.is_compiled else np.array([signed(w) for w in self.row[:count]], np.int64)
        )

    def clear(self) -> None:
        """Set all numbers to zero."""
        if self.target is GPU:
            self.buffer.clear()
        elif self.target.is_compiled:
            self.row[:] = 0
        else:
            self.row[:] = [0] * self.count
