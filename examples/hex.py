"""Hex on a small board: a game of your own with its own notation and its own file format, as docs/formats.md explains.

Red connects the upper side with the lower one, Blue the left side with the right one; somebody always does
(P. Hein, 1942; J. Nash, 1948). On these boards Red, who begins, wins.

    zerosum play examples/hex.py
    zerosum match engine random --game examples/hex.py --games 10 --out games.hex
    zerosum analyze examples/hex.py --review games.hex --number 2
    zerosum studio examples/hex.py
"""

import re
from typing import NamedTuple

from zerosum import MAX, MIN, Format, Game, GameError, Line, Played, bits


class Board(NamedTuple):
    red: int  # a bit for each cell, from a1 at the upper left, row by row
    blue: int
    turn: int


# The file format: names, moves and winner on lines of their own, and an empty line behind each game

WINNERS = {1: "Red", -1: "Blue", 0: "nobody"}


def write(played):
    red, blue = played.players
    rows = [f"Red: {red}", f"Blue: {blue}"]
    line = played.line
    if line.start != line.game.start():
        rows.append(f"Board: {line.game.format_state(line.start)}")
    rows.append(" ".join(line.texts()))
    if played.result is not None:
        rows.append(f"Winner: {WINNERS[played.result]}")
    return "\n".join(rows) + "\n\n"


def read(game, text):
    for block in re.split(r"\n\s*\n", text):
        facts, moves = {}, []
        for row in block.splitlines():
            name, colon, value = row.partition(":")
            if colon:
                facts[name.strip()] = value.strip()
            else:
                moves += row.split()
        if facts or moves:
            start = game.parse_state(facts["Board"]) if "Board" in facts else None
            result = next((number for number, name in WINNERS.items() if name == facts.get("Winner")), None)
            yield Played(Line.parse(game, moves, start), (facts.get("Red", ""), facts.get("Blue", "")), result)


HEX = Format(".hex", "Hex text", read, write, comment=";")


def game(size=4):
    if not 2 <= size <= 7:
        raise GameError(f"hex: no board of {size} × {size}; 2 to 7 rows")
    cells = size * size
    full = (1 << cells) - 1
    top = (1 << size) - 1
    left = sum(1 << row * size for row in range(size))
    bottom, right = top << cells - size, left << size - 1

    def initial():
        return Board(0, 0, MAX)

    def to_move(s):
        return s.turn

    def moves(s):
        for cell in bits(full & ~(s.red | s.blue)):
            yield cell

    def play(s, cell):
        if s.turn == MAX:
            return Board(s.red | 1 << cell, s.blue, MIN)
        return Board(s.red, s.blue | 1 << cell, MAX)

    def connected(stones, first, last):
        """Whether a chain of stones leads from one side to the other."""
        reached = stones & first
        while True:
            not_left, not_right = reached & ~left, reached & ~right
            more = reached | reached << size | reached >> size | not_right << 1 | not_left >> 1
            more = (more | not_left << size - 1 | not_right >> size - 1) & stones
            if more == reached:
                return (reached & last) != 0
            reached = more

    def is_terminal(s):
        return connected(s.blue, left, right) if s.turn == MAX else connected(s.red, top, bottom)

    def utility(s):
        return -1 if s.turn == MAX else 1  # whoever has just moved

    # For people: cells are called a1, b1 and so on, positions are rows of r, b and dots

    def rows(s):
        marks = ["r" if s.red >> cell & 1 else "b" if s.blue >> cell & 1 else "." for cell in range(cells)]
        return ["".join(marks[first : first + size]) for first in range(0, cells, size)]

    def show(s):
        letters = " ".join("abcdefg"[:size])
        return "\n".join([f"  {letters}", *(f"{i} {' ' * i}{' '.join(row)}" for i, row in enumerate(rows(s), 1))])

    def format_move(s, cell):
        return "abcdefg"[cell % size] + str(cell // size + 1)

    def parse_move(s, text):
        name = text.strip().lower()
        return "abcdefg".index(name[0]) + size * (int(name[1:]) - 1)

    def format_state(s):
        return "/".join(rows(s)) + (" red" if s.turn == MAX else " blue")

    def parse_state(text):
        board, _, who = text.partition(" ")
        lines = board.split("/")
        if len(lines) != size or any(len(line) != size or line.strip("rb.") for line in lines):
            raise ValueError(f"a board has {size} rows of {size} cells, each r, b or a dot")
        if who not in ("red", "blue"):
            raise ValueError("'red' or 'blue' must follow the board")
        red, blue = (sum(1 << i for i, mark in enumerate("".join(lines)) if mark == colour) for colour in "rb")
        return Board(red, blue, MAX if who == "red" else MIN)

    return Game(
        "hex",
        Board,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=cells,
        is_terminal=is_terminal,
        show=show,
        format_move=format_move,
        parse_move=parse_move,
        format_state=format_state,
        parse_state=parse_state,
        players=("Red", "Blue"),
        formats=(HEX,),
        openings=lambda: {"corners": {"acute": "a1", "obtuse": f"{'abcdefg'[size - 1]}1"}},
        about=f"connect your two sides of {size} × {size} cells",
    )
