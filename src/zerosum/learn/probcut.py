"""Measure how well shallow searches predict deep ones, over positions from self-play: see ``zerosum.probcut``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.engine import Engine
from zerosum.errors import LimitError
from zerosum.game import MAX, Game
from zerosum.probcut import NORMAL, Fit, ProbCut, shallow_depths
from zerosum.search.probcut import CONFIDENCES
from zerosum.search.result import Result
from zerosum.search.selfplay import self_play
from zerosum.search.strategies import AlphaBeta

POSITIONS, DEPTH = 3_000, 10
"""The default number of positions to measure, and the default depth."""

BEYOND = 6
"""In games with ``moves_left``, positions with up to ``depth`` plus this many moves left are solved."""

LEAST = 30
"""The fewest positions for a fit."""

HELD_OUT = 5
"""One position in this many is held out to test the fits."""

GAMES_AT_ONCE, PLAYED_DEPTH = 64, 2


class Sample(NamedTuple):
    """A position: its phase, the number of moves left if the game defines it, and values for the side to move.

    ``values[d]`` is the value of a search to depth d (the evaluation for 0), up to the first depth that proves the
    value. ``end`` is the proven value, if there is one.
    """

    phase: int
    left: int
    values: tuple[int, ...]
    end: int | None


class Kept(NamedTuple):
    """A confidence, and the share of held-out values within its margin, both in percent."""

    confidence: int
    within: float


@dataclass(frozen=True)
class Measured:
    """The measured fits, the number of positions measured, and the test on held-out positions."""

    probcut: ProbCut
    positions: int
    kept: tuple[Kept, ...]


def measure(
    game: Game,
    positions: int = POSITIONS,
    depth: int = DEPTH,
    *,
    random_plies: int = 8,
    seed: int = 0,
    threads: int = 1,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Measured:
    """Search positions from self-play to all depths up to ``depth``, and fit how shallow values predict deeper ones."""
    if game.has("chances"):
        raise LimitError(f"{game.name} has chance nodes, which ProbCut does not support")
    game.require("evaluate", "ProbCut")
    states = list(islice(positions_of(game, random_plies, seed, threads), positions))
    samples = list(sampled(game, states, depth, threads, on_progress))
    learned = [sample for i, sample in enumerate(samples) if i % HELD_OUT]
    probcut = fitted(learned, depth)
    if not probcut.depths:
        raise LimitError(f"{len(samples)} positions of {game.name} are too few for a measurement: use more")
    return Measured(probcut, len(samples), shares_within_margins(probcut, samples[::HELD_OUT]))


def positions_of(game: Game, random_plies: int, seed: int, threads: int) -> Iterator[Any]:
    """Yield positions spread evenly over phases, from games with few and with many random moves."""
    rng = np.random.default_rng(seed)
    waiting: dict[int, list[Any]] = defaultdict(list)
    for batch in range(1 << 20):
        plies = max(1, (random_plies >> 1, random_plies, 2 * random_plies)[batch % 3])
        played = self_play(
            game,
            GAMES_AT_ONCE,
            depth=PLAYED_DEPTH,
            random_plies=plies,
            both_begin=True,
            seed=seed,
            first=batch * GAMES_AT_ONCE,
            threads=threads,
        )
        for one in played:
            # Positions of one game are similar, so a few of each are enough.
            for row in rng.permutation(len(one.states))[:8]:
                s = game.state_type.from_words(one.states[row])
                if not game.is_over(s):
                    waiting[game.checked_phase(s)].append(s)
        if not waiting:
            raise LimitError(f"games of {game.name} are over after {plies} random plies: use fewer")
        for phase in [phase for phase, found in waiting.items() if len(found) >= 8]:
            found = waiting[phase]
            yield from (found.pop(int(rng.integers(len(found)))) for _ in range(4))
            del found[256:]


def sampled(
    game: Game, states: Sequence[Any], depth: int, threads: int, on_progress: Callable[[int], None]
) -> Iterator[Sample]:
    """Search each position by compiled alpha-beta; the results are the same for any number of threads."""
    idle: SimpleQueue[Engine] = SimpleQueue()
    for _ in range(threads):
        idle.put(Engine(game, AlphaBeta(probcut=False), hash_mb=16))

    def one(s: Any) -> Sample:
        engine = idle.get()
        try:
            engine.clear()
            return sample_of(engine, s, depth)
        finally:
            idle.put(engine)

    with ThreadPoolExecutor(threads) as pool:
        for done, sample in enumerate(pool.map(one, states), 1):
            on_progress(done)
            yield sample


def sample_of(engine: Engine, s: Any, depth: int) -> Sample:
    """Return the values that searches find for one position."""
    game = engine.game
    sign = 1 if game.to_move(s) == MAX else -1
    values = [sign * int(game.evaluate(s))]
    reports: list[Result] = []
    last = engine.search(s, depth=depth, on_report=reports.append)
    for report in reports:
        if report.proven:
            break
        values.append(sign * int(report.value))
    left, end = 0, None
    if game.has("moves_left") and game.scored:
        left = int(game.moves_left(s))
        if last.exact:
            end = sign * int(last.value)
        elif left <= depth + BEYOND:
            end = sign * int(engine.solve(s).value)
    return Sample(game.checked_phase(s), left, tuple(values), end)


def fitted(samples: Sequence[Sample], depth: int) -> ProbCut:
    """Return least-squares lines for all pairs of depths that have enough positions.

    If no phase has enough positions, all phases are treated as one.
    """
    by_depth: dict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(list)
    by_left: dict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(list)
    for sample in samples:
        for deep in range(1, len(sample.values)):
            for shallow in {0, *shallow_depths(deep)}:
                by_depth[sample.phase, deep, shallow].append((sample.values[shallow], sample.values[deep]))
        if sample.end is not None:
            for shallow in range(min(len(sample.values), depth)):
                by_left[0, sample.left, shallow].append((sample.values[shallow], sample.end))
    lines = ProbCut(_lines(by_depth), _lines(by_left))
    if not lines.depths and any(sample.phase for sample in samples):
        return fitted([sample._replace(phase=0) for sample in samples], depth)
    errors = errors_of(lines, samples)
    if not len(errors):
        return lines
    return replace(lines, margins=tuple((percent, float(np.percentile(errors, percent))) for percent, _ in NORMAL))


def _lines(pairs: dict[tuple[int, int, int], list[tuple[int, int]]]) -> tuple[Fit, ...]:
    fits = (line(*where, found) for where, found in sorted(pairs.items()) if len(found) >= LEAST)
    return tuple(fit for fit in fits if fit is not None)


def line(phase: int, deep: int, shallow: int, pairs: Sequence[tuple[int, int]]) -> Fit | None:
    """Return the least-squares line through pairs of a shallow and a deep value, or None if it does not rise.

    >>> line(0, 4, 2, [(0, 1), (1, 3), (2, 5), (3, 7)])
    Fit(phase=0, deep=4, shallow=2, slope=2.0, offset=1.0, sigma=0.0, positions=4)
    """
    x, y = np.array(pairs, np.float64).T
    spread = float(((x - x.mean()) ** 2).sum())
    if spread == 0:
        return None
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread
    offset = float(y.mean() - slope * x.mean())
    if slope <= 0:
        return None
    sigma = float(np.sqrt(((y - slope * x - offset) ** 2).sum() / max(len(x) - 2, 1)))
    return Fit(phase, deep, shallow, slope, offset, sigma, len(x))


def shares_within_margins(probcut: ProbCut, samples: Sequence[Sample]) -> tuple[Kept, ...]:
    """Return how often held-out deep values are within the margins."""
    errors = errors_of(probcut, samples)
    if not len(errors):
        return ()
    shares = [(percent, float((errors <= probcut.margin(percent)).mean())) for percent in CONFIDENCES]
    return tuple(Kept(percent, 100 * share) for percent, share in shares)


def errors_of(probcut: ProbCut, samples: Iterable[Sample]) -> npt.NDArray[np.float64]:
    """Return how far predictions are from the deep values, in sigmas, for every check that a search would make."""
    errors = []
    for sample in samples:
        deepest = len(sample.values) - 1
        for deep in range(2, deepest + 1):
            fits = probcut.for_depth(sample.phase, deep) if probcut.depths else []
            errors += [_error(fit, sample.values[deep], sample) for fit in fits if fit.positions]
        if sample.end is not None and probcut.ends:
            fits = [fit for fit in probcut.for_end(sample.left) if fit.positions and fit.shallow <= deepest]
            errors += [_error(fit, sample.end, sample) for fit in fits]
    return np.abs(np.array(errors, np.float64))


def _error(fit: Fit, deep: int, sample: Sample) -> float:
    return (deep - fit.slope * sample.values[fit.shallow] - fit.offset) / max(fit.sigma, 1e-9)
