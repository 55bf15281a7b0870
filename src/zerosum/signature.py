"""The engine's functional signature: the number of positions it visits in a fixed workload.

Any change to what the search does changes the number; a change that should only make it faster must not. The
positions come from random games whose random numbers are plain integer arithmetic, so they are the same on every
machine and in every version of Python.

>>> from zerosum.games import load
>>> [len(line) for line in positions(load("tictactoe"))]
[0, 2, 4, 6, 8, 4, 7, 4]
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from zerosum.engine import Engine
from zerosum.errors import GameError
from zerosum.game import CHANCE, Game, Line
from zerosum.search.algorithm import AlgorithmLike
from zerosum.search.limits import check_depth

# At most about half a second for each game.
DEPTHS = {
    "tictactoe": 9,
    "connect-four": 14,
    "kalah": 14,
    "othello": 10,
    "chess": 10,
    "checkers": 9,
    "morris": 6,
    "hex": 4,
    "nim": 12,
}
DEFAULT_DEPTH = 6

PLIES = (0, 2, 4, 6, 9, 12, 16, 20)
"""How far each position is from the start; less if the game would be over by then."""

HASH_MB = 8


@dataclass(frozen=True)
class Signature:
    """The counts and times of one game's workload."""

    game: str
    depth: int
    positions: int
    nodes: int
    seconds: float
    branching: float
    """The effective branching factor: a uniform tree of this degree and depth has as many positions."""

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


def signature(
    game: Game,
    depth: int | None = None,
    algorithm: AlgorithmLike = None,
    *,
    jit: bool = True,
) -> Signature:
    """Search the game's fixed positions to a fixed depth, each with an empty table and one thread."""
    if game.has("chances"):
        raise GameError(f"{game.name} has chance nodes: signatures are only for games without chance")
    if depth is None:
        depth = DEPTHS.get(game.name, DEFAULT_DEPTH)
    check_depth(depth)
    engine = Engine(game, algorithm, hash_mb=HASH_MB, jit=jit)
    engine.prepare()
    results = []
    for line in positions(game):
        engine.clear()
        results.append(engine.search(line, depth=depth))
    # Positions that are proven early say nothing about the growth of the tree.
    factors = [math.log(r.nodes) / r.depth for r in results if r.depth > 1 and r.nodes > 1]
    return Signature(
        game.name,
        depth,
        len(results),
        sum(result.nodes for result in results),
        sum(result.seconds for result in results),
        math.exp(sum(factors) / len(factors)) if factors else 1.0,
    )


def positions(game: Game) -> Iterator[Line]:
    """The start, and positions from random games, always the same ones."""
    draw = _draws(2026)
    for plies in PLIES:
        line = Line(game)
        for _ in range(plies):
            legal = game.legal_moves(line.state)
            after = line.play(legal[next(draw) % len(legal)])
            if game.is_over(after.state) or game.to_move(after.state) == CHANCE:
                break
            line = after
        yield line


def _draws(seed: int) -> Iterator[int]:
    """The upper bits of a linear congruential generator (Knuth's MMIX)."""
    x = seed
    while True:
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        yield x >> 33
