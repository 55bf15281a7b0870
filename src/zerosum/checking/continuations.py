"""Compare how the game continues from two positions, over the next plies."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from zerosum.game import CHANCE, Game

MOST_SHOWN = 8
"""Of longer lists of moves, only the differences are shown."""


def without_clock(game: Game) -> Game:
    """The author's own rules: the clock, which keys leave out, ends no game here."""
    return game.with_(clock=None) if game.has("clock") else game


def difference(
    rules: Game, a: Any, b: Any, plies: int, branches: int, chance: random.Random, line: tuple[str, ...] = ()
) -> str:
    """How moves, turn or result differ after the same moves, within this many plies; '' if no difference was found.

    At most ``branches`` moves of each position are followed, chosen by ``chance``.
    """
    after = f"after {' '.join(line)} " if line else ""
    players = rules.to_move(a), rules.to_move(b)
    if players[0] != players[1]:
        return f"{after}the player to move is {players[0]} and {players[1]}"
    ours, theirs = options(rules, a), options(rules, b)
    if ours != theirs:
        return f"{after}the moves are {_texts(rules, a, ours, theirs)} and {_texts(rules, b, theirs, ours)}"
    if not ours:
        results = result(rules, a), result(rules, b)
        return f"{after}the utility is {results[0]} and {results[1]}" if results[0] != results[1] else ""
    moves = sorted(ours)
    for move in (moves if len(moves) <= branches else chance.sample(moves, branches)) if plies else ():
        nexts = rules.successor(a, move), rules.successor(b, move)
        if nexts[0] != nexts[1]:
            longer = (*line, rules.format_move(a, move))
            found = difference(rules, *nexts, plies - 1, branches, chance, longer)
            if found:
                return found
    return ""


def shape(rules: Game, s: Any, plies: int) -> Any:
    """A description of a position without the names of moves: the turn, the result, and the shapes one move later.

    Symmetric positions have equal shapes.
    """
    player, moves = rules.to_move(s), options(rules, s)
    if not moves:
        return player, result(rules, s)
    if not plies:
        return player, len(moves), "moves"
    after = Counter((share, shape(rules, rules.successor(s, move), plies - 1)) for move, share in moves.items())
    return player, frozenset(after.items())


def options(rules: Game, s: Any) -> dict[int, float]:
    """The moves; at a chance node, the outcomes with their probabilities."""
    if rules.to_move(s) == CHANCE and not rules.terminal_test(s):
        return dict(rules.checked_chances(s))
    return dict.fromkeys(rules.legal_moves(s), 1.0)


def result(rules: Game, s: Any) -> Any:
    """The part of the utility that counts: in games without margins, who wins."""
    utility = rules.utility(s)
    return utility if rules.scored else (utility > 0) - (utility < 0)


def _texts(rules: Game, s: Any, moves: dict[int, float], others: dict[int, float]) -> str:
    shown = [rules.format_move(s, move) for move in moves]
    if max(len(moves), len(others)) > MOST_SHOWN:
        shown = [rules.format_move(s, move) for move in moves if moves[move] != others.get(move)]
        shown += ["…"] * (len(shown) < len(moves))
    return f"[{', '.join(shown)}]"
