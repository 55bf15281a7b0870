"""Rows of zeroed words for kernels, returned to the system as soon as they are no longer used.

The C library keeps freed memory of this size for later, for each thread: a server that has run many searches would
never shrink again. So each large row is its own memory mapping.
"""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Any

from zerosum.errors import LimitError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LARGE = 1 << 20
"""The size in bytes from which a row is its own mapping."""


def zeros(words: int, complaint: str) -> npt.NDArray[np.int64]:
    """A row of this many words; LimitError with the message ``complaint`` if the system has too little memory.

    >>> zeros(3, "no memory for an example").tolist()
    [0, 0, 0]
    """
    import numpy as np

    size = 8 * words
    try:
        return np.zeros(words, np.int64) if size < LARGE else np.frombuffer(_mapping(size), np.int64)
    except (MemoryError, OSError, OverflowError, ValueError) as problem:
        raise LimitError(complaint) from problem


def _mapping(size: int) -> Any:
    if not hasattr(mmap, "MAP_PRIVATE"):  # Windows
        return mmap.mmap(-1, size)
    mapping = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        # Larger pages, if the system has them: accesses to a table are scattered.
        mapping.madvise(mmap.MADV_HUGEPAGE)
    return mapping
