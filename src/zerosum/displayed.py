"""What shows itself in a notebook: boards, lines and tables in place of a line of text."""

from __future__ import annotations


class Displayed:
    """Something that a notebook shows as HTML; how is said in ``notebook/shown.py``, which loads when it is asked."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        # Against the order of the rooms: what draws knows all that is drawn, and nothing else needs to know it.
        from zerosum.notebook.shown import html

        return html(self)
