"""Nine Men's Morris in the most natural Python, without optimisation; the shipped game uses bitboards.

The rules are those of src/zerosum/games/morris.py.

White is MAX and moves first. Each player places nine men, then moves them along the lines; a player with only three men
may jump anywhere. Closing a mill captures one of the opponent's men, outside a mill if possible. A player who has two
men left, or cannot move, loses.
"""

from __future__ import annotations

from typing import NamedTuple

from zerosum.game import MAX, MIN, Game

NAMES = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()  # noqa: SIM905
POINTS = range(24)
LINES = (
    "a7d7g7 b6d6f6 c5d5e5 a4b4c4 e4f4g4 c3d3e3 b2d2f2 a1d1g1 a7a4a1 b6b4b2 c5c4c3 d7d6d5 d3d2d1 e5e4e3 f6f4f2 g7g4g1"
)
MILLS = [tuple(NAMES.index(line[i : i + 2]) for i in (0, 2, 4)) for line in LINES.split()]
NEAR = [sorted({n for m in MILLS if p in m for n in m if abs(m.index(n) - m.index(p)) == 1}) for p in POINTS]
OTHERS = [[tuple(n for n in mill if n != p) for mill in MILLS if p in mill] for p in POINTS]  # of the mills through p

EMPTY, WHITE, BLACK = 0, 1, 2
MEN = 9
HAND = NOBODY = 24  # the start of a placement; the captured man of a move that captures none


class Board(NamedTuple):
    points: tuple[(int,) * 24]
    hand: tuple[int, int]  # men that White and Black still have to place
    turn: int

    @property
    def own(self):
        return WHITE if self.turn == MAX else BLACK

    @property
    def other(self):
        return BLACK if self.turn == MAX else WHITE

    def closes(self, start, end):
        """Whether the player to move closes a mill by moving a man from ``start`` to ``end``."""
        return any(all(self.points[n] == self.own and n != start for n in pair) for pair in OTHERS[end])

    def is_in_mill(self, point):
        return any(all(self.points[n] == self.points[point] for n in pair) for pair in OTHERS[point])


def steps(s):
    """The start and end of each step of the player to move."""
    if s.hand[s.turn]:
        for end in POINTS:
            if s.points[end] == EMPTY:
                yield HAND, end
        return
    jumps = s.points.count(s.own) == 3
    for start in POINTS:
        if s.points[start] == s.own:
            for end in POINTS if jumps else NEAR[start]:
                if s.points[end] == EMPTY:
                    yield start, end


def moves(s):
    free = any(s.points[p] == s.other and not s.is_in_mill(p) for p in POINTS)
    for start, end in steps(s):
        if s.closes(start, end) and s.other in s.points:
            for taken in POINTS:
                if s.points[taken] == s.other and not (free and s.is_in_mill(taken)):
                    yield (start * 25 + end) * 25 + taken
        else:
            yield (start * 25 + end) * 25 + NOBODY


def play(s, move):
    way, taken = divmod(move, 25)
    start, end = divmod(way, 25)
    board, hand = list(s.points), list(s.hand)
    if start == HAND:
        hand[s.turn] -= 1
    else:
        board[start] = EMPTY
    board[end] = s.own
    if taken != NOBODY:
        board[taken] = EMPTY
    return Board(tuple(board), tuple(hand), 1 - s.turn)


def is_terminal(s):
    return s.points.count(s.own) + s.hand[s.turn] < 3


def utility(s):
    return -1 if s.turn == MAX else 1


def evaluate(s):
    """Men count most, then mills, then free neighbouring points."""
    men = s.points.count(WHITE) + s.hand[MAX] - s.points.count(BLACK) - s.hand[MIN]
    mills = sum(
        (s.points[a] == WHITE) - (s.points[a] == BLACK)
        for a, b, c in MILLS
        if s.points[a] == s.points[b] == s.points[c]
    )
    free = sum(s.points[n] == EMPTY for p in POINTS if s.points[p] == WHITE for n in NEAR[p])
    free -= sum(s.points[n] == EMPTY for p in POINTS if s.points[p] == BLACK for n in NEAR[p])
    return 100 * men + 20 * mills + 4 * free


def reversible(s, move):
    return move // 625 != HAND and move % 25 == NOBODY


def morris() -> Game:
    return Game(
        "morris",
        Board,
        lambda: Board((EMPTY,) * 24, (MEN, MEN), MAX),
        lambda s: s.turn,
        moves,
        play,
        utility,
        max_moves=288,
        is_terminal=is_terminal,
        evaluate=evaluate,
        reversible=reversible,
        repetition=3,
    )
