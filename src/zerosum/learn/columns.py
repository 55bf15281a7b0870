"""Compressed columns of integers, the building blocks of a positions file.

Neighbours in a column come from the same game and are similar. So each number is stored as its bitwise difference (XOR)
from the one before; the differences are stored in as few bytes as the largest needs, and compressed.

>>> import numpy as np
>>> column = np.array([5, 5, 4, -1])
>>> kind, data = compress_column(column)
>>> kind, decompress_column(kind, data, 4).tolist()
('<i1', [5, 5, 4, -1])
"""

from __future__ import annotations

import zlib

import numpy as np
import numpy.typing as npt

KINDS = ("<i1", "<i2", "<i4", "<i8")
LEVEL = 1
"""The zlib level. Higher ones save a tenth of the bytes and take twice the time."""


def compress_column(column: npt.NDArray[np.int64]) -> tuple[str, bytes]:
    """Return the type of the stored numbers, and the compressed bytes."""
    differences = np.array(column, "<i8")
    differences[1:] ^= differences[:-1].copy()
    kind = "<i1"
    if len(differences):
        least, most = int(differences.min()), int(differences.max())
        kind = next(kind for kind in KINDS if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max)
    return kind, zlib.compress(differences.astype(kind).tobytes(), LEVEL)


def decompress_column(kind: str, data: bytes, count: int) -> npt.NDArray[np.signedinteger]:
    """Return the numbers of a column; raise ValueError if there are not ``count`` of them."""
    if kind not in KINDS:
        raise ValueError(f"unknown number type {kind!r}")
    try:
        differences = np.frombuffer(zlib.decompress(data), kind)
    except zlib.error as problem:
        raise ValueError(str(problem)) from problem
    if len(differences) != count:
        raise ValueError(f"{len(differences)} numbers instead of {count}")
    # If the differences fit a type, so do the numbers: XOR keeps sign-extended values sign-extended.
    found: npt.NDArray[np.signedinteger] = np.bitwise_xor.accumulate(differences)
    return found
