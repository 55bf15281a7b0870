"""``zerosum train --network`` and ``--patterns``: what they print."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

from zerosum import __version__
from zerosum.cli import complain
from zerosum.cli.cluster_options import recorded_command, workers
from zerosum.cli.files import write_text
from zerosum.cli.output import count, print_table
from zerosum.cli.progress import Bar
from zerosum.game import Game
from zerosum.networks.sparse import SparseShape

if TYPE_CHECKING:
    from zerosum.learn.fitting import FitProgress
    from zerosum.learn.network_training import NetworkRun
    from zerosum.learn.plans import NetworkPlan
    from zerosum.learn.quantising import Quantised
    from zerosum.networks.patterns import AnyShape
    from zerosum.working.team import Workers


def fit(game: Game, plan: NetworkPlan, plot: str, cluster: str = "", log: bool = False) -> int:
    """Gather, fit and write the network, print the results and return the exit code.

    The exit code is 130 after Ctrl-C, which loses nothing.
    """
    from zerosum.learn.network_training import NetworkRun

    if plan.resume and plan.is_finished:
        print(f"this run is finished: {plan.out} is complete")
        return 0
    run = NetworkRun(game, plan, {"command": recorded_command(), "version": __version__})
    try:
        if run.missing:
            with workers(cluster, plan.threads, log) as players:
                _gather(run, players)
        found = _fit(run)
    except KeyboardInterrupt:
        complain(_left(run))
        return 130
    if plot:
        write_text("--plot", plot, _plot(run))
    _tell(run, found)
    if plan.match:
        from zerosum.cli.weights_decision import decide

        decide(game, plan.out, plan.start, plan.match, plan.options.seed, by_clock=True)
    return 0


def _gather(run: NetworkRun, players: Workers) -> None:
    missing, began = run.missing, monotonic()
    if run.gathered:
        print(f"{run.plan.data_file}: {count(run.gathered)} positions so far", flush=True)
    with Bar() as bar:
        run.gather(lambda now: bar.show(now.positions / missing, f"{count(now.positions)} positions gathered"), players)
    print(
        f"{run.plan.data_file}: {count(run.gathered)} positions, gathered in {_seconds(monotonic() - began)}",
        flush=True,
    )


def _fit(run: NetworkRun) -> Quantised:
    with Bar() as bar:
        run.begin(bar.show)
    fitted, began, shown = run.fit, monotonic(), run.fit.progress.shown
    shape, labels = fitted.shape, fitted.labels
    unit = f"{labels.scale} points" if labels.scored else f"an evaluation of {labels.scale} is a chance of 73 %"
    begun = ", from --weights" if run.start else ""
    print(f"{_size(shape)}{begun}; scale: {unit}")
    batches = f"batches of {count(fitted.batch)}" if isinstance(shape, SparseShape) else "all in each step"
    print(f"{count(fitted.positions)} positions, {batches}; error {fitted.curve[-1][1]:.6f}")
    if run.is_resumed:
        print(f"continuing in epoch {fitted.epoch + 1} of {fitted.options.epochs}")
    sys.stdout.flush()

    def tell(now: FitProgress, learned: float, held_out: float) -> None:
        speed = (now.shown - shown) / max(monotonic() - began, 1e-9)
        text = f"error {learned:.6f}, held out {held_out:.6f}, {count(round(speed))} positions a second"
        print(f"epoch {now.epoch:>3}: {text}", flush=True)

    with Bar() as bar:
        run.to_the_end(
            lambda now: bar.show(now.shown / now.total, f"epoch {now.epoch + 1} of {fitted.options.epochs}"), tell
        )
    return run.finish()


def _size(shape: AnyShape) -> str:
    phases = "1 phase" if shape.phases == 1 else f"{shape.phases} phases"
    if isinstance(shape, SparseShape):
        return f"{shape.features} features, {phases}, {shape.hidden} hidden units"
    return f"{len(shape.families)} patterns in {len(shape.instances)} places, {phases}, {count(shape.size)} weights"


def _tell(run: NetworkRun, found: Quantised) -> None:
    print(
        f"in integers: held-out error {found.error_before:.6f} -> {found.error_after:.6f};"
        f" values differ by {found.mean:.2f} on average, {found.largest:.1f} at most"
    )
    if len(found.by_phase) > 1:
        unit = "error, points" if run.fit.loss.scored else "error, chance"
        rows = [(str(phase), count(positions), f"{missed:.3f}") for phase, positions, missed in found.by_phase]
        print_table(("phase", "held out", unit), rows, right=(0, 1, 2))
    print(f"written to {run.plan.out}")


def _left(run: NetworkRun) -> str:
    """The message after an interrupted run: what was kept, and how to continue."""
    plan = run.plan
    if run.is_begun:
        run.save()
        return f"stopped in epoch {run.fit.epoch + 1}, saved in {str(plan.checkpoint)!r}; --resume continues"
    return f"stopped before the fit; the positions are in {str(plan.data_file)!r}: run the same command again"


def _seconds(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds > 120 else f"{seconds:.0f} s"


def _plot(run: NetworkRun) -> str:
    from zerosum.classroom.drawing.plot import line_plot

    curve = run.fit.curve
    series = {
        "learned from": [(float(i), learned) for i, (learned, _) in enumerate(curve) if learned is not None],
        "held out": [(float(i), held_out) for i, (_, held_out) in enumerate(curve)],
    }
    return line_plot(series, title=f"Learning {run.game.name}", x_label="epoch", y_label="error")
