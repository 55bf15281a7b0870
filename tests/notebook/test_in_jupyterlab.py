"""The widgets in JupyterLab, in a real browser: play a game by clicking, step through a trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from chromium import launched
from lab import Lab, picture, program
from patience import PATIENCE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(program() is None, reason="JupyterLab is not installed: .ci/slow installs it"),
]

PLAY = """
import zerosum as zs
from zerosum.notebook import Board

board = Board(zs.load("tictactoe"), jit=False, level=9, width=320)
board
"""
OWN = """
from typing import NamedTuple
import zerosum as zs

class Row(NamedTuple):
    cells: tuple[(int,) * 9]
    turn: int

def play(s, n):
    return Row(s.cells[:n] + (s.turn + 1,) + s.cells[n + 1:], 1 - s.turn)

own = zs.Game("row", Row, lambda: Row((0,) * 9, zs.MAX), lambda s: s.turn,
              lambda s: [n for n in range(9) if not s.cells[n]], play, lambda s: 0, max_moves=9)
Board(own, you=None, jit=False, width=260)
"""
STEP = """
from zerosum.classroom import Tree, trace
from zerosum.notebook import Stepper

stepper = Stepper(trace("alphabeta", Tree.from_text("((3 12 8) (2 4 6) (14 5 2))")))
stepper
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: Any) -> Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


@pytest.fixture
def person(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1100, "height": 1000}, reduced_motion="reduce")
    context.set_default_timeout(1000 * PATIENCE)
    yield context
    context.close()


def moves(widget: Any) -> list[str]:
    return [text.strip() for text in widget.locator(".moves button").all_inner_texts()]


def say_when(widget: Any, selector: str, words: str) -> None:
    """Wait until the element has this text."""
    widget.locator(selector, has_text=words).first.wait_for()


def point(page: Any, widget: Any, cell: str) -> None:
    """Click the middle of a cell."""
    place = widget.locator(f"[data-cell='{cell}']").bounding_box()
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)


def test_a_game_is_played_by_clicks_taken_back_and_analysed(lab, person):
    lab.write("play", PLAY)
    page = lab.open(person, "play")
    widget = page.locator(".zs-widget").first
    say_when(widget, ".turn", "Your turn")
    while not widget.locator(".turn.over").count():
        before = len(moves(widget))
        free = widget.locator(".cell.start").first.get_attribute("data-cell")
        point(page, widget, free)
        widget.locator(f".moves button:nth-child({before + 1})").wait_for()
        widget.locator(".turn", has_text="Your turn").or_(widget.locator(".turn.over")).first.wait_for()
    assert 5 <= len(moves(widget)) <= 9
    picture(page, "jupyterlab-played")
    ended = len(moves(widget))
    widget.locator("[data-do=undo]").click()
    say_when(widget, ".turn", "Your turn")
    assert len(moves(widget)) < ended
    widget.locator("select[name=mode]").select_option("analyse")
    widget.locator("select[name=lines]").select_option("3")
    widget.locator(".lines button").first.wait_for()
    widget.locator(".arrows .spot.best").wait_for()
    picture(page, "jupyterlab-analysed")
    widget.locator("[data-do=first]").click()
    widget.locator("[data-do=on]:not(:disabled)").wait_for()
    assert not widget.locator(".moves [aria-current]").count()


def test_keys_on_the_board_are_the_boards(lab, person):
    """JupyterLab has shortcuts for arrows and Enter; on the board they select a cell."""
    lab.write("keys", PLAY)
    page = lab.open(person, "keys")
    widget = page.locator(".zs-widget").first
    say_when(widget, ".turn", "Your turn")
    widget.locator("[data-cell='1']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    widget.locator(".moves button:nth-child(2)").wait_for()
    assert moves(widget)[0] == "5"
    assert page.locator(".jp-Cell").count() == 1 and not page.locator(".jp-Notebook.jp-mod-editMode").count()


def test_a_game_from_a_cell_has_a_board_to_point_at(lab, person):
    lab.write("own", PLAY, OWN)
    page = lab.open(person, "own")
    widget = page.locator(".zs-widget").nth(1)
    say_when(widget, ".turn", "MAX to move")
    widget.locator(".cell").first.scroll_into_view_if_needed()
    first = widget.locator(".cell.start").first.get_attribute("data-cell")
    point(page, widget, first)
    say_when(widget, ".turn", "MIN to move")
    picture(page, "jupyterlab-own-game")


def test_a_trace_is_stepped_by_buttons_keys_and_python(lab, person):
    lab.write("step", STEP, "stepper.step = 2")
    page = lab.open(person, "step")
    widget = page.locator(".zs-widget").first
    say_when(widget, ".count", "Step 2 of 7")
    widget.locator("[data-do=next]").click()
    say_when(widget, ".count", "Step 3 of 7")
    assert widget.locator(".sheet .now").count() == 1
    widget.locator("[data-do=next]").focus()
    page.keyboard.press("ArrowRight")
    say_when(widget, ".count", "Step 4 of 7")
    assert widget.locator(".sheet .cut").count() == 2, "after a cut-off two leaves are struck through"
    picture(page, "jupyterlab-trace")
    page.keyboard.press("End")
    say_when(widget, ".result", "The value is 3")


def test_colours_follow_the_theme_of_the_notebook(lab, person):
    lab.write("theme", PLAY, "zs.load('tictactoe')")
    page = lab.open(person, "theme")
    widget = page.locator(".zs-widget").first
    say_when(widget, ".turn", "Your turn")
    shown = page.locator(".zs-shown").first
    shown.wait_for()
    colours = "element => getComputedStyle(element).getPropertyValue('--board-paper')"
    assert {widget.evaluate(colours), shown.evaluate(colours)} == {"#ffffff"}
    page.evaluate("void jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    page.locator(".zs-widget[data-theme=dark]").first.wait_for()
    assert {widget.evaluate(colours), shown.evaluate(colours)} == {"#1d2126"}
    picture(page, "jupyterlab-dark")
