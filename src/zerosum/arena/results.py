"""The results of a match as text: the table and its statistics, for the terminal and for notebooks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from zerosum.wording import count

if TYPE_CHECKING:
    from zerosum.arena.ratings import Sprt, Tally
    from zerosum.arena.standings import Standings


def table(standings: Standings) -> tuple[tuple[str, ...], list[tuple[str, ...]], tuple[int, ...]]:
    """Headings, rows and the columns of numbers. Elo is the difference between two players, or else a rating."""
    rows: list[tuple[str, ...]] = []
    several = len(standings.names) > 2
    for place, row in enumerate(standings.rows(), 1):
        tally = row.tally
        elo = f"{row.rating.elo:+.0f} ± {_finite(row.rating.error)}" if several else elo_in_words(tally)
        cells = (str(place), row.name, count(tally.games), str(tally.wins), str(tally.draws), str(tally.losses))
        score = f"{100 * tally.score:.1f} %" if tally.games else ""
        rows.append((*cells, score, elo, str(row.faults) if row.faults else ""))
    return ("", "player", "games", "won", "drawn", "lost", "score", "Elo", "faults"), rows, (0, 2, 3, 4, 5, 6, 7, 8)


def summary(standings: Standings, sprt: Sprt | None = None) -> list[str]:
    """The statistics of the results, in words."""
    lines = []
    if len(standings.names) == 2 and standings.games:
        tally = standings.tally()
        low, high = tally.elo_interval()
        text = f"{standings.names[0]}: Elo {_signed(tally.elo)} (95 %: {_signed(low)} to {_signed(high)})"
        lines.append(f"{text}, LOS {100 * tally.los:.1f} %")
        if sum(tally.pairs):
            pairs = " ".join(map(str, tally.pairs))
            lines.append(f"pairs by points 0, ½, 1, 1½, 2: {pairs}")
        if (points := standings.points()) is not None:
            text = f"{standings.names[0]}: {points} points a game"
            if (without := standings.points(without_luck=True)) is not None:
                text += f", {without} corrected for the luck of the dice"
            lines.append(text)
    if sprt is not None:
        tally = standings.tally()
        lower, upper = sprt.bounds
        decision = sprt.decision(tally)
        accepted = {"elo0": sprt.elo0, "elo1": sprt.elo1}.get(decision)
        verdict = "undecided" if accepted is None else f"accepts {accepted:+g} Elo"
        lines.append(
            f"SPRT {sprt.elo0:g} against {sprt.elo1:g}: LLR {sprt.ratio(tally):+.2f} ({lower:.2f} to {upper:.2f}),"
            f" {verdict}"
        )
    return lines


def as_text(standings: Standings) -> str:
    """The table and the summary as plain text.

    >>> from zerosum.arena.standings import Standings
    >>> print(as_text(Standings(["quick", "slow"])))
       player  games  won  drawn  lost  score  Elo  faults
    1  quick       0    0      0     0
    2  slow        0    0      0     0
    """
    headings, rows, right = table(standings)
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]

    def line(row: tuple[str, ...]) -> str:
        padded = [
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    return "\n".join([*map(line, (headings, *rows)), *summary(standings)])


def elo_in_words(tally: Tally) -> str:
    """An Elo difference with the half-width of its interval.

    >>> from zerosum.arena.ratings import Tally
    >>> elo_in_words(Tally(50, 20, 30))
    '+70 ± 63'
    >>> elo_in_words(Tally(3, 0, 0))
    '+∞'
    """
    if not tally.games or not math.isfinite(tally.elo):
        return _signed(tally.elo) if tally.games else ""
    low, high = tally.elo_interval()
    return f"{tally.elo:+.0f} ± {_finite((high - low) / 2)}"


def _signed(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else "+∞" if elo > 0 else "-∞"


def _finite(x: float) -> str:
    return f"{x:.0f}" if math.isfinite(x) else "∞"
