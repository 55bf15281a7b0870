"""Games together with the truth about them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np

from certainty.claims import Claim, Truth, entry_claim, exactly
from certainty.graph_truth import BEYOND, outcome_rows, with_past, without_past
from certainty.graphs import (
    KINDS,
    MOVES,
    NODES,
    SQUARES,
    Graph,
    Kind,
    Place,
    Tables,
    expanded,
    is_way_back,
    template,
)
from zerosum import Proof
from zerosum.engine import Engine
from zerosum.errors import OutsideDatabase
from zerosum.game import MAX, WIN, Game, Line
from zerosum.jit.row import Row
from zerosum.jit.target import target_of
from zerosum.search.memory import TABLE, TABLE_MASK
from zerosum.search.table import probe
from zerosum.solved_tiers import DRAW, LOSS, UNKNOWN, VICTORY, Directory


class World:
    """A game, its exact values, and the positions whose table entries are checked."""

    game: Game
    walks = 8
    """Random continuations along which entries of the table are looked up."""

    def truth(self, line: Line) -> Truth | None:
        """Return the value of the line's last position, given its past; None if not known."""
        return self.alone(line.state)

    def alone(self, s: Any) -> Truth | None:
        """Return the value of a position without a past; None if not known."""
        raise NotImplementedError

    def is_drawn(self, line: Line) -> bool:
        """Return whether the last position of the line is drawn by repetition."""
        times = self.game.repetition
        if not times or len(line) == 0:
            return False
        key = self.game.key(line.state)
        return sum(self.game.key(s) == key for s in line.states) >= times

    def database(self) -> Any:
        """Return the solved endings for the engine, or None."""
        return None

    def entries(self, engine: Engine, line: Line, rng: Random) -> Iterator[tuple[Any, Claim]]:
        """Yield proven entries of the table: here, of positions along random continuations of the line."""
        game, seen = self.game, set()
        for _ in range(self.walks):
            s = line.state
            for _ in range(16):
                legal = game.legal_moves(s)
                if not legal:
                    break
                if s not in seen:
                    seen.add(s)
                    claim = entry_claim(engine.known(s))
                    if claim is not None:
                        yield s, claim
                s = game.successor(s, rng.choice(legal))


class GraphWorld(World):
    """A graph with its values by position, clock and past."""

    def __init__(self, kind: str, graph: Graph, quick: bool = True) -> None:
        self.kind, self.graph = KINDS[kind], expanded(graph)
        self.values = solved(self.kind, self.graph, quick)
        tables = tables_of(self.kind, self.graph, self.values, mirrored=bool(graph.twisted))
        self.game = template(self.kind).with_(tables=tables)
        self._quick = quick
        self._seen: dict[int, int] = {}

    @property
    def clocks(self) -> range:
        return range(1, self.graph.longest + 1) if self.kind.clocked else range(1)

    def start(self, node: int, clock: int) -> Place:
        return Place(node, clock if self.kind.clocked else 0)

    def truth(self, line: Line) -> Truth:
        s, times = line.state, self.kind.repetition
        if not times:
            return self._cell(s)
        counts = [0] * self.graph.size
        for past in line.states:
            counts[past.node] = min(counts[past.node] + 1, times - 1)
        number = sum(count * times**node for node, count in enumerate(counts))
        return exactly(int(self.values[number, s.node, s.clock]))

    def alone(self, s: Place) -> Truth:
        times = self.kind.repetition
        return exactly(int(self.values[times**s.node, s.node, s.clock])) if times else self._cell(s)

    def _cell(self, s: Place) -> Truth:
        low, high = self.values[:, s.node, s.clock]
        return Truth(int(low), int(high))

    def is_drawn(self, line: Line) -> bool:
        times = self.kind.repetition
        return 0 < times <= sum(s.node == line.state.node for s in line.states) and len(line) > 0

    def entries(self, engine: Engine, line: Line, rng: Random) -> Iterator[tuple[Any, Claim]]:
        """Yield entries of all positions, at every clock, that have changed since the last call."""
        if isinstance(engine.algorithm, Proof):
            for s in (Place(node, clock) for node in range(self.graph.size) for clock in self.clocks):
                claim = entry_claim(engine.known(s))
                if claim is not None:
                    yield s, claim
            return
        words = engine._searcher._table.words
        if words is None:
            return
        memory = {TABLE: words, TABLE_MASK: engine._searcher._table.mask}
        keys = self.game.tables.keys
        for node in range(self.graph.size):
            data = int(probe(int(keys[node]), memory))
            if not data or self._seen.get(node) == data:
                continue
            self._seen[node] = data
            for clock in self.clocks:
                s = Place(node, clock)
                claim = entry_claim(engine.known(s))
                if claim is not None:
                    yield s, claim

    def database(self) -> Any:
        return GraphDatabase(self.game, self.kind, self.graph, self._quick) if self.kind.database else None


class GraphDatabase:
    """The interface of a Database for the engine, made from the values of a graph without clock and past."""

    def __init__(self, game: Game, kind: Kind, graph: Graph, quick: bool) -> None:
        self.game, self.directory, self.has_distance = game, "memory", bool(graph.dated)
        values = solved(Kind("plain"), graph, quick)[0, :, 0]
        self._tiers = graph.tiers
        self._rows = []
        for tier in (0, 1):
            verdicts, distances = [UNKNOWN] * NODES, [0] * NODES
            for node, value in enumerate(values.tolist()):
                if graph.tiers[node] == tier:
                    sign = 1 if graph.turns[node] == MAX else -1
                    verdicts[node] = DRAW if value == 0 else VICTORY if sign * value > 0 else LOSS
                    distances[node] = 0 if value == 0 else WIN - abs(value)
            self._rows.append((verdicts, distances))

    def place(self, s: Place) -> tuple[int, int]:
        if self._tiers[s.node] < 0:
            raise OutsideDatabase(f"the database does not contain {s}")
        return self._tiers[s.node], s.node

    def load(self, jit: bool = True, limit_mb: float | None = None, on_progress: Any = None) -> Directory:
        directory = Directory(len(self._rows), target_of(jit))
        for tier, (verdicts, distances) in enumerate(self._rows):
            dates = _packed(distances, 16, jit) if self.has_distance else None
            directory.put(tier, NODES, _packed(verdicts, 2, jit), dates)
        return directory


def _packed(numbers: list[int], bits: int, jit: bool) -> Row:
    """Pack small numbers into words, the first in the lowest bits."""
    each = 64 // bits
    words = [
        sum(number << bits * i for i, number in enumerate(numbers[at : at + each]))
        for at in range(0, len(numbers), each)
    ]
    return Row.of(np.array(words, np.uint64).view(np.int64), target_of(jit))


@cache
def _compiled(function: Any) -> Any:
    from numba import njit

    return njit(function)


def solved(kind: Kind, graph: Graph, quick: bool) -> Any:
    """Return all values by past, position and clock; without repetition, the least and most by position and clock."""
    rows = _arrays(graph)
    ends = rows["ended"].astype(bool) | (rows["counts"] == 0)
    outcomes = outcome_rows(rows["utilities"], kind.scored)
    clocks = graph.longest if kind.clocked else 0
    facts = (rows["successors"], rows["counts"], rows["turns"], ends, outcomes, rows["resets"], clocks)
    if kind.repetition:
        function = _compiled(with_past) if quick else with_past
        return function(*facts, kind.clocked, kind.scored, kind.repetition)
    function = _compiled(without_past) if quick else without_past
    if not kind.scored:
        values = function(*facts, kind.clocked, False, 0)
        return np.stack([values, values])
    low, high = (function(*facts, kind.clocked, True, start) for start in (-BEYOND, BEYOND))
    # Endless play may have the value of any reachable end.
    least, most = _reachable(graph, ends, outcomes)
    return np.stack([np.maximum(low, least[:, None]), np.minimum(high, most[:, None])])


def _reachable(graph: Graph, ends: Any, outcomes: Any) -> tuple[Any, Any]:
    """Return the least and the most of all ends that are reachable from each position."""
    least, most = np.full(graph.size, BEYOND), np.full(graph.size, -BEYOND)
    for _ in range(graph.size + 1):
        for node, row in enumerate(graph.successors):
            if ends[node]:
                least[node] = most[node] = outcomes[node]
            else:
                least[node] = min(least[to] for to in row)
                most[node] = max(most[to] for to in row)
    never = least > most  # no end at all can be reached
    least[never], most[never] = -BEYOND, BEYOND
    return least, most


def _arrays(graph: Graph) -> dict[str, Any]:
    size = graph.size
    rows: dict[str, Any] = {}
    for name in ("turns", "utilities", "ended"):
        rows[name] = np.array(getattr(graph, name), np.int64)
    rows["counts"] = np.array([len(row) for row in graph.successors], np.int64)
    for name in ("successors", "resets"):
        square = np.zeros((size, MOVES), np.int64)
        for node, row in enumerate(getattr(graph, name)):
            square[node, : len(row)] = row
        rows[name] = square
    return rows


def tables_of(kind: Kind, graph: Graph, values: Any, mirrored: bool) -> Tables:
    """Return the graph as the game's tables, with sound bounds and truly irreversible moves."""
    back = is_way_back(graph)
    mirror = [node & ~1 if mirrored else node for node in range(NODES)]
    low, high = _bounds(kind, graph, values)
    lists: dict[str, list[Any]] = {
        **{name: list(getattr(graph, name)) for name in Tables._fields if hasattr(graph, name)},
        "counts": [len(row) for row in graph.successors],
        "resets": graph.resets if kind.clocked else [[0] * len(row) for row in graph.successors],
        "reversible": [
            [int(way or careful) for way, careful in zip(ways, row, strict=True)]
            for ways, row in zip(back, graph.cautious, strict=True)
        ],
        # Noisy moves must not form cycles: quiescence search follows them without a horizon.
        "noisy": [
            [int(loud and not way) for way, loud in zip(ways, row, strict=True)]
            for ways, row in zip(back, graph.noisy, strict=True)
        ],
        "low": low,
        "high": high,
        "mirror": mirror,
        "keys": KEYS,
    }
    rows = []
    for name in Tables._fields:
        shape = (NODES, MOVES) if name in SQUARES else (NODES,)
        array = np.full(shape, -1 if name == "tiers" else 0, np.int64)
        for node, item in enumerate(lists[name]):
            if name in SQUARES:
                array[node, : len(item)] = item
            else:
                array[node] = item
        rows.append(array)
    return Tables(*rows)


KEYS = [int(word) for word in np.random.default_rng(2024).integers(-(2**63), 2**63, NODES)]


def _bounds(kind: Kind, graph: Graph, values: Any) -> tuple[list[int], list[int]]:
    """Return for each position a lower and an upper bound of its value, whatever its past and clock."""
    lows, highs = [], []
    for node, (below, above) in enumerate(graph.slack):
        if kind.repetition:
            times = kind.repetition
            occurred = np.arange(len(values)) // times**node % times > 0
            cells = values[occurred, node, 1 if kind.clocked else 0 :]
        else:
            cells = values[:, node, 1 if kind.clocked else 0 :]
        least, most = int(cells.min()), int(cells.max())
        if kind.scored:
            lows.append(least - below)
            highs.append(most + above)
        elif kind.repetition or kind.clocked or below == 2:
            lows.append(_sign(least) - below)
            highs.append(_sign(most) + above)
        else:
            # With the distance, or a bound on it.
            lows.append(least - below if least else -below)
            highs.append(min(most + above, WIN) if most else above)
    return lows, highs


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def from_graph(graph: Graph) -> dict[str, Any]:
    """Return the graph for JSON: the lists that were not omitted."""
    plain = {"dated": 1, "longest": 1}
    return {name: value for name, value in vars(graph).items() if value != [] and value != plain.get(name)}
