"""Tuning: fit the weights of an evaluation to the results of games.

An evaluation should say how likely a win is. The chance of winning is modelled as a logistic function of the evaluation
(the Elo formula), and the weights are moved to where the results of many games are least surprising (P. Österlund,
Texel's tuning method, 2014; the fit is ordinary logistic regression). The effect of each weight on each position is
measured by evaluating the position with that weight slightly larger. So the tuner needs nothing from the game but
``weights_of`` and ``with_weights``, and no second copy of its evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import LimitError
from zerosum.game import Game
from zerosum.learn.samples import Samples
from zerosum.search.evaluating import Evaluator

Floats = npt.NDArray[np.float32]

STEP = 16
"""How much a weight is increased to measure its effect."""

SPRINGS = tuple(10.0**power for power in np.arange(-4, 2.1, 0.5))
"""The strengths tried for the springs that hold weights back, relative to a typical weight's curvature."""

SMALLEST_GAIN = 1e-7
"""Tuning stops when a round lowers the held-out error by less than this."""

BLOCK = 20_000
"""Positions processed at a time."""


@dataclass(frozen=True)
class Tuning:
    """The result of tuning: the weights by name, before and after, and the errors of each round on both sets."""

    before: dict[str, float]
    after: dict[str, float]
    scale: float
    error_before: float
    error_after: float
    curve: tuple[tuple[float, float], ...]
    samples: int
    games: int

    @property
    def moved(self) -> int:
        """The number of weights that changed."""
        return sum(self.after[name] != number for name, number in self.before.items())


def tune(
    game: Game,
    samples: Samples,
    *,
    names: Sequence[str] | None = None,
    rounds: int = 10,
    held_out: float = 0.15,
    trust: float = 0.0,
    seed: int = 0,
    threads: int = 1,
    on_progress: Callable[[str, float], None] | None = None,
) -> Tuning:
    """Fit the game's weights (or those named) to the results; keep the round with the least held-out error.

    ``trust`` is the share of the search value in the target, because a game's result says little about a single
    position. A win proven by a search or a database counts as a win.
    """
    for rule in ("weights_of", "with_weights"):
        game.require(rule, "tuning")
    if not 0 <= trust <= 1:
        raise LimitError(f"trust must be a share from 0 to 1, not {trust!r}")
    before = {name: float(number) for name, number in game.weights_of().items()}
    chosen = list(before if names is None else names)
    for name in chosen:
        if name not in before:
            raise LimitError(f"{game.name} has no weight {name!r}")
    learn, check = samples.split(held_out, seed)
    if not learn.any() or not check.any():
        raise LimitError(f"{len(samples)} positions are too few to hold some out: use more games")
    say = on_progress or (lambda what, share: None)
    base, slopes = measure(game, samples.states, before, chosen, threads, say)
    scale = best_scale(base[learn], samples.results[learn])
    results = samples.results
    if samples.values is not None:
        results = (1 - trust) * results + trust * expected(samples.values, scale)
    fit = Fit(slopes, base, results, learn, check, scale)
    curve = fit.run(rounds, say)
    after = dict(before)
    for name, moved in zip(chosen, fit.moved, strict=True):
        after[name] = float(round(before[name] + float(moved)))
    tuned = Evaluator(game, samples.states[check]).values(game.with_weights(after))
    error_before = error(base[check].astype(np.float64), results[check], scale)
    error_after = error(tuned, results[check], scale)
    return Tuning(before, after, scale, error_before, error_after, tuple(curve), len(samples), samples.games)


def measure(
    game: Game,
    states: npt.NDArray[np.int64],
    weights: dict[str, float],
    chosen: Sequence[str],
    threads: int,
    say: Callable[[str, float], None],
) -> tuple[Floats, Floats]:
    """Return the evaluation of every position, and how much it rises with each weight, one column per weight."""
    evaluator = Evaluator(game, states)
    base = evaluator.values()
    slopes = np.zeros((len(states), len(chosen)), np.float32)

    def one(column: int) -> None:
        name = chosen[column]
        tables = game.with_weights({**weights, name: weights[name] + STEP})
        slopes[:, column] = (evaluator.values(tables) - base) / STEP

    with ThreadPoolExecutor(threads) as pool:
        for done, _ in enumerate(pool.map(one, range(len(chosen))), 1):
            say("measuring", done / len(chosen))
    return base.astype(np.float32), slopes


class Fit:
    """Newton's method for the mean squared error, with every weight held to its start by a spring (ridge regression).

    With weak springs, weights also fit the chance results of the training games; with strong ones, only those weights
    move on which many positions agree. The springs with the least error on held-out games are used.
    """

    def __init__(
        self,
        slopes: Floats,
        base: Floats,
        results: npt.NDArray[np.float64],
        learn: npt.NDArray[np.bool_],
        check: npt.NDArray[np.bool_],
        scale: float,
    ) -> None:
        self.learn = slopes[learn], base[learn], results[learn].astype(np.float32)
        self.check = slopes[check], base[check], results[check].astype(np.float32)
        self.scale = scale
        self.moved = np.zeros(slopes.shape[1], np.float32)

    def error(self, part: tuple[Floats, Floats, Floats], moved: Floats) -> float:
        slopes, base, results = part
        return error(base + slopes @ moved, results, self.scale)

    def surface(self, moved: Floats) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the error's gradient and curvature (Gauss–Newton approximation), summed over blocks of positions."""
        slopes, base, results = self.learn
        count = slopes.shape[1]
        pull, curvature = np.zeros(count), np.zeros((count, count))
        for first in range(0, len(results), BLOCK):
            block = slopes[first : first + BLOCK]
            chance = expected(base[first : first + BLOCK] + block @ moved, self.scale)
            slope = (self.scale * chance * (1 - chance)).astype(np.float32)
            pull += block.T @ ((chance - results[first : first + BLOCK]).astype(np.float32) * slope)
            steep = block * slope[:, None]
            curvature += steep.T @ steep
        return pull / len(results), curvature / len(results)

    def run(self, rounds: int, say: Callable[[str, float], None]) -> list[tuple[float, float]]:
        """Return the errors on both sets at the start and after each round; leave the best weights in ``moved``."""
        curve = [(self.error(self.learn, self.moved), self.error(self.check, self.moved))]
        for number in range(1, rounds + 1):
            pull, curvature = self.surface(self.moved)
            typical = float(np.mean(np.diag(curvature)))
            tried = []
            for strength in SPRINGS:
                spring = strength * typical
                step = np.linalg.solve(
                    curvature + spring * np.eye(len(pull)), pull + spring * self.moved.astype(np.float64)
                )
                moved = (self.moved - step).astype(np.float32)
                tried.append((self.error(self.check, moved), strength, moved))
            least, _, moved = min(tried, key=lambda one: one[:2])
            say("fitting", number / rounds)
            if least >= curve[-1][1] - SMALLEST_GAIN:
                break
            self.moved = moved
            curve.append((self.error(self.learn, moved), least))
        return curve


def expected(values: Any, scale: float) -> Any:
    """Return MAX's chance of winning, with a draw counting half, for each evaluation."""
    return 1 / (1 + np.exp(-np.clip(scale * values, -30, 30)))


def error(values: Any, results: Any, scale: float) -> float:
    """Return the mean squared difference between results and expectations."""
    return float(np.mean((expected(values, scale) - results) ** 2))


def best_scale(values: Any, results: Any) -> float:
    """Return the scale that best fits the evaluation as it is, by golden-section search over its logarithm."""
    low, high = np.log(1e-5), np.log(10.0)
    ratio = (5**0.5 - 1) / 2
    for _ in range(60):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if error(values, results, float(np.exp(left))) < error(values, results, float(np.exp(right))):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))
