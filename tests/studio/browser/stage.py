"""Helpers for tests in a real browser: a running studio, a page in it, and actions of a player."""

from __future__ import annotations

import os
import random
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LAUNCH = """
import sys
from zerosum.studio.explorer import Explorer
from zerosum.studio.security import Guard
from zerosum.studio.server import bind, serve
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.tab import Studio
listening = bind("127.0.0.1", int(sys.argv[1]))
listening.listen(64)  # early connections wait until the server is ready
print(listening.getsockname()[1], flush=True)
own = [name for name in sys.argv[3:] if name.endswith(".py")]
explorer = Explorer(name for name in sys.argv[3:] if name not in own)
serve(Studio(OfferedGames(own), jit=sys.argv[2] == "compiled", explorer=explorer), Guard("127.0.0.1", ""), listening)
"""
PATIENCE = int(os.environ.get("ZEROSUM_PATIENCE", 300_000))  # milliseconds; the machine may be busy
PICTURES = Path(__file__).parents[3] / "build" / "screenshots"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


class Server:
    """A studio in its own process, without compilation, since these tests check the page.

    It takes files of users' games, and files of played games for its explorer.
    """

    def __init__(self, *games: str, jit: bool = False) -> None:
        self.games = ("compiled" if jit else "plain", *games)
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start, or start again on the same port."""
        command = [sys.executable, "-c", LAUNCH, str(self.port), *self.games]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert select.select([self.process.stdout], [], [], 60)[0], "the studio does not start"
        self.port = int(self.process.stdout.readline())

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=300)
        if self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@contextmanager
def visitor(browser: Any, **options: Any) -> Iterator[Any]:
    """A separate browser context that can reach only this machine; no script may fail."""
    context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
    context.set_default_timeout(PATIENCE)
    foreign: list[str] = []
    faults: list[str] = []

    def check(route: Any) -> None:
        if route.request.url.startswith(("http://127.0.0.1:", "data:")):
            route.continue_()
        else:
            foreign.append(route.request.url)
            route.abort()

    def watch(page: Any) -> None:
        page.on("pageerror", lambda problem: faults.append(str(problem)))
        page.on(
            "console", lambda said: faults.append(said.text) if said.type == "error" and is_ours(said.text) else None
        )

    context.route("**/*", check)
    context.on("page", watch)
    try:
        yield context
        assert foreign == [] and faults == []
    finally:
        context.close()


def is_ours(fault: str) -> bool:
    """Whether an error is ours: the browser also reports lost connections, which some tests cause on purpose."""
    return "WebSocket connection" not in fault and "ERR_CONNECTION_REFUSED" not in fault


class Table:
    """A page with a game, and the actions of its player."""

    def __init__(self, context: Any, address: str, seed: int = 1, touch: bool = False) -> None:
        self.page = context.new_page()
        self.chance = random.Random(seed)
        self.touch = touch
        self.address = address
        self.page.goto(f"{address}#/play")
        self.ready()

    def ready(self) -> None:
        """Wait until the page has its board, and the position, which would undo what is done before it arrives."""
        self.page.wait_for_selector("body[data-connection=open] .board svg, body[data-connection=open] .board pre")
        self.page.wait_for_function("() => studio.position")

    # What the page shows

    @property
    def status(self) -> str:
        return str(self.page.inner_text(".turn"))

    @property
    def is_over(self) -> bool:
        return "over" in (self.page.get_attribute(".turn", "class") or "")

    @property
    def moves(self) -> list[str]:
        return [text.strip() for text in self.page.locator(".moves button.move").all_inner_texts()]

    def on_board(self) -> dict[str, str]:
        """The label of each cell: its name, the pieces on it, and whether it can be selected."""
        return dict(
            self.page.eval_on_selector_all(
                "[data-cell]", "cells => cells.map(cell => [cell.dataset.cell, cell.getAttribute('aria-label')])"
            )
        )

    def cells(self, kind: str) -> list[str]:
        """The cells that are marked as ``start``, ``target``, ``selected`` or ``last``."""
        return list(self.page.eval_on_selector_all(f".cell.{kind}", "cells => cells.map(cell => cell.dataset.cell)"))

    # Actions

    def new_game(self, game: str, position: str = "", side: str = "first", level: int = 1, **parameters: Any) -> None:
        """Start a game through the dialog, as a user would."""
        page = self.page
        page.click("[data-do=new]")
        page.select_option(".setup select[name=game]", game)
        for name, value in parameters.items():
            page.fill(f".setup [data-parameter={name}]", str(value))
        page.check(f".setup input[name=side][value={side}]", force=True)
        page.select_option(".setup select[name=strength]", f"level:{level}")
        page.fill(".setup input[name=position]", position)
        page.click(".setup button[type=submit]")
        page.wait_for_selector(".setup", state="hidden")
        page.wait_for_function("id => document.querySelector('.title').dataset.game === id", arg=game)
        if side != "none":
            self.my_turn()

    def point(self, cell: str) -> None:
        """Click or tap the middle of a cell."""
        self.page.locator(f"[data-cell='{cell}']").scroll_into_view_if_needed()
        place = self.page.locator(f"[data-cell='{cell}']").bounding_box()
        assert place is not None, f"{cell} is not visible"
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def my_turn(self) -> bool:
        """Wait until the user may move; returns False if the game is over."""
        self.page.wait_for_function(
            "() => { const turn = document.querySelector('.turn');"
            " return turn.classList.contains('over') || /Your turn|to move/.test(turn.textContent); }"
        )
        return not self.is_over

    def played(self, before: int) -> None:
        """Wait until there are more moves than before."""
        self.page.wait_for_function(
            "count => document.querySelectorAll('.moves button.move').length > count"
            " || document.querySelector('.turn').classList.contains('over')",
            arg=before,
        )

    def any_move(self) -> None:
        """Make a legal move by clicking marked cells, or a button if there are none."""
        before = len(self.moves)
        if not self.cells("start"):
            self.page.locator(".choose button").first.click()
            return self.played(before)
        self.page.evaluate("() => { window.asked = studio.connection.number; }")
        for _ in range(20):
            # A second click before the answer might make a second move.
            self.page.wait_for_function("() => ![...studio.connection.waiting.keys()].some((n) => n > window.asked)")
            if len(self.moves) > before or self.is_over:
                return None
            choices = self.page.locator(".choose button")
            targets, starts = self.cells("target"), self.cells("start")
            if choices.count():
                choices.first.click()
            elif targets and self.cells("selected"):
                self.point(self.chance.choice(targets))
            elif starts:  # also if news from the server has undone the selection
                self.point(self.chance.choice(starts))
            else:
                break  # the move is on its way
        return self.played(before)

    def play_to_the_end(self, most: int = 200) -> None:
        for _ in range(most):
            if not self.my_turn():
                return
            self.any_move()
        raise AssertionError(f"not over after {most} moves: {self.status}")

    def picture(self, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png")


def axe_core() -> str:
    """The script of the npm package axe-core; ``AXE_CORE`` may give its path."""
    named = os.environ.get("AXE_CORE")
    files = [Path(named)] if named else []
    files += [Path(f"{root}/lib/node_modules/axe-core/axe.min.js") for root in ("/usr/local", "/usr")]
    found = next((path for path in files if path.is_file()), None)
    assert found is not None, "axe-core is not installed: .ci/slow installs it"
    return found.read_text(encoding="utf-8")
