"""Games for look-ahead training, played in waves: takes a network, returns positions with their values as arrays.

The games are the same ones that the CPU kernel plays one by one, except where chances differ because their sums are
computed in another order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.game import Game
from zerosum.jit.bits import signed
from zerosum.jit.row import Row
from zerosum.jit.target import GPU, Target
from zerosum.jit.words import float_word
from zerosum.learn.lookahead_waves import (
    GAME_WORDS,
    LOG_EXPLORED,
    LOG_GAME,
    LOG_PLY,
    LOG_STATE,
    features_kernel,
    kernels_for,
    log_words,
)
from zerosum.networks.shape import Shape
from zerosum.running.crew import Crew
from zerosum.search.batches import ROOM_FOR_POSITIONS, Batches

MOST_GAMES = 1 << 16
"""The most games played at the same time."""

FEATURES_AT_ONCE = 1 << 18
"""Positions whose features are computed at the same time: 240 MB for backgammon."""

Floats = npt.NDArray[np.float32]


class Found(NamedTuple):
    """Positions ordered by game and ply: features, values for MAX, and the network and player each is evaluated for."""

    features: Floats
    values: Floats
    kinds: npt.NDArray[np.int64]


class FloatRow:
    """A row of float32 numbers that kernels access through ``address``; the counterpart of ``Row`` for words."""

    def __init__(self, count: int, target: Target) -> None:
        self.numbers, self.target = np.zeros(count, np.float32), target
        if target is GPU:
            from zerosum.jit.gpu.card import Buffer

            self.buffer = Buffer(self.numbers.nbytes)

    @property
    def address(self) -> Any:
        if self.target is GPU:
            return self.buffer.address
        return self.numbers.ctypes.data if self.target.is_compiled else self.numbers

    def put(self, numbers: Floats) -> None:
        self.numbers[:] = numbers.reshape(-1)
        if self.target is GPU:
            self.buffer.put(self.numbers)

    def array(self, count: int) -> Floats:
        """Return a copy of the first ``count`` numbers."""
        found = np.empty(count, np.float32) if self.target is GPU else self.numbers[:count].copy()
        if self.target is GPU:
            self.buffer.get(found)
        return found


class LookaheadGames:
    """Plays games of a network against itself.

    ``most`` is the number of games played at the same time, ``room`` the number of positions evaluated at the same
    time, and ``log_room`` the number of positions that fit in the log before it has to grow.
    """

    def __init__(
        self,
        game: Game,
        shape: Shape,
        target: Target,
        *,
        seed: int,
        trace: float,
        explore: float,
        most: int = MOST_GAMES,
        room: int = ROOM_FOR_POSITIONS,
        log_room: int = 1 << 20,
    ) -> None:
        self.game, self.shape, self.target, self.trace = game, shape, target, np.float32(trace)
        self.most = min(most, MOST_GAMES)
        self.batches = Batches(
            game,
            kernels_for(shape),
            target,
            self.most,
            words=GAME_WORDS,
            outcomes=game.max_chances if game.has("chances") else 0,
            worth=1 + shape.outputs,
            room=room,
        )
        self.crew = self.batches.crew
        self.describers = Crew(features_kernel(shape), game, 1, target)
        self.weights = FloatRow(shape.networks * shape.size, target)
        self.logged, self.lengths = Row(1, target), Row(self.most, target)
        self.entry = log_words(game.state_type.size, shape.outputs)
        self.log = Row(self.entry * log_room, target)
        self.batches.put(
            seed=signed(seed),
            explore=float_word(explore),
            weights=self.weights.address,
            logged=self.logged.address,
            lengths=self.lengths.address,
            log=self.log.address,
        )

    def play(self, weights: Floats, first: int, last: int, tell: Callable[[int, int], None]) -> Found:
        """Return the positions of games ``first`` to ``last``, excluding ``last``.

        ``tell`` is called with the number of finished games and of positions logged so far. After a stop, only the
        positions of finished games are returned.
        """
        self.weights.put(weights)
        found = [self._some(begin, min(begin + self.most, last), tell) for begin in range(first, last, self.most)]
        return Found(*(np.concatenate(parts) for parts in zip(*found, strict=True)))

    def _some(self, first: int, last: int, tell: Callable[[int, int], None]) -> Found:
        games = last - first
        self.logged.clear()
        self.lengths.clear()
        self.batches.put(first_game=first)
        self._make_room(0, games)

        def after_wave(live: int) -> None:
            positions = self.logged.get(0)
            self._make_room(positions, live)
            tell(games - live, positions)

        begin = np.array(self.game.state_type.words(self.game.initial()), np.int64)
        self.batches.play(np.repeat(begin[:, None], games, axis=1), after_wave)
        words = self.log.array(self.entry * self.logged.get(0)).reshape(-1, self.entry)
        over = self.lengths.array(games)[words[:, LOG_GAME] - first] > 0
        words = words[over]
        words = words[np.lexsort((words[:, LOG_PLY], words[:, LOG_GAME]))]
        features, kinds = self._features(words[:, LOG_STATE : LOG_STATE + self.game.state_type.size])
        return Found(features, self._values(words), kinds)

    def _make_room(self, logged: int, more: int) -> None:
        """Make room in the log for ``more`` positions beyond those already there."""
        if self.entry * (logged + more) > self.log.count:
            words = np.zeros(2 * self.entry * (logged + more), np.int64)
            words[: self.entry * logged] = self.log.array(self.entry * logged)
            self.log = Row.of(words, self.target)
            self.batches.put(log=self.log.address)

    def _values(self, words: npt.NDArray[np.int64]) -> Floats:
        """Return the look-ahead values of positions, plus what later positions of the same game reveal."""
        chances = np.ascontiguousarray(words[:, -2 * self.shape.outputs :]).view(np.float64).astype(np.float32)
        own, values = np.split(chances, 2, axis=1)
        ply, explored = words[:, LOG_PLY], words[:, LOG_EXPLORED]
        by_ply = np.argsort(ply, kind="stable")
        ends = np.searchsorted(ply[by_ply], np.arange(ply.max(initial=0) + 2))
        for number in range(len(ends) - 2, 0, -1):  # all games at once, from the last ply back
            later = by_ply[ends[number] : ends[number + 1]]
            later = later[explored[later] == 0]  # the others were not reached by the best move
            values[later - 1] += self.trace * (values[later] - own[later])
        return values

    def _features(self, states: npt.NDArray[np.int64]) -> tuple[Floats, npt.NDArray[np.int64]]:
        """Return the features of positions, and the network and player that each is for."""
        inputs, at_once = self.shape.inputs, min(len(states), FEATURES_AT_ONCE)
        row, kinds = FloatRow(at_once * inputs, self.target), Row(at_once, self.target)
        self.describers.put(described=row.address, kinds=kinds.address)
        found = [np.empty((0, inputs), np.float32)], [np.empty(0, np.int64)]
        for first in range(0, len(states), FEATURES_AT_ONCE):
            listed = Row.of(states[first : first + at_once], self.target)
            count = len(states[first : first + at_once])
            self.describers.put(listed=listed.address)
            self.describers.do_items(count, count)
            found[0].append(row.array(count * inputs).reshape(count, inputs))
            found[1].append(kinds.array(count).copy())
        return np.concatenate(found[0]), np.concatenate(found[1])
