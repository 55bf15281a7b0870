"""A progress bar on stderr, for commands that run for a long time without output."""

from __future__ import annotations

import os
import sys
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

DELAY = 2.0
"""Seconds before a bar appears: quick work needs no bar."""


class Bar:
    """A bar that appears after two seconds, if stderr is a terminal; text printed to stderr appears above it.

    Use as a context manager, and not while stdout prints lines to the same terminal.
    """

    def __init__(self, wanted: bool = True) -> None:
        self.wanted = wanted and is_live()
        self.began = monotonic()
        self.progress: Progress | None = None
        self.task: TaskID | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.progress is not None:
            self.progress.stop()

    def show(self, done: float, text: str) -> None:
        """Show the progress, from 0 to 1, and what is being done."""
        if not self.wanted or (self.progress is None and monotonic() - self.began < DELAY):
            return
        if self.progress is None:
            self._start()
        assert self.progress is not None and self.task is not None
        self.progress.update(self.task, completed=done, description=text)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self.progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,  # it may be a file, which must contain only results
        )
        self.task = self.progress.add_task("", total=1.0)
        self.progress.start()


def is_live() -> bool:
    """Whether stderr is a terminal that can redraw what it shows."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")
