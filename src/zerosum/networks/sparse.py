"""Whole-number networks over sparse features, designed for search.

A game's ``active(s, player)`` yields the features that a position has in a player's view. The first layer adds up a row
of weights for each of them, so a move changes few rows of the sum: ``search/incremental_evaluation.py`` keeps the sums
along a line and updates them. The second layer joins the sums of both views, the mover's first; ``phase(s)`` selects
its weights.

    sums(player)  = thresholds + the rows of all active features
    units(sums)   = each clipped to 0 … 1, squared
    value         = scale × (second[phase] · (units(mover), units(other)) + last[phase]), for the side to move

A game's ``adjust(s, value)`` may then correct that value, given for MAX, by what its author knows.

Numbers of the first layer count 1 / ``FIRST``, those of the second 1 / ``SECOND``; they have 16 bits. All sums are
whole numbers, so the order of addition does not matter: an updated sum equals one computed anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from zerosum.contract import takes_tables
from zerosum.errors import GameError
from zerosum.game import MAX, Game
from zerosum.jit.bits import lowest_bit
from zerosum.jit.words import (
    CLIP,
    LANES,
    SCRATCH,
    SMALL,
    add_row,
    clipped_squares,
    drop_lowest,
    move_row,
    scratch_shorts,
    scratch_words,
    shorts_of,
    whole,
)
from zerosum.jit.yields import SET, Filling

if TYPE_CHECKING:
    from zerosum.networks.patterns import PatternShape

FIRST, SECOND = CLIP, 64
"""The representation of 1 in the first layer, and in the second."""

ONE = FIRST * FIRST * SECOND
"""The representation of 1 in the sum of the second layer."""

LARGEST_SUM, LARGEST_TOTAL = 2**15 - 1, 2**31 - 1
"""The largest permitted sums of the first layer and of the second."""


class Parts(NamedTuple):
    """A network's numbers as arrays, as views: writing to them writes to the row."""

    first: Any  # (features, hidden)
    thresholds: Any  # (hidden,)
    second: Any  # (phases, 2 * hidden)


@dataclass(frozen=True)
class SparseShape:
    """The size of a network: everything that is compiled in.

    Attributes:
        features: the number of features that ``active`` may yield.
        hidden: the number of sums for each player's view, a multiple of 16.
        phases: the number of phases that ``phase`` may return.

    >>> shape = SparseShape(features=100, hidden=16, phases=2)
    >>> shape.second, shape.size, shape.words
    (1616, 1680, 2)
    """

    named: ClassVar[str] = "a network"
    setting: ClassVar[str] = "network"  # the parameter of games that ship one

    features: int
    hidden: int
    phases: int = 1

    views: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.hidden < LANES or self.hidden % LANES or max(self.hidden, self.words) > SCRATCH:
            raise GameError(f"a network has 16, 32, 48 … up to {SCRATCH} hidden units, not {self.hidden}")

    # The row of numbers: a row of the first layer for each feature, then the thresholds, then the second layer. The
    # thresholds are the row of an extra feature that every position has, so the sum of no features at all is zero.

    @property
    def second(self) -> int:
        return (self.features + 1) * self.hidden

    @property
    def size(self) -> int:
        return self.second + 2 * self.phases * self.hidden

    @property
    def words(self) -> int:
        """The words in a row with a bit for each feature, including the thresholds'."""
        return self.features // 64 + 1

    def parts(self, row: Any) -> Parts:
        return Parts(
            row[: self.features * self.hidden].reshape(self.features, self.hidden),
            row[self.features * self.hidden : self.second],
            row[self.second : self.size].reshape(self.phases, 2 * self.hidden),
        )

    def tables(self, numbers: Any, last: Any) -> dict[str, Any]:
        """Return the game's tables for ``evaluation``."""
        return {"network": numbers, "network_last": last}


def check_numbers(shape: SparseShape, row: Any, max_active: int) -> str:
    """Return why these numbers cannot be used: the first sum that could become too large, or "" if none can."""
    first, thresholds, second = shape.parts(row.astype(np.int64))
    if np.abs(second).max(initial=0) > SMALL:
        return f"a weight of the second layer is larger than {SMALL}"
    largest = np.sort(np.abs(first), axis=0)[-max_active:].sum(axis=0) + np.abs(thresholds)
    if largest.max(initial=0) > LARGEST_SUM:
        return f"a sum of the first layer could reach {largest.max()}, more than {LARGEST_SUM}"
    total = CLIP * CLIP * np.abs(second).sum(axis=1)
    if total.max(initial=0) > LARGEST_TOTAL:
        return f"a sum of the second layer could reach {total.max()}, more than {LARGEST_TOTAL}"
    return ""


class Describing(NamedTuple):
    """The rules that a network needs from a game, each taking the tables as its last argument."""

    to_move: Any
    mark: Any  # (s, player, t, out, at, end): sets the bits of the active features
    phase: Any
    adjust: Any


def describing(game: Game) -> Describing:
    to_move, active = _with_tables("to_move", game.given["to_move"]), game.given["active"]
    phase = _with_tables("phase", game.given["phase"]) if game.has("phase") else _first_phase
    adjust = _unchanged
    if game.has("adjust"):
        adjust = own = game.given["adjust"]
        if not takes_tables("adjust", own):
            adjust = lambda s, value, t: own(s, value)  # noqa: E731
    filling = Filling(active, SET)

    def without_tables(s, player, t, out, at, end):
        return filling(s, player, out, at, end)

    return Describing(to_move, filling if takes_tables("active", active) else without_tables, phase, adjust)


def _with_tables(rule: str, function: Any) -> Any:
    if takes_tables(rule, function):
        return function
    return lambda s, t: function(s)


def _first_phase(s: Any, t: Any) -> int:
    return 0


def _unchanged(s: Any, value: int, t: Any) -> int:
    return value


def summing(game: Game, shape: SparseShape | PatternShape) -> Any:
    """Return ``add_up(s, player, t, row, sums, weights)``, which computes the sums of one view anew.

    ``row`` is work space for the features.
    """
    mark = describing(game).mark
    features, hidden, words = shape.features, shape.hidden, shape.words

    def add_up(s, player, t, row, sums, weights):
        for i in range(words):
            row[i] = 0
        mark(s, player, t, row, 0, features)
        thresholds = features * hidden
        move_row(sums, 0, weights, thresholds, weights, 0, 0, hidden)  # adds and subtracts the same row: a copy
        for i in range(words):
            word = whole(row[i])
            while word:
                add_row(sums, 0, sums, 0, weights, (64 * i + lowest_bit(word)) * hidden, hidden)
                word = drop_lowest(word)

    return add_up


def evaluation(game: Game, shape: SparseShape) -> Any:
    """Return ``evaluate(s, t)`` by the network in ``t.network`` and ``t.network_last``, computing every sum anew.

    The function's ``zerosum_shape`` tells searches that they can update sums instead.
    """
    to_move, _, phase_of, adjust = describing(game)
    add_up = summing(game, shape)
    hidden, second, phases = shape.hidden, shape.second, shape.phases

    def evaluate(s, t):
        row, sums, weights = scratch_words(), scratch_shorts(), shorts_of(t.network)
        mover, phase = whole(to_move(s, t)), min(max(whole(phase_of(s, t)), 0), phases - 1)
        at = second + 2 * phase * hidden
        add_up(s, mover, t, row, sums, weights)
        total = clipped_squares(sums, 0, weights, at, hidden)
        add_up(s, 1 - mover, t, row, sums, weights)
        total += clipped_squares(sums, 0, weights, at + hidden, hidden)
        found = (total + whole(t.network_last[phase])) * whole(t.network_last[phases]) // ONE
        return whole(adjust(s, found if mover == MAX else -found, t))

    evaluate.zerosum_shape = shape  # type: ignore[attr-defined]
    return evaluate


def shape_of(game: Game) -> SparseShape | PatternShape | None:
    """Return the shape of the network or patterns that evaluate a game, or None if neither does."""
    return getattr(game.given.get("evaluate"), "zerosum_shape", None)
