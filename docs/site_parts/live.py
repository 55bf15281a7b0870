"""The gallery, live: each worked example as a page to step through, linked wherever the documents name the example."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from zerosum.classroom.drawing.page import trace_page
from zerosum.classroom.gallery import EXAMPLES, SLIPS, Example, Report, Slip
from zerosum.classroom.tracing import Trace

KNOWN: dict[str, Example | Slip] = {**EXAMPLES, **SLIPS}
COMMAND = re.compile(r"zerosum trace --example ([\w-]+)(?: --html \S+)?")
EMBEDDED = {"gallery": "alpha-beta-chapter-6"}
"""Pages that show an example right away."""


@cache
def result(name: str) -> Trace | Report:
    return KNOWN[name].make()


def address(app: Sphinx, page: str, name: str) -> str:
    return app.builder.get_relative_uri(page, f"live/{name}")


def named(text: str) -> str:
    """The example that a piece of code names, or ''."""
    found = COMMAND.fullmatch(text)
    name = found[1] if found else text
    return name if name in KNOWN else ""


def on_resolved(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Lead the names of examples, and the commands that show them, to their pages."""
    if app.builder.format != "html":
        return
    for literal in list(doctree.findall(nodes.literal)):
        name = named(literal.astext())
        if name and not isinstance(literal.parent, nodes.reference):
            link = nodes.reference("", "", internal=True, refuri=address(app, page, name))
            literal.replace_self(link)
            link += literal
    for block in list(doctree.findall(nodes.literal_block)):
        name = named(block.astext().strip())
        if name and isinstance(result(name), Trace):
            link = nodes.reference("", "Step through it here", internal=True, refuri=address(app, page, name))
            block.parent.insert(block.parent.index(block) + 1, nodes.paragraph("", "", link))
    if page in EMBEDDED:
        name = EMBEDDED[page]
        title = html.escape(KNOWN[name].title, quote=True)
        frame = f'<iframe class="live" loading="lazy" title="{title}" src="{address(app, page, name)}"></iframe>'
        block = next(iter(doctree.findall(nodes.literal_block)))
        block.parent.insert(block.parent.index(block) + 1, nodes.raw("", frame, format="html"))


def pages_of_reports(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The text shown when there is no tree to step through."""
    for name, example in KNOWN.items():
        told = result(name)
        if isinstance(told, Report):
            title = html.escape(example.title)
            about = "" if isinstance(example, Slip) else f"<p>{html.escape(example.about)}</p>"
            lines = html.escape(str(told))
            command = html.escape(f"$ zerosum trace --example {name}")
            body = f'<h1>{title}</h1>{about}<div class="highlight told"><pre>{command}\n{lines}</pre></div>'
            yield f"live/{name}", {"title": title, "body": body, "parents": []}, "page.html"


def on_finished(app: Sphinx, problem: Exception | None) -> None:
    """The pages to step through: each is whole in itself, as ``zerosum trace --html`` writes it."""
    if problem is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "live"
    folder.mkdir(exist_ok=True)
    for name, example in KNOWN.items():
        told = result(name)
        if isinstance(told, Trace):
            lost = example.facts.get("reconstructed", "")
            page = trace_page(told, example.title, about=example.about, reconstructed=lost)
            (folder / f"{name}.html").write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", on_resolved)
    app.connect("html-collect-pages", pages_of_reports)
    app.connect("build-finished", on_finished)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
