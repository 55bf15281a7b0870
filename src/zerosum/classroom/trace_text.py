"""A trace in words, at two levels of detail.

``full`` has a sentence for every event. ``brief`` follows the notes: one step for each leaf, with everything that
follows from it, or one step for each simulation.

>>> from zerosum.classroom import Tree, trace
>>> steps = trace("alphabeta", Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")).steps()
>>> len(steps)
7
>>> print(steps[3].words)
C (α 3, β ∞) looks at 2; β of C falls to 2; alpha cut-off: MIN gets 2 or less, MAX has 3; 4 and 6 are never looked \
at; C returns 2; A keeps 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from zerosum.classroom.events import Event, Kind, Path, Sentence
from zerosum.classroom.node import LEAF, show_value
from zerosum.errors import LimitError
from zerosum.game import CHANCE

if TYPE_CHECKING:
    from zerosum.classroom.tracing import Trace

DETAILS = ("brief", "full")

MOST_NAMED = 4
"""The most children that a cut-off names."""

ANEW = frozenset({Kind.ITERATION, Kind.SIMULATION, Kind.QUESTION})
"""Events that always begin a step."""

FOUND = frozenset({Kind.EVALUATE, Kind.TABLE_HIT, Kind.STAND_PAT, Kind.NUMBERS, Kind.CHANCE_AVERAGE})
"""Events after which the next event in ``DOWN`` begins a new step."""

DOWN = frozenset({Kind.ENTER, Kind.RESEARCH, Kind.EXPAND, Kind.CHOOSE, Kind.EXTEND, Kind.ORDER, Kind.NULL_MOVE})


class Step(NamedTuple):
    """The events from ``first`` up to, but not including, ``end``, in words; ``mark`` is its name in the notes."""

    first: int
    end: int
    words: str
    mark: str = ""

    @property
    def marked(self) -> str:
        """The words, preceded by the mark if there is one."""
        return f"({self.mark}) {self.words}" if self.mark else self.words


def steps_of(trace: Trace, detail: str) -> tuple[Step, ...]:
    """The steps of a trace, brief or full."""
    if detail not in DETAILS:
        raise LimitError(f"the detail must be {' or '.join(DETAILS)}, not {detail!r}")
    if detail == "full":
        return tuple(Step(i, i + 1, event.words(trace)) for i, event in enumerate(trace.events))
    ends = list(_ends(trace.events))
    marks = [*trace.marks, *[""] * len(ends)]
    return tuple(
        Step(first, end, _Brief(trace, trace.events[first:end]).text(), mark)
        for first, end, mark in zip([0, *ends], ends, marks, strict=False)
    )


def _ends(events: Sequence[Event]) -> Iterator[int]:
    """The places where the brief steps end."""
    has_found = False
    for place, event in enumerate(events):
        is_other = place > 0 and event.worker != events[place - 1].worker
        if place and (event.kind in ANEW or (event.kind in DOWN and has_found) or is_other):
            yield place
            has_found = False
        has_found = has_found or event.kind in FOUND
    if events:
        yield len(events)


class _Brief:
    """A few events in one sentence of several parts."""

    def __init__(self, trace: Trace, events: Sequence[Event]) -> None:
        self.trace, self.events = trace, events
        self.windows: dict[Path, str] = {}  # windows of the nodes entered in this step
        self.parts: list[str] = []
        self.before: Event | None = None

    def text(self) -> str:
        for place, event in enumerate(self.events):
            following = self.events[place + 1] if place + 1 < len(self.events) else None
            tell = getattr(self, event.kind.name.lower(), None)
            part = tell(event, following) if tell is not None else self.whole(event)
            if part:
                self.parts.append(part)
            self.before = event
        parts = [self.parts[0], *map(_lower, self.parts[1:])] if self.parts else ["Nothing changes"]
        first = parts[0][0] if parts[0][0] in "αβ" else parts[0][0].upper()
        worker = self.events[0].worker
        return f"{f'Thread {worker}: ' if worker else ''}{first}{'; '.join(parts)[1:]}."

    def whole(self, event: Event) -> str:
        """The event's own sentence."""
        return replace(event, worker=0).words(self.trace).rstrip(".")

    def name(self, path: Path) -> str:
        return Sentence(Event(Kind.ENTER, ()), self.trace).name(path)

    # One method for each kind of event with a shorter text; None for events that need no words

    def enter(self, event: Event, following: Event | None) -> None:
        frame = event.frame
        if frame.player != LEAF and (frame.alpha, frame.beta) != (-inf, inf):
            self.windows[event.path] = f" (α {show_value(frame.alpha)}, β {show_value(frame.beta)})"

    def evaluate(self, event: Event, following: Event | None) -> str:
        value = show_value(event.value)
        if not event.path or event.note == "repetition":
            return self.whole(event)
        above = event.path[:-1]
        parent = self.name(above) + self.windows.pop(above, "")
        tree = self.trace.tree
        node = tree.at(event.path) if tree is not None and self._is_drawn(event.path) else None
        if node is None or (tree is not None and tree.at(above).labels and not node.name):
            how = "is estimated at" if event.note == "evaluation" else "is worth"
            return f"{self.name(event.path)} {how} {value}"
        if node.kind == LEAF and not node.name:
            return f"{parent} looks at {value}"
        return f"{parent} looks at {node.name}, which {'is estimated at' if node.kind != LEAF else 'is worth'} {value}"

    def _is_drawn(self, path: Path) -> bool:
        assert self.trace.tree is not None
        node = self.trace.tree.root
        for move in path:
            if move not in node.moves:
                return False
            node = node.child(move)
        return True

    def back_up(self, event: Event, following: Event | None) -> str | None:
        if following is not None and following.kind in (Kind.RAISE_ALPHA, Kind.LOWER_BETA):
            return None
        return f"{self.name(event.path)} has {show_value(event.value)} so far"

    def alpha_cutoff(self, event: Event, following: Event | None) -> str:
        who = "chance gives" if event.frame.player == CHANCE else "MIN gets"
        return f"alpha cut-off: {who} {show_value(event.value)} or less, MAX has {show_value(event.frame.alpha)}"

    def beta_cutoff(self, event: Event, following: Event | None) -> str:
        who = "chance gives" if event.frame.player == CHANCE else "MAX gets"
        return f"beta cut-off: {who} {show_value(event.value)} or more, MIN has {show_value(event.frame.beta)}"

    def prune(self, event: Event, following: Event | None) -> str | None:
        """All children of one cut-off together, when the last one is reached."""
        if following is not None and following.kind is Kind.PRUNE:
            return None
        cut = [e for e in self.events if e.kind is Kind.PRUNE and e.path == event.path and e.move is not None]
        names = [Sentence(e, self.trace).branch(e.move).removeprefix("leaf ") for e in cut if e.move is not None]
        shown = names[:MOST_NAMED] + ([f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else [])
        listed = ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + shown[-1]
        return f"{listed} {'is' if len(names) == 1 else 'are'} never looked at"

    def leave(self, event: Event, following: Event | None) -> str | None:
        parts = []
        before = self.before
        is_leaf = event.frame.player == LEAF or (before is not None and before.kind is Kind.EVALUATE)
        if not is_leaf and (before is None or before.kind is not Kind.CHANCE_AVERAGE):
            parts.append(f"{self.name(event.path)} returns {show_value(event.value)}")
        if len(event.frames) > 1:
            above = event.frames[-2]
            goes_up = following is not None and following.kind is Kind.BACK_UP and following.path == above.path
            if not goes_up and above.pbv is not None and above.player != CHANCE:
                parts.append(f"{self.name(above.path)} keeps {show_value(above.pbv)}")
        return "; ".join(parts)

    def store(self, event: Event, following: Event | None) -> None:
        return None

    # Simulations: the path and the result

    def simulation(self, event: Event, following: Event | None) -> str:
        return event.note

    def select(self, event: Event, following: Event | None) -> str:
        assert event.move is not None
        return f"from {self.name(event.path)} to {Sentence(event, self.trace).branch(event.move)}"

    def playout(self, event: Event, following: Event | None) -> str:
        words = event.words(self.trace).rstrip(".")
        return words[:1].lower() + words[1:] if words.startswith("A random") else words

    def update(self, event: Event, following: Event | None) -> str | None:
        frame = event.frame
        if len(event.frames) > 1:
            return None
        return f"after {frame.visits} visit{'s'[: frame.visits != 1]} the mean is {show_value(frame.pbv)}"


def _lower(part: str) -> str:
    """A part that follows another, with a lower-case first letter unless it begins with a name."""
    is_name = len(part) > 1 and (part[1] in " (," or part[:2].isupper())
    return part if is_name else part[:1].lower() + part[1:]


# The result


def chosen_line(trace: Trace) -> list[str]:
    """The chosen moves in words: the names of the nodes, or else the labels of the branches, or else leaf values."""
    if trace.tree is None:
        return trace.move_words(trace.line)
    words, node = [], trace.tree.root
    for move in trace.line:
        if move not in node.moves:
            break
        label, is_labelled = node.label(move), bool(node.labels)
        node = node.child(move)
        words.append(node.name or (label if is_labelled or node.value is None else show_value(node.value)))
    return words


def effort(trace: Trace) -> list[str]:
    """The amount of work, in words."""
    if trace.is_sampled:
        return [f"{trace.evaluated:,} simulation{'s'[: trace.evaluated != 1]}"]
    every = "" if trace.tree is None else f" of {trace.tree.leaves:,}"
    words = [f"{trace.leaves_seen:,}{every} leaves looked at"]
    if trace.evaluated > trace.leaves_seen:
        words[0] += f" ({trace.evaluated:,} evaluations in all)"
    cut = len(trace.pruned)
    return [*words, f"{cut:,} {'branch' if cut == 1 else 'branches'} cut"]
