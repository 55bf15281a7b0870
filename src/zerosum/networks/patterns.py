"""Pattern evaluations in whole numbers, designed for search.

A cell of a game's ``patterns`` has a kind: k if feature ``cell + cells * (k - 1)`` is active in the mover's view, or 0.
The kinds of an instance's cells are the digits of its index, and each index of its family has a weight for each phase:

    value = scale × (last[phase] + the sum over all instances of weights[phase][family][index]), for the side to move

An index is a sum too: each active feature adds its digit to the indices of the instances that contain its cell. So a
fixed first layer computes the indices, one 16-bit sum for each instance, and a search updates them from ply to ply just
as it updates the sums of a network (``networks/sparse.py``, ``search/incremental_evaluation.py``).
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
"""The representation of 1 in the sum of weights."""


@dataclass(frozen=True)
class PatternShape:
    """The patterns and the number of weights: everything that is compiled in.

    >>> shape = PatternShape(cells=9, kinds=2, phases=2, patterns=(((0, 1, 2), (6, 7, 8)), ((4,),)))
    >>> shape.instances, shape.table, shape.size, shape.hidden
    (((0, 1, 2), (6, 7, 8), (4,)), 30, 60, 16)

    Weights that must be equal, because a pattern can be read in several ways, share one number of the row:

    >>> PatternShape(cells=9, kinds=2, phases=1, patterns=(((0, 1, 2), (2, 1, 0)),)).size
    18
    """

    named: ClassVar[str] = "patterns"
    setting: ClassVar[str] = "patterns"  # the parameter of games that ship weights for them

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
        """Return the shape of the game's patterns."""
        if not game.patterns:
            raise GameError(f"an evaluation by patterns needs patterns, which {game.name} does not define")
        return cls(game.cells, game.active_features // game.cells, game.phases, game.patterns)

    @property
    def features(self) -> int:
        return self.cells * self.kinds

    @property
    def words(self) -> int:
        """The words in a row with a bit for each feature, and one that is always set."""
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
        """The number of sums: one for each instance, padded to whole lanes."""
        return -(-len(self.instances) // LANES) * LANES

    @property
    def cases(self) -> list[int]:
        """The number of indices of each family."""
        return [self.base**one.length for one in self.families]

    @property
    def table(self) -> int:
        """The size of a phase's lookup table: the tables of all families, one after another."""
        return sum(self.cases)

    @property
    def size(self) -> int:
        """The numbers in the row: for each phase, the distinct weights of each family in the order of their indices."""
        return self.phases * sum(self.weights)

    @cached_property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Where the table of each instance begins in a phase's table."""
        begins = np.cumsum([0, *self.cases[:-1]])
        return np.repeat(begins, [len(one.instances) for one in self.families])

    @cached_property
    def digits(self) -> npt.NDArray[np.uint16]:
        """The first layer: what each feature adds to each index. The last row belongs to the bit that is always set."""
        rows = np.zeros((self.features + 1, self.hidden), np.uint16)
        for i, instance in enumerate(self.instances):
            for place, cell in enumerate(instance):
                for kind in range(1, self.base):
                    rows[cell + self.cells * (kind - 1), i] = kind * self.base**place
        return rows

    @cached_property
    def ranks(self) -> tuple[npt.NDArray[np.int64], ...]:
        """For each family, the number of the weight for each index, the same however the pattern is read."""
        found = []
        for one, cases in zip(self.families, self.cases, strict=True):
            worth = [self.base**place for place in range(one.length)]
            digits = [np.arange(cases) // unit % self.base for unit in worth]
            ways = [sum(digits[place] * unit for place, unit in zip(way, worth, strict=True)) for way in one.turns]
            found.append(np.unique(np.min(ways, axis=0), return_inverse=True)[1].reshape(-1))
        return tuple(found)

    @property
    def weights(self) -> list[int]:
        """The number of distinct weights of each family in a phase."""
        return [int(ranks.max()) + 1 for ranks in self.ranks]

    def tables(self, numbers: Any, last: Any) -> dict[str, Any]:
        """Return the game's tables for ``evaluation``: first layer and weights, then last numbers and offsets.

        The weights are followed by padding: a game whose ``active`` gives one cell two kinds gets meaningless indices,
        which must not read outside the table.
        """
        parts = np.split(numbers.reshape(self.phases, -1), np.cumsum(self.weights)[:-1], axis=1)
        weights = np.concatenate([part[:, ranks] for part, ranks in zip(parts, self.ranks, strict=True)], axis=1)
        room = np.zeros(MOST_CASES, np.int16)
        row = np.concatenate([self.digits.view(np.int16).ravel(), weights.ravel(), room])
        return {"network": row, "network_last": np.concatenate([last, self.offsets])}


AnyShape = SparseShape | PatternShape
"""The shapes whose sums a search updates."""


def looking_up(shape: PatternShape) -> Any:
    """Return ``value(sums, weights, ends, phase)``, which computes the value for the side to move from all indices."""
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
    """Return ``evaluate(s, t)`` by the patterns in ``t.network`` and ``t.network_last``, computing every index anew.

    The function's ``zerosum_shape`` tells searches that they can update indices instead.
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
