"""How much stronger each level is than the one below, in games on this machine.

    python bench/levels.py chess othello [--games 40] [--highest 6] [--seed 1]

Every opening, a few random moves, is played from both sides. Levels up to 9 are limited by depth, so the result hardly
depends on the machine. The output has the form of src/zerosum/games/measured.py.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from zerosum.arena.match import Match, Plan
from zerosum.arena.players import parse_player
from zerosum.arena.referee import Rules
from zerosum.arena.time_control import TimeControl
from zerosum.games import load

OPENING = "random:4"


def measure(name: str, level: int, games: int, seed: int) -> tuple[int, int, int]:
    """Return the wins, draws and losses of a level against the one below; for level 1, against random moves."""
    below = f"level:{level - 1}" if level > 1 else "random"
    plan = Plan(
        load(name),
        [parse_player(f"level:{level}"), parse_player(below)],
        Rules(TimeControl.parse("movetime 2"), max_plies=400),
        games=games,
        seed=seed,
        openings=OPENING,
    )
    with tempfile.TemporaryDirectory() as folder:
        match = Match(plan, Path(folder) / "games.jsonl")
        match.run()
        tally = match.standings.tally()
    return tally.wins, tally.draws, tally.losses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_of", nargs="+", metavar="GAME")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--lowest", type=int, default=1)
    parser.add_argument("--highest", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    for name in wish.games_of:
        for level in range(wish.lowest, wish.highest + 1):
            print(f'("{name}", {level}): {measure(name, level, wish.games, wish.seed)},', flush=True)


if __name__ == "__main__":
    main()
