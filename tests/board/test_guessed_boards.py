"""Inferred boards and ready-made boards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import zerosum as zs
from zerosum.board.inferred import infer, picture
from zerosum.board.layouts import grid, hexagons, points, standing

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def domineering(tmp_path):
    text = re.search(r"```python domineering\.py\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
    (tmp_path / "domineering.py").write_text(text[1])
    return zs.load(tmp_path / "domineering.py")


def test_the_readmes_own_example_is_shown_as_a_board(domineering):
    s = domineering.play(domineering.initial(), 6)
    assert picture(domineering, s).splitlines() == [
        "  a b c d e",
        "1 . . . . .",
        "2 . # . . .",
        "3 . # . . .",
        "4 . . . . .",
        "5 . . . . .",
    ]
    seen = infer(domineering)
    assert len(seen.layout().cells) == 25
    assert seen.path(seen.initial(), 6) == ("b2",)


def test_a_counter_is_no_board():
    nim = zs.load("nim").with_(show=None, layout=None, pieces=None, path=None)
    assert infer(nim) is None
    assert picture(nim, nim.initial()) == nim.show(nim.initial())


def test_boards_in_one_line():
    assert [cell.id for cell in grid(2, 3).cells] == ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert len(hexagons(4).cells) == 16 and hexagons(2, 3).cells[3].id == "a2"
    board = points({"a": (0, 0), "b": (1, 0), "c": (1, 2)}, [("a", "b"), ("b", "c")])
    assert [cell.id for cell in board.cells] == ["a", "b", "c"] and len(board.below) == 2
    assert [piece.cell for piece in standing(board, (1, 0, 2), ("", "white", "black"))] == ["a", "c"]
    with pytest.raises(ValueError, match="6 cells needs 6 names, not 1"):
        grid(2, 3, names=["x"])
