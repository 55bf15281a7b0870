"""The first message to a page: the games, and the levels of the engine."""

from __future__ import annotations

from typing import Any

from zerosum import __version__
from zerosum.arena.ratings import Tally
from zerosum.games.measured import LEVELS as MEASURED
from zerosum.levels import LEVELS
from zerosum.studio.tab import Tab


def welcome(tab: Tab) -> dict[str, Any]:
    offered = tab.studio.offered
    return {
        "session": tab.id,
        "version": __version__,
        "games": offered.catalogue(),
        "first": offered.first,
        "levels": [
            {"level": level, "depth": depth, "lapses": round(100 * lapses)} for level, (depth, lapses) in LEVELS.items()
        ],
        "measured": [
            {"game": game, "level": level, "words": measured_words(level, *results)}
            for (game, level), results in MEASURED.items()
        ],
    }


def measured_words(level: int, wins: int, draws: int, losses: int) -> str:
    """The measured strength of a level, from its games against the level below.

    >>> measured_words(2, 31, 3, 6)
    'Against level 1 it won 31 of 40 games, drew 3 and lost 6: 255 Elo stronger (95 %: 147 to 438).'
    >>> measured_words(1, 40, 0, 0)
    'Against random moves it won all 40 games.'
    """
    tally = Tally(wins, draws, losses)
    below = f"level {level - 1}" if level > 1 else "random moves"
    if wins == tally.games:
        return f"Against {below} it won all {wins} games."
    low, high = tally.elo_interval()
    most = f"{high:.0f}" if abs(high) < float("inf") else "∞"
    text = f"Against {below} it won {wins} of {tally.games} games, drew {draws} and lost {losses}"
    return f"{text}: {tally.elo:.0f} Elo stronger (95 %: {low:.0f} to {most})."
