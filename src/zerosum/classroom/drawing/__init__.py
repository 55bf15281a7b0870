"""Trees, traces, plots and boards as SVG, and a trace as one page to step through, with only the standard library.

``tree_svg`` draws a tree, ``trace_page`` writes the page, ``line_plot`` and ``bar_plot`` draw figures, and
``board_svg`` draws a position of a game that has a board.
"""

from __future__ import annotations

from zerosum.classroom.drawing.board import board_svg
from zerosum.classroom.drawing.page import trace_page
from zerosum.classroom.drawing.plot import bar_plot, line_plot
from zerosum.classroom.drawing.svg import tree_svg

__all__ = ["bar_plot", "board_svg", "line_plot", "trace_page", "tree_svg"]
