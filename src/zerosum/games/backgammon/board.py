"""The board in plain text, as MAX sees it: X is MAX, O is MIN."""

from __future__ import annotations

from zerosum.game import MAX, MIN
from zerosum.games.backgammon.generate import PASS, moves
from zerosum.games.backgammon.position import BAR, OFF, SLOTS, Position, checkers, pips
from zerosum.games.backgammon.rules import is_terminal, utility

ROWS = 5  # checkers drawn on a point; a taller stack shows its number
MARKS = ("X", "O")
NAMES = ("White (X)", "Black (O)")
WORTH = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


def show(s: Position) -> str:
    """The board, with the points numbered as the player on roll counts them.

    >>> from zerosum.games.backgammon.position import initial
    >>> print(show(initial()._replace(roll=31)))
     +13-14-15-16-17-18-+---+19-20-21-22-23-24-+
     | X           O    |   | O              X |  Black (O): 167 pips, 0 off
     | X           O    |   | O              X |
     | X           O    |   | O                |
     | X                |   | O                |
     | X                |   | O                |
     |                  |BAR|                  |
     | O                |   | X                |
     | O                |   | X                |
     | O           X    |   | X                |
     | O           X    |   | X              O |
     | O           X    |   | X              O |  White (X): 167 pips, 0 off
     +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+
    White (X) has rolled 31
    """
    max_side = [checkers(s.max_low, s.max_high, slot) for slot in range(SLOTS)]
    min_side = [checkers(s.min_low, s.min_high, slot) for slot in range(SLOTS)]
    words = {
        MAX: f"{NAMES[MAX]}: {pips(s.max_low, s.max_high)} pips, {max_side[OFF]} off",
        MIN: f"{NAMES[MIN]}: {pips(s.min_low, s.min_high)} pips, {min_side[OFF]} off",
    }
    top, bottom = (13, 19), (12, 6)  # the leftmost points of the four quarters, as MAX counts
    lines = [_edge([range(first, first + 6) for first in top], s.player)]
    for row in range(ROWS):
        text = _row([range(first, first + 6) for first in top], max_side, min_side, row, MAX)
        lines.append(text if row else f"{text}  {words[MIN]}")
    lines.append(f" |{' ' * 18}|BAR|{' ' * 18}|")
    for row in reversed(range(ROWS)):
        text = _row([range(first, first - 6, -1) for first in bottom], max_side, min_side, row, MIN)
        lines.append(text if row else f"{text}  {words[MAX]}")
    lines.append(_edge([range(first, first - 6, -1) for first in bottom], s.player))
    lines.append(status(s))
    return "\n".join(lines)


def status(s: Position) -> str:
    """The result, or what the player on roll has to do."""
    if is_terminal(s):
        points = utility(s)
        return f"{NAMES[MAX] if points > 0 else NAMES[MIN]} has won {WORTH[abs(points)]}"
    if not s.roll:
        return f"{NAMES[s.player]} is to roll"
    blocked = " and can only pass" if PASS in moves(s) else ""
    return f"{NAMES[s.player]} has rolled {s.roll}{blocked}"


def _edge(quarters: list[range], player: int) -> str:
    halves = ["-".join(f"{p if player == MAX else BAR - p:->2}" for p in quarter) for quarter in quarters]
    return f" +{halves[0]}-+---+{halves[1]}-+"


def _row(quarters: list[range], max_side: list[int], min_side: list[int], row: int, on_bar: int) -> str:
    """One line of the board, ``row`` checkers from the edge; the bar shows the checkers of the player ``on_bar``."""
    halves = ["".join(f"{_cell(max_side[p], min_side[BAR - p], row):^3}" for p in quarter) for quarter in quarters]
    bar = _cell(max_side[BAR] if on_bar == MAX else 0, min_side[BAR] if on_bar == MIN else 0, row)
    return f" |{halves[0]}|{bar:^3}|{halves[1]}|"


def _cell(of_max: int, of_min: int, row: int) -> str:
    count = of_max or of_min
    if row == ROWS - 1 and count > ROWS:
        return str(count)
    return MARKS[MAX if of_max else MIN] if row < count else ""
