"""The layout of a kernel's memory: words at its head, then regions, all by name.

A memory is one row of 64-bit words. The first ones are a kernel's words: single numbers, such as a depth or a count.
They are followed by the position, the tables' addresses, and the kernel's regions. Everything is addressed by name:

>>> EXAMPLE = Words("games", "dice")
>>> GAMES, DICE = EXAMPLE
>>> EXAMPLE.place["dice"] == DICE == GAMES + 1
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zerosum.game import Game

HEADER = 64
"""Words before the position: the most that a kernel can name."""

LINE = 8
"""Words in a cache line of 64 bytes. Regions begin on a cache line, because vectors are loaded from them."""


class Words:
    """Names of the words at the head of a memory, in order. Iterating yields the indices of the new ones.

    A kernel that contains another kernel's code appends to its words: ``SEARCH.then("dice")``.
    """

    place: dict[str, int]

    def __init__(self, *names: str, after: Words | None = None) -> None:
        before = (COMMON if after is None else after).place
        if twice := [name for name in names if name in before or names.count(name) > 1]:
            raise ValueError(f"two words of one memory cannot both be called {twice[0]!r}")
        self.place = {**before, **{name: len(before) + i for i, name in enumerate(names)}}
        if len(self.place) > HEADER:
            raise ValueError(f"a memory has {HEADER} words before its position, not {len(self.place)}")
        self._own = range(len(before), len(self.place))

    def then(self, *names: str) -> Words:
        return Words(*names, after=self)

    def __iter__(self) -> Iterator[int]:
        return iter(self._own)

    def __repr__(self) -> str:
        return f"Words({', '.join(self.place)})"


class _First(Words):
    """The words that have the same meaning in all memories."""

    def __init__(self, *names: str) -> None:
        self.place = {name: i for i, name in enumerate(names)}
        self._own = range(len(names))


COMMON = _First("stop", "nodes", "node_limit", "error", "halt")
STOP, NODES, NODE_LIMIT, ERROR, HALT = COMMON
"""Stop now; positions visited; the most allowed; the error code; whether the caller has asked to stop.

A kernel that stops itself at a node limit, and continues with something else, clears STOP. Only HALT then shows that
the caller has asked it to stop too: no kernel ever clears HALT."""


class Region(NamedTuple):
    """A part of the memory: its name, and the number and width in bits of the numbers it holds."""

    name: str
    size: int
    bits: int = 64

    @property
    def words(self) -> int:
        return -(-self.size * self.bits // 64)


Regions = Callable[["Game"], Iterable[Region]]
"""The regions that a kernel needs for a game, in order."""


def no_regions(game: Game) -> Iterable[Region]:
    return ()


def width_of(game: Game) -> int:
    """The number of words for all moves of a position, or for all outcomes with their probabilities."""
    return max(game.max_moves, 2 * game.max_chances if game.has("chances") else 0)


class Plan:
    """The layout of a kernel's memory for one game: the index of each region, by name.

    >>> from zerosum.games import load
    >>> plan = Plan(load("tictactoe"), lambda game: [Region("buffer", 9), Region("sums", 40, bits=16)])
    >>> plan["sums"] - plan["buffer"], plan.words - plan["sums"]
    (16, 16)
    """

    def __init__(self, game: Game, regions: Regions = no_regions) -> None:
        size = game.state_type.size
        self.width = width_of(game)
        self.state = HEADER  # the position to work on
        self.faulty_state = self.state + size  # the position in which a rule went wrong
        self.tables = self.faulty_state + size  # the address of each table
        self.spare = self.tables + len(game.tables or ())  # a buffer for testing whether there are any moves
        self.head = self.words = _aligned(self.spare + (game.max_moves if game.has("clock") else 0))
        self._regions: dict[str, int] = {}
        for region in regions(game):
            self._regions[region.name] = self.words
            self.words = _aligned(self.words + region.words)

    def __getitem__(self, region: str) -> int:
        return self._regions[region]


def _aligned(words: int) -> int:
    return -(-words // LINE) * LINE
