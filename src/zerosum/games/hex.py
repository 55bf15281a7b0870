"""Hex on a board of any size: connect your two sides with a chain of stones.

MAX is Red, moves first and connects top and bottom; Blue connects left and right. A full board has exactly one winner
(P. Hein, 1942; J. Nash, 1948), so there are no draws.

The four sides are cells too, owned from the start. ``joined`` holds all stones connected to the top or the left side.
Each move extends it, so no rule has to follow whole chains: the game is over when ``joined`` contains a third side.

>>> game = hex(3)
>>> s = game.parse_state(".rb/.r./..b")
>>> game.utility(game.play(s, game.parse_move(s, "a3")))
1
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.errors import GameError
from zerosum.game import MAX, MIN, Game
from zerosum.games.boards import hex as drawing
from zerosum.jit.bits import bits, lowest_bit, mix, popcount, replace

LARGEST = 19
PHASES = 4  # phases of the game for networks, by the number of stones
WORD = 63  # cells in a word of the State, which is signed
AROUND = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))  # offsets (row, column) of the six neighbours


def hex(size: int = 11) -> Game:
    """The game on ``size`` rows of ``size`` cells."""
    if not isinstance(size, int) or isinstance(size, bool) or not 2 <= size <= LARGEST:
        raise GameError(f"hex: size must be a whole number from 2 to {LARGEST}, not {size!r}")
    cells = size * size
    top, left, bottom, right = range(cells, cells + 4)
    words = right // WORD + 1
    row: Any = tuple[(int,) * words]  # type: ignore[misc]
    Board: Any = NamedTuple("Board", (("red", row), ("blue", row), ("joined", row), ("turn", int)))

    def as_words(*members: int) -> tuple[int, ...]:
        return tuple(sum(1 << cell % WORD for cell in members if cell // WORD == word) for word in range(words))

    def cell_at(y: int, x: int) -> int:
        return top if y < 0 else bottom if y == size else left if x < 0 else right if x == size else size * y + x

    near = [{cell_at(y + down, x + across) for down, across in AROUND} for y in range(size) for x in range(size)]
    near += [{*range(size)}, {*range(0, cells, size)}, set(), set()]  # a chain stops at its second side
    # The bits of each cell and of its neighbours, word by word.
    itself = [word for cell in range(cells + 4) for word in as_words(cell)]
    beside = [word for neighbours in near for word in as_words(*neighbours)]
    # The cells as Red sees them, then as Blue does.
    seen = [*range(cells), *(size * (cell % size) + cell // size for cell in range(cells))]
    board, nowhere = as_words(*range(cells)), as_words()
    # On boards of these sizes all four sides are in the last word.
    red_wins, blue_wins = 1 << bottom % WORD, 1 << right % WORD

    def moves(s):
        for word in range(words):
            for cell in bits(board[word] & ~(s.red[word] | s.blue[word])):
                yield WORD * word + cell

    def with_cell(members, cell):
        for word in range(words):
            members = replace(members, word, members[word] | itself[words * cell + word])
        return members

    def play(s, cell):
        own = with_cell(s.red if s.turn == MAX else s.blue, cell)
        links = 0
        for word in range(words):
            links |= beside[words * cell + word] & own[word] & s.joined[word]
        joined = extended(s.joined, cell, own) if links else s.joined
        return Board(own, s.blue, joined, MIN) if s.turn == MAX else Board(s.red, own, joined, MAX)

    def extended(joined, cell, own):
        """``joined`` with this cell and all stones of ``own`` connected to it."""
        joined, waiting, word = with_cell(joined, cell), with_cell(nowhere, cell), 0
        while word < words:
            if waiting[word] == 0:
                word += 1
                continue
            here = words * (WORD * word + lowest_bit(waiting[word]))
            waiting = replace(waiting, word, waiting[word] & (waiting[word] - 1))
            for other in range(words):
                found = beside[here + other] & own[other] & ~joined[other]
                waiting = replace(waiting, other, waiting[other] | found)
                joined = replace(joined, other, joined[other] | found)
            word = 0
        return joined

    def is_terminal(s):
        return s.joined[words - 1] & (red_wins | blue_wins) != 0

    def utility(s):
        return 1 if s.joined[words - 1] & red_wins else -1

    def key(s):
        """A hash of the turn and the stones; they determine ``joined``."""
        found = s.turn
        for word in range(words):
            found = mix(mix(found, s.red[word]), s.blue[word])
        return found

    def active(s, player):
        """The player's stones, then the opponent's. Blue's view is mirrored, so that both connect top and bottom."""
        for word in range(words):
            own, other = s.red[word] & board[word], s.blue[word] & board[word]
            if player == MIN:
                own, other = other, own
            for bit in bits(own):
                yield seen[cells * player + WORD * word + bit]
            for bit in bits(other):
                yield cells + seen[cells * player + WORD * word + bit]

    def phase(s):
        stones = 0
        for word in range(words):
            stones += popcount((s.red[word] | s.blue[word]) & board[word])
        return stones * PHASES // (cells + 1)

    # Notation and display

    names = [f"{chr(97 + cell % size)}{cell // size + 1}" for cell in range(cells)]

    def rows(s: Any) -> list[str]:
        """The rows from the top, with r, b or a dot for each cell."""
        places = [divmod(cell, WORD) for cell in range(cells)]
        marks = "".join("r" if s.red[w] >> i & 1 else "b" if s.blue[w] >> i & 1 else "." for w, i in places)
        return [marks[first : first + size] for first in range(0, cells, size)]

    def position(red: set[int], blue: set[int]) -> Any:
        """The State with these stones."""
        reds, blues = as_words(top, bottom, *red), as_words(left, right, *blue)
        joined = extended(extended(nowhere, top, reds), left, blues)
        return Board(reds, blues, joined, MAX if len(red) == len(blue) else MIN)

    def parse_state(text: str) -> Any:
        lines = text.lower().split("/")
        if len(lines) != size or any(len(line) != size or line.strip("rb.") for line in lines):
            raise ValueError(f"a board has {size} rows of {size} cells, each r, b or a dot, separated by '/'")
        red, blue = ({cell for cell, mark in enumerate("".join(lines)) if mark == colour} for colour in "rb")
        if len(red) - len(blue) not in (0, 1):
            raise ValueError(f"Red moves first, so there cannot be {len(red)} r and {len(blue)} b")
        s = position(red, blue)
        last = blue if s.turn == MAX else red
        if is_terminal(s) and all(is_terminal(position(red - {cell}, blue - {cell})) for cell in last):
            raise ValueError("the game was over before the last move")
        return s

    start = position(set(), set())
    return Game(
        "hex",
        Board,
        lambda: start,
        lambda s: s.turn,
        moves,
        play,
        utility,
        cells,
        actions=cells,
        is_terminal=is_terminal,
        key=key,
        active=active,
        active_features=2 * cells,
        max_active=cells,
        phase=phase,
        phases=PHASES,
        parse_move=lambda s, text: names.index(text.strip().lower()),
        format_move=lambda s, cell: names[cell],
        parse_state=parse_state,
        format_state=lambda s: "/".join(rows(s)),
        players=("Red", "Blue"),
        **drawing.board(size, names, rows),
        about=f"connect your two sides on {size}×{size}",
    )
