"""Evaluations by patterns, in whole numbers, made for search.

A cell of a game's ``patterns`` has a kind: k if feature ``cell + cells * (k - 1)`` is active in the mover's view, or 0.
The kinds of an instance's cells are the digits of its index, and each index of its family has a weight, by phase:

    value = scale × (last[phase] + the sum over all instances of weights[phase][family][index]), for the side to move

An index is a sum too: each active feature adds its digit to the indices of the instances that its cell is in. So a
fixed first layer makes the indices, one 16-bit sum for each instance, and a search keeps them from ply to ply as it
keeps the sums of a network (``networks/sparse.py``, ``search/judging.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zerosum.errors import GameError
from zerosum.game import MAX, Game
from zerosum.jit.words import LANES, SCRATCH, scratch_shorts, scratch_words, shorts_of, whole
from zerosum.networks.sparse import SparseShape, describing, summing
from zerosum.patterns import MOST_CASES, Family, Patterns, family

ONE = 1 << 12
"""What 1 is in the sum of weights."""


@dataclass(frozen=True)
class PatternShape:
    """Which patterns there are, and how many weights: all that is compiled in.

    >>> shape = PatternShape(cells=9, kinds=2, phases=2, patterns=(((0, 1, 2), (6, 7, 8)), ((4,),)))
    >>> shape.instances, shape.table, shape.size, shape.hidden
    (((0, 1, 2), (6, 7, 8), (4,)), 30, 60, 16)

    Weights that are always the same, because a pattern can be read in several ways, are one number of the row:

    >>> PatternShape(cells=9, kinds=2, phases=1, patterns=(((0, 1, 2), (2, 1, 0)),)).size
    18
    """

    named: ClassVar[str] = "patterns"
    setting: ClassVar[str] = "patterns"  # that of a game which ships weights for them

    cells: int
    kinds: int
    phases: int
    patterns: Patterns

    views: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.hidden > SCRATCH:
            raise GameError(f"patterns have at most {SCRATCH} instances, not {len(self.instances)}")

    @classmethod
    def of(cls, game: Game) -> PatternShape:
        """That of the game's patterns."""
        if not game.patterns:
            raise GameError(f"an evaluation by patterns needs patterns, which {game.name} does not define")
        return cls(game.cells, game.active_features // game.cells, game.phases, game.patterns)

    @property
    def features(self) -> int:
        return self.cells * self.kinds

    @property
    def words(self) -> int:
        """Words of a row with a bit for each feature, and one that is always set."""
        return self.features // 64 + 1

    @property
    def base(self) -> int:
        return self.kinds + 1

    @cached_property
    def families(self) -> tuple[Family, ...]:
        return tuple(family(instances) for instances in self.patterns)

    @cached_property
    def instances(self) -> tuple[tuple[int, ...], ...]:
        return tuple(cells for one in self.families for cells in one.instances)

    @property
    def hidden(self) -> int:
        """Sums that are kept: one for each instance, in whole lanes."""
        return -(-len(self.instances) // LANES) * LANES

    @property
    def cases(self) -> list[int]:
        """How many indices each family has."""
        return [self.base**one.length for one in self.families]

    @property
    def table(self) -> int:
        """Weights of a phase that can be looked up: the tables of all families, one after the other."""
        return sum(self.cases)

    @property
    def size(self) -> int:
        """Numbers of the row: for each phase the different weights of each family, in the order of their indices."""
        return self.phases * sum(self.weights)

    @cached_property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Where the table of each instance begins in that of a phase."""
        begins = np.cumsum([0, *self.cases[:-1]])
        return np.repeat(begins, [len(one.instances) for one in self.families])

    @cached_property
    def digits(self) -> npt.NDArray[np.uint16]:
        """The first layer: what each feature adds to each index. The last row is that of the bit that is always set."""
        rows = np.zeros((self.features + 1, self.hidden), np.uint16)
        for i, instance in enumerate(self.instances):
            for place, cell in enumerate(instance):
                for kind in range(1, self.base):
                    rows[cell + self.cells * (kind - 1), i] = kind * self.base**place
        return rows

    @cached_property
    def ranks(self) -> tuple[npt.NDArray[np.int64], ...]:
        """For each family, which of its weights each index has: the same one however the pattern is read."""
        found = []
        for one, cases in zip(self.families, self.cases, strict=True):
            worth = [self.base**place for place in range(one.length)]
            digits = [np.arange(cases) // unit % self.base for unit in worth]
            ways = [sum(digits[place] * unit for place, unit in zip(way, worth, strict=True)) for way in one.turns]
            found.append(np.unique(np.min(ways, axis=0), return_inverse=True)[1].reshape(-1))
        return tuple(found)

    @property
    def weights(self) -> list[int]:
        """How many different weights each family has in a phase."""
        return [int(ranks.max()) + 1 for ranks in self.ranks]

    def tables(self, numbers: Any, last: Any) -> dict[str, Any]:
        """The game's tables by which ``evaluation`` judges: first layer and weights, then last numbers and offsets.

        The weights are followed by room: a game whose ``active`` gives one cell two kinds gets senseless indices, which
        must not lead out of the table.
        """
        parts = np.split(numbers.reshape(self.phases, -1), np.cumsum(self.weights)[:-1], axis=1)
        weights = np.concatenate([part[:, ranks] for part, ranks in zip(parts, self.ranks, strict=True)], axis=1)
        room = np.zeros(MOST_CASES, np.int16)
        row = np.concatenate([self.digits.view(np.int16).ravel(), weights.ravel(), room])
        return {"network": row, "network_last": np.concatenate([last, self.offsets])}


AnyShape = SparseShape | PatternShape
"""What a search keeps sums of."""


def looking_up(shape: PatternShape) -> Any:
    """The function ``value(sums, weights, ends, phase)`` for the side to move, given the indices of all instances."""
    first, table, phases, instances = (
        (shape.features + 1) * shape.hidden,
        shape.table,
        shape.phases,
        len(shape.instances),
    )

    def value(sums, weights, ends, phase):
        at, total = first + phase * table, whole(ends[phase])
        for i in range(instances):
            total += whole(weights[at + whole(ends[phases + 1 + i]) + (whole(sums[i]) & (MOST_CASES - 1))])
        return total * whole(ends[phases]) // ONE

    return value


def evaluation(game: Game, shape: PatternShape) -> Any:
    """``evaluate(s, t)`` by the patterns in ``t.network`` and ``t.network_last``, every index made from nothing.

    ``zerosum_shape`` of the function tells searches that indices can be kept.
    """
    to_move, _, phase_of, adjust = describing(game)
    add_up, value, phases = summing(game, shape), looking_up(shape), shape.phases

    def evaluate(s, t):
        row, sums, weights = scratch_words(), scratch_shorts(), shorts_of(t.network)
        mover, phase = whole(to_move(s, t)), min(max(whole(phase_of(s, t)), 0), phases - 1)
        add_up(s, mover, t, row, sums, weights)
        found = value(sums, weights, t.network_last, phase)
        return whole(adjust(s, found if mover == MAX else -found, t))

    evaluate.zerosum_shape = shape  # type: ignore[attr-defined]
    return evaluate
