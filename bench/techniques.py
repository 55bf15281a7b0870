"""What each search technique is worth: nodes and time to a fixed depth with it switched off, or switched on.

python bench/techniques.py
"""

from __future__ import annotations

import time

from timing import machine

import zerosum as zs
from zerosum.search.options import NEEDS, SOUND, UNSOUND, SearchOptions

DEPTHS = {"connect-four": 12, "othello": 10, "kalah": 14}


def main() -> None:
    print(machine())
    for name, depth in DEPTHS.items():
        game = zs.load(name)
        base = measure(game, {}, depth)
        print(f"\n{name}, depth {depth}, default options: {base[0]:,} nodes, {base[1]:.3f} s")
        for technique in (*SOUND, *UNSOUND):
            if technique in NEEDS and not game.has(NEEDS[technique]):
                continue
            on = bool(getattr(SearchOptions.advised(game), technique))
            nodes, seconds = measure(game, {technique: not on}, depth)
            print(
                f"  {'without' if on else 'with':7} {technique:13} {nodes:>12,} nodes ({nodes / base[0]:6.2f} ×)"
                f"  {seconds:8.3f} s ({seconds / base[1]:6.2f} ×)"
            )


def measure(game: zs.Game, options: dict[str, bool], depth: int) -> tuple[int, float]:
    """Return nodes and the best time of three, from the start and from two positions a few random moves later."""
    lines = [zs.Line(game)]
    for start in (1, 2):
        line = zs.Line(game)
        for ply in range(6):
            legal = game.legal_moves(line.state)
            line = line.play(legal[(start * 7 + ply * 3) % len(legal)])
        lines.append(line)
    engine = zs.Engine(game, options)
    engine.prepare()
    times = []
    for _ in range(3):
        nodes, seconds = 0, 0.0
        for line in lines:
            engine.clear()
            engine.search(line, depth=1)  # allocates the new table
            engine.clear()
            started = time.perf_counter()
            nodes += engine.search(line, depth=depth).nodes
            seconds += time.perf_counter() - started
        times.append(seconds)
    return nodes, min(times)


if __name__ == "__main__":
    main()
