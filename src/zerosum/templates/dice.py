"""A race with dice: a template for games of chance."""

from typing import NamedTuple

import zerosum as zs
from zerosum.board import Piece
from zerosum.board.layouts import points

LENGTH = 12  # the last place of the track
FACES = 4
STAY, GO = 0, 1


class Race(NamedTuple):
    """A position. It never changes: a move returns a new one. Fields are int, or tuples of a fixed length."""

    places: tuple[int, int]  # how far MAX and MIN have come
    turn: int  # zs.MAX or zs.MIN
    rolled: int  # what the die shows; 0 before it is rolled


def initial():
    return Race((0, 0), zs.MAX, 0)


def to_move(s):
    """The player, or CHANCE while the die is still to be rolled."""
    return zs.CHANCE if s.rolled == 0 else s.turn


def chances(s):
    """The faces of the die, each with its probability."""
    for face in range(1, FACES + 1):
        yield face, 1 / FACES


def moves(s):
    """The legal moves, as integers: stay, or move ahead."""
    yield STAY
    if s.places[s.turn] + s.rolled <= LENGTH:
        yield GO


def play(s, move):
    """The position after a move, or after a roll."""
    if s.rolled == 0:
        return s._replace(rolled=move)
    places = list(s.places)
    if move == GO:
        places[s.turn] += s.rolled
        if places[s.turn] == places[1 - s.turn] < LENGTH:
            places[1 - s.turn] = 0  # a player who is hit goes back to the start
    return Race(tuple(places), 1 - s.turn, 0)


def is_terminal(s):
    return LENGTH in s.places


def utility(s):
    """The result for MAX, called when the game is over."""
    return 1 if s.places[zs.MAX] == LENGTH else -1


def evaluate(s):
    """An estimate for MAX, between -1 and 1, in the same unit as utility."""
    return (s.places[zs.MAX] - s.places[zs.MIN]) / LENGTH


# Display: a track of places.

board = points([(place, 0) for place in range(LENGTH + 1)], [tuple(range(LENGTH + 1))])

game = zs.Game(
    "my-game",
    Race,
    initial,
    to_move,
    moves,
    play,
    utility,
    max_moves=2,  # no position has more moves than this
    chances=chances,
    max_chances=FACES,
    is_terminal=is_terminal,
    evaluate=evaluate,
    bounds=(-1, 1),  # no value is outside this range
    players=("Red", "Blue"),
    format_move=lambda s, move: str(move) if s.rolled == 0 else ("stay", "go")[move],
    layout=lambda: board,
    pieces=lambda s: [
        Piece(str(place), colour, f"{colour} runner", y=shift)
        for place, colour, shift in zip(s.places, ("red", "blue"), (-20, 20), strict=True)
    ],
    path=lambda s, move: (str(s.places[s.turn] + s.rolled),) if s.rolled and move == GO else (),
)
