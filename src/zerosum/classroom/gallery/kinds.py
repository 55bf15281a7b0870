"""The items of the gallery: worked examples, slips, and reports for examples without a tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerosum.classroom.tracing import Trace


@dataclass(frozen=True)
class Report:
    """A result as lines of text, with the figures behind them."""

    lines: tuple[str, ...]
    figures: Mapping[Any, Any]

    def __str__(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True)
class Example:
    """A worked example of the lecture notes.

    ``make()`` runs it and returns a Trace or a Report. ``figures`` are the figures in the notes.
    ``reconstructed`` says what the extracted text of the notes has lost and what replaces it.
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
        """The texts shown with the result, as a dictionary for JSON."""
        facts = {"example": self.name, "title": self.title, "topic": self.topic, "about": self.about}
        return facts | ({"reconstructed": self.reconstructed} if self.reconstructed else {})


@dataclass(frozen=True)
class Slip:
    """A mistake in the notes, with its wrong and its right form; ``cost()`` measures the difference."""

    name: str
    title: str
    topic: str
    written: str
    meant: str
    wrong: Callable[[], Any]
    right: Callable[[], Any]
    cost: Callable[[], tuple[str, ...]]

    def make(self) -> Report:
        """Run both forms, and show them side by side with the cost of the mistake."""
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
        """The texts shown with the result, as a dictionary for JSON."""
        return {"example": self.name, "title": self.title, "topic": self.topic, "about": self.about}
