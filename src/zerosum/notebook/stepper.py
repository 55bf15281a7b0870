"""A trace to step through in a notebook: the page of ``zerosum trace --html`` as a widget."""

from __future__ import annotations

import json
import re
from typing import Any

import anywidget
import traitlets

from zerosum.classroom.drawing.layout import DRAWN
from zerosum.classroom.drawing.page import DETAIL_NAMES, trace_body
from zerosum.classroom.tracing import Trace
from zerosum.errors import DrawingError
from zerosum.notebook.styles import in_widget, module


class Stepper(anywidget.AnyWidget):
    """A trace with its tree, to be stepped through by buttons, keys, or ``step``.

    Args:
        trace: what ``zerosum.classroom.trace`` has made.
        title, about: stand above the drawing.
        detail: ``brief``, a step for each leaf, or ``full``, one for each event.
        step: where to begin.

    Attributes:
        step: the step on show, which can be set; ``observe`` it to hear of each.

    >>> from zerosum.classroom import Tree, trace
    >>> stepper = Stepper(trace("alphabeta", Tree.from_text("((3 12 8) (2 4 6) (14 5 2))")), step=2)
    >>> stepper.step, stepper
    (2, <Stepper: alphabeta, 7 steps>)
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _html = traitlets.Unicode().tag(sync=True)
    _data = traitlets.Dict().tag(sync=True)
    _detail = traitlets.Unicode("brief").tag(sync=True)
    step = traitlets.Int(0, min=0).tag(sync=True)

    def __init__(
        self,
        trace: Trace,
        title: str = "",
        *,
        about: str = "",
        detail: str = "brief",
        step: int = 0,
        limit: int = DRAWN,
    ) -> None:
        if not isinstance(trace, Trace):
            raise DrawingError(f"a Stepper is made of a Trace, not of {trace!r}: trace('alphabeta', tree) makes one")
        if detail not in DETAIL_NAMES:
            raise DrawingError(f"detail must be one of {', '.join(DETAIL_NAMES)}, not {detail!r}")
        body, data = trace_body(trace, title, about=about, limit=limit)
        last = len(data["stops"][detail])
        if not 0 <= step <= last:
            raise DrawingError(f"there is no step {step}: this trace has the steps 0 to {last}")
        self._trace, self._steps = trace, last
        super().__init__(
            _esm=f"const STYLE = {json.dumps(STYLE)};\n{module('stepper_view.js')}",
            # The notebook's theme decides about colours: the drawing's own sheet would go by the reader's system.
            _html=re.sub(r"<style>.*?</style>", "", body, flags=re.DOTALL),
            _data=json.loads(json.dumps(data)),
            _detail=detail,
            step=step,
        )

    def __repr__(self) -> str:
        return f"<Stepper: {self._trace.algorithm}, {self._steps} steps>"

    @traitlets.validate("step")
    def _within(self, proposal: Any) -> int:
        return max(0, min(int(proposal["value"]), max(map(len, self._data["stops"].values()))))


STYLE = in_widget("theme.css", "tree.css", "widget.css", "page.css", "stepper.css")
