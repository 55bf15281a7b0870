"""Objects that a notebook shows as boards, lines and tables rather than as text."""

from __future__ import annotations


class Displayed:
    """Base of everything that a notebook shows as HTML. ``notebook/shown.py`` draws it, and is loaded on first use."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        # Against the order of imports: the drawing code has to import everything it draws; nothing else needs to.
        from zerosum.notebook.shown import html

        return html(self)
