"""Random numbers in a kernel: one word of state, and the same sequence plain and compiled.

The generator is SplitMix64 (G. Steele, D. Lea and C. Flood, Fast splittable pseudorandom number generators,
OOPSLA 2014): a counter in large odd steps, and a hash of it.

>>> row = [1234567]
>>> [next_word(0, row) & 2**64 - 1 for _ in range(2)]
[6457827717110365317, 3203168211198807973]
"""

from __future__ import annotations

from typing import Any

from zerosum.jit.bits import mix, signed
from zerosum.jit.words import floating, word_float

STEP = signed(0x9E3779B97F4A7C15)
LOW_32, LOW_34, LOW_53 = (1 << 32) - 1, (1 << 34) - 1, (1 << 53) - 1


def next_word(at: int, mem: Any) -> int:
    """64 random bits as a signed word; the state is ``mem[at]``."""
    state = signed(mem[at] + STEP)
    mem[at] = state
    return mix(0, (state >> 30) & LOW_34 ^ state)


def next_below(n: int, at: int, mem: Any) -> int:
    """A random number from 0 to n - 1, for n below 2**31.

    Uses the high half of a product instead of a remainder, which saves a division (D. Lemire, Fast random integer
    generation in an interval, TOMACS 29, 2019). Probabilities differ by at most n / 2**32 of their size.
    """
    return (((next_word(at, mem) >> 32) & LOW_32) * n) >> 32


def next_fraction(at: int, mem: Any) -> float:
    """A random number from 0 to below 1."""
    return floating((next_word(at, mem) >> 11) & LOW_53) / 9007199254740992.0  # 2**53


def pick_outcome(first: int, n: int, at: int, mem: Any) -> Any:
    """One of ``n`` outcomes, chosen by probability; they are at ``mem[first:]``, as ``chances`` writes them."""
    return outcome_at(next_fraction(at, mem), first, n, mem)


def outcome_at(fraction: float, first: int, n: int, mem: Any) -> Any:
    """The outcome at a fraction, from 0 to below 1, of the cumulative probability."""
    left = fraction
    for i in range(first, first + 2 * n - 2, 2):
        left -= word_float(mem[i + 1])
        if left < 0.0:
            return mem[i]
    return mem[first + 2 * n - 2]  # the last one, also if rounding makes the probabilities add up to less than 1
