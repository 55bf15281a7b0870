"""How the values of a block become bytes, and back.

Values are 1 (loss), 2 (draw) and 3 (win). A block is coded in whichever of four ways is shortest:

- ``CONSTANT``: all values are the same; no bytes.
- ``RUNS``: a byte for each run of equal values, the value in its low two bits, the code of the run's length in the
  other six: codes 0 to 47 are lengths 1 to 48, code 48 + n is 64 * 2**n. Longer runs take several bytes.
- ``TRIPLES``: five values to a byte, as a number to the base 3, the first value in the lowest place.
- ``DEFLATED``: the bytes of RUNS, compressed once more (RFC 1951, without a frame). Runs come in patterns that repeat,
  so this halves them again; bench/endgame.py measures it, beside other codes.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

CONSTANT, RUNS, TRIPLES, DEFLATED = range(4)

SHORT = 48
LENGTHS = np.array([*range(1, SHORT + 1), *(64 << n for n in range(16))])
PLACES = np.array([1, 3, 9, 27, 81])


def encode(values: Any) -> tuple[int, int, bytes]:
    r"""Values (1, 2, 3, and 0 for holes, of which nobody will ask) as method, first value and bytes.

    >>> encode(np.array([2] * 100 + [3]))
    (1, 2, b'\xc2\x8e\x03')
    """
    return encode_blocks(values, len(values))[0]


def encode_blocks(values: Any, block: int) -> list[tuple[int, int, bytes]]:
    """The values of several blocks, each by itself as ``encode`` does it; the runs of all are found at once."""
    values = np.asarray(values)
    if not values.min():
        values = np.concatenate([fill_holes(values[at : at + block]) for at in range(0, len(values), block)])
    begins = values[1:] != values[:-1]
    begins[block - 1 :: block] = True
    starts = np.concatenate(([0], np.flatnonzero(begins) + 1))
    runs, ends = run_bytes(values[starts], np.diff(starts, append=len(values)))
    # The runs that each block begins with, and their bytes.
    firsts = np.searchsorted(starts, np.arange(0, len(values), block))
    cuts = np.concatenate((firsts, [len(starts)]))
    at = np.concatenate(([0], ends))[cuts].tolist()
    return [
        (CONSTANT, int(values[i * block]), b"")
        if cuts[i + 1] - cuts[i] == 1
        else _shortest(values[i * block : (i + 1) * block], runs[at[i] : at[i + 1]])
        for i in range(len(firsts))
    ]


def _shortest(values: Any, runs: bytes) -> tuple[int, int, bytes]:
    """The code of a block that is not constant, from its values and their runs."""
    first, deflated, fifth = int(values[0]), deflate(runs), -(-len(values) // 5)
    if fifth < min(len(runs), len(deflated)):
        padded = np.zeros(5 * fifth, np.int64)
        padded[: len(values)] = values - 1
        return TRIPLES, first, (padded.reshape(-1, 5) @ PLACES).astype(np.uint8).tobytes()
    return (DEFLATED, first, deflated) if len(deflated) < len(runs) else (RUNS, first, runs)


def decode(method: int, first: int, data: Any, count: int) -> Any:
    """The ``count`` values of a block; ValueError where the bytes do not make so many."""
    if method == CONSTANT:
        return np.full(count, first, np.uint8)
    if method == DEFLATED:
        data = inflate(data)
    codes = np.frombuffer(data, np.uint8)
    if method in (RUNS, DEFLATED):
        values = np.repeat(codes & 3, LENGTHS[codes >> 2])
    elif method == TRIPLES:
        values = (codes[:, None] // PLACES % 3 + 1).astype(np.uint8).ravel()[:count]
    else:
        raise ValueError(f"method {method}")
    if len(values) != count:
        raise ValueError(f"{len(values)} values")
    return values


def fill_holes(values: Any) -> Any:
    """Every hole gets the value before it, or else the one after it, so that runs are long."""
    values = np.asarray(values)
    if values.all():
        return values
    places = np.flatnonzero(values)
    if not len(places):
        return np.full(len(values), 2, values.dtype)
    before = np.maximum.accumulate(np.where(values != 0, np.arange(len(values)), places[0]))
    return values[before]


def deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, wbits=-15)
    return packer.compress(data) + packer.flush()


def inflate(data: bytes) -> bytes:
    try:
        return zlib.decompress(data, wbits=-15)
    except zlib.error as problem:
        raise ValueError(str(problem)) from None


def run_bytes(kinds: Any, lengths: Any) -> tuple[bytes, Any]:
    """Runs of these values and lengths, a byte for each or a few for long ones; and where the bytes of each end."""
    is_long = lengths > SHORT
    long = np.flatnonzero(is_long)
    owners, codes = _long_runs(lengths[long])
    counts = np.ones(len(lengths), np.int64)
    counts[long] = np.bincount(owners, minlength=len(long))
    found = np.repeat(kinds.astype(np.uint8), counts)
    of_long = np.repeat(is_long, counts)
    found[of_long] |= (codes << 2).astype(np.uint8)
    found[~of_long] |= (lengths[~is_long] - 1 << 2).astype(np.uint8)
    return found.tobytes(), np.cumsum(counts)


def _long_runs(lengths: Any) -> tuple[Any, Any]:
    """The codes of runs of these lengths, and which run each is of, in order."""
    left, owners, codes = lengths.copy(), [], []
    for code in range(len(LENGTHS) - 1, SHORT - 1, -1):
        times = left // LENGTHS[code]
        if times.any():
            owners.append(np.repeat(np.arange(len(left)), times))
            codes.append(np.full(int(times.sum()), code))
            left = left - times * LENGTHS[code]
    # What is left of each run is below 64: one code, or the longest short one and another.
    for _ in range(2):
        some = np.flatnonzero(left)
        taken = np.minimum(left[some], SHORT)
        owners.append(some)
        codes.append(taken - 1)
        left[some] -= taken
    all_owners, all_codes = np.concatenate(owners), np.concatenate(codes)
    order = np.argsort(all_owners, kind="stable")
    return all_owners[order], all_codes[order]
