"""Links from page to page, also to files outside of docs/: the pages are written for readers of the repository.

A link to a file that another page includes leads to that page. One to any other file of the repository leads to a page
that shows the file; one to a folder, to the list of its files.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
INCLUDED = {
    "README.md": "project/readme",
    "ARCHITECTURE.md": "project/architecture",
    "CONTRIBUTING.md": "project/contributing",
    "CHANGELOG.md": "project/changelog",
    "bench/README.md": "project/benchmarks",
    "docs/search.md": "project/search",  # search.html is Sphinx's own page
}
"""Files that are no pages themselves, and the page that includes each."""

SCHEME = "repository:"
LINK = re.compile(r"(?<=\]\()([^)\s#:]+)(#[^)\s]*)?(?=\))")
LEXERS = {".py": "python", ".js": "javascript", ".toml": "toml", ".md": "markdown", ".css": "css"}


def rewritten(text: str, file: Path, page: str) -> str:
    """The text of a file with its links as the page that shows it needs them."""
    folder = (DOCS / page).parent

    def leading(found: re.Match[str]) -> str:
        target, anchor = (file.parent / found[1]).resolve(), found[2] or ""
        if not target.exists() or not target.is_relative_to(ROOT):
            return found[0]
        path = target.relative_to(ROOT).as_posix()
        if path in INCLUDED:
            target = DOCS / f"{INCLUDED[path]}.md"
        elif not target.is_relative_to(DOCS) or target.is_dir():
            return f"{SCHEME}{path}{anchor}"
        return Path(os.path.relpath(target, folder)).as_posix() + anchor

    return LINK.sub(leading, text)


def on_source_read(app: Sphinx, page: str, content: list[str]) -> None:
    content[0] = rewritten(content[0], Path(app.env.doc2path(page)), page)


def on_include_read(app: Sphinx, path: Path, page: str, content: list[str]) -> None:
    # MyST says which file includes it without the file's folder.
    content[0] = rewritten(content[0], (DOCS / path).resolve(), app.env.docname)


def on_resolved(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Lead links to files to the pages that show them."""
    for link in doctree.findall(nodes.reference):
        address = link.get("refuri", "")
        if address.startswith(SCHEME):
            path = address.removeprefix(SCHEME).partition("#")[0]
            link["refuri"] = app.builder.get_relative_uri(page, f"source/{path}")
            shown(app).add(path)


def shown(app: Sphinx) -> set[str]:
    """The files and folders that links lead to."""
    if not hasattr(app, "files_shown"):
        app.files_shown = set()  # type: ignore[attr-defined]
    return app.files_shown  # type: ignore[attr-defined, no-any-return]


def pages_of_files(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each file that is linked to, and for each folder with all its files."""
    paths = shown(app)
    for folder in [path for path in paths if (ROOT / path).is_dir()]:
        files = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / folder).rglob("*.py"))
        paths |= set(files)
        entries = "".join(f'<li><a href="{link(app, folder, path)}">{html.escape(path)}</a></li>' for path in files)
        yield page(folder, f"<ul>{entries}</ul>")
    for path in sorted(paths):
        if (ROOT / path).is_file():
            text = (ROOT / path).read_text(encoding="utf-8")
            language = LEXERS.get(Path(path).suffix, "text")
            yield page(path, app.builder.highlighter.highlight_block(text, language))  # type: ignore[attr-defined]


def link(app: Sphinx, here: str, there: str) -> str:
    return app.builder.get_relative_uri(f"source/{here}", f"source/{there}")


def page(path: str, body: str) -> tuple[str, dict[str, Any], str]:
    title = html.escape(path)
    context = {"title": title, "body": f"<h1>{title}</h1>{body}", "parents": []}
    return f"source/{path}", context, "page.html"


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", on_source_read)
    app.connect("include-read", on_include_read)
    app.connect("doctree-resolved", on_resolved)
    app.connect("html-collect-pages", pages_of_files)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
