"""Formatting of numbers and tables. If stdout is not a terminal, the output is plain text without control codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zerosum.wording import count as count
from zerosum.wording import duration as duration
from zerosum.wording import rate as rate

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def is_live() -> bool:
    """Whether stdout is a terminal that can redraw what it shows."""
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def console() -> Console:
    """Rich's console. Importing it takes 0.07 s, so only commands that draw call this."""
    from rich.console import Console

    class QuietConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # for main(), as from print()

    # Rich would believe COLUMNS=0, and show nothing.
    sizes = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES") or text.strip("0")}
    return QuietConsole(highlight=False, soft_wrap=not is_live(), _environ=sizes)


def drawn_table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Table:
    """A table for Rich to draw."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Print a table; the columns in ``right`` are aligned right."""
    if is_live():
        console().print(drawn_table(headings, rows, right))
        return
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        cells = (
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join(cells).rstrip())


def size(number_of_bytes: int) -> str:
    """A size in bytes, in words.

    >>> size(812), size(40960), size(3 << 20)
    ('812 B', '40 KiB', '3.0 MiB')
    """
    if number_of_bytes < 1024:
        return f"{number_of_bytes} B"
    kibibytes = number_of_bytes / 1024
    return f"{kibibytes:.0f} KiB" if kibibytes < 1024 else f"{kibibytes / 1024:.1f} MiB"
