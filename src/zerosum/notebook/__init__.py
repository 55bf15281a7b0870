"""Notebooks: boards to play on and traces to step through, in Jupyter, JupyterLab, VS Code and marimo.

``Board`` and ``Stepper`` are anywidget widgets (``pip install 'zerosum[notebook]'``). ``shown`` defines how games,
lines, results and standings are displayed, and needs no extra package.
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
