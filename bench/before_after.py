"""Two versions of zerosum in one run: searches, perft, random games, rollouts, databases, learning, and a warm start.

    git worktree add /tmp/before COMMIT
    python bench/before_after.py --before /tmp/before/src [--rounds 5] [--only search]

Each task runs in fresh processes of both versions in turn, so that a slow moment affects both. Each version keeps its
kernels in a separate folder, and the first round, which compiles, does not count. The best time of each is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parents[1] / "src"

FIRST = """
import json, sys, tempfile, time
from pathlib import Path
import zerosum as zs
from zerosum.engine import playouts

def told(work, count=None):
    started = time.perf_counter()
    found = work()
    print(json.dumps([time.perf_counter() - started, count(found) if count else None]))
"""

SEARCH = """
from zerosum.signature import signature
game = zs.load({game!r})
signature(game, 3)
told(lambda: signature(game), lambda found: found.nodes)
"""

TASKS = {
    **{
        f"search {game}": SEARCH.format(game=game) for game in ("connect-four", "chess", "checkers", "othello", "kalah")
    },
    "search backgammon": """
game = zs.load("backgammon")
s = game.play(game.initial(), next(iter(game.chances(game.initial())))[0])
engine = zs.Engine(game)
engine.prepare()
told(lambda: engine.search(s, depth=2), lambda found: found.nodes)
""",
    "perft chess 5": """
game = zs.load("chess")
zs.perft(game, game.initial(), 2)
told(lambda: zs.perft(game, game.initial(), 5), int)
""",
    "random games": """
game = zs.load("connect-four")
playouts(game, game.initial(), 10)
told(lambda: playouts(game, game.initial(), 400_000), lambda found: found.games)
""",
    "rollout": """
game = zs.load("backgammon")
engine = zs.Engine(game)
engine.rollout(game.initial(), games=36)
told(lambda: engine.rollout(game.initial(), games=1080), lambda found: found.games)
""",
    "database": """
from zerosum.endgame.build import build
game = zs.load("checkers")
with tempfile.TemporaryDirectory() as folder:
    build(game, 2, Path(folder) / "small", distance=True)
    told(lambda: build(game, 3, Path(folder) / "whole", distance=True), lambda found: found.positions)
""",
    "self-play": """
from zerosum.search.selfplay import self_play
game = zs.load("connect-four")
list(self_play(game, 1, depth=2))
told(lambda: list(self_play(game, 200, depth=5)), lambda found: sum(len(one.states) for one in found))
""",
    "learning": """
from zerosum.learn.td_training import TdTraining
from zerosum.learn.training import TdOptions
game = zs.load("backgammon")
training = TdTraining(game, TdOptions(games=100_000, hidden=40))
training.advance(100)
told(lambda: training.advance(400), lambda _: training.games)
""",
    "warm start": """
game = zs.load("connect-four")
told(lambda: zs.Engine(game).search(game.initial(), depth=6), lambda found: found.nodes)
""",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, required=True, help="the src folder of the other version")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="run only tasks whose names begin with this")
    parser.add_argument("--cache", type=Path, help="keep kernels in this folder; --rounds 0 only compiles them")
    arguments = parser.parse_args()
    versions = {"before": arguments.before.resolve(), "after": HERE}
    print(f"{'task':22}{'count':>14}{'before':>10}{'after':>10}   after / before, by speed")
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.cache or Path(temporary)
        for name, text in TASKS.items():
            if not name.startswith(arguments.only):
                continue
            times: dict[str, list[float]] = {version: [] for version in versions}
            counts = {}
            for number in range(arguments.rounds + 1):
                for version, source in versions.items():
                    seconds, counts[version] = measured(text, source, folder / version)
                    if number:
                        times[version].append(seconds)
            if not arguments.rounds:
                continue
            before, after = min(times["before"]), min(times["after"])
            count = counts["after"] if counts["after"] == counts["before"] else f"{counts['before']}/{counts['after']}"
            print(f"{name:22}{count!s:>14}{before:>9.3f}s{after:>9.3f}s   {before / after:.2f}", flush=True)


def measured(text: str, source: Path, cache: Path) -> tuple[float, object]:
    """Run a task in a fresh process of one version; return its seconds and its count."""
    environment = {**os.environ, "ZEROSUM_CACHE_DIR": str(cache), "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(source), *filter(None, [os.environ.get("PYTHONPATH")])])
    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    done = subprocess.run([sys.executable, "-c", FIRST + text], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{source}: {done.stderr.strip().splitlines()[-1]}")
    seconds, count = json.loads(done.stdout.splitlines()[-1])
    return float(seconds), count


if __name__ == "__main__":
    main()
