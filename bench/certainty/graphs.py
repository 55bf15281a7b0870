"""Random graphs as games: positions are numbers, and everything about them is in tables.

All graphs of a kind share one compiled kernel, so thousands of games can be searched in a second.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from zerosum.contract import OPTIONAL
from zerosum.game import Game

NODES, MOVES = 32, 4
LOWERS = -1
"""In ``resets``: the move lowers the clock by one."""

HAS_CLOCK = "clock" in OPTIONAL
"""Older versions had no rule for clocks: there ``is_terminal`` and ``utility`` handle them."""


@dataclass(frozen=True)
class Kind:
    """The properties shared by all graphs of a class; each combination is compiled once."""

    name: str
    scored: bool = False
    repetition: int = 0
    clocked: bool = False
    cyclic: bool = True
    database: bool = False
    listed: bool = False  # ``moves`` returns a list instead of yielding
    largest: int = 16

    @property
    def remembers(self) -> bool:
        """Whether the positions before the root matter."""
        return self.repetition > 0


KINDS = {
    kind.name: kind
    for kind in (
        Kind("trees", cyclic=False),
        Kind("trees-scored", scored=True, cyclic=False),
        Kind("cycles"),
        Kind("cycles-scored", scored=True),
        Kind("twofold", repetition=2, largest=8),
        Kind("threefold", repetition=3, largest=7),
        Kind("twofold-scored", repetition=2, scored=True, largest=8),
        Kind("threefold-scored", repetition=3, scored=True, largest=7),
        Kind("clock", clocked=True),
        Kind("clock-twofold", clocked=True, repetition=2, largest=8),
        Kind("clock-threefold", clocked=True, repetition=3, largest=6),
        Kind("database", database=True),
        Kind("database-clock", database=True, clocked=True),
        Kind("database-clock-threefold", database=True, clocked=True, repetition=3, largest=6),
        Kind("listed-moves", listed=True, cyclic=False),
    )
}


@dataclass(frozen=True)
class Graph:
    """A game graph as plain lists, one item for each position; it can be written as JSON.

    Optional lists have defaults: see ``complete``.
    """

    turns: list[int]
    successors: list[list[int]]
    utilities: list[int]
    ended: list[int] = field(default_factory=list)  # finished according to ``is_terminal``, whatever its moves
    guesses: list[int] = field(default_factory=list)
    resets: list[list[int]] = field(default_factory=list)  # the new clock of each move, or LOWERS
    noisy: list[list[int]] = field(default_factory=list)
    order: list[list[int]] = field(default_factory=list)
    cautious: list[list[int]] = field(default_factory=list)  # called reversible although it is not
    forced: list[int] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)  # where a null move leads
    slack: list[list[int]] = field(default_factory=list)  # how far ``bounds`` are from the truth
    twisted: list[list[int]] = field(default_factory=list)  # if given, each position has a mirror image
    tiers: list[int] = field(default_factory=list)  # tier in the database, -1 outside
    dated: int = 1  # the database has distances
    longest: int = 1  # the longest clock

    @property
    def size(self) -> int:
        return len(self.turns)


class Place(NamedTuple):
    node: int
    clock: int


class Tables(NamedTuple):
    turns: Any
    counts: Any
    successors: Any
    utilities: Any
    ended: Any
    guesses: Any
    resets: Any
    noisy: Any
    order: Any
    reversible: Any
    forced: Any
    passed: Any
    low: Any
    high: Any
    mirror: Any
    keys: Any
    tiers: Any


def initial():
    return Place(0, 1)


def to_move(s, t):
    return int(t.turns[s.node])


def moves(s, t):
    for move in range(t.counts[s.node]):
        yield move


def listed_moves(s, t):
    return [move for move in range(t.counts[s.node])]  # noqa: C416, as a newcomer writes it


def play(s, move, t):
    reset = int(t.resets[s.node, move])
    return Place(int(t.successors[s.node, move]), s.clock - 1 if reset < 0 else reset)


def utility(s, t):
    return int(t.utilities[s.node])


def is_terminal(s, t):
    return t.ended[s.node] != 0


def evaluate(s, t):
    return int(t.guesses[s.node])


def noisy_moves(s, t):
    for move in range(t.counts[s.node]):
        if t.noisy[s.node, move] != 0:
            yield move


def order(s, move, t):
    return int(t.order[s.node, move])


def is_forced(s, t):
    return t.forced[s.node] != 0


def skip(s, t):
    return Place(int(t.passed[s.node]), s.clock)


def reversible(s, move, t):
    return t.reversible[s.node, move] != 0


def bounds(s, t):
    return int(t.low[s.node]), int(t.high[s.node])


def canonical(s, t):
    return Place(int(t.mirror[s.node]), s.clock)


def key(s, t):
    return int(t.keys[s.node])


def clock(s):
    return s.clock


def old_is_terminal(s, t):
    return t.ended[s.node] != 0 or (s.clock <= 0 and t.counts[s.node] > 0)


def old_utility(s, t):
    if t.ended[s.node] == 0 and s.clock <= 0 and t.counts[s.node] > 0:
        return 0
    return int(t.utilities[s.node])


@cache
def template(kind: Kind) -> Game:
    """Return the game of a kind, with empty tables of the right shape."""
    optional: dict[str, Any] = {
        "is_terminal": is_terminal,
        "evaluate": evaluate,
        "noisy_moves": noisy_moves,
        "order": order,
        "is_forced": is_forced,
        "skip": skip,
        "bounds": bounds,
        "key": key,
        "scored": kind.scored,
        "repetition": kind.repetition,
    }
    end = utility
    if kind.repetition:
        optional["reversible"] = reversible
    else:
        optional["canonical"] = canonical
    if kind.clocked and HAS_CLOCK:
        optional["clock"] = clock
    elif kind.clocked:
        optional["is_terminal"], end = old_is_terminal, old_utility
    if kind.database:
        optional |= {
            "tiers": lambda n: [(f"tier {i}", NODES) for i in range(n)],
            "tier": lambda s, t: int(t.tiers[s.node]),
            "rank": lambda s: s.node,
            "unrank": lambda tier, index: Place(index, 0),
        }
    row, square = np.zeros(NODES, np.int64), np.zeros((NODES, MOVES), np.int64)
    tables = Tables(*(square if field in SQUARES else row for field in Tables._fields))
    choose = listed_moves if kind.listed else moves
    return Game(f"graph-{kind.name}", Place, initial, to_move, choose, play, end, MOVES, tables=tables, **optional)


SQUARES = ("successors", "resets", "noisy", "order", "reversible")


def complete(graph: Graph) -> Graph:
    """Return the graph with every list; omitted ones get their defaults."""
    shape = [len(row) for row in graph.successors]
    plain: dict[str, list[Any]] = {
        "ended": [0] * graph.size,
        "guesses": [0] * graph.size,
        "resets": [[LOWERS] * count for count in shape],
        **{name: [[0] * count for count in shape] for name in ("noisy", "order", "cautious")},
        "forced": [0] * graph.size,
        "passed": [0] * graph.size,
        "slack": [[2, 2]] * graph.size,
        "tiers": [-1] * graph.size,
    }
    return replace(graph, **{name: default for name, default in plain.items() if not getattr(graph, name)})


def expanded(graph: Graph) -> Graph:
    """Return the complete graph, with a mirror image of each position if it has any: 2n and 2n + 1 stand for n."""
    graph = complete(graph)
    if not graph.twisted:
        return graph
    twice: dict[str, list[Any]] = {}
    for name in ("turns", "utilities", "ended", "guesses", "forced", "slack", "tiers", "noisy", "order", "resets"):
        twice[name] = [item for item in getattr(graph, name) for _ in (0, 1)]
    twice["cautious"] = [row for row in graph.cautious for _ in (0, 1)]
    twice["passed"] = [2 * item + side for item in graph.passed for side in (0, 1)]
    twice["successors"] = [
        [2 * to + (side ^ twist) for to, twist in zip(row, twists, strict=True)]
        for row, twists in zip(graph.successors, graph.twisted, strict=True)
        for side in (0, 1)
    ]
    return replace(graph, twisted=[], **twice)


def is_way_back(graph: Graph) -> list[list[bool]]:
    """Return for each move whether play can return to the position where it was made."""
    reach = [set(row) for row in graph.successors]
    for _ in range(graph.size):
        reach = [here.union(*(reach[to] for to in here)) for here in reach]
    return [[node in reach[to] or to == node for to in row] for node, row in enumerate(graph.successors)]


def random_graph(kind: Kind, rng: Random) -> Graph:
    """Return a graph with ends, stalemates, passes, players who move twice, and cycles if the kind has them."""
    size = rng.randint(3, kind.largest)
    twofold = not kind.repetition and rng.random() < 0.3
    turns = [rng.randint(0, 1) for _ in range(size)]
    successors = _successors(kind, rng, turns)
    best = 5 if kind.scored else 1
    shape = [len(row) for row in successors]
    graph = Graph(
        turns,
        successors,
        [rng.randint(-best, best) for _ in range(size)],
        [int(rng.random() < 0.05) for _ in range(size)],
        [rng.randint(-4, 4) for _ in range(size)],
        [],
        _squares(shape, lambda: rng.randint(0, 1)),
        _squares(shape, lambda: rng.randint(-2, 2)),
        _squares(shape, lambda: int(rng.random() < 0.3)),
        [int(rng.random() < 0.2) for _ in range(size)],
        [rng.randrange(size) for _ in range(size)],
        [[rng.randint(0, 2), rng.randint(0, 2)] for _ in range(size)],
        _squares(shape, lambda: rng.randint(0, 1)) if twofold else [],
        [rng.randint(-1, 1) for _ in range(size)],
        rng.randint(0, 1),
    )
    if not kind.clocked:
        return graph
    longest = rng.randint(2, 6)
    return replace(graph, longest=longest, resets=_resets(kind, rng, graph, longest))


def _successors(kind: Kind, rng: Random, turns: list[int]) -> list[list[int]]:
    """Return the moves of all positions; with few moves and few ends, wins are far away."""
    size = len(turns)
    again = rng.choice((0.0, 0.2, 0.5))  # how often a player moves twice
    finished = rng.choice((0.0, 0.1, 0.2))
    width = rng.randint(2, MOVES)
    rows = []
    for node in range(size):
        first = 0 if kind.cyclic else node + 1
        choices = [to for to in range(first, size) if turns[to] != turns[node] or rng.random() < again]
        rng.shuffle(choices)
        over = node >= size - 2 or rng.random() < finished
        rows.append([] if over else choices[: rng.randint(1, width)])
    return rows


def _squares(shape: list[int], draw: Any) -> list[list[int]]:
    return [[draw() for _ in range(count)] for count in shape]


def _resets(kind: Kind, rng: Random, graph: Graph, longest: int) -> list[list[int]]:
    """Return the new clock of each move: moves that reset it set it to the longest, so that none shortens it.

    A game with repetition resets it only where no earlier position can come back; otherwise a way to win could reset
    the clock by a round trip to where it began.
    """
    often = rng.choice((0.1, 0.3, 0.6))
    return [
        [longest if not (kind.repetition and returns) and rng.random() < often else LOWERS for returns in row]
        for row in is_way_back(graph)
    ]
