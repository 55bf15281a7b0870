"""Rules and settings of a game can be found by their names: each row of the contract's tables becomes an entry."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

PAGE = "contract"


def on_read(app: Sphinx, doctree: nodes.document) -> None:
    """Give the rows of the tables an address, and their names a place in index and search."""
    if app.env.docname != PAGE:
        return
    domain = app.env.domains.standard_domain
    for row in doctree.findall(nodes.row):
        first = next(row.findall(nodes.literal), None)
        called = re.fullmatch(r"(\w+)(\(.*\))?", first.astext()) if first is not None else None
        if called is None or row.index(first.parent.parent) != 0:
            continue
        kind = "rule" if called[2] else "setting"
        address = f"{kind}-{called[1]}"
        first["ids"].append(address)
        domain.note_object(kind, called[1], address, location=first)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_object_type("rule", "rule", objname="rule of a game")
    app.add_object_type("setting", "setting", objname="setting of a game")
    app.connect("doctree-read", on_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
