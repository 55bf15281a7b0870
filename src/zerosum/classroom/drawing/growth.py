"""A growing search tree in a drawing: the visits and mean of each node, the bounds for selection, and the playout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.classroom.drawing.layout import TreeLayout
from zerosum.classroom.drawing.states import OPEN, Look, Replay
from zerosum.classroom.drawing.text import value_text
from zerosum.classroom.events import Event, Frame, Kind

if TYPE_CHECKING:
    from zerosum.classroom.tracing import Trace

PLAYOUT = "playout"
"""The status of a node outside the tree while a playout passes through it."""

PROVEN = "proven"


def replay(drawn: TreeLayout, trace: Trace | None) -> Replay:
    """The ``Replay`` of a layout that fits the trace's algorithm."""
    return (Growth if trace is not None and trace.is_sampled else Replay)(drawn, trace)


class Growth(Replay):
    """Nodes outside the tree are unseen, all others show visits and value; bounds and playouts show for one step."""

    def __init__(self, drawn: TreeLayout, trace: Trace | None = None) -> None:
        self._for_a_step: dict[int, Look] = {}  # the looks to restore after this step
        super().__init__(drawn, trace)

    def _apply(self, event: Event) -> None:
        for index, look in self._for_a_step.items():
            self._set(index, look)
        self._for_a_step = {}
        frames = {self.place_of(frame.path): frame for frame in event.frames}
        self._leave_path(frames)
        for index, frame in frames.items():
            self._show_frame(index, frame)
        self._paths[event.worker] = frames
        here = self._now = self.place_of(event.path)
        if event.kind is Kind.PROVE and event.path in self.index:
            self._set(here, self.looks[here]._replace(value=value_text(event.value), lower=PROVEN))
        self._set(here, self.looks[here]._replace(is_now=True))
        for choice in event.choices:
            self._show_bound(self.index.get((*event.path, choice.move)), choice.bound)
        if event.kind is Kind.PLAYOUT:
            for length in range(1, len(event.line) + 1):
                self._show_playout(self.index.get((*event.path, *event.line[:length])))

    def _closed(self, look: Look) -> Look:
        return look  # visits stay visible

    def _show_frame(self, index: int, frame: Frame) -> None:
        look = self.looks[index]._replace(status=OPEN)
        if frame.path in self.index and frame.visits:
            value = look.value if look.lower == PROVEN else value_text(frame.pbv)
            look = look._replace(value=value, upper=f"n {frame.visits}")
        self._set(index, look)

    def _show_bound(self, index: int | None, bound: float) -> None:
        if index is not None:
            self._for_a_step[index] = self.looks[index]
            self._set(index, self.looks[index]._replace(lower=f"u {value_text(bound)}"))

    def _show_playout(self, index: int | None) -> None:
        if index is not None:
            self._for_a_step[index] = self.looks[index]
            self._set(index, self.looks[index]._replace(status=PLAYOUT))
