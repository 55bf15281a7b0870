"""Traces in the terminal and as JSON: the tree with its values and windows, and the steps in words."""

from __future__ import annotations

import json
from math import isinf
from typing import TYPE_CHECKING, Any

from zerosum.cli.output import console, count

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree as Drawn

    from zerosum.classroom.drawing.layout import Place
    from zerosum.classroom.drawing.states import Look
    from zerosum.classroom.events import Event
    from zerosum.classroom.tracing import Trace
    from zerosum.classroom.tree import Tree

DRAWN_NODES = 120
"""Number of nodes shown in a terminal before subtrees are folded."""

WORDS = {"max": "MAX", "min": "MIN", "chance": "chance", "leaf": ""}


def print_trace(trace: Trace, steps: int, detail: str) -> None:
    """Print the tree, the result, and the first ``steps`` steps, brief or full."""
    out = console()
    if trace.tree is None:
        out.print(f"The search visited too many nodes to draw; give {trace.smaller} to see the tree.", markup=False)
    else:
        if trace.tree.root.picture:
            out.print(trace.tree.root.picture, markup=False)
            out.print()
        out.print(_Picture(trace, trace.tree).tree())
    out.print()
    out.print(result_in_words(trace), markup=False)
    if steps:
        out.print()
    all_steps = trace.steps(detail)
    width = len(str(min(steps, len(all_steps))))
    for number, step in enumerate(all_steps[:steps], 1):
        style = _style(trace.events[step.first]) if detail == "full" else ""
        out.print(f"{number:>{width}}  {step.marked}", markup=False, style=style)
    left = len(all_steps) - steps
    if left > 0:
        more = "more steps" if steps else "steps"
        out.print(f"… {count(left)} {more}; --steps {len(all_steps)} shows them all", markup=False)
    if steps and detail == "brief":
        out.print(f"--detail full shows these {len(all_steps)} steps in {len(trace.events)}", markup=False, style="dim")


def result_in_words(trace: Trace) -> str:
    """The value, the chosen line and the nodes visited, in one line."""
    from zerosum.classroom.trace_text import chosen_line, effort
    from zerosum.classroom.tree import show_value

    line = chosen_line(trace)
    words = [f"{trace.algorithm}: value {show_value(trace.value)}", *([f"line {' → '.join(line)}"] if line else [])]
    return "; ".join([*words, *effort(trace)])


def _style(event: Event) -> str:
    from zerosum.classroom.events import Kind

    if event.kind in (Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF):
        return "bold"
    return "strike dim" if event.kind is Kind.PRUNE else ""


class _Picture:
    """The tree after the last step, for Rich to draw."""

    def __init__(self, trace: Trace, tree: Tree) -> None:
        from collections import deque

        from zerosum.classroom.drawing.growth import replay
        from zerosum.classroom.drawing.layout import Room, layout
        from zerosum.classroom.drawing.states import shows_windows

        line = [trace.line[:length] for length in range(1, len(trace.line) + 1)]
        self.whole = tree
        self.layout = layout(tree, lambda place: Room(0, 0, 0), limit=DRAWN_NODES, keep=line)
        states = replay(self.layout, trace)
        deque(states.play(), maxlen=0)
        self.looks = states.looks
        self.is_sampled = trace.is_sampled
        self.windows: dict[tuple[int, ...], tuple[float, float]] = {}
        if shows_windows(trace):
            # Frames are the windows at each step; the last frame of a node is its final window.
            self.windows = {f.path: (f.alpha, f.beta) for event in trace.events for f in event.frames}

    def tree(self) -> Drawn:
        from rich.tree import Tree as Drawn

        drawn: list[Drawn] = []
        for index, place in enumerate(self.layout.places):
            text = self._text(place, self.looks[index])
            drawn.append(Drawn(text) if place.parent is None else drawn[place.parent].add(text))
        return drawn[0]

    def _text(self, place: Place, look: Look) -> Text:
        from rich.text import Text

        from zerosum.classroom.drawing.states import BELOW, CUT, UNSEEN
        from zerosum.classroom.drawing.text import value_text

        if place.bundle:
            return Text(f"… {count(place.bundle)} more {'node' if place.bundle == 1 else 'nodes'}", style="dim")
        is_cut = look.status in (CUT, BELOW)
        is_outside = self.is_sampled and look.status == UNSEEN  # not in the tree that grew
        style = "strike dim" if is_cut else "dim" if is_outside else "bold" if look.is_chosen else ""
        node = place.node
        text = Text(self._branch(place))
        name = " ".join(word for word in (WORDS[node.player], node.name) if word)
        if look.value:
            value = look.value if look.value[:1] in "≤≥" else f"= {look.value}"
            name = f"{name} {value}" if name else look.value
        text.append(name, style=style)
        if place.path in self.windows and node.children and not is_cut:
            alpha, beta = self.windows[place.path]
            text.append(f"   α {value_text(alpha)}  β {value_text(beta)}", style="dim")
        if self.is_sampled and look.upper:
            text.append("   " + "  ".join(word for word in (look.upper, look.lower) if word), style="dim")
        if look.status == CUT:
            text.append("  cut", style="dim")
        return text

    def _branch(self, place: Place) -> str:
        """The label of a branch: the move, or the probability of the outcome."""
        from zerosum.classroom.drawing.svg import probability

        if not place.path:
            return ""
        parent = self.whole.at(place.path[:-1])
        label = parent.labels[place.branch] if parent.labels else ""
        share = f"({probability(parent.probabilities[place.branch])})" if parent.probabilities else ""
        words = " ".join(word for word in (label, share) if word)
        return f"{words}: " if words else ""


# For programs


def trace_as_json(trace: Trace, **more: Any) -> str:
    """The whole trace as JSON text; an infinite α or β is null."""
    from zerosum.classroom.trace_text import chosen_line

    report = {
        **more,
        "algorithm": trace.algorithm,
        "game": trace.game.name,
        "value": trace.value,
        "line": list(trace.line),
        "line_words": chosen_line(trace),
        "evaluated": trace.evaluated,
        "leaves_seen": trace.leaves_seen,
        "pruned": [list(path) for path in trace.pruned],
        "tree": None if trace.tree is None else json.loads(trace.tree.to_json()),
        "steps": [{"events": [step.first, step.end], "mark": step.mark, "words": step.words} for step in trace.steps()],
        "events": [_event(event, trace) for event in trace.events],
    }
    return json.dumps(report, ensure_ascii=False) + "\n"


def _event(event: Event, trace: Trace) -> dict[str, Any]:
    return {
        "kind": event.kind.value,
        "path": list(event.path),
        "value": _finite(event.value),
        "move": event.move,
        "words": event.words(trace),
        "frames": [
            {"alpha": _finite(frame.alpha), "beta": _finite(frame.beta), "pbv": _finite(frame.pbv)}
            | ({} if frame.visits is None else {"visits": frame.visits})
            for frame in event.frames
        ],
        **({"line": list(event.line)} if event.line else {}),
        **({"choices": [choice._asdict() for choice in event.choices]} if event.choices else {}),
    }


def _finite(value: float | None) -> float | None:
    """None instead of infinity, which JSON lacks."""
    return None if value is None or isinf(value) else value
