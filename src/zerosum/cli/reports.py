"""Reports of a running search as JSON lines, plain rows, or a live table."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any

from zerosum.board.inferred import picture
from zerosum.cli.common import print_json
from zerosum.cli.output import console, count, duration, is_live, rate
from zerosum.game import Game
from zerosum.search.result import Result
from zerosum.value_display import ending, report

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table

HEADINGS = ("depth", "value", "nodes", "nodes/s", "time", "pv")
WIDTHS = (5, 21, 15, 8, 8, 0)
NUMBERS = (0, 2, 3, 4)
PV_IN_ONE_LINE = 6


def row(result: Result, game: Game, s: Any) -> tuple[str, ...]:
    """The cells of one row of a report."""
    return (
        str(result.depth),
        result.in_words(game),
        count(result.nodes),
        rate(result.nodes_per_second),
        duration(result.seconds),
        " ".join(result.pv_texts(game, s)),
    )


def thought(result: Result, game: Game, s: Any) -> str:
    """A result in one line."""
    depth, value, nodes, speed, _, _ = row(result, game, s)
    pv = list(result.pv_texts(game, s))
    more = " …" if len(pv) > PV_IN_ONE_LINE else ""
    return f"depth {depth}, {value}, {nodes} nodes, {speed}, line {' '.join(pv[:PV_IN_ONE_LINE])}{more}"


class SearchView:
    """Base class of the views of a search of ``s``. Use as a context manager; reports come in order of depth."""

    def __init__(self, game: Game, s: Any, numbered: bool) -> None:
        self.game, self.s, self.numbered = game, s, numbered
        self.last: Result | None = None

    def __enter__(self) -> SearchView:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def report(self, result: Result) -> None:
        """Show a finished depth."""
        self.last = result
        self.add(result)

    def finish(self, result: Result) -> None:
        """Show the final result, which may be better than that of the last whole depth."""
        if result.move is None and self.game.is_over(self.s):
            print(f"the game is over: {ending(self.game, self.s)}")
            return
        if self.last is None or (self.last.pv, self.last.value) != (result.pv, result.value):
            self.add(result)
        self.close()
        print(self._in_one_line("best move", result))

    def stopped(self) -> None:
        """Show the results so far, after Ctrl-C."""
        self.close()
        if self.last is None:
            print("stopped before the first depth was done")
        else:
            print(f"stopped; {self._in_one_line('best move so far', self.last)}")

    def _in_one_line(self, what: str, result: Result) -> str:
        if result.move is None:
            return f"chance is to move, {result.in_words(self.game)}"
        return f"{what}: {self.game.format_move(self.s, result.move)}, {result.in_words(self.game)}"

    def add(self, result: Result) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """End the display: nothing more will be added."""

    def rows(self, result: Result) -> list[tuple[str, ...]]:
        """The lines of a report, numbered from 1 if several were requested."""
        if not self.numbered:
            return [row(result, self.game, self.s)]
        lines = result.lines or (result,)
        return [(str(number), *row(line, self.game, self.s)) for number, line in enumerate(lines, 1)]


class JsonView(SearchView):
    """One JSON object per report, each on its own line."""

    def add(self, result: Result) -> None:
        self._print(result, final=False)

    def finish(self, result: Result) -> None:
        self._print(result, final=True)

    def stopped(self) -> None:
        if self.last is not None:
            self._print(self.last, final=True)

    def _print(self, result: Result, final: bool) -> None:
        print_json({**report(result, self.game, self.s), "final": final})


class PlainView(SearchView):
    """Rows of text, for files, pipes and simple terminals."""

    def add(self, result: Result) -> None:
        if not self.heading_printed:
            self._print(("line", *HEADINGS) if self.numbered else HEADINGS)
            self.heading_printed = True
        for cells in self.rows(result):
            self._print(cells)

    heading_printed = False

    def _print(self, cells: tuple[str, ...]) -> None:
        widths = (4, *WIDTHS) if self.numbered else WIDTHS
        shift = 1 if self.numbered else 0
        padded = (
            cell.rjust(width) if number - shift in NUMBERS else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        print("  ".join(padded).rstrip(), flush=True)


class LiveView(SearchView):
    """A table that grows in place, with a clock below it."""

    def __init__(self, game: Game, s: Any, numbered: bool) -> None:
        from rich.live import Live

        super().__init__(game, s, numbered)
        self.console = console()
        self.shown: list[tuple[str, ...]] = []
        self.begin = monotonic()
        self.live = Live(get_renderable=self._draw, console=self.console, refresh_per_second=4, transient=True)

    def __enter__(self) -> SearchView:
        print_board(self.console, self.game, self.s)
        self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.live.stop()

    def add(self, result: Result) -> None:
        self.shown.extend(self.rows(result))
        self.live.refresh()

    def close(self) -> None:
        self.live.stop()
        if self.shown:
            self.console.print(self._table(self.shown))

    def finish(self, result: Result) -> None:
        if result.move is None:
            self.live.stop()
        super().finish(result)

    def _draw(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        # A table taller than the window cannot be redrawn in place, so show only its end while it grows.
        room = max(1, self.console.height - 6)
        clock = Text(f"searching … {duration(monotonic() - self.begin)}  (Ctrl-C stops)", style="dim")
        return Group(self._table(self.shown[-room:]), clock)

    def _table(self, rows: list[tuple[str, ...]]) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        if self.numbered:
            table.add_column("line", justify="right")
        for number, heading in enumerate(HEADINGS):
            table.add_column(heading, justify="right" if number in NUMBERS else "left", width=WIDTHS[number] or None)
        for cells in rows:
            # Each report takes one line: a long pv is cut off at the edge of the window.
            table.add_row(*(Text(cell, no_wrap=True, overflow="ellipsis") for cell in cells))
        return table


def print_board(to: Console, game: Game, s: Any) -> None:
    """Print the position in a frame."""
    from rich.panel import Panel
    from rich.text import Text

    board = Text(picture(game, s).rstrip("\n"))
    to.print(Panel(board, title=Text(game.name), expand=False, padding=(0, 2)))


def view_for(game: Game, s: Any, json: bool, numbered: bool) -> SearchView:
    """The view for JSON, a terminal or plain output."""
    if json:
        return JsonView(game, s, numbered)
    return LiveView(game, s, numbered) if is_live() else PlainView(game, s, numbered)
