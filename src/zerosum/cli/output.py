"""Numbers and tables for people. Where stdout is no terminal: plain text, no control codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def is_live() -> bool:
    """Whether stdout is a terminal that can redraw what it shows."""
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def console() -> Console:
    """Rich's console, which takes 0.07 s to import: only for commands that draw."""
    from rich.console import Console

    class QuietConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # for main(), as from print()

    return QuietConsole(highlight=False, soft_wrap=not is_live())


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """A table; the columns numbered in ``right`` hold numbers."""
    if is_live():
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for number, heading in enumerate(headings):
            table.add_column(heading, justify="right" if number in right else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        console().print(table)
        return
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        cells = (
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join(cells).rstrip())


def count(n: int) -> str:
    """A whole number with its thousands set apart.

    >>> count(1234567)
    '1,234,567'
    """
    return f"{n:,}"


def rate(per_second: float) -> str:
    """How many a second, in three figures.

    >>> rate(6_123_456), rate(812_000), rate(95)
    ('6.12 M/s', '812 k/s', '95 /s')
    """
    for unit, name in ((1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s")):
        if per_second >= unit:
            return f"{_three_figures(per_second / unit)} {name}"
    return f"{per_second:.0f} /s"


def _three_figures(x: float) -> str:
    return f"{x:.{2 if x < 10 else 1 if x < 100 else 0}f}"


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> duration(0.0123), duration(2.5), duration(75)
    ('12 ms', '2.50 s', '1:15')
    """
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def size(number_of_bytes: int) -> str:
    """A file's size.

    >>> size(812), size(40960), size(3 << 20)
    ('812 B', '40 KiB', '3.0 MiB')
    """
    if number_of_bytes < 1024:
        return f"{number_of_bytes} B"
    kibibytes = number_of_bytes / 1024
    return f"{kibibytes:.0f} KiB" if kibibytes < 1024 else f"{kibibytes / 1024:.1f} MiB"
