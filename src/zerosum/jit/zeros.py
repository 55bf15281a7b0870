"""Rows of zeroed words for kernels, which go back to the system as soon as nobody holds them.

The C library keeps freed memory of this size for later, for each thread: a server that many have searched with would
never shrink again. So a large row is a mapping of its own.
"""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Any

from zerosum.errors import LimitError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LARGE = 1 << 20
"""Bytes from which on a row is a mapping of its own."""


def zeros(words: int, complaint: str) -> npt.NDArray[np.int64]:
    """A row of this many words; a LimitError that says so if the system does not give the memory.

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
        # Larger pages, where the system has them: a table is read all over.
        mapping.madvise(mmap.MADV_HUGEPAGE)
    return mapping
