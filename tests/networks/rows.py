"""A game for tests of networks and patterns: more features than a word has bits, phases, and an ``adjust`` rule.

The tables say which promise it breaks, if any, so that all its searches share one compiled kernel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import zerosum as zs
from zerosum.game import MAX, MIN, Game


class Row(NamedTuple):
    """A row of 70 cells that two players fill with stones from either end or the middle."""

    mine: tuple[int, int]
    others: tuple[int, int]
    turn: int


CELLS, LENGTH = 70, 12
NO_FAULT, FEATURE_OUT_OF_RANGE, TOO_MANY_FEATURES, PHASE_OUT_OF_RANGE = range(4)


class Fault(NamedTuple):
    fault: np.ndarray


def moves(s):
    if count(s) < LENGTH:
        for cell in range(0, CELLS, 7):
            for step in range(2):
                if not is_taken(s, cell + step):
                    yield cell + step


def count(s):
    found = 0
    for part in range(2):
        found += zs.popcount(s.mine[part]) + zs.popcount(s.others[part])
    return found


def is_taken(s, cell):
    return (s.mine[cell // 35] | s.others[cell // 35]) >> (cell % 35) & 1


def play(s, cell):
    own = s.mine if s.turn == MAX else s.others
    added = (own[0] | 1 << cell, own[1]) if cell < 35 else (own[0], own[1] | 1 << (cell - 35))
    return Row(added, s.others, MIN) if s.turn == MAX else Row(s.mine, added, MAX)


def active(s, player, t):
    if t.fault[0] == FEATURE_OUT_OF_RANGE and count(s):
        yield 3 * CELLS
    if t.fault[0] == TOO_MANY_FEATURES and count(s) == 2:
        for cell in range(LENGTH - 1):
            yield 2 * CELLS - 1 - cell
    own, other = (s.mine, s.others) if player == MAX else (s.others, s.mine)
    for part in range(2):
        for cell in zs.bits(own[part]):
            yield 35 * part + cell
        for cell in range(35):
            if other[part] >> cell & 1:
                yield CELLS + 35 * part + cell


def phase(s, t):
    if t.fault[0] == PHASE_OUT_OF_RANGE:
        return 2 * count(s)
    return 1 if count(s) > 5 else 0


def adjust(s, value):
    return value // 2 if count(s) > 8 else value


def row_game(fault: int = NO_FAULT, **changes) -> Game:
    rules = {
        "initial": lambda: Row((0, 0), (0, 0), MAX),
        "to_move": lambda s: s.turn,
        "moves": moves,
        "play": play,
        "utility": lambda s: 0,
        "max_moves": 20,
        "active": active,
        "active_features": 2 * CELLS,
        "max_active": LENGTH,
        "phase": phase,
        "phases": 2,
        "adjust": adjust,
        "tables": Fault(np.array([fault])),
    }
    return Game("row", Row, **{**rules, **changes})
