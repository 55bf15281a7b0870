"""Nine Men's Morris: three men in a row are a mill, and closing a mill captures a man.

Each player places nine men, then moves them along the lines; a player with three men left may move anywhere. A mill
captures a man outside the opponent's mills if possible, otherwise any. A player with two men left, or with no move,
loses. White is MAX.

>>> game = morris()
>>> s = game.parse_state("ww..bb.................. 7 7 w")
>>> [game.format_move(s, move) for move in game.moves(s)][:3]
['g7xd6', 'g7xf6', 'b6']
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.game import MAX, MIN, Game
from zerosum.games.boards import morris as drawing
from zerosum.jit.bits import bits, popcount

NAMES = tuple("a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split())  # noqa: SIM905
ROWS = "a7d7g7 b6d6f6 c5d5e5 a4b4c4 e4f4g4 c3d3e3 b2d2f2 a1d1g1 a7a4a1 b6b4b2 c5c4c3 d7d6d5 d3d2d1 e5e4e3 f6f4f2 g7g4g1"
LINES = [tuple(NAMES.index(row[i : i + 2]) for i in (0, 2, 4)) for row in ROWS.split()]
STEPS = [pair for a, b, c in LINES for pair in ((a, b), (b, a), (b, c), (c, b))]
# As bitboards: the mills, the neighbours of each point, and the other points of its two mills.
MILLS = [sum(1 << point for point in line) for line in LINES]
NEAR = [sum(1 << end for start, end in STEPS if start == point) for point in range(24)]
PAIRS = [[mill & ~(1 << point) for mill in MILLS if mill >> point & 1] for point in range(24)]
BOARD = (1 << 24) - 1
MEN = 9
NONE = 24  # the start of a placement; the captured man of a move that captures none
MAN, MILL, STEP = 100, 20, 4  # the value of each


class Board(NamedTuple):
    white: int  # a bit for each point with a man
    black: int
    hand: tuple[int, int]  # men that White and Black still have to place
    turn: int


def sides(s):  # the men of the player to move, and the opponent's
    return (s.white, s.black) if s.turn == MAX else (s.black, s.white)


def in_mills(men):
    found = 0
    for mill in MILLS:
        if men & mill == mill:
            found |= mill
    return found


def moves(s):
    own, other = sides(s)
    empty = BOARD & ~(own | other)
    targets = other & ~in_mills(other) or other
    if s.hand[s.turn]:
        for end in bits(empty):
            yield from ways(own, NONE, end, targets)
    else:
        jumps = popcount(own) == 3
        for start in bits(own):
            for end in bits(empty if jumps else empty & NEAR[start]):
                yield from ways(own & ~(1 << start), start, end, targets)


def ways(rest, start, end, targets):  # one move, or one for each man that a mill can capture
    one, two = PAIRS[end]
    if targets and (rest & one == one or rest & two == two):
        for taken in bits(targets):
            yield (start * 25 + end) * 25 + taken
    else:
        yield (start * 25 + end) * 25 + NONE


def parts(move):  # start, end, and the captured man
    return move // 625, move // 25 % 25, move % 25


def play(s, move):
    start, end, taken = parts(move)
    own, other = sides(s)
    own = (own | 1 << end) & (BOARD ^ 1 << start)
    other &= BOARD ^ 1 << taken
    put = start == NONE
    hand = (s.hand[MAX] - (put and s.turn == MAX), s.hand[MIN] - (put and s.turn == MIN))
    return Board(own, other, hand, MIN) if s.turn == MAX else Board(other, own, hand, MAX)


def worth(men, hand, empty):
    found = MAN * (popcount(men) + hand)
    for mill in MILLS:
        found += MILL * (men & mill == mill)
    for point in bits(men):
        found += STEP * popcount(NEAR[point] & empty)
    return found


def evaluate(s):  # men count most, then mills, then free neighbouring points
    empty = BOARD & ~(s.white | s.black)
    return worth(s.white, s.hand[MAX], empty) - worth(s.black, s.hand[MIN], empty)


def format_move(s: Any, move: int) -> str:
    start, end, taken = parts(move)
    way = NAMES[end] if start == NONE else f"{NAMES[start]}-{NAMES[end]}"
    return way if taken == NONE else f"{way}x{NAMES[taken]}"


def men(s: Any) -> list[int]:  # for each point: 0 if empty, 1 for White, 2 for Black
    return [(s.white >> point & 1) + 2 * (s.black >> point & 1) for point in range(24)]


def format_state(s: Any) -> str:
    return f"{''.join('.wb'[man] for man in men(s))} {s.hand[MAX]} {s.hand[MIN]} {'wb'[s.turn]}"


def parse_state(text: str) -> Board:
    words = text.lower().split()
    if len(words) != 4 or len(words[0]) != 24 or set(words[0]) - set(".wb") or words[3] not in ("w", "b"):
        raise ValueError("it takes 24 points (w, b or a dot), White's and Black's men still to place, then w or b")
    white, black = (sum(1 << point for point in range(24) if words[0][point] == man) for man in "wb")
    hand = int(words[1]), int(words[2])
    if any(not 0 <= left <= MEN - popcount(side) for left, side in zip(hand, (white, black), strict=True)):
        raise ValueError(f"each player has at most {MEN} men, on the board and still to place")
    return Board(white, black, hand, "wb".index(words[3]))


def morris() -> Game:
    return Game(
        "morris",
        Board,
        lambda: Board(0, 0, (MEN, MEN), MAX),
        lambda s: s.turn,
        moves,
        play,
        lambda s: -1 if s.turn == MAX else 1,
        max_moves=288,  # at most 32 steps along the lines, each closing a mill and capturing one of nine men
        is_terminal=lambda s: popcount(sides(s)[0]) + s.hand[s.turn] < 3,
        **{function.__name__: function for function in (evaluate, format_move, format_state, parse_state)},
        reversible=lambda s, move: move // 625 != NONE and move % 25 == NONE,
        path=lambda s, move: tuple(NAMES[point] for point in parts(move) if point != NONE),
        **drawing.board(NAMES, LINES, men),
        repetition=3,
        unit=MAN,
        players=("White", "Black"),
        about="three men in a row capture one",
    )
