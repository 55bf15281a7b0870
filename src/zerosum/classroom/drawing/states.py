"""The look of every node after each event of a trace.

Drawings and pages both use these states, so a step on the page and a drawing of that step agree. A state describes the
change, not the picture: a ``Look`` holds the texts and the class that the style sheet turns into colours and strokes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from zerosum.classroom.drawing.bounds import Certainty
from zerosum.classroom.drawing.layout import Path, TreeLayout
from zerosum.classroom.drawing.text import value_text
from zerosum.classroom.events import Event, Frame, Kind
from zerosum.classroom.node import LEAF

if TYPE_CHECKING:
    from zerosum.classroom.tracing import Trace

UNSEEN, OPEN, DONE, CUT, BELOW, OUTSIDE = "unseen", "open", "done", "cut", "below", "outside"
"""Not reached yet; on the path from the root; left with a value; pruned; below a pruned node; never reached at all."""

ANY = (-inf, inf)
"""The window of an algorithm that has none."""

VALUED = frozenset({Kind.LEAVE, Kind.EVALUATE, Kind.TABLE_HIT, Kind.STAND_PAT, Kind.PROVE})


class Look(NamedTuple):
    """The changing parts of a node: its status, the text in it, and the two texts beside it, such as α and β."""

    status: str = UNSEEN
    value: str = ""
    upper: str = ""
    lower: str = ""
    is_now: bool = False
    is_chosen: bool = False

    @property
    def size(self) -> str:
        """The class of the value's text: long numbers are smaller."""
        return "value" if len(self.value) <= 2 else "value long" if len(self.value) <= 4 else "value longest"

    @property
    def classes(self) -> str:
        """The classes for the style sheet."""
        return self.status + (" now" if self.is_now else "") + (" chosen" if self.is_chosen else "")


class Replay:
    """The looks of all places of a layout, before the first event; ``play`` applies the events one by one."""

    def __init__(self, drawn: TreeLayout, trace: Trace | None = None) -> None:
        self.trace = trace
        self.places = drawn.places
        self.index: dict[Path, int] = {}
        self.bundles: dict[Path, int] = {}
        for index, place in enumerate(drawn.places):
            (self.bundles if place.bundle else self.index)[place.path] = index
        self._outside = self._never_reached()
        self.looks = [self._fresh(index) for index in range(len(drawn.places))]
        self._before: dict[int, Look] = {}
        self._certainty = Certainty()
        self._paths: dict[int, dict[int, Frame]] = {}  # for each thread, its current path as shown
        self._now = 0
        self._with_windows = trace is not None and shows_windows(trace)

    def play(self) -> Iterator[dict[int, Look]]:
        """The looks changed by each event in turn. The last event also shows the chosen line."""
        events = () if self.trace is None else self.trace.events
        for count, event in enumerate(events, 1):
            self._before = {}
            self._apply(event)
            if count == len(events) and self.trace is not None:
                self._show_line(self.trace.line)
            yield {index: self.looks[index] for index, old in self._before.items() if self.looks[index] != old}

    def place_of(self, path: Path) -> int:
        """The place of a node, or of the bundle that hides it."""
        if path in self.index:
            return self.index[path]
        while path not in self.index:
            path = path[:-1]
        return self.bundles.get(path, self.index[path])

    def _fresh(self, index: int) -> Look:
        place = self.places[index]
        if place.path in self._outside and not place.bundle:
            return Look(OUTSIDE)
        # The leaves of a hand-made tree are known; those of a game get their values during the search.
        is_known = place.node.kind == LEAF and not place.bundle and not (self.trace and self.trace.is_unfolded)
        return Look(value=value_text(place.node.value) if is_known else "")

    def _never_reached(self) -> set[Path]:
        """Nodes beyond the horizon or left out without a cut-off: no event concerns them, no ancestor was pruned."""
        if self.trace is None or self.trace.is_sampled:
            return set()
        reached = {event.path for event in self.trace.events} | set(self.trace.pruned)
        cut = set(self.trace.pruned)

        def is_reached(path: Path) -> bool:
            return path in reached or any(path[:length] in cut for length in range(1, len(path)))

        return {path for path in self.index if not is_reached(path)}

    def _set(self, index: int, look: Look) -> None:
        self._before.setdefault(index, self.looks[index])
        self.looks[index] = look

    def _apply(self, event: Event) -> None:
        frames = {self.place_of(frame.path): frame for frame in event.frames}
        here = self.place_of(event.path)
        self._leave_path(frames, event.worker)
        if event.kind is Kind.ITERATION:
            self._start_anew(0)
            self._paths = {}
        on_path = self._paths.setdefault(event.worker, {})
        if event.kind is Kind.ENTER and event.path in self.index:
            self._start_anew(here)  # a node may be searched more than once
            on_path.pop(here, None)
        for index, frame in frames.items():
            if on_path.get(index) != frame:
                self._show_frame(index, frame)
        self._paths[event.worker] = frames
        if event.kind is Kind.PRUNE and event.move is not None:
            self._prune((*event.path, event.move))
        sign = self._certainty.hear(event)
        if event.kind in VALUED and event.value is not None and event.path in self.index:
            self._set(here, self.looks[here]._replace(value=sign + value_text(event.value)))
        if event.kind is Kind.LEAVE and not event.path:
            for worker in self._paths:  # all threads are finished
                self._leave_path((0,), worker)
        status = DONE if event.kind is Kind.LEAVE and event.path in self.index else self.looks[here].status
        self._set(here, self.looks[here]._replace(status=status, is_now=True))
        self._now = here

    def _leave_path(self, staying: Collection[int], worker: int = 0) -> None:
        """Mark nodes that left the thread's path as done, unless another thread is below them."""
        self._set(self._now, self.looks[self._now]._replace(is_now=False))
        elsewhere = {index for other, path in self._paths.items() if other != worker for index in path}
        for index in self._paths.get(worker, {}):
            if index not in staying and index not in elsewhere:
                look = self._closed(self.looks[index])
                self._set(index, look._replace(status=DONE if look.status == OPEN else look.status))

    def _closed(self, look: Look) -> Look:
        """The look without its window: only the current path shows windows."""
        return look._replace(upper="", lower="")

    def _start_anew(self, index: int) -> None:
        for each in (index, *self._below(index)):
            self._set(each, self._fresh(each))

    def _show_frame(self, index: int, frame: Frame) -> None:
        look = self.looks[index]._replace(status=OPEN)
        if frame.path in self.index and self.places[index].node.kind != LEAF:
            if self._with_windows:
                look = look._replace(upper=f"α {value_text(frame.alpha)}", lower=f"β {value_text(frame.beta)}")
            if frame.pbv is not None:
                look = look._replace(value=value_text(frame.pbv))
        self._set(index, look)

    def _prune(self, path: Path) -> None:
        if path not in self.index:
            bundle = self.place_of(path)
            if self.places[bundle].bundle and self.looks[bundle].status == UNSEEN:
                self._set(bundle, Look(BELOW))
            return
        index = self.index[path]
        self._set(index, self._fresh(index)._replace(status=CUT))
        for below in self._below(index):
            self._set(below, self._fresh(below)._replace(status=BELOW))

    def _below(self, index: int) -> Sequence[int]:
        """All places below this one; in preorder they follow it directly."""
        last = index
        while self.places[last].children:
            last = self.places[last].children[-1]
        return range(index + 1, last + 1)

    def _show_line(self, line: Path) -> None:
        for length in range(len(line) + 1):
            index = self.index.get(line[:length])
            if index is not None:
                self._set(index, self.looks[index]._replace(is_chosen=True))


def shows_windows(trace: Trace) -> bool:
    """Whether the algorithm uses a window; minimax does not, and then nothing is written beside nodes."""
    return any((frame.alpha, frame.beta) != ANY for event in trace.events for frame in event.frames)
