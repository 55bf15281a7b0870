"""A game that defines every optional rule, so that tests can break them one by one."""

from __future__ import annotations

from typing import Any, NamedTuple

from patience import PATIENCE

from zerosum import MAX, MIN, WIN, Game
from zerosum.checking import Report, check


class Heaps(NamedTuple):
    left: int
    right: int
    turn: int


# Two heaps: take one or two from either; the player who takes the last one wins.


def initial():
    return Heaps(4, 3, MAX)


def to_move(s):
    return s.turn


def moves(s):
    for n in range(1, 3):
        if s.left >= n:
            yield n
        if s.right >= n:
            yield 10 + n


def play(s, move):
    if move > 10:
        return Heaps(s.left, s.right - (move - 10), 1 - s.turn)
    return Heaps(s.left - move, s.right, 1 - s.turn)


def is_terminal(s):
    return s.left + s.right == 0


def utility(s):
    return 1 if s.turn == MIN else -1


def evaluate(s):
    return s.left - s.right


def active(s, player):
    yield s.left
    yield 5 + s.right


def phase(s):
    return 1 if s.left + s.right < 4 else 0


def bounds(s):
    """Equal heaps always lose, which is a theorem about this game; with one left, the side to move takes it."""
    if s.left == s.right:
        return (-1, -1) if s.turn == MAX else (1, 1)
    if s.left + s.right == 1:
        return (WIN - 1, WIN - 1) if s.turn == MAX else (1 - WIN, 1 - WIN)
    return -1, 1


def key(s):
    return s.left << 8 | s.right << 4 | s.turn


def order(s, move):
    return move % 10


def noisy_moves(s):
    if s.left >= 2:
        yield 2


def is_forced(s):
    return s.left + s.right == 1


def skip(s):
    return Heaps(s.left, s.right, 1 - s.turn)


def reversible(s, move):
    return False


def canonical(s):
    if s.left < s.right:
        return Heaps(s.right, s.left, s.turn)
    return s


def format_move(s, move):
    return f"{'lr'[move > 10]}{move % 10}"


def parse_move(s, text):
    return {"l": 0, "r": 10}[text[0]] + int(text[1:])


def format_state(s):
    return f"{s.left}/{s.right}/{s.turn}"


def parse_state(text):
    return Heaps(*(int(part) for part in text.split("/")))


RULES = (
    initial, to_move, moves, play, utility, is_terminal, evaluate, active, phase, bounds, key, order, noisy_moves,
    is_forced, skip, reversible, canonical, format_move, parse_move, format_state, parse_state,
)  # fmt: skip


def heaps(**changes: Any) -> Game:
    given = {"name": "heaps", "State": Heaps, "max_moves": 4, **{rule.__name__: rule for rule in RULES}}
    given |= {"active_features": 10, "max_active": 2, "phases": 2}
    return Game(**{k: v for k, v in {**given, **changes}.items() if v is not None})


def try_out(game: Game, **settings: Any) -> Report:
    return check(game, **{"games": 15, "seconds": PATIENCE, "jit": False, **settings})
