"""How long a user waits: import, help, first prompt, a script and a notebook cell; first start and later ones.

Every row is the time of whole fresh processes (for the notebook, of one cell in a fresh kernel), with an empty
cache folder for "first" and the same folder again for "second". Plain Python runs in turn with them.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from timing import interleaved, machine

ZEROSUM = str(Path(sys.executable).with_name("zerosum"))

# A user's game: pick numbers from 1 to 9 in turn; the first player with three that sum to 15 wins.
OWN_GAME = """
from typing import NamedTuple

import zerosum as zs


class Picks(NamedTuple):
    mover: int
    other: int


PAIRS = [(a, b) for a in range(1, 10) for b in range(a + 1, 10)]
TRIPLES = tuple(1 << a | 1 << b | 1 << 15 - a - b for a, b in PAIRS if b < 15 - a - b < 10)


def to_move(s):
    return zs.popcount(s.mover | s.other) & 1


def moves(s):
    for number in range(1, 10):
        if not (s.mover | s.other) >> number & 1:
            yield number


def play(s, number):
    return Picks(s.other, s.mover | 1 << number)


def has_won(picks):
    for triple in TRIPLES:
        if picks & triple == triple:
            return True
    return False


def is_terminal(s):
    return has_won(s.other) or zs.popcount(s.mover | s.other) == 9


def utility(s):
    if not has_won(s.other):
        return 0
    return -1 if to_move(s) == zs.MAX else 1


fifteen = zs.Game("fifteen", Picks, lambda: Picks(0, 0), to_move, moves, play, utility, max_moves=9,
                  is_terminal=is_terminal)
result = zs.Engine(fifteen).search(fifteen.initial(), depth=9)
assert result.value == 0, result
"""

PROMPT = "Your move: "
PROMPT_SECONDS = 120.0  # no prompt after this time means that something is broken


def process(command: list[str], folder: str) -> float:
    """Run a command; return the seconds from its start to its end."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment(folder))
    return time.perf_counter() - begin


def first_prompt(command: list[str], prompt: str, folder: str) -> float:
    """Run a command; return the seconds until it shows its first prompt on a terminal."""
    ours, theirs = pty.openpty()
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(folder))
    os.close(theirs)
    shown = ""
    try:
        while not re.search(prompt, shown):
            ready, _, _ = select.select([ours], [], [], max(0.0, begin + PROMPT_SECONDS - time.perf_counter()))
            if not ready:
                raise RuntimeError(f"{' '.join(command)} showed no prompt, only:\n{shown}")
            try:
                shown += os.read(ours, 65536).decode(errors="replace")
            except OSError as ended:  # Linux reports the end of a terminal's last process as an error
                raise RuntimeError(f"{' '.join(command)} ended without a prompt:\n{shown}") from ended
        return time.perf_counter() - begin
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def cell(source: str, folder: str) -> float:
    """Return the seconds that a notebook cell takes in a fresh kernel, measured inside it from first line to last."""
    import nbformat
    from nbclient import NotebookClient

    timed = f"import time\nbegin = time.perf_counter()\n{source}\nprint(time.perf_counter() - begin)"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(timed)])
    NotebookClient(notebook, kernel_name="python3", timeout=600).execute(
        env=environment(folder), stderr=subprocess.DEVNULL
    )
    printed = "".join(out.text for out in notebook.cells[0].outputs if out.get("name") == "stdout")
    return float(printed.split()[-1])


def environment(folder: str) -> dict[str, str]:
    return {**os.environ, "ZEROSUM_CACHE_DIR": folder, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}


def has_notebooks() -> bool:
    try:
        import ipykernel  # noqa: F401
        import nbclient  # noqa: F401
    except ImportError:
        print("notebook cell: skipped; to measure it: pip install nbclient ipykernel")
        return False
    return True


def measure(run: Callable[[str], float], scratch: Path, repeats: int) -> dict[str, list[float]]:
    """Return times of plain Python, of a start with an empty cache folder, and of the next start, taken in turns."""
    folders: list[str] = []

    def first() -> float:
        folders.append(tempfile.mkdtemp(prefix="cache", dir=scratch))
        return run(folders[-1])

    return interleaved(
        {
            "bare": lambda: process([sys.executable, "-c", "pass"], str(scratch)),
            "first": first,
            "second": lambda: run(folders[-1]),
        },
        repeats,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    print(machine())
    play = [ZEROSUM, "play", "tictactoe"]
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        script = scratch / "fifteen.py"
        script.write_text(OWN_GAME)
        cases: dict[str, Callable[[str], float]] = {
            "import zerosum": lambda cache: process([sys.executable, "-c", "import zerosum"], cache),
            "zerosum --help": lambda cache: process([ZEROSUM, "--help"], cache),
            "play tictactoe, you first": lambda cache: first_prompt(play, PROMPT, cache),
            "play tictactoe, engine first": lambda cache: first_prompt([*play, "--side", "second"], PROMPT, cache),
            "own game in a script": lambda cache: process([sys.executable, str(script)], cache),
        }
        if has_notebooks():
            cases["own game in a notebook cell"] = lambda cache: cell(OWN_GAME, cache)
        print(f"{'seconds: median (best to worst)':32}{'first start':>24}{'second start':>24}{'second - bare':>16}")
        for name, run in cases.items():
            times = measure(run, scratch, repeats)
            more = median(times["second"]) - median(times["bare"])
            print(f"{name:32}{spread(times['first']):>24}{spread(times['second']):>24}{more:>16.2f}", flush=True)
        print(f"{'bare python -c pass':32}{spread(times['bare']):>24}")


def spread(times: list[float]) -> str:
    return f"{median(times):.2f} ({min(times):.2f} to {max(times):.2f})"


if __name__ == "__main__":
    main()
