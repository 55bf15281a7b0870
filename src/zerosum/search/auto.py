"""The algorithm that suits the game: alpha-beta, or sampling if the game has no evaluation."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from zerosum.game import Game
from zerosum.jit.kernel import Kernel
from zerosum.running.stopping import Stop
from zerosum.search.algorithm import Algorithm, Request, Searcher, Setup
from zerosum.search.limits import Limits
from zerosum.search.mcts_searcher import Mcts
from zerosum.search.result import Progress, Report, Result
from zerosum.search.strategies import AlphaBeta

SHARE = 0.1
"""The share of the limits that alpha-beta gets, to look for a certain win or loss."""

LONGEST = 1.0
"""Seconds for alpha-beta if the search has no time limit."""


class Auto(Algorithm):
    """Alpha-beta. Where a game has no ``evaluate``: alpha-beta for a tenth of the time, then Monte-Carlo tree search.

    A search limited only by depth always uses alpha-beta.

    Options:
        seed: shuffles the root's moves, so that equal moves vary from game to game; without it, the first is played.

    >>> Auto(seed=3)
    Auto(seed=3)
    """

    name = "auto"
    about = "alpha-beta; in games without an evaluation, sampling after a tenth of the time"
    kinds: ClassVar[Mapping[str, type]] = {"seed": int}
    solves = uses_database = True

    def kernel(self, game: Game, has_endings: bool = False) -> Kernel:
        return AlphaBeta().kernel(game, has_endings)

    def searcher(self, setup: Setup) -> Searcher:
        seed = self.chosen.get("seed")
        samples = not setup.game.has("evaluate")
        # The two algorithms share the requested megabytes.
        halved = replace(setup, hash_mb=setup.hash_mb / 2) if samples else setup
        certain = AlphaBeta().searcher(halved)
        sampling = Mcts(seed=(seed or 0) % 2**63).searcher(replace(halved, endings=None)) if samples else None
        return AutoSearcher(certain, sampling, None if seed is None else random.Random(seed))


class AutoSearcher(Searcher):
    """Runs both algorithms, one after the other."""

    def __init__(self, certain: Searcher, sampling: Searcher | None, chance: random.Random | None) -> None:
        self.certain, self.sampling, self.chance = certain, sampling, chance
        self.unit = certain.unit
        self.threads = max(certain.threads, sampling.threads if sampling else 1)

    @property
    def _both(self) -> list[Searcher]:
        return [self.certain, self.sampling] if self.sampling is not None else [self.certain]

    def prepare(self) -> None:
        for searcher in self._both:
            searcher.prepare()

    def clear(self) -> None:
        for searcher in self._both:
            searcher.clear()

    def search(self, request: Request) -> Result:
        if self.chance is not None:
            request = replace(request, moves=self.chance.sample(request.moves, len(request.moves)))
        limits = request.limits
        is_depth_alone = limits.depth is not None and limits.seconds is None and limits.nodes is None
        if self.sampling is None or is_depth_alone:
            return self.certain.search(request)
        started = time.perf_counter()
        first = self._first(request)
        if first.proven or request.stop.is_set():
            return first
        left = None if limits.seconds is None else max(limits.seconds - (time.perf_counter() - started), 1e-3)
        nodes = None if limits.nodes is None else max(limits.nodes - first.nodes, 1)
        return self.sampling.search(replace(request, limits=Limits(limits.depth, left, nodes)))

    def _first(self, request: Request) -> Result:
        """Alpha-beta's result, within its share of the limits."""
        limits = request.limits
        seconds = SHARE * limits.seconds if limits.seconds is not None else LONGEST
        nodes = None if limits.nodes is None else max(1, int(SHARE * limits.nodes))
        with request.stop.part() as ending:
            quiet = replace(request, stop=ending, on_report=None, on_bound=None)
            return self.certain.search(replace(quiet, limits=Limits(limits.depth, seconds, nodes)))

    def solve(
        self,
        positions: Iterable[tuple[Any, Any]],
        seconds: float | None,
        stop: Stop,
        on_report: Report | None = None,
    ) -> Iterator[Result]:
        return self.certain.solve(positions, seconds, stop, on_report)

    def progress(self) -> Progress | None:
        return self.certain.progress() if self.sampling is None else None

    def hashfull(self) -> int:
        return max(searcher.hashfull() for searcher in self._both)

    def known(self, s: Any) -> Any:
        return self.certain.known(s)
