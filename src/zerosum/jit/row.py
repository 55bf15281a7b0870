"""A row of numbers beside a kernel's memory, which holds its address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zerosum.jit.target import Target
from zerosum.state import signed


class Row:
    """A row of zeros that kernels reach by ``address``: an array for compiled ones, a list for plain ones.

    >>> from zerosum.jit.target import PLAIN
    >>> row = Row(2, PLAIN)
    >>> row.row[1] = 1 << 63
    >>> row.array()
    array([                   0, -9223372036854775808])
    """

    def __init__(self, count: int, target: Target) -> None:
        self.target = target
        self.row: Any
        if target.is_compiled:
            import numpy as np

            self.row = np.zeros(count, np.int64)
        else:
            self.row = [0] * count

    @classmethod
    def of(cls, numbers: Any, target: Target) -> Row:
        """These numbers, a sequence or an int64 array: as an array, which may be the same one, or as a list."""
        row = cls(0, target)
        if target.is_compiled:
            import numpy as np

            row.row = np.ascontiguousarray(numbers, np.int64).reshape(-1)
        else:
            row.row = list(numbers) if isinstance(numbers, Sequence) else numbers.reshape(-1).tolist()
        return row

    @property
    def address(self) -> Any:
        return self.row.ctypes.data if self.target.is_compiled else self.row

    def array(self) -> Any:
        """The row as an int64 array."""
        import numpy as np

        return self.row if self.target.is_compiled else np.array([signed(word) for word in self.row], np.int64)
