"""Slow, straightforward algorithms to compare games with."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zerosum.game import CHANCE, MAX, Game

SHARED_DATA = Path(__file__).parents[3] / "shared" / "data"
"""Positions from other sources; tests are skipped if the folder does not exist."""


def perft(game: Game, depth: int, start: Any = None) -> list[int]:
    """The number of lines of play of 0, 1, …, ``depth`` plies. Games that end earlier are not counted further.

    Transpositions are counted together, which makes plain Python fast enough.
    """
    level = Counter({game.initial() if start is None else start: 1})
    counts = [1]
    for _ in range(depth):
        successors: Counter[Any] = Counter()
        for s, lines in level.items():
            if not game.is_terminal(s):
                for move in game.moves(s):
                    successors[game.play(s, move)] += lines
        counts.append(successors.total())
        level = successors
    return counts


def minimax(game: Game, s: Any, known: dict[Any, int]) -> int:
    """The value of ``s`` for MAX by a search to the end; stores the value of every position below in ``known``."""
    if s not in known:
        if game.is_terminal(s):
            known[s] = game.utility(s)
        else:
            best = max if game.to_move(s) == MAX else min
            known[s] = best(minimax(game, game.play(s, move), known) for move in game.moves(s))
    return known[s]


def expectiminimax(game: Game, s: Any, depth: int) -> float:
    """The value of ``s`` for MAX with a horizon of ``depth`` moves; dice rolls are not counted."""
    if game.is_terminal(s):
        return game.utility(s)
    if game.to_move(s) == CHANCE:
        return sum(chance * expectiminimax(game, game.play(s, face), depth) for face, chance in game.chances(s))
    if depth == 0:
        return game.evaluate(s)
    best = max if game.to_move(s) == MAX else min
    return best(expectiminimax(game, game.play(s, move), depth - 1) for move in game.moves(s))


def random_states(game: Game, games: int, seed: int = 1) -> Iterator[Any]:
    """All positions of some random games, the same ones each time."""
    chooser = random.Random(seed)
    for _ in range(games):
        s = game.initial()
        yield s
        while not game.is_terminal(s):
            if game.to_move(s) == CHANCE:
                options = [outcome for outcome, _ in game.chances(s)]
            else:
                options = list(game.moves(s))
            s = game.play(s, chooser.choice(options))
            yield s


def after(game: Game, moves: str, start: str | None = None) -> Any:
    """The position after these moves, in the game's notation."""
    s = game.initial() if start is None else game.parse_state(start)
    for text in moves.split():
        s = game.play(s, game.parse_move(s, text))
    return s
