"""The page of a trace in a real browser: by keys and clicks, on a large screen and a phone, light and dark.

Screenshots to look at are saved in build/screenshots.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from classroom.browser import Browser, Page, chromium, pixels
from patience import wait_until

from zerosum.classroom.drawing import trace_page, tree_svg
from zerosum.classroom.tracing import trace
from zerosum.classroom.tree import Tree
from zerosum.cli import main

FOLDER = Path(__file__).parents[2] / "build" / "screenshots"
DESK, PHONE = (1200, 800), (390, 844)
CUT_LIGHT, CUT_DARK = (0xB3, 0x26, 0x1E), (0xFF, 0x8A, 0x80)

# The nodes as the browser shows them: strokes count only if they are actually painted.
NODES = """
Array.from(document.querySelectorAll(".sheet .node")).map((node) => {
  const strike = node.querySelector(".strike");
  const text = (name) => (node.querySelector(name) || { textContent: "" }).textContent;
  const style = getComputedStyle(strike);
  return {
    kind: node.getAttribute("class").split(" ")[1],
    name: text(".name"),
    value: text(".value"),
    window: [text(".upper"), text(".lower")],
    struck: style.visibility === "visible" && style.stroke !== "none" && strike.getBoundingClientRect().width > 0,
    shown: node.querySelector(".shape").getBoundingClientRect().width > 0,
  };
})
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = chromium()
    assert program is not None, "there is no Chromium on this machine: .ci/slow installs it"
    with Browser(program) as running:
        yield running


@pytest.fixture(scope="module")
def chapter_six(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the page that the command writes."""
    file = tmp_path_factory.mktemp("pages") / "out.html"
    assert main(("trace", "--example", "alpha-beta-chapter-6", "--html", str(file))) == 0
    return file.as_uri()


def nodes(page: Page) -> list[dict[str, Any]]:
    return list(page.run(NODES))


def step(page: Page) -> int:
    return int(page.run("document.querySelector('.at').textContent"))


def last(page: Page) -> int:
    return int(page.run("document.querySelectorAll('.events:not([hidden]) li').length"))


def keep(page: Page, name: str) -> bytes:
    FOLDER.mkdir(parents=True, exist_ok=True)
    picture = page.screenshot()
    (FOLDER / f"{name}.png").write_bytes(picture)
    return picture


def clip_of(page: Page, n: int) -> dict[str, float]:
    """The part of the window where the shape of a node is."""
    box = page.run(
        f"(() => {{ const r = document.querySelectorAll('.sheet .node .shape')[{n}].getBoundingClientRect();"
        " return {x: r.x, y: r.y, width: r.width, height: r.height}; })()"
    )
    return dict(box)


def painted(page: Page, n: int, colour: tuple[int, int, int]) -> int:
    """The number of pixels of a node with this colour, allowing for smoothing."""
    picture = pixels(page.screenshot(clip_of(page, n)))
    return sum(max(abs(a - b) for a, b in zip(dot, colour, strict=True)) < 24 for row in picture for dot in row)


def test_stepping_to_the_end_shows_the_value_and_the_pruned_leaves_struck_through(
    browser: Browser, chapter_six: str
) -> None:
    page = browser.open(chapter_six, *DESK)
    assert step(page) == 0
    at_first = nodes(page)
    assert not any(node["struck"] for node in at_first)
    assert [node["value"] for node in at_first if node["kind"] != "leaf"] == ["", "", "", ""]

    page.press("ArrowRight", times=last(page))

    assert step(page) == last(page)
    at_last = nodes(page)
    assert all(node["shown"] for node in at_last)
    root = at_last[0]
    assert (root["kind"], root["value"]) == ("max", "3")
    names = [node["name"] for node in at_last]
    c = names.index("C")
    assert [node["value"] for node in at_last[c + 1 : c + 4]] == ["2", "4", "6"]
    struck = [n for n, node in enumerate(at_last) if node["struck"]]
    assert struck == [c + 2, c + 3]
    assert "value is 3" in page.run("document.querySelector('.result').innerText")
    assert all(painted(page, n, CUT_LIGHT) > 15 for n in struck)
    assert all(painted(page, n, CUT_LIGHT) == 0 for n in (c + 1, c + 4))
    keep(page, "chapter-6-final")
    assert not page.events("Runtime.exceptionThrown")
    assert not [entry for entry in page.events("Log.entryAdded") if entry["entry"]["level"] == "error"]
    # Only one file is loaded.
    assert {request["request"]["url"] for request in page.events("Network.requestWillBeSent")} == {chapter_six}
    page.close()


def test_keys_go_on_back_to_the_start_to_the_end_and_play(browser: Browser, chapter_six: str) -> None:
    page = browser.open(chapter_six, *DESK)
    at_first = nodes(page)
    page.press("ArrowRight", times=5)
    assert step(page) == 5
    page.press("ArrowLeft", times=2)
    assert step(page) == 3
    page.press("End")
    assert step(page) == last(page)
    page.press("Home")
    assert step(page) == 0
    assert nodes(page) == at_first
    page.run("document.querySelector('select[name=speed]').value = '8'")
    page.press(" ")
    wait_until(lambda: step(page) >= 2, "the second step")
    page.press(" ")
    stopped = step(page)
    assert stopped >= 2
    time.sleep(0.4)
    assert step(page) == stopped
    page.close()


def test_buttons_and_events_can_be_clicked(browser: Browser, chapter_six: str) -> None:
    page = browser.open(chapter_six, *DESK)
    page.click("[data-do=next]")
    page.click("[data-do=next]")
    page.click("[data-do=back]")
    assert step(page) == 1
    assert page.run("document.querySelector('.said').textContent") == page.run(
        "document.querySelector('[aria-current]').textContent"
    )
    page.click(".events li:nth-child(7) button")
    assert step(page) == 7 == last(page)
    assert page.run("document.querySelector('.events li:nth-child(7) button').getAttribute('aria-current')") == "step"
    page.click("[data-do=last]")
    assert step(page) == last(page)
    page.click("[data-do=first]")
    assert step(page) == 0
    page.click("[data-do=play]")
    assert page.run("document.querySelector('[data-do=play]').getAttribute('aria-label')") == "Pause"
    page.close()


def test_nothing_moves_while_stepping(browser: Browser, chapter_six: str) -> None:
    page = browser.open(chapter_six, *PHONE, phone=True)
    boxes = "JSON.stringify(['header', '.stage', '.told', '.buttons', '.events', 'footer'].map((name) => {"
    boxes += (
        " const r = document.querySelector(name).getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }))"
    )
    before = page.run(boxes)
    for _ in range(last(page)):
        page.press("ArrowRight")
        assert page.run(boxes) == before
    page.close()


def test_on_a_phone_the_page_fits_its_width(browser: Browser, chapter_six: str) -> None:
    page = browser.open(chapter_six + "#step=end", *PHONE, phone=True)
    widths = page.run("[document.documentElement.scrollWidth, innerWidth]")
    assert widths == [390, 390]
    struck = [n for n, node in enumerate(nodes(page)) if node["struck"]]
    assert len(struck) == 2
    for n in range(len(nodes(page))):
        box = clip_of(page, n)
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
        assert box["y"] >= 0 and box["y"] + box["height"] <= 844
    assert all(painted(page, n, CUT_LIGHT) > 10 for n in struck)
    # The buttons are large enough for fingers, and on the first screen.
    sizes = page.run(
        "Array.from(document.querySelectorAll('.buttons[role] button')).map((b) => {"
        " const r = b.getBoundingClientRect(); return [r.width, r.height, r.bottom]; })"
    )
    assert all(width >= 44 and height >= 44 and bottom <= 844 for width, height, bottom in sizes)
    picture = keep(page, "chapter-6-phone")
    assert picture[16:24] == (390).to_bytes(4, "big") + (844).to_bytes(4, "big")
    page.close()


def test_dark_is_dark_and_readable(browser: Browser, chapter_six: str) -> None:
    page = browser.open(chapter_six + "#step=end", *DESK, dark=True)
    struck = [n for n, node in enumerate(nodes(page)) if node["struck"]]
    assert all(painted(page, n, CUT_DARK) > 15 for n in struck)
    assert sum(pixels(page.screenshot({"x": 2, "y": 2, "width": 4, "height": 4}))[0][0]) < 3 * 60
    keep(page, "chapter-6-dark")
    page.close()


TREES = {
    "alphabeta": Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]]),
    "expectiminimax": Tree.from_text("(A (B 0.5: 3 0.5: -7.25) (C 0.9: 2 0.1: 4))"),
    "mtdf": Tree.uniform(2, 4, seed=3),
    "mcts": Tree.from_text("(A (B 0.5: (C 2 7) 0.5: 4) (D 3 1))"),
    "mcts-solver": Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]]),
    "folded": Tree.uniform(4, 4, seed=5),
}


def test_brief_and_full_tell_the_same_moment(browser: Browser, chapter_six: str) -> None:
    page = browser.open(chapter_six, *DESK)
    assert last(page) == 7
    page.press("ArrowRight", times=4)
    assert page.run("document.querySelector('.said').textContent").startswith("(d) C")
    before = nodes(page)
    choose = "(() => {{ const s = document.querySelector('[name=detail]'); s.value = '{}';"
    choose += " s.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"
    page.run(choose.format("full"))
    assert (last(page), step(page)) == (44, 26) and nodes(page) == before
    page.run(choose.format("brief"))
    assert (last(page), step(page)) == (7, 4) and nodes(page) == before
    page.close()


@pytest.mark.parametrize("which", TREES)
def test_each_step_of_the_page_is_the_drawing_of_that_step(browser: Browser, which: str, tmp_path: Path) -> None:
    algorithm = "alphabeta" if which == "folded" else which
    found = trace(algorithm, TREES[which])
    file = tmp_path / "page.html"
    file.write_text(trace_page(found, "</script><script>alert(1)</script>", limit=60), encoding="utf-8")
    page = browser.open(file.as_uri() + "#detail=full", *DESK)
    count = len(found.events)
    for number in (0, 1, count // 3, count - 1, count, count // 2):  # the last one goes back
        page.run(f"(() => {{ const s = document.querySelector('[type=range]'); s.value = {number};"
                 " s.dispatchEvent(new Event('input')); })()")  # fmt: skip
        assert step(page) == number
        drawn = json.dumps(tree_svg(TREES[which], trace=found, step=number, limit=60))
        same = "((text) => { const box = document.createElement('div'); box.innerHTML = text;"
        same += " return box.innerHTML === document.querySelector('.sheet').innerHTML; })"
        assert page.run(f"{same}({drawn})")
    assert not page.events("Runtime.exceptionThrown")
    page.close()


def test_a_wide_drawing_scrolls_in_its_own_box_and_follows_the_current_node(browser: Browser, tmp_path: Path) -> None:
    found = trace("alphabeta", Tree.uniform(3, 4, seed=1))
    file = tmp_path / "page.html"
    file.write_text(trace_page(found), encoding="utf-8")
    page = browser.open(file.as_uri(), *PHONE, phone=True)
    inside = """(() => { const s = document.querySelector(".stage").getBoundingClientRect();
      const n = document.querySelector(".sheet .now .shape").getBoundingClientRect();
      return n.left >= s.left && n.right <= s.right && n.top >= s.top && n.bottom <= s.bottom; })()"""
    for _ in range(15):
        page.press("ArrowRight")
        assert page.run(inside)
    assert page.run("document.documentElement.scrollWidth") == 390
    keep(page, "wide-phone")
    page.close()
