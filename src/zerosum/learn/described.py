"""Positions as a network over sparse features sees them: each player's active features, as bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.errors import LimitError
from zerosum.game import Game
from zerosum.jit.bits import popcount
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import Region
from zerosum.jit.rules import Rules
from zerosum.jit.sets import words_for
from zerosum.jit.words import memory_at
from zerosum.jit.yields import NO_FEATURE
from zerosum.running.crew import Crew

WORDS = ITEMS.then("states", "bits", "facts")  # addresses of positions, their features, and their phases and movers
STATES, BITS, FACTS = WORDS

PORTION = 1 << 13
"""Positions that a worker describes at a time."""

NO_PHASE = 1
"""Problem code: ``phase`` returned a number out of range."""

Bytes = npt.NDArray[np.uint8]


def build(rules: Rules):
    active, phase_of, to_move, unpack, fail = rules.active, rules.phase, rules.to_move, rules.unpack, rules.fail
    game, row = rules.game, rules.at["row"]
    size, features, most, phases = game.state_type.size, game.active_features, game.max_active, game.phases
    words = words_for(features)

    def item(i, mem):
        """Fill in a position's features, in the mover's view and then the opponent's, and its phase and mover."""
        s = unpack(memory_at(mem[STATES]), i * size)
        bits, facts = memory_at(mem[BITS]), memory_at(mem[FACTS])
        mover, phase = to_move(s, mem), phase_of(s, mem)
        if phase < 0 or phase >= phases:
            return fail(s, NO_PHASE, mem)
        facts[i] = 2 * phase + mover
        for view in range(2):
            for j in range(words):
                mem[row + j] = 0
            if active(s, mover if view == 0 else 1 - mover, mem, row, features) < 0:
                return fail(s, NO_FEATURE, mem)
            count = 0
            for j in range(words):
                bits[(2 * i + view) * words + j] = mem[row + j]
                count += popcount(mem[row + j])
            if count > most:
                return fail(s, NO_FEATURE, mem)
        return 1

    return item


def regions(game: Game) -> list[Region]:
    return [Region("row", words_for(game.active_features))]


DESCRIBE = ItemKernel(
    "describe",
    ("to_move", "active", "phase"),
    build,
    WORDS,
    regions,
    problems=((NO_PHASE, "phase returns a number outside 0 to phases - 1"),),
)


class Described(NamedTuple):
    """Positions as networks see them.

    ``bits[i, 0]`` are the features of position ``i`` in the view of the side to move, ``bits[i, 1]`` those in the
    opponent's view; the lowest bit of the first byte is feature 0.
    """

    bits: Bytes  # (positions, 2, bytes)
    phases: Bytes
    movers: Bytes

    def __len__(self) -> int:
        return len(self.phases)


def check_describable(game: Game) -> None:
    """Raise an error unless networks over sparse features can learn the game."""
    if game.has("chances"):
        raise LimitError(f"{game.name} has chance nodes: networks over active features do not support it; use td")
    game.require("active", "a network over sparse features")


def describe(
    game: Game,
    states: npt.NDArray[np.int64],
    *,
    threads: int = 1,
    on_progress: Callable[[float], None] | None = None,
) -> Described:
    """Compute the features, phases and movers of positions given as rows of words.

    >>> from zerosum.games import load
    >>> game = load("connect-four", width=5, height=4)
    >>> s = game.play(game.play(game.initial(), 2), 2)
    >>> found = describe(game, np.array([game.state_type.words(s)]))
    >>> found.bits.shape, int(found.phases[0]), np.unpackbits(found.bits[0], axis=1).sum(axis=1).tolist()
    ((1, 2, 8), 0, [3, 2])
    """
    check_describable(game)
    states = np.ascontiguousarray(states, np.int64)
    bits = np.empty((len(states), 2, words_for(game.active_features)), np.int64)
    facts = np.empty(len(states), np.int64)
    crew = Crew(DESCRIBE, game, threads)
    crew.put(states=states.ctypes.data, bits=bits.ctypes.data, facts=facts.ctypes.data)

    def work(report: Callable[[Any], None]) -> None:
        done = 0

        def on_portion() -> None:
            nonlocal done
            done += PORTION
            report(min(done / len(states), 1.0))

        crew.do_items(len(states), PORTION, on_portion)

    crew.run(work, on_report=on_progress)
    return Described(bits.view(np.uint8), (facts >> 1).astype(np.uint8), (facts & 1).astype(np.uint8))
