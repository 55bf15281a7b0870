"""Values at the end of a line and at the horizon, the same for every algorithm.

In games that are not ``scored``, the value of a win ``n`` plies from the root is ``WIN - n``; guesses are kept
below every win. In scored games the value is the margin.
"""

from __future__ import annotations

from zerosum.game import WIN
from zerosum.search.result import LONGEST_WIN

WON = WIN - LONGEST_WIN
"""Values from here on are wins (and below ``-WON`` losses)."""

SOME_WIN = WON + (1 << 12)
"""The least value of a win, whenever it comes. It is above WON by more plies than a line can have, so that it stays a
win when counted from another position."""

CHANCES_IN_A_ROW = 64
"""The most chance events that may follow each other without a move; the position after them is evaluated."""


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
    """The function that converts a value from counting wins from the root to counting them from the position."""
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


def bound_values(scored):
    """The functions from the lower and upper number of ``bounds`` to values at a ply.

    In games that are not scored, bounds are outcomes: only the sign counts, unless the number is itself a win or loss
    with its distance from the state, such as ``WIN - 1``.
    """
    if scored:
        return (lambda number, ply: number), (lambda number, ply: number)

    def lowest(number, ply):
        if number >= WON:
            return number - ply
        if number <= -WON:
            return number + ply
        if number > 0:
            return SOME_WIN
        return 0 if number == 0 else ply - WIN

    def highest(number, ply):
        return -lowest(-number, ply)

    return lowest, highest
