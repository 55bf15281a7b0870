"""What pruning saves at chance nodes: nodes and time at 1 and 2 plies of look-ahead, on backgammon positions.

A ply of look-ahead, as backgammon players count, is a roll and the best reply to it: 1 ply is depth 2 here. Positions
come from games in which both sides play by the evaluation. Seconds are processor time. Every setting must find the
same values, or the benchmark stops; the move filter, which is unsound, is exempt.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

from timing import machine

import zerosum as zs

PLAIN: dict[str, Any] = dict.fromkeys(
    ("table", "hash_move", "order", "windows", "star1", "star2", "chance_order", "move_filter"), False
)
WINDOWS = {**PLAIN, "windows": True}
STAR1 = {**WINDOWS, "star1": True}
STAR2 = {**STAR1, "star2": True}
ORDERED = {"order": True, "chance_order": True}
SETTINGS: dict[str, dict[str, Any]] = {
    "plain expectiminimax": PLAIN,
    "alpha-beta windows": WINDOWS,
    "Star1": STAR1,
    "Star1, ordered": {**STAR1, **ORDERED},
    "Star2": STAR2,
    "Star2, ordered": {**STAR2, **ORDERED},
    "Star2, ordered, table": {**STAR2, **ORDERED, "table": True, "exact_draft": True, "hash_move": True},
    "move filter (8 within 0.16)": {**PLAIN, "windows": True, "order": True, "move_filter": True},
}
TOLERANCE = 1e-6


def sample(game: zs.Game, number: int, seed: int) -> list[Any]:
    """Return positions with a roll to play and a choice of moves, from games played by the evaluation alone."""
    chance = random.Random(seed)
    player = zs.Engine(game, {**PLAIN, "evaluate_events": True}, hash_mb=1)
    found: list[Any] = []
    s = game.initial()
    while len(found) < number:
        if game.is_over(s):
            s = game.initial()
        if game.to_move(s) == zs.CHANCE:
            outcomes = list(game.chances(s))
            s = game.play(s, chance.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
            continue
        if len(game.legal_moves(s)) > 1 and chance.random() < 0.2:
            found.append(s)
        s = game.play(s, player.search(s, depth=1).move)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="backgammon")
    parser.add_argument("--positions", type=int, nargs=2, default=(40, 6), help="positions at 1 and at 2 plies")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = zs.load(arguments.game)
    print(machine())
    for plies, number in enumerate(arguments.positions, 1):
        positions = sample(game, number, arguments.seed)
        print(f"\n{plies}-ply look-ahead, {number} positions of {game.name}\n")
        print("| technique | nodes | of plain | seconds | of plain | values |")
        print("|---|---:|---:|---:|---:|---|")
        truth: list[float] = []
        nodes_before = seconds_before = 0.0
        for name, options in SETTINGS.items():
            nodes, seconds, values = 0, 0.0, []
            engine = zs.Engine(game, {**options, "evaluate_events": True}, hash_mb=16)
            engine.prepare()
            for s in positions:
                engine.clear()
                begin = time.process_time()
                result = engine.search(s, depth=plies + 1)
                seconds += time.process_time() - begin
                nodes += result.nodes
                values.append(result.value)
            if not truth:
                truth, nodes_before, seconds_before = values, nodes, seconds
            wrong = sum(abs(value - other) > TOLERANCE for value, other in zip(values, truth, strict=True))
            if wrong and not options["move_filter"]:
                raise SystemExit(f"{name} finds {wrong} values that differ from plain expectiminimax")
            same = "the same" if not wrong else f"{wrong} differ"
            print(
                f"| {name} | {nodes:,} | {nodes / nodes_before:.1%} | {seconds:.2f} | {seconds / seconds_before:.1%} "
                f"| {same} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
