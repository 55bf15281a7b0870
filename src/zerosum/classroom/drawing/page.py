"""A trace as one page to step through, without network, libraries or a server.

The page contains the drawing of the last step, the events in words, and for every step the nodes that change their
look, which a small script applies. Without scripts, the drawing and the events can still be read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zerosum.classroom.drawing.growth import replay
from zerosum.classroom.drawing.layout import DRAWN
from zerosum.classroom.drawing.states import Look
from zerosum.classroom.drawing.svg import Canvas
from zerosum.classroom.drawing.text import asset, escape, style, tag
from zerosum.classroom.events import Event, Kind
from zerosum.classroom.node import show_value
from zerosum.classroom.trace_text import DETAILS, Step, chosen_line, effort
from zerosum.errors import DrawingError

if TYPE_CHECKING:
    from zerosum.classroom.tracing import Trace
    from zerosum.classroom.tree import Tree

MOST_EVENTS = 10_000
"""The most events of a page: more would be slow in the browser, and too many to step through."""

BEFORE = "Nothing has happened yet. Press → for the first step."

DETAIL_NAMES = {"brief": "In brief", "full": "Every step"}

SMALLEST = 0.62
"""The smallest scale to fit a drawing into the window; a drawing that is still too wide scrolls."""

LARGEST = 1.5

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
"""With this policy the browser ensures that the page loads nothing from anywhere."""

ICONS = {
    "first": ("To the start", "M5 5v14M19 5l-7 7 7 7M12 5l-7 7 7 7"),
    "back": ("One step back", "M15 5l-7 7 7 7"),
    "play": ("Play", ""),
    "next": ("One step forward", "M9 5l7 7-7 7"),
    "last": ("To the end", "M19 5v14M5 5l7 7-7 7M12 5l7 7-7 7"),
}
ZOOMS = {"smaller": ("Smaller", "M5 12h14"), "larger": ("Larger", "M5 12h14M12 5v14")}
PLAY = '<path class="start full" d="M6 4l14 8-14 8z"/><path class="pause full" d="M5 4h5v16H5zM14 4h5v16h-5z"/>'
SPEEDS = ("0.5", "1", "2", "4", "8")
LEGEND = (
    "Struck through and grey: never looked at. Italics: the best value so far. e: a static evaluation. "
    "≤ and ≥: only a bound is known. Faint, without a value: never reached."
)
GROWTH_LEGEND = (
    "In a node: its mean result, or its proven value. n: visits. u: the bound by which the search selects. "
    "Dashed: on the path of the playout. Faint: not in the tree yet."
)
CUTS = frozenset({Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF, Kind.PRUNE})


def trace_page(trace: Trace, title: str = "", *, about: str = "", reconstructed: str = "", limit: int = DRAWN) -> str:
    """One self-contained HTML page; ``about`` is a text under the title, such as the description of an example.

    ``reconstructed`` says which part of an example is not from the notes.

    >>> from zerosum.classroom.tracing import trace
    >>> from zerosum.classroom.tree import Tree
    >>> page = trace_page(trace("minimax", Tree.from_lists([[3, 12], [2, 4]])), "Two by two")
    >>> page.startswith("<!DOCTYPE html>"), "http:" in page.replace("http://www.w3.org/2000/svg", "")
    (True, False)
    """
    body, data = trace_body(trace, title, about=about, reconstructed=reconstructed, limit=limit)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">
<title>{escape(heading_of(trace, title))}</title>
<style>
{style("theme.css", "page.css")}</style>
</head>
<body>
<main class="zs-page">
{body}
</main>
<script type="application/json" id="zs-trace">{_json(data)}</script>
<script>
{asset("page.js")}</script>
</body>
</html>
"""


def heading_of(trace: Trace, title: str = "") -> str:
    """The heading of a trace's page."""
    return title or f"{trace.algorithm}: {(trace.tree and trace.tree.title) or trace.game.name}"


def trace_body(
    trace: Trace, title: str = "", *, about: str = "", reconstructed: str = "", limit: int = DRAWN
) -> tuple[str, dict[str, Any]]:
    """The markup of a page for a trace, and the data that its script needs to step through it."""
    tree = _tree_of(trace)
    canvas = Canvas(tree, trace, limit)
    data, final = _steps(canvas)
    steps_by_detail = {detail: trace.steps(detail) for detail in DETAILS}
    facts = [
        *(trace.algorithm, f"{tree.size:,} nodes", f"{tree.leaves:,} leaves"),
        f"{len(steps_by_detail['brief']):,} steps in brief, {len(steps_by_detail['full']):,} in full",
    ]
    if canvas.layout.folded:
        facts.append(f"{canvas.layout.folded:,} nodes folded")
    data |= {"before": BEFORE, "result": _result(trace)}
    data["stops"] = {detail: [step.end for step in steps] for detail, steps in steps_by_detail.items()}
    width = canvas.layout.width
    sheet = {"class": "sheet", "style": f"min-width: {width * SMALLEST:.0f}px; max-width: {width * LARGEST:.0f}px"}
    body = "\n".join(
        [
            "<header>" + tag("h1", {}, escape(heading_of(trace, title))),
            *([tag("p", {}, escape(about))] if about else []),
            *([tag("p", {"class": "lost"}, f"Reconstructed: {escape(reconstructed)}")] if reconstructed else []),
            tag("p", {"class": "facts"}, escape(" · ".join(facts))) + "</header>",
            tag(
                "section",
                {"class": "stage", "tabindex": 0, "aria-label": "Drawing"},
                tag("div", sheet, canvas.draw(final)),
            ),
            _controls(len(steps_by_detail["brief"]), str(data["result"])),
            *(_event_list(trace, detail, steps) for detail, steps in steps_by_detail.items()),
            _footer(trace),
        ]
    )
    return body, data


def _tree_of(trace: Trace) -> Tree:
    if trace.tree is None:
        raise DrawingError(f"the search of {trace.game.name} visited too many nodes to draw: give {trace.smaller}")
    if len(trace.events) > MOST_EVENTS:
        raise DrawingError(
            f"the trace has {len(trace.events):,} events, but a page can have at most {MOST_EVENTS:,}: "
            f"give {trace.smaller}, or a smaller tree"
        )
    return trace.tree


def _steps(canvas: Canvas) -> tuple[dict[str, Any], list[Look]]:
    """All different looks; the look of each node at the start; and for each step: node, look, node, look …"""
    numbers: dict[Look, int] = {}
    states = replay(canvas.layout, canvas.trace)
    start = [numbers.setdefault(look, len(numbers)) for look in states.looks]
    steps = []
    for changes in states.play():
        steps.append([k for index, look in changes.items() for k in (index, numbers.setdefault(look, len(numbers)))])
    looks = [(look.classes, look.value, look.size, look.upper, look.lower) for look in numbers]
    return {"looks": looks, "start": start, "steps": steps}, states.looks


def _json(data: object) -> str:
    """JSON that is safe in a script element: nothing in it can end the element or open a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _result(trace: Trace) -> str:
    way = chosen_line(trace)
    text = f"The value is {show_value(trace.value)}" + (f", by {' → '.join(way)}." if way else ".")
    return f"{text} {'; '.join(effort(trace)).capitalize()}."


def _controls(steps: int, result: str) -> str:
    buttons = "".join(_button(name, label, shape) for name, (label, shape) in ICONS.items())
    zooms = "".join(_button(name, label, shape) for name, (label, shape) in ZOOMS.items())
    speeds = "".join(
        f'<option value="{speed}"{" selected" if speed == "1" else ""}>{speed} ×</option>' for speed in SPEEDS
    )
    details = "".join(f'<option value="{detail}">{name.lower()}</option>' for detail, name in DETAIL_NAMES.items())
    return f"""<section aria-label="Steps">
<div class="told">
<p class="count">Step <span class="at">{steps}</span> of <span class="last">{steps}</span></p>
<p class="said" aria-live="polite"></p>
<p class="result" aria-live="polite">{escape(result)}</p>
</div>
<div class="controls">
<div class="buttons" role="group" aria-label="Step through the trace">{buttons}</div>
<input type="range" min="0" max="{steps}" value="{steps}" aria-label="Step">
<div class="buttons"><label>Detail <select name="detail">{details}</select></label>
<label>Speed <select name="speed">{speeds}</select></label>
<span class="zoom" role="group" aria-label="Size of the drawing">Size {zooms}</span></div>
</div>
</section>"""


def _button(name: str, label: str, shape: str) -> str:
    icon = f'<svg viewBox="0 0 24 24" aria-hidden="true">{tag("path", {"d": shape}) if shape else PLAY}</svg>'
    return tag("button", {"type": "button", "data-do": name, "aria-label": label, "title": label}, icon)


def _event_list(trace: Trace, detail: str, steps: Sequence[Step]) -> str:
    """The steps of one level of detail; the page shows one list at a time."""
    entries = "".join(_entry(step, trace.events[step.first : step.end], detail) for step in steps)
    list_ = {"class": "events", "data-detail": detail, "aria-label": DETAIL_NAMES[detail]}
    return tag("section", list_, f"\n<h2>{DETAIL_NAMES[detail]}</h2>\n<ol>\n{entries}</ol>\n")


def _entry(step: Step, events: Sequence[Event], detail: str) -> str:
    kind = "cut-off" if any(event.kind in CUTS for event in events) else None
    depth = max(len(events[0].frames) - 1, 0) if detail == "full" else 0
    button = {"type": "button", "class": kind, "style": f"--depth: {depth}"}
    return tag("li", {}, tag("button", button, escape(step.marked))) + "\n"


def _footer(trace: Trace) -> str:
    legend = GROWTH_LEGEND if trace.is_sampled else LEGEND
    return (
        f"<footer><p>△ MAX · ▽ MIN · ○ chance · □ leaf. {legend} Bold green: the chosen line.</p>"
        "<p>Keys: <kbd>→</kbd> forward, <kbd>←</kbd> back, <kbd>space</kbd> play or pause, "
        "<kbd>Home</kbd> start, <kbd>End</kbd> end.</p></footer>"
    )
