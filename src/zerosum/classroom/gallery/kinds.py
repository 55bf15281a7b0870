"""What the gallery is made of: worked examples, slips, and reports where no tree is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerosum.classroom.tracing import Trace


# The notes, by the names of their files.
NOTES_000 = "000_77eaf78662518787.txt"
NOTES_001 = "001_fb62087b3b481083.txt"
NOTES_002 = "002_b876317293805d35.txt"
NOTES_003 = "003_4d3f4c28202e4ac7.txt"
NOTES_004 = "004_a802525386df9760.txt"


@dataclass(frozen=True)
class Report:
    """A result that is told in lines, with the figures behind them."""

    lines: tuple[str, ...]
    figures: Mapping[str, Any]

    def __str__(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True)
class Example:
    """A worked example of the lecture notes.

    ``make()`` runs it, and gives a Trace or a Report. ``figures`` are those that the notes tell.
    ``reconstructed`` says what the notes' extracted text has lost and what was put in its place.
    """

    name: str
    title: str
    source: str
    about: str
    make: Callable[[], Trace | Report]
    figures: Mapping[str, Any] = field(default_factory=dict)
    reconstructed: str = ""


@dataclass(frozen=True)
class Slip:
    """A mistake in the notes, in its wrong and its right form; ``cost()`` measures the difference."""

    name: str
    title: str
    source: str
    written: str
    meant: str
    wrong: Callable[[], Any]
    right: Callable[[], Any]
    cost: Callable[[], tuple[str, ...]]

    def make(self) -> Report:
        """Both forms, run side by side, and what the mistake costs."""
        wrong, right = self.wrong(), self.right()
        lines = (
            f"written: {self.written}",
            f"meant:   {self.meant}",
            f"wrong:   {wrong}",
            f"right:   {right}",
            *(f"cost:    {line}" for line in self.cost()),
        )
        return Report(lines, {"wrong": wrong, "right": right})

    @property
    def about(self) -> str:
        return f"Written: {self.written} Meant: {self.meant}"
