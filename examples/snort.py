"""Snort on a small board: your own game with its own notation and file format, as docs/formats.md explains.

Two farmers take turns renting fields, Red for bulls and Blue for cows. No field may be rented next to one of the other
farmer's; a player with no field left to rent loses (S. Norton, in Winning Ways by Berlekamp, Conway and Guy, 1982).

    zerosum play examples/snort.py
    zerosum match engine random --game examples/snort.py --games 10 --out games.snort
    zerosum analyze examples/snort.py --review games.snort --number 2
    zerosum studio examples/snort.py
"""

import re
from typing import NamedTuple

from zerosum import MAX, MIN, Format, Game, GameError, Line, Played, bits


class Board(NamedTuple):
    red: int  # a bit for each field, from a1 at the upper left, row by row
    blue: int
    turn: int


# The file format: names, moves and winner on separate lines, and an empty line after each game

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


SNORT = Format(".snort", "Snort text", read, write, comment=";")


def game(size=4):
    if not 2 <= size <= 7:
        raise GameError(f"snort: {size} × {size} is not possible: 2 to 7 rows")
    fields = size * size
    full = (1 << fields) - 1
    left = sum(1 << row * size for row in range(size))
    right = left << size - 1

    def initial():
        return Board(0, 0, MAX)

    def to_move(s):
        return s.turn

    def beside(some):
        """The fields next to these, possibly with bits beyond the board."""
        return some << size | some >> size | (some & ~right) << 1 | (some & ~left) >> 1

    def moves(s):
        others = s.blue if s.turn == MAX else s.red
        for field in bits(full & ~(s.red | s.blue | beside(others))):
            yield field

    def play(s, field):
        if s.turn == MAX:
            return Board(s.red | 1 << field, s.blue, MIN)
        return Board(s.red, s.blue | 1 << field, MAX)

    def utility(s):
        return -1 if s.turn == MAX else 1  # the player to move has no field left to rent

    # Notation and display: fields are named a1, b1 and so on; positions are rows of r, b and dots

    def rows(s):
        marks = ["r" if s.red >> field & 1 else "b" if s.blue >> field & 1 else "." for field in range(fields)]
        return ["".join(marks[first : first + size]) for first in range(0, fields, size)]

    def show(s):
        letters = " ".join("abcdefg"[:size])
        return "\n".join([f"  {letters}", *(f"{i} {' '.join(row)}" for i, row in enumerate(rows(s), 1))])

    def format_move(s, field):
        return "abcdefg"[field % size] + str(field // size + 1)

    def parse_move(s, text):
        name = text.strip().lower()
        return "abcdefg".index(name[0]) + size * (int(name[1:]) - 1)

    def format_state(s):
        return "/".join(rows(s)) + (" red" if s.turn == MAX else " blue")

    def parse_state(text):
        board, _, who = text.partition(" ")
        lines = board.split("/")
        if len(lines) != size or any(len(line) != size or line.strip("rb.") for line in lines):
            raise ValueError(f"a board has {size} rows of {size} fields, each r, b or a dot")
        if who not in ("red", "blue"):
            raise ValueError("'red' or 'blue' must follow the board")
        red, blue = (sum(1 << i for i, mark in enumerate("".join(lines)) if mark == colour) for colour in "rb")
        if beside(red) & blue:
            raise ValueError("a red field is next to a blue one")
        return Board(red, blue, MAX if who == "red" else MIN)

    return Game(
        "snort",
        Board,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=fields,
        show=show,
        format_move=format_move,
        parse_move=parse_move,
        format_state=format_state,
        parse_state=parse_state,
        players=("Red", "Blue"),
        formats=(SNORT,),
        openings=lambda: {"first": {"corner": "a1", "inside": "b2"}},
        about=f"rent {size} × {size} fields, none next to the other farmer's",
    )
