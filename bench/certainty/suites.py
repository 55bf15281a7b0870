"""Positions with published values: Pascal Pons's connect-four files, and the FFO endgames of Othello."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from certainty.cases import HASHES, Case, random_options
from certainty.claims import Truth, exactly
from certainty.shipped import SHIPPED, EndWorld, random_step
from zerosum.game import MAX, WIN, Line

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
PONS = ("Test_L3_R1", "Test_L2_R1", "Test_L1_R1")
"""The last ones, which take the most work, are used least often."""
FFO = ("fforum-1-19.obf", "fforum-20-39.obf")
LARGEST = 14
"""Endgames with more empty squares take too long to search repeatedly."""


class Suite(EndWorld):
    """Positions with published values; minimax provides the truth of later positions as soon as that is possible."""

    walks = 24

    def __init__(self, game: str, starts: list[Any]) -> None:
        super().__init__(SHIPPED[game])
        self.published: dict[Any, Truth] = {}
        self.starts = starts

    def alone(self, s: Any) -> Truth | None:
        return self.published.get(s) or super().alone(s)


def available(name: str, data: Path) -> str:
    """Return why a suite cannot be used, or "" if it can."""
    files = [data / "connect4" / file for file in PONS] if name == "pons" else [data / "othello" / file for file in FFO]
    missing = [str(file) for file in files if not file.is_file()]
    return f"no {missing[0]}" if missing else ""


@cache
def suite(name: str, data: Path) -> Suite:
    return _pons(data) if name == "pons" else _ffo(data)


def _pons(data: Path) -> Suite:
    """Read Pons's files: the columns played, and the score: 1 for a win with the last stone, 2 with the one before."""
    world = Suite("connect-four", [])
    for file in PONS:
        for row in (data / "connect4" / file).read_text().splitlines():
            columns, score = row.split()
            s = Line.parse(world.game, list(columns)).state
            value = 0
            if int(score):
                mover_wins = int(score) > 0
                first_player = (len(columns) % 2 == 0) == mover_wins
                # The winner's last stone is one of 21; the first player's nth is stone 2n - 1 of the game.
                stone = 22 - abs(int(score))
                end = 2 * stone - 1 if first_player else 2 * stone
                value = (WIN - (end - len(columns))) * (1 if first_player else -1)
            world.published[s] = exactly(value)
            world.starts.append(s)
    return world


def _ffo(data: Path) -> Suite:
    """Read the FFO files: a position, and every move with its score for the player to move."""
    world = Suite("othello", [])
    game = world.game
    for file in FFO:
        for row in (data / "othello" / file).read_text().splitlines():
            board, *moves = row.split(";")
            if not board.strip() or board.count("-") > LARGEST:
                continue
            s = game.parse_state(board.strip())
            sign = 1 if game.to_move(s) == MAX else -1
            scores = re.findall(r"([A-H][1-8]):\s*([+-]?\d+)", ";".join(moves), re.IGNORECASE)
            world.published[s] = exactly(sign * max(int(score) for _, score in scores))
            for move, score in scores:
                world.published[game.play(s, game.parse_move(s, move.lower()))] = exactly(sign * int(score))
            world.starts.append(s)
    return world


def random_case(name: str, rng: Random, data: Path) -> Case:
    """Return searches of some published positions, one after another, and of positions a few moves later."""
    world = suite(name, data)
    game = world.game
    steps = []
    for _ in range(rng.randint(1, 8)):
        s = world.starts[int(len(world.starts) * rng.random() ** 2)]
        for _ in range(rng.choice((0, 0, 1, 2, 4))):
            after = game.successor(s, rng.choice(game.legal_moves(s)))
            s = s if game.is_over(after) else after
        steps.append(random_step(rng, game.state_type.words(s), True, 0.25))
    options = random_options(rng, game.has)
    subject = {"walks": rng.randrange(1 << 30)}
    threads = rng.choices((1, 2, 4), (6, 2, 1))[0]
    return Case(f"suite:{name}", subject, steps, options, threads, rng.choice(HASHES))


def world_of(case: Case, data: Path) -> Suite:
    return suite(case.world.partition(":")[2], data)
