"""Progress of a running ladder: a table that grows in place, or a bar on stderr."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from zerosum.classroom.ladder import RUNGS, Measure, Rung
from zerosum.classroom.ladder_report import Ladder
from zerosum.cli import ladder_table
from zerosum.cli.output import console, count, duration, is_live
from zerosum.cli.progress import Bar

if TYPE_CHECKING:
    from rich.console import Group


class ClimbView:
    """Shows the results in ``ladder()`` so far and what is being measured. Use as a context manager."""

    def __init__(self, ladder: Callable[[], Ladder], quiet: bool) -> None:
        self.ladder = ladder
        self.now = ""
        self.in_place = is_live() and not quiet
        self.bar = Bar(wanted=not self.in_place)
        if self.in_place:
            from rich.live import Live

            self.live = Live(get_renderable=self._draw, console=console(), refresh_per_second=4, transient=True)

    def __enter__(self) -> ClimbView:
        if self.in_place:
            self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.in_place:
            self.live.stop()
        self.bar.__exit__(kind, problem, trace)

    def tell(self, rung: Rung, measure: Measure | None) -> None:
        """Report that a rung has begun, or has finished a depth."""
        self.now = f"{rung.name.removeprefix('+ ')} …"
        if measure is not None:
            self.now += f" depth {measure.depth}, {count(measure.nodes)} nodes, {duration(measure.seconds)}"
        self.bar.show(RUNGS.index(rung) / len(RUNGS), self.now)
        self.refresh()

    def refresh(self) -> None:
        if self.in_place:
            self.live.refresh()

    def _draw(self) -> Group:
        from rich import box
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        ladder = self.ladder()
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for number, heading in enumerate(ladder_table.headings(ladder)):
            table.add_column(heading, justify="right" if number in ladder_table.NUMBERS else "left")
        for row in ladder_table.rows(ladder):
            table.add_row(*(Text(cell, overflow="ellipsis") for cell in row))
        return Group(table, Text(f"{self.now}  (Ctrl-C stops)", style="dim"))
