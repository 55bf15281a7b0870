"""What people see of a match: a table that changes as games end, or a line for each game."""

from __future__ import annotations

import math
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any

from zerosum.cli import complain
from zerosum.cli.common import print_json
from zerosum.cli.output import console, count, duration, is_live, print_table

if TYPE_CHECKING:
    from zerosum.arena.match import Match
    from zerosum.arena.ratings import Tally
    from zerosum.arena.standings import Standings
    from zerosum.formats.record import GameRecord


class MatchView:
    """Shows the match while it runs; use as a context."""

    def __init__(self, match: Match, quiet: bool) -> None:
        self.match, self.quiet = match, quiet
        has_person = any(player.is_person for player in match.plan.players)
        self._live: Any = None
        self._began = monotonic()
        self._wanted = is_live() and not quiet and not has_person

    def __enter__(self) -> MatchView:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def begin(self, match: Match) -> None:
        """The games file is open: say what it holds, then begin to show."""
        if match.dropped:
            complain(f"the last game in {str(match.out)!r} was half written: it is played again")
        if match.resumed and not self.quiet:
            left = match.plan.total - match.resumed
            more = f"{count(left)} are left" if left > 0 else "all that were asked for"
            print(f"{count(match.resumed)} games are in {str(match.out)!r}; {more}", flush=True)
        self._began = monotonic()
        if self._wanted:
            from rich.live import Live

            self._live = Live(self._picture(), console=console(), refresh_per_second=4, transient=True)
            self._live.start()

    def game_ended(self, record: GameRecord, standings: Standings) -> None:
        if self.quiet:
            if record.fault:
                complain(record.in_words())
            return
        if self._live is None:
            print(record.in_words(), flush=True)
            return
        if record.fault:
            self._live.console.print(record.in_words(), markup=False)
        self._live.update(self._picture())

    def _picture(self) -> Any:
        from rich import box
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        headings, rows, right = table(self.match)
        grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for number, heading in enumerate(headings):
            grid.add_column(heading, justify="right" if number in right else "left", overflow="fold")
        for row in rows:
            grid.add_row(*(Text(cell) for cell in row))
        return Group(grid, Text("\n".join([self._pace(), *summary(self.match)])))

    def _pace(self) -> str:
        """How far the match is, who plays, how fast, and for how long yet."""
        match = self.match
        done, total = match.standings.games, match.plan.total
        told = f"{count(done)} of {count(total)} games"
        if match.team is not None:
            told += f", {match.team.where}"
        seconds = monotonic() - self._began
        if done > match.resumed and seconds > 0:
            speed = (done - match.resumed) / seconds
            told += f", {count(round(60 * speed))} games a minute, {duration((total - done) / speed)} left"
        return told


def print_standings(match: Match, json: bool) -> None:
    """The table, what it is worth, and where the games are."""
    if json:
        standings = match.standings.as_dict(match.plan.sprt)
        print_json({"game": match.plan.game.name, "file": str(match.out), **standings})
        return
    if not match.standings.games:
        return
    headings, rows, right = table(match)
    print_table(headings, rows, right)
    for line in summary(match):
        print(line)
    print(f"{count(match.standings.games)} of {count(match.plan.total)} games, in {str(match.out)!r}")


def table(match: Match) -> tuple[tuple[str, ...], list[tuple[str, ...]], tuple[int, ...]]:
    """Headings, rows and the columns of numbers: two players by their difference, more by their ratings."""
    standings = match.standings
    rows: list[tuple[str, ...]] = []
    several = len(standings.names) > 2
    for place, row in enumerate(standings.rows(), 1):
        tally = row.tally
        elo = f"{row.rating.elo:+.0f} ± {_finite(row.rating.error)}" if several else elo_in_words(tally)
        cells = (str(place), row.name, count(tally.games), str(tally.wins), str(tally.draws), str(tally.losses))
        score = f"{100 * tally.score:.1f} %" if tally.games else ""
        rows.append((*cells, score, elo, str(row.faults) if row.faults else ""))
    return ("", "player", "games", "won", "drawn", "lost", "score", "Elo", "faults"), rows, (0, 2, 3, 4, 5, 6, 7, 8)


def summary(match: Match) -> list[str]:
    """What the results are worth, in words."""
    standings, sprt = match.standings, match.plan.sprt
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
                text += f", {without} without the luck of the dice"
            lines.append(text)
    if sprt is not None:
        tally = standings.tally()
        lower, upper = sprt.bounds
        decision = sprt.decision(tally)
        accepted = {"elo0": sprt.elo0, "elo1": sprt.elo1}.get(decision)
        verdict = "goes on" if accepted is None else f"accepts {accepted:+g} Elo"
        lines.append(
            f"SPRT {sprt.elo0:g} against {sprt.elo1:g}: LLR {sprt.ratio(tally):+.2f} ({lower:.2f} to {upper:.2f}),"
            f" {verdict}"
        )
    return lines


def elo_in_words(tally: Tally) -> str:
    """A difference with half of its interval.

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
