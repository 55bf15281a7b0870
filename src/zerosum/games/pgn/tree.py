"""An annotated game: tags, a tree of moves, comments and glyphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from zerosum.game import Game

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

# The seven tags that every game has in the export format, in order, with the values for "unknown".
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}

# A limit on nested variations, because comparing trees recurses.
MAX_NESTING = 100

COMMAND = re.compile(r"\[%(\w+)(?:\s+([^\]]*))?\]")


@dataclass
class PgnMove:
    """A move with its annotations, and the alternatives to it."""

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
        """Put a command into the comments, replacing one of the same name.

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
        """The seconds left on the clock after the move, from ``[%clk h:mm:ss]``.

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
    """A line of moves: the comments before the first move, the moves, and the result if one is given."""

    before: list[str] = field(default_factory=list)
    moves: list[PgnMove] = field(default_factory=list)
    result: str = ""


@dataclass
class AnnotatedGame:
    """A game in a file; its subclasses PgnGame and PdnGame define the rules.

    ``start`` is the first State, ``main`` the line that was played, and ``result`` how it ended. ``escapes`` are the
    lines that began with ``%``; ``line`` is the number of the game's first line in its file.
    """

    tags: dict[str, str] = field(default_factory=dict)
    start: Any = None
    main: Variation = field(default_factory=Variation)
    escapes: list[str] = field(default_factory=list)
    line: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if self.start is None:
            self.start = self.rules().start()

    @staticmethod
    def rules() -> Game:
        """The rules of the game."""
        raise NotImplementedError

    @classmethod
    def after(cls, s: Any, move: int) -> Any:
        """The position after a move."""
        return cls.rules().play(s, move)

    @property
    def result(self) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2`` or ``*``: the result after the moves, otherwise the one in the tag."""
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
            s = self.after(s, node.move)
