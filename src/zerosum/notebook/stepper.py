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
    """A trace with its tree, to step through with buttons, keys, or ``step``.

    Args:
        trace: the result of ``zerosum.classroom.trace``.
        title, about: texts above the drawing.
        detail: ``brief``, a step for each leaf, or ``full``, one for each event.
        step: the first step to show.

    Attributes:
        step: the current step, which can be set; ``observe`` it to be notified of changes.

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
            raise DrawingError(f"a Stepper needs a Trace, such as trace('alphabeta', tree), not {trace!r}")
        if detail not in DETAIL_NAMES:
            raise DrawingError(f"detail must be one of {', '.join(DETAIL_NAMES)}, not {detail!r}")
        body, data = trace_body(trace, title, about=about, limit=limit)
        last = len(data["stops"][detail])
        if not 0 <= step <= last:
            raise DrawingError(f"step must be from 0 to {last} in this trace, not {step}")
        self._trace, self._steps = trace, last
        super().__init__(
            _esm=f"const STYLE = {json.dumps(STYLE)};\n{module('stepper_view.js')}",
            # The notebook's theme sets the colours; the drawing's own style sheet would follow the system's setting.
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
