"""``zerosum train`` by temporal differences: self-play, matches on the way, files that it can go on from."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from zerosum import __version__
from zerosum.cli.files import write_text
from zerosum.cli.output import count
from zerosum.cli.progress import Bar
from zerosum.errors import ZerosumError
from zerosum.game import Game

if TYPE_CHECKING:
    from zerosum.learn.duel import Duel, Score
    from zerosum.learn.td_training import TdTraining

POINTS = 20
"""A learning curve has so many points, or a few more at the beginning."""

EARLY = (100, 1_000, 10_000)
"""Where a long run is measured first: most is learned early."""

SAVE_SECONDS, SLICE = 20.0, 1_000
"""The network is written when so many seconds have gone by; after so many games the clock is looked at."""

OPENING = 4
"""Random plies at the beginning of a game of a match, where no dice make games differ."""


@dataclass(frozen=True)
class Learning:
    """What the command line asks for."""

    games: int
    hidden: int
    rate: float
    last_rate: float
    trace: float
    explore: float | None
    look_ahead: bool
    seed: int
    threads: int
    opponent: str
    matches: int
    out: str
    start: str
    resume: bool
    plot: str


def learn(game: Game, asked: Learning) -> None:
    """Learn, measure, keep; tell what came out."""
    from zerosum.learn.duel import Duel

    training = _begin(game, asked)
    opponent = asked.opponent or ("evaluate" if game.has("evaluate") else "random")
    plies = 0 if game.has("chances") else OPENING
    duel = Duel(game, training.shape, opponent, plies) if asked.matches else None
    began, first = monotonic(), training.games
    size = f"{training.shape.hidden} hidden units" if training.shape.hidden else "a linear model"
    print(f"{training.shape.inputs} features, {size}; the opponent of the curve: {opponent}", flush=True)
    with Bar() as bar:
        for mark in marks(training.options.games):
            if mark > training.games:
                _to_mark(training, mark, asked.out, bar)
                _measure(training, duel, asked, began, first)
    if asked.out:
        print(f"written to {asked.out}")


def marks(games: int) -> list[int]:
    """After how many games the network is measured and kept.

    >>> marks(50)
    [50]
    >>> marks(2000)[:4], marks(2000)[-1]
    ([100, 200, 300, 400], 2000)
    """
    step = max(games // POINTS, 100)
    return sorted({*(mark for mark in EARLY if mark < games), *range(step, games, step), games})


def _begin(game: Game, asked: Learning) -> TdTraining:
    from zerosum.learn.network import Network
    from zerosum.learn.td_training import TdOptions, TdTraining

    if asked.resume:
        if not asked.out:
            raise ZerosumError("--resume goes on with the network in --out FILE: name it")
        training = TdTraining.resume(game, Network.read(Path(asked.out), game), threads=asked.threads)
        print(f"going on after {count(training.games)} of {count(training.options.games)} games")
        return training
    if asked.out and Path(asked.out).exists():
        raise ZerosumError(f"--out {asked.out!r} is there already: --resume goes on with it, another name begins anew")
    explore = asked.explore
    if explore is None:
        explore = 0.0 if game.has("chances") else 0.1
    start = Network.read(Path(asked.start), game) if asked.start else None
    options = TdOptions(
        games=asked.games,
        hidden=start.shape.hidden if start else asked.hidden,
        rate=asked.rate,
        last_rate=asked.last_rate,
        trace=asked.trace,
        explore=explore,
        look_ahead=asked.look_ahead,
        seed=asked.seed,
    )
    words = [Path(word).name if "/" in word else word for word in sys.argv[1:]]  # no folders of this machine
    made: dict[str, Any] = {"command": " ".join(["zerosum", *words]), "version": __version__}
    made |= {"seed": asked.seed, "threads": asked.threads}
    if start is not None:
        made["began with"] = dict(start.made)
    return TdTraining(game, options, start=start, threads=asked.threads, made=made)


def _to_mark(training: TdTraining, mark: int, out: str, bar: Bar) -> None:
    """Learn up to a mark; the network is kept every now and then."""
    total, saved = training.options.games, monotonic()
    while training.games < mark:
        part = min(SLICE - training.games % SLICE, mark - training.games)
        training.advance(
            part, on_progress=lambda now: bar.show(now.games / total, f"game {count(now.games)} of {count(total)}")
        )
        if out and monotonic() - saved > SAVE_SECONDS:
            training.save(Path(out))
            saved = monotonic()


def _measure(training: TdTraining, duel: Duel | None, asked: Learning, began: float, first: int) -> None:
    score: Score | None = None
    if duel is not None:
        score = duel.play(training.weights, asked.matches, seed=training.games, threads=asked.threads)
        training.note(score)
    if asked.out:
        training.save(Path(asked.out))
    if asked.plot:
        write_text("--plot", asked.plot, plot(training))
    speed = (training.games - first) / max(monotonic() - began, 1e-9)
    told = f": {score}" if score else ""
    print(f"{count(training.games):>11} games, {count(round(speed))} a second{told}", flush=True)


def plot(training: TdTraining) -> str:
    """The learning curve as SVG."""
    from zerosum.classroom.drawing.plot import line_plot

    points = [(float(games), points) for games, points, _ in training.curve] or [(0.0, 0.0)]
    title = f"Learning {training.game.name}"
    return line_plot({"points a game": points}, title=title, x_label="games", y_label="points a game")
