"""Columns of whole numbers, packed: what a file of positions is made of.

Neighbours in a column come from one game and are alike. So each number is stored as its difference, bit by bit, to the
one before; the differences, in as few bytes as the largest needs, are compressed.

>>> import numpy as np
>>> column = np.array([5, 5, 4, -1])
>>> kind, data = packed(column)
>>> kind, unpacked(kind, data, 4).tolist()
('<i1', [5, 5, 4, -1])
"""

from __future__ import annotations

import zlib

import numpy as np
import numpy.typing as npt

KINDS = ("<i1", "<i2", "<i4", "<i8")
LEVEL = 1
"""Of zlib: higher ones save a tenth of the bytes and take twice the time."""


def packed(column: npt.NDArray[np.int64]) -> tuple[str, bytes]:
    """The kind of the stored numbers, and the compressed bytes."""
    differences = np.array(column, "<i8")
    differences[1:] ^= differences[:-1].copy()
    kind = "<i1"
    if len(differences):
        least, most = int(differences.min()), int(differences.max())
        kind = next(kind for kind in KINDS if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max)
    return kind, zlib.compress(differences.astype(kind).tobytes(), LEVEL)


def unpacked(kind: str, data: bytes, count: int) -> npt.NDArray[np.signedinteger]:
    """The numbers of a column; ValueError if these are not as many."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind of numbers {kind!r}")
    try:
        differences = np.frombuffer(zlib.decompress(data), kind)
    except zlib.error as problem:
        raise ValueError(str(problem)) from problem
    if len(differences) != count:
        raise ValueError(f"{len(differences)} numbers instead of {count}")
    # A difference that fits into a number of bytes fits as a number too: both are extended by their sign.
    found: npt.NDArray[np.signedinteger] = np.bitwise_xor.accumulate(differences)
    return found
