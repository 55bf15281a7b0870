"""The notebooks in examples/ run from the first cell to the last, and are stored without output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from patience import PATIENCE

EXAMPLES = Path(__file__).parents[2] / "examples"
# The kinds of output that each must have: drawings, boards and tables, widgets.
SHOWN = {
    "alpha_beta": {"image/svg+xml": 5, "text/html": 1, "application/vnd.jupyter.widget-view+json": 1},
    "your_own_game": {"text/html": 5, "application/vnd.jupyter.widget-view+json": 1},
    "match": {"image/svg+xml": 2, "text/html": 4, "application/vnd.jupyter.widget-view+json": 1},
}


def outputs(book: Any) -> list[Any]:
    return [output for cell in book.cells for output in cell.get("outputs", [])]


def test_every_notebook_is_tried():
    assert {path.stem for path in EXAMPLES.glob("*.ipynb")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_is_kept_as_it_is_before_it_runs(name):
    book = nbformat.read(EXAMPLES / f"{name}.ipynb", 4)
    nbformat.validate(book)
    assert not outputs(book) and all(cell.get("execution_count") is None for cell in book.cells)


# Two of them compile a game that no other test uses.
@pytest.mark.parametrize(
    "name", [name if name == "alpha_beta" else pytest.param(name, marks=pytest.mark.slow) for name in SHOWN]
)
def test_a_notebook_runs_and_shows_what_it_promises(name, tmp_path):
    book = nbformat.read(EXAMPLES / f"{name}.ipynb", 4)
    NotebookClient(book, timeout=int(PATIENCE), resources={"metadata": {"path": str(tmp_path)}}).execute()
    kinds = [kind for output in outputs(book) for kind in output.get("data", {})]
    assert {kind: kinds.count(kind) for kind in SHOWN[name]} == SHOWN[name]
    assert not [output for output in outputs(book) if output.output_type == "error"]
