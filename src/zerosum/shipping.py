"""The kernels in a wheel: the search of every built-in game with its default parameters, for any processor.

    python -m zerosum.shipping FOLDER

``hatch_build.py`` runs this when a wheel is built. A game that fails to compile is left out, and the exit code is 1.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

PROCESSES = 2

LONGEST_FIRST = ("chess", "checkers", "backgammon")
"""The games that take longest to compile; they start first, so that the build does not end up waiting for one."""


def ship(folder: Path) -> int:
    """Write a file for each game; the number of games that failed."""
    from zerosum.games import GAMES

    names = sorted(GAMES, key=lambda name: name not in LONGEST_FIRST)
    failed = 0
    # Not forked: Numba fixes the processor to generate code for when it is first used.
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        tasks = {pool.submit(ship_one, name, folder): name for name in names}
        for task in as_completed(tasks):
            try:
                print(task.result(), flush=True)
            except Exception as problem:
                failed += 1
                print(f"{tasks[task]}: no kernel: {type(problem).__name__}: {problem}", flush=True)
    return failed


def ship_one(name: str, folder: Path) -> str:
    """Write the file of one game; a line with its size and time."""
    from zerosum.games import load
    from zerosum.jit import packaged
    from zerosum.jit.numba_private import for_any_processor
    from zerosum.search.strategies import AlphaBeta

    started = time.perf_counter()
    for_any_processor()
    game = load(name)
    kernel = AlphaBeta().kernel(game)
    size = packaged.write(folder, kernel.source(game), kernel.compiled(game).text)
    return f"{name}: {kernel.name}, {size / 1024:.0f} KB, {time.perf_counter() - started:.1f} s"


if __name__ == "__main__":
    sys.exit(1 if ship(Path(sys.argv[1])) else 0)
