"""The pictures of the README. ``python tests/docs/pictures.py`` remakes them: two drawings, and the studio's page.

The page needs Chromium and zerosum with its studio; the argument ``drawings`` leaves it out.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zerosum.board.inferred import drawable
from zerosum.classroom import Tree, trace
from zerosum.classroom.drawing import board_svg, tree_svg
from zerosum.game import Line
from zerosum.games import load

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
STUDIO = FOLDER / "studio.png"
SIZE = {"width": 1180, "height": 740}
SPANISH = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"
DEPTH = 10
"""The depth of the analysis in its picture."""

DOMINOES = (6, 3, 17, 20, 9, 1)


def trace_picture() -> str:
    """Alpha-beta just after its first cut-off."""
    found = trace("alphabeta", Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))"))
    assert found.tree is not None
    return tree_svg(found.tree, trace=found, step=found.steps()[4].first) + "\n"


def domineering_picture() -> str:
    """The game in the README after some moves, on the board inferred for it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^```python domineering.py\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert block, "the README has no domineering.py any more"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "domineering.py"
        file.write_text(block[1], encoding="utf-8")
        game = drawable(load(str(file)))
    line = Line(game, moves=DOMINOES)
    return board_svg(game, line.state, width=220) + "\n"


DRAWINGS = {"trace.svg": trace_picture, "domineering.svg": domineering_picture}


@contextmanager
def studio() -> Iterator[str]:
    """Run ``zerosum studio`` as users start it, and give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "zerosum", "studio", "--no-browser", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/"
    try:
        while True:
            try:
                urllib.request.urlopen(address, timeout=60).close()
                break
            except OSError:
                assert process.poll() is None, "the studio does not start"
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=300)


def studio_picture(browser: Any, path: Path) -> None:
    """An analysis with three lines."""
    from stage import Table, visitor

    with studio() as address, visitor(browser, viewport=SIZE) as context:
        table = Table(context, address)
        table.new_game("chess", position=SPANISH)
        page = table.page
        page.locator("nav a[href*=analyse]").click()
        page.select_option("[name=lines]", "3")
        page.wait_for_function(
            "depth => parseInt(document.querySelector('[data-fact=depth]').textContent) >= depth"
            " && document.querySelectorAll('.thinking .lines li').length >= 3",
            arg=DEPTH,
        )
        page.screenshot(path=path)


if __name__ == "__main__":
    for name, draw in DRAWINGS.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
        print(FOLDER / name)
    if "drawings" not in sys.argv[1:]:
        sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "studio" / "browser")]
        from chromium import launched

        with launched() as chromium:
            studio_picture(chromium, STUDIO)
        print(STUDIO)
