"""A game of chess as PGN holds it: tags, a tree of moves, comments and glyphs. Reading and writing are next door."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from zerosum.game import Game
from zerosum.games import load
from zerosum.games.chess.play import complete
from zerosum.games.chess.tables import default_tables

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

# The seven tags that every game has in the export format, in their order, with what stands for "not known".
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}

# Variations inside variations: nobody needs more, and comparing trees recurses.
MAX_NESTING = 100

NULL_MOVE = -1
"""What stands for ``--``, a pass in an annotator's variation; it is not a move of the game."""

REMEMBERED = 8192
"""How many positions are kept: games of one file share their openings, and plain Python is slow at playing moves."""

COMMAND = re.compile(r"\[%(\w+)(?:\s+([^\]]*))?\]")


@dataclass
class PgnMove:
    """A move with what an annotator wrote about it, and the lines that could have been played instead."""

    move: int
    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    variations: list[Variation] = field(default_factory=list)

    def command(self, name: str) -> str | None:
        """The value of a command such as ``[%clk 0:03:00]`` in the comments.

        >>> PgnMove(0, comments=["[%clk 0:03:00] [%eval 0.24] solid"]).command("eval")
        '0.24'
        """
        for comment in self.comments:
            for found in COMMAND.finditer(comment):
                if found[1] == name:
                    return (found[2] or "").strip()
        return None

    def set_command(self, name: str, value: str) -> None:
        """Put a command into the comments, instead of one of the same name.

        >>> move = PgnMove(0, comments=["[%clk 0:03:00] solid"])
        >>> move.set_command("clk", "0:02:58"); move.comments
        ['[%clk 0:02:58] solid']
        """
        text = f"[%{name} {value}]"
        for number, comment in enumerate(self.comments):
            for found in COMMAND.finditer(comment):
                if found[1] == name:
                    self.comments[number] = comment[: found.start()] + text + comment[found.end() :]
                    return
        self.comments.insert(0, text)

    @property
    def clock(self) -> float | None:
        """Seconds left on the clock after the move, from ``[%clk h:mm:ss]``.

        >>> PgnMove(0, comments=["[%clk 1:02:03.5]"]).clock
        3723.5
        """
        text = self.command("clk")
        if text is None or not re.fullmatch(r"(?:\d+:){0,2}\d+(?:\.\d+)?", text, re.ASCII):
            return None
        seconds = 0.0
        for part in text.split(":"):
            seconds = 60 * seconds + float(part)
        return seconds


@dataclass
class Variation:
    """A line of moves: comments before the first one, the moves, and the result if one stands there."""

    before: list[str] = field(default_factory=list)
    moves: list[PgnMove] = field(default_factory=list)
    result: str = ""


@dataclass
class PgnGame:
    """One game of a PGN file.

    ``start`` is the State it begins from, ``main`` the line that was played; ``result`` is how it ended.
    ``escapes`` are the lines that began with ``%``; ``line`` says where in its file the game begins.
    """

    tags: dict[str, str] = field(default_factory=dict)
    start: Any = None
    main: Variation = field(default_factory=Variation)
    escapes: list[str] = field(default_factory=list)
    line: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if self.start is None:
            self.start = chess().start()

    @property
    def result(self) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2`` or ``*``: what stands behind the moves, else what the tag says."""
        tag = self.tags.get("Result", "*")
        return self.main.result or (tag if tag in RESULTS else "*")

    @property
    def moves(self) -> list[int]:
        """The moves that were played."""
        return [node.move for node in self.main.moves]

    def positions(self) -> Iterator[tuple[Any, int]]:
        """Each position of the main line with the move played there."""
        s = self.start
        for node in self.main.moves:
            yield s, node.move
            s = after(s, node.move)


@cache
def chess() -> Game:
    """The rules."""
    return load("chess")


@lru_cache(REMEMBERED)
def after(s: Any, move: int) -> Any:
    """The position after a move, which may be a pass."""
    if move != NULL_MOVE:
        return chess().play(s, move)
    # Not the rules' own skip, which serves the search and refuses where passing would mislead it.
    passed = s._replace(turn=1 - s.turn, en_passant=0, clock=s.clock + 1, number=s.number + s.turn)
    return complete(passed, default_tables())


def can_pass(s: Any) -> bool:
    """Whether ``--`` makes sense here: not in check."""
    return not chess().is_forced(s)
