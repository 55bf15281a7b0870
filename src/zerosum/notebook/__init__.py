"""Notebooks: boards to play on and traces to step through, in Jupyter, JupyterLab, VS Code and marimo.

``Board`` and ``Stepper`` are widgets, by anywidget (``pip install 'zerosum[notebook]'``). What games, lines, results
and standings look like by themselves is said in ``shown``, which needs nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerosum.notebook.board import Board as Board
    from zerosum.notebook.stepper import Stepper as Stepper

_HOMES = {"Board": "board", "Stepper": "stepper"}

__all__ = ["Board", "Stepper"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as problem:
        if problem.name not in ("anywidget", "traitlets"):
            raise
        raise ImportError(f"zerosum.notebook.{name} needs anywidget: pip install 'zerosum[notebook]'") from None
    globals()[name] = value
    return value
