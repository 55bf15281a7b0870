"""Values at the end of a line and at the horizon, the same for every algorithm.

For games that are not ``scored`` a win ``n`` plies from the root is worth ``WIN - n``; guesses are kept
below every win. Scored games have plain values.
"""

from __future__ import annotations

from zerosum.game import WIN
from zerosum.search.result import LONGEST_WIN

WON = WIN - LONGEST_WIN
"""Values from here on are wins (and below ``-WON`` losses)."""


def outcome_value(scored):
    """The function from a finished state's utility and ply to its value for MAX."""
    if scored:
        return lambda utility, ply: utility

    def value(utility, ply):
        if utility > 0:
            return WIN - ply
        if utility < 0:
            return ply - WIN
        return 0

    return value


def guess_value(scored):
    """The function from an evaluation to a value that is never mistaken for a win."""
    if scored:
        return lambda evaluation: evaluation
    return lambda evaluation: min(max(evaluation, 1 - WON), WON - 1)


def to_table(scored):
    """The function that counts a win from the position instead of from the root."""
    if scored:
        return lambda value, ply: value

    def count(value, ply):
        if value >= WON:
            return value + ply
        return value - ply if value <= -WON else value

    return count


def from_table(scored):
    """The inverse of ``to_table``."""
    if scored:
        return lambda value, ply: value

    def count(value, ply):
        if value >= WON:
            return value - ply
        return value + ply if value <= -WON else value

    return count
