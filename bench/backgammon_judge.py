"""How well a network chooses its plays, judged by GNU Backgammon's network: fast, and without luck.

    python bench/backgammon_judge.py [FILE] [--decisions 100000] [--seed 7]

In each game, every play is made by one of the two programs at random. Where our choice (no look-ahead) differs from
that of gnubg-nn's network, the judge looks one roll ahead at both; the losses of our choices are added up over a game.
The judge uses the same network as one of the two players, so it favours that one: use this to compare networks of ours,
and matches (backgammon_matches.py) to measure their strength.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import defaultdict
from pathlib import Path

import gnubg_nn
from backgammon_matches import gnubg_player, quick_player
from timing import machine

import zerosum as zs
from zerosum.game import MIN
from zerosum.games.backgammon.position import BAR, HOME, Position
from zerosum.games.backgammon.position_id import sides
from zerosum.learn.files import with_weights_from

FAR = 18  # points beyond this are the opponent's home


def judged(game: zs.Game, s: Position) -> float:
    """Return the judge's value of a position, in points for the player who has just moved."""
    if game.is_terminal(s):
        return float(game.utility(s)) * (1 if s.player == MIN else -1)
    own, other = sides(s)
    win, gammon, backgammon, lost_gammon, lost_backgammon = gnubg_nn.probabilities([other[1:], own[1:]], 1)
    return -float(2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon)


def kind_of(s: Position) -> str:
    """Return the kind of position."""
    own, other = sides(s)
    last = [max(slot for slot in range(BAR + 1) if side[slot]) for side in (own, other)]
    if sum(last) < BAR:
        return "race"
    if any(side[0] for side in (own, other)):
        return "bearing off"
    if any(sum(side[FAR + 1 :]) > 3 for side in (own, other)):
        return "four or more back"
    if any(sum(side[1 : HOME // 2 + 1]) > 7 for side in (own, other)):
        return "crashed"
    return {0: "nobody back", 1: "one side back", 2: "both back"}[sum(slot > FAR for slot in last)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, nargs="?")
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    print(machine(), flush=True)
    game = zs.load("backgammon")
    if arguments.weights:
        game = with_weights_from(game, arguments.weights)
    players = [quick_player(game), gnubg_player()]
    chance = random.Random(arguments.seed)
    losses: dict[str, list[float]] = defaultdict(list)
    done = games = 0
    began = time.perf_counter()
    while done < arguments.decisions:
        games += 1
        s = game.initial()
        while not game.is_terminal(s):
            a, b = chance.randint(1, 6), chance.randint(1, 6)
            s = game.play(s, 10 * max(a, b) + min(a, b))
            ours, theirs = (player(s) for player in players)
            loss = 0.0 if ours == theirs else judged(game, theirs) - judged(game, ours)
            losses[kind_of(s)].append(loss)
            done += 1
            s = chance.choice([ours, theirs])

    def summary(found: list[float]) -> str:
        # One player makes half of a game's decisions.
        total, error = sum(found) / games / 2, math.sqrt(sum(loss * loss for loss in found)) / games / 2
        differ = sum(loss != 0 for loss in found) / len(found)
        return f"{total:.4f} ± {error:.4f} points a game; {len(found) / done:6.1%} of decisions, {differ:.0%} differ"

    print(
        f"lost: {summary([loss for found in losses.values() for loss in found])}; {time.perf_counter() - began:.0f} s"
    )
    for kind, found in sorted(losses.items(), key=lambda item: -sum(item[1])):
        print(f"  {kind:18} {summary(found)}")


if __name__ == "__main__":
    main()
