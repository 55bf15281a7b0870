"""Screenshots of every page at four widths, for visual inspection.

    python tests/studio/browser/pictures.py build/screenshots [--only lobby] [--widths 1440 320] [--dark]

The engine runs compiled, so the first run may take some minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from chromium import launched
from stage import Server, visitor

HEIGHTS = {1440: 900, 768: 1024, 390: 844, 320: 640}
SCOTCH = "#/chess/analyse?moves=e4+e5+Nf3+Nc6+d4+exd4+Nxd4+Nf6+Nxc6+bxc6+e5+Qe7+Qe2+Nd5"
SHORT = "e4 e5 Nf3 Nc6 Bc4 Nd4 Nxe5 Qg5 Nxf7 Qxg2 Rf1 Qxe4+ Be2 Nf3#"


def go(page: Any, address: str) -> None:
    page.evaluate("address => { location.hash = address; }", address)


def lobby(page: Any) -> None:
    go(page, "#/")
    page.wait_for_selector(".lobby .thumb svg")


def play(page: Any) -> None:
    go(page, "#/chess/play")
    page.wait_for_selector("[data-page=play] .cell.start")
    for start, end in (("e2", "e4"), ("g1", "f3")):
        count = page.locator(".moves button.move").count()
        page.locator(f"[data-cell={start}]").click()
        page.locator(f"[data-cell={end}]").click()
        page.wait_for_function(
            "count => document.querySelectorAll('.moves button.move').length >= count", arg=count + 2
        )


def analysis(page: Any) -> None:
    go(page, SCOTCH)
    page.wait_for_selector("[data-page=analyse] .lines li")
    page.wait_for_timeout(2500)


def review(page: Any) -> None:
    go(page, f"#/chess/analyse?moves={SHORT.replace(' ', '+').replace('+#', '#')}")
    page.wait_for_selector("[data-page=analyse] .moves button.move")
    page.locator("[data-tab=review]").click()
    page.locator("[data-do=review]:visible").first.click()
    page.wait_for_timeout(9000)


def explorer(page: Any) -> None:
    go(page, "#/chess/analyse?moves=e4+e5")
    page.wait_for_selector("[data-page=analyse] .moves button.move")
    page.locator("[data-tab=explorer]").click()
    page.wait_for_timeout(1500)


def tree(page: Any) -> None:
    go(page, "#/connect-four/tree")
    page.wait_for_selector(".outline [role=treeitem]")
    page.wait_for_timeout(1500)


def arena(page: Any) -> None:
    go(page, "#/arena")
    page.wait_for_selector("#other form")
    page.locator("#other .add").click()
    page.fill("#other [name=games]", "6")
    page.locator("#other button[type=submit]").click()
    page.wait_for_function("() => document.querySelector('#other .now')?.textContent.startsWith('All')")


def training(page: Any) -> None:
    go(page, "#/training")
    page.wait_for_selector("#other form")
    page.fill("#other [name=games]", "4000")
    page.locator("#other button[type=submit]").click()
    page.wait_for_selector(".run .curve .point")
    page.wait_for_function("() => document.querySelector('.run .now').textContent.startsWith('Done')")


def lesson(page: Any) -> None:
    go(page, "#/classroom")
    page.locator("text=Alpha-beta on the tree of chapter 6").click()
    page.frame_locator("iframe.lesson").locator("[data-do=next]").click()


def backgammon(page: Any) -> None:
    go(page, "#/backgammon/play")
    page.wait_for_selector("[data-page=play] .cell.start")


PAGES: dict[str, Callable[[Any], None]] = {
    one.__name__: one for one in (lobby, play, analysis, review, explorer, tree, arena, training, lesson, backgammon)
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", choices=PAGES, default=list(PAGES))
    parser.add_argument("--widths", nargs="*", type=int, default=list(HEIGHTS))
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--whole", action="store_true", help="whole pages, not only what fits in the window")
    wish = parser.parse_args()
    wish.folder.mkdir(parents=True, exist_ok=True)
    server = Server(jit=True)
    try:
        with launched() as browser:
            for width in wish.widths:
                size = {"width": width, "height": HEIGHTS[width]}
                look = "dark" if wish.dark else "light"
                with visitor(browser, viewport=size, color_scheme=look) as context:
                    page = context.new_page()
                    page.goto(server.address)
                    page.wait_for_selector("body[data-connection=open]")
                    for name in wish.only:
                        PAGES[name](page)
                        page.screenshot(path=wish.folder / f"{name}-{width}.png", full_page=wish.whole)
                        wide = page.evaluate("document.documentElement.scrollWidth")
                        print(name, width, f"is {wide} wide" if wide > width else "fits", flush=True)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
