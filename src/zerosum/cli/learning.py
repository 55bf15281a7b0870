"""``zerosum train`` by temporal differences: what it prints."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from zerosum import __version__
from zerosum.cli import complain
from zerosum.cli.files import write_text
from zerosum.cli.output import count
from zerosum.cli.progress import Bar
from zerosum.game import Game

if TYPE_CHECKING:
    from zerosum.learn.plans import LearningPlan
    from zerosum.learn.training import Training


def learn(game: Game, plan: LearningPlan, plot: str) -> int:
    """Learn, print the results and return the exit code: 130 after Ctrl-C, which loses at most one slice."""
    from zerosum.learn.learning import LearningRun

    words = [Path(word).name if "/" in word else word for word in sys.argv[1:]]  # leave out this machine's folders
    run = LearningRun(game, plan, {"command": shlex.join(["zerosum", *words]), "version": __version__})
    training, total = run.training, run.training.options.games
    if plan.resume:
        print(f"continuing after {count(training.games)} of {count(total)} games")
    if run.is_finished:
        print(f"this run is finished: --weights {plan.out} --out FILE starts another from this network")
        return 0
    size = f"{training.shape.hidden} hidden units" if training.shape.hidden else "a linear model"
    print(f"{training.shape.inputs} features, {size}; opponent for the learning curve: {run.opponent}", flush=True)
    began, first = monotonic(), training.games
    try:
        with Bar() as bar:
            for score in run.to_the_end(
                lambda now: bar.show(now.games / total, f"game {count(now.games)} of {count(total)}")
            ):
                if plot:
                    write_text("--plot", plot, _plot(training))
                speed = (training.games - first) / max(monotonic() - began, 1e-9)
                after = f": {score}" if score else ""
                print(f"{count(training.games):>11} games, {count(round(speed))} a second{after}", flush=True)
    except KeyboardInterrupt:
        complain(_left(run.leave(), plan.out))
        return 130
    if plan.out:
        print(f"written to {plan.out}")
    return 0


def _left(games: int, out: str) -> str:
    """The message after an interrupted run: what was kept, and how to continue."""
    if not out:
        return f"stopped after {count(games)} games; nothing is kept without --out FILE"
    if not games:
        return "stopped before the first games were done; nothing was written"
    return f"stopped after {count(games)} games, saved in {out!r}; --out {out} --resume continues"


def _plot(training: Training) -> str:
    """The learning curve as SVG."""
    from zerosum.classroom.drawing.plot import line_plot

    points = [(float(games), points) for games, points, _ in training.curve] or [(0.0, 0.0)]
    title = f"Learning {training.game.name}"
    return line_plot({"points a game": points}, title=title, x_label="games", y_label="points a game")
