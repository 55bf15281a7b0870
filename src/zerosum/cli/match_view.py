"""The display of a running match: a table that changes as games end, or a line for each game."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any

from zerosum.arena.results import summary, table
from zerosum.cli import complain
from zerosum.cli.common import print_json
from zerosum.cli.output import console, count, duration, is_live, print_table

if TYPE_CHECKING:
    from zerosum.arena.match import Match
    from zerosum.arena.standings import Standings
    from zerosum.formats.record import GameRecord


class MatchView:
    """Shows the match while it runs. Use as a context manager."""

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
        """Report what the games file contains, once it is open, and start the display."""
        if match.dropped:
            complain(f"the last game in {str(match.out)!r} was incomplete: it is played again")
        if match.resumed and not self.quiet:
            left = match.plan.total - match.resumed
            more = f"{count(left)} are left" if left > 0 else "the match is complete"
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

        headings, rows, right = table(self.match.standings)
        grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for number, heading in enumerate(headings):
            grid.add_column(heading, justify="right" if number in right else "left", overflow="fold")
        for row in rows:
            grid.add_row(*(Text(cell) for cell in row))
        return Group(grid, Text("\n".join([self._pace(), *summary(self.match.standings, self.match.plan.sprt)])))

    def _pace(self) -> str:
        """A line with the games done, where they are played, the speed and the time left."""
        match = self.match
        done, total = match.standings.games, match.plan.total
        text = f"{count(done)} of {count(total)} games"
        if match.team is not None:
            text += f", {match.team.where}"
        seconds = monotonic() - self._began
        if done > match.resumed and seconds > 0:
            speed = (done - match.resumed) / seconds
            text += f", {count(round(60 * speed))} games a minute, {duration((total - done) / speed)} left"
        return text


def print_standings(match: Match, json: bool) -> None:
    """Print the table, its statistics and the name of the games file."""
    if json:
        standings = match.standings.as_dict(match.plan.sprt)
        print_json({"game": match.plan.game.name, "file": str(match.out), **standings})
        return
    if not match.standings.games:
        return
    headings, rows, right = table(match.standings)
    print_table(headings, rows, right)
    for line in summary(match.standings, match.plan.sprt):
        print(line)
    print(f"{count(match.standings.games)} of {count(match.plan.total)} games, in {str(match.out)!r}")
