"""What the gallery is made of: worked examples, slips, and reports where no tree is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerosum.classroom.tracing import Trace


@dataclass(frozen=True)
class Report:
    """A result that is told in lines, with the figures behind them."""

    lines: tuple[str, ...]
    figures: Mapping[Any, Any]

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
    topic: str
    about: str
    make: Callable[[], Trace | Report]
    figures: Mapping[str, Any] = field(default_factory=dict)
    reconstructed: str = ""

    @property
    def facts(self) -> dict[str, str]:
        """What stands beside the result wherever it is shown; for programs."""
        told = {"example": self.name, "title": self.title, "topic": self.topic, "about": self.about}
        return told | ({"reconstructed": self.reconstructed} if self.reconstructed else {})


@dataclass(frozen=True)
class Slip:
    """A mistake in the notes, in its wrong and its right form; ``cost()`` measures the difference."""

    name: str
    title: str
    topic: str
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

    @property
    def facts(self) -> dict[str, str]:
        """What stands beside the result wherever it is shown; for programs."""
        return {"example": self.name, "title": self.title, "topic": self.topic, "about": self.about}
