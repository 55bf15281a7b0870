"""The generated tables of the documentation: ``python -m zerosum.classroom.reference docs``.

A pair of comments on a page marks the place of a table; everything between them is replaced.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from zerosum.classroom.gallery import EXAMPLES, SLIPS
from zerosum.classroom.glossary_terms import TERMS
from zerosum.classroom.history import HISTORY

BEGIN, END = "<!-- made by python -m zerosum.classroom.reference -->\n", "<!-- end -->\n"


def terms_table() -> str:
    """The glossary as a table, sorted by name."""
    rows = [
        (f"**{term.name}**", ", ".join(term.also), term.text, f"`{term.command}`", _link(term.read))
        for term in sorted(TERMS, key=lambda term: term.name.lower())
    ]
    return _table(("term", "also called", "what it is", "see it", "read on"), rows)


def history_table() -> str:
    """The history as a table, in the order of the years."""
    rows = [(f"**{one.name}**", one.years, one.text, f"`{one.command}`", _link(one.read)) for one in HISTORY]
    return _table(("program", "years", "what it introduced", "try it", "read on"), rows)


def examples_table() -> str:
    return _table(("example", "what", "topic"), [(f"`{e.name}`", e.title, e.topic) for e in EXAMPLES.values()])


def slips_table() -> str:
    return _table(("slip", "what", "topic"), [(f"`{e.name}`", e.title, e.topic) for e in SLIPS.values()])


LESSONS = (
    "minimax-chapter-6",
    "alpha-beta-chapter-6",
    "horizon-effect",
    "quiescence-search",
    "selective-extension",
    "singular-extension",
    "iterative-deepening",
    "transposition-table",
    "aspiration-window",
    "killer-moves",
    "null-move",
    "parallel-search",
    "alpha-beta-four-plies",
    "alpha-beta-lettered",
)
"""The examples in docs/lessons.md, drawn after their last step."""


def lessons_table() -> str:
    """The lessons: for each example its title, text, drawing and command."""
    parts = []
    for name in LESSONS:
        found = EXAMPLES[name]
        parts.append(f"## {found.title}\n\n{found.about}\n\n![{found.title}](pictures/lessons/{name}.svg)\n\n")
        parts.append(f"```sh\nzerosum trace --example {name} --html steps.html\n```\n")
    return "\n".join(parts)


def lesson_picture(name: str) -> str:
    """The drawing of an example after its last step."""
    from zerosum.classroom.drawing.svg import tree_svg
    from zerosum.classroom.tracing import Trace

    found = EXAMPLES[name].make()
    assert isinstance(found, Trace) and found.tree is not None
    return tree_svg(found.tree, trace=found)


PAGES: dict[str, tuple[Callable[[], str], ...]] = {
    "glossary.md": (terms_table,),
    "history.md": (history_table,),
    "gallery.md": (examples_table, slips_table),
    "lessons.md": (lessons_table,),
}
"""The tables of each page, in their order on it."""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def _link(page: str) -> str:
    name = page.removeprefix("docs/")
    return f"[{name.removesuffix('.md')}]({name})"


def renewed(page: str, text: str) -> str:
    """The text of a page with its tables up to date."""
    parts = text.split(BEGIN)
    for place, make in enumerate(PAGES[page], 1):
        parts[place] = make() + END + parts[place].partition(END)[2]
    return BEGIN.join(parts)


def write(folder: Path) -> None:
    """Update the tables and pictures in ``folder``."""
    for page in PAGES:
        path = folder / page
        path.write_text(renewed(page, path.read_text(encoding="utf-8")), encoding="utf-8")
    pictures = folder / "pictures" / "lessons"
    pictures.mkdir(parents=True, exist_ok=True)
    for name in LESSONS:
        (pictures / f"{name}.svg").write_text(lesson_picture(name), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
