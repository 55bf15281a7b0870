"""Retrograde analysis, slow and obvious: all positions in a dictionary, decided from the end of the game backwards.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> solved = retrograde(game, [game.initial()])
>>> len(solved), solved[game.initial()]
(5478, (0, None))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zerosum.game import MAX, Game


def retrograde(game: Game, starts: Iterable[Any]) -> dict[Any, tuple[int, int | None]]:
    """Outcome for MAX (1, 0, -1) and plies to the end, for every position that can be reached from ``starts``.

    The winner takes the shortest way, the loser the longest; a draw has no distance. A player who can avoid the end for
    ever gets at least a draw.
    """
    successors = explore(game, starts)
    value: dict[Any, tuple[int, int | None]] = {}
    for s, after in successors.items():
        if not after:
            outcome = sign(game.utility(s))
            value[s] = (outcome, 0 if outcome else None)
    # Round n decides exactly the positions that end n plies later: those that end sooner have been decided before.
    plies = 0
    undecided = [s for s in successors if s not in value]
    latest = 0
    while plies <= latest:
        plies += 1
        decided = {}
        for s in undecided:
            wanted = 1 if game.to_move(s) == MAX else -1
            results = [value.get(after) for after in successors[s]]
            if (wanted, plies - 1) in results:
                decided[s] = (wanted, plies)
            elif all(result is not None and result[0] == -wanted for result in results):
                decided[s] = (-wanted, plies)
        if decided:
            latest = plies
            value |= decided
            undecided = [s for s in undecided if s not in decided]
    return value | dict.fromkeys(undecided, (0, None))


def explore(game: Game, starts: Iterable[Any]) -> dict[Any, list[Any]]:
    """All reachable positions, with their successors."""
    successors: dict[Any, list[Any]] = {}
    waiting = list(starts)
    while waiting:
        s = waiting.pop()
        if s not in successors:
            successors[s] = [game.play(s, move) for move in game.legal_moves(s)]
            waiting += successors[s]
    return successors


def sign(x: float) -> int:
    return (x > 0) - (x < 0)
