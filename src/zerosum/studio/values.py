"""What a search has found, in the words of the board: "White is better by 1.3", not "+130"."""

from __future__ import annotations

from zerosum.game import MAX, MIN
from zerosum.search.result import Result

EVEN = 0.05
"""Less than this, in the game's unit, is nothing that a person would call an advantage."""


def in_words(result: Result, names: tuple[str, str] = ("MAX", "MIN"), unit: float = 1, scored: bool = False) -> str:
    """The value of a result as a person would say it.

    >>> from zerosum.game import WIN
    >>> in_words(Result(3, WIN - 5, 1, 5, True, (3,), 5, 100, 0.1, exact=True), ("White", "Black"))
    'White wins in 5 plies'
    >>> in_words(Result(3, -130, None, None, False, (3,), 5, 100, 0.1), ("White", "Black"), 100)
    'Black is better by 1.3'
    """
    value = result.value / unit
    better = names[MAX] if value > 0 else names[MIN]
    if isinstance(result.value, float) and result.outcome is None:
        exact = " (exact)" if result.proven else ""
        return f"{better} expects {abs(value):.3f}{exact}" if abs(value) >= 0.0005 else f"even{exact}"
    if result.outcome is not None or result.proven:
        words = result.in_words()
        who, _, rest = words.partition(" ")
        return f"{better} {rest}" if who in ("MAX", "MIN") else words
    if abs(value) < EVEN:
        return "even"
    return f"{better} {'leads' if scored else 'is better'} by {abs(value):{'.2g' if abs(value) < 10 else '.0f'}}"


def value_of(result: Result, unit: float = 1) -> dict[str, float | int | None]:
    """The value as numbers: for MAX, in the game's unit, and who is sure to win."""
    return {
        "value": round(float(result.value) / unit, 4),
        "won": result.outcome if result.proven else None,
        "distance": result.distance,
    }
