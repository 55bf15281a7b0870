"""Encodes the values of a block as bytes, and decodes them.

Values are 1 (loss), 2 (draw) and 3 (win). A block is encoded by the shortest of four methods:

- ``CONSTANT``: all values are the same; no bytes.
- ``RUNS``: a byte for each run of equal values. The low two bits are the value; the other six are the code of the
  length: codes 0 to 47 are lengths 1 to 48, code 48 + n is 64 * 2**n. Longer runs take several bytes.
- ``TRIPLES``: five values to a byte, as a number in base 3 with the first value as the lowest digit.
- ``DEFLATED``: the bytes of RUNS, compressed (raw DEFLATE, RFC 1951). Runs form patterns that repeat, so this halves
  them again; bench/endgame.py compares it with other codes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

CONSTANT, RUNS, TRIPLES, DEFLATED = range(4)

SHORT = 48
LENGTHS = np.array([*range(1, SHORT + 1), *(64 << n for n in range(16))])
PLACES = np.array([1, 3, 9, 27, 81])

Coded = tuple[int, int, bytes]
"""A block: its method, its first value and its bytes."""


def encode(values: Any) -> Coded:
    r"""Encode values (1, 2, 3, and 0 for holes, which are never looked up) as method, first value and bytes.

    >>> encode(np.array([2] * 100 + [3]))
    (1, 2, b'\xc2\x8e\x03')
    """
    values = fill_holes(values)
    edges = np.flatnonzero(np.diff(values)) + 1
    if not len(edges):
        return CONSTANT, int(values[0]), b""
    return shortest(int(values[0]), run_bytes(values, edges), len(values), lambda: values)


def shortest(first: int, runs: bytes, count: int, values: Callable[[], Any]) -> Coded:
    """The encoding of a block that is not constant, from its first value, its runs and, if needed, its values."""
    deflated, fifth = deflate(runs), -(-count // 5)
    if fifth < min(len(runs), len(deflated)):
        padded = np.zeros(5 * fifth, np.int64)
        padded[:count] = values() - 1
        return TRIPLES, first, (padded.reshape(-1, 5) @ PLACES).astype(np.uint8).tobytes()
    return (DEFLATED, first, deflated) if len(deflated) < len(runs) else (RUNS, first, runs)


def decode(method: int, first: int, data: Any, count: int) -> Any:
    """Decode the ``count`` values of a block; ValueError if the bytes give another number."""
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
    """Fill every hole with the value before it, or else the one after it, so that runs are long."""
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


def run_bytes(values: Any, edges: Any) -> bytes:
    """Encode runs of equal values, which begin at 0 and at ``edges``: one byte each, or several for long runs."""
    starts = np.concatenate(([0], edges))
    left = np.diff(np.concatenate((starts, [len(values)])))
    kinds = values[starts].astype(np.int64)
    owners, codes = [], []
    for code in range(len(LENGTHS) - 1, SHORT - 1, -1):
        times = left // LENGTHS[code]
        if times.any():
            owners.append(np.repeat(np.arange(len(left)), times))
            codes.append(np.full(int(times.sum()), code))
            left = left - times * LENGTHS[code]
    # The rest of each run is below 64: one short code, or the longest short one and another.
    for _ in range(2):
        some = np.flatnonzero(left)
        taken = np.minimum(left[some], SHORT)
        owners.append(some)
        codes.append(taken - 1)
        left[some] -= taken
    all_owners, all_codes = np.concatenate(owners), np.concatenate(codes)
    order = np.argsort(all_owners, kind="stable")
    return bytes((all_codes[order] << 2 | kinds[all_owners[order]]).astype(np.uint8))
