"""``zerosum train`` by temporal differences: self-play, matches on the way, files that it can go on from."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from zerosum import __version__
from zerosum.cli import complain
from zerosum.cli.files import write_text
from zerosum.cli.output import count
from zerosum.cli.progress import Bar
from zerosum.errors import ZerosumError
from zerosum.game import Game

if TYPE_CHECKING:
    from zerosum.learn.duel import Duel, Score
    from zerosum.learn.training import Training

POINTS = 20
"""A learning curve has so many points, or a few more at the beginning."""

EARLY = (100, 1_000, 10_000)
"""Where a long run is measured first: most is learned early."""

SAVE_SECONDS = 20.0
"""The network is written when so many seconds have gone by."""

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
    round_games: int
    window: int
    batch: int
    gpu: bool
    seed: int
    threads: int
    opponent: str
    matches: int
    out: str
    start: str
    resume: bool
    plot: str


def learn(game: Game, asked: Learning) -> int:
    """Learn, measure, keep; tell what came out. The exit code: 130 after Ctrl-C, which loses no more than a slice."""
    from zerosum.learn.duel import Duel

    training = _begin(game, asked)
    if training.games >= training.options.games:
        print(f"nothing is left to learn: --weights {asked.out} --out FILE begins another run with this network")
        return 0
    opponent = asked.opponent or ("evaluate" if game.has("evaluate") else "random")
    plies = 0 if game.has("chances") else OPENING
    duel = Duel(game, training.shape, opponent, plies) if asked.matches else None
    began, first = monotonic(), training.games
    size = f"{training.shape.hidden} hidden units" if training.shape.hidden else "a linear model"
    print(f"{training.shape.inputs} features, {size}; the opponent of the curve: {opponent}", flush=True)
    keeper = Keeper(training, asked.out)
    try:
        with Bar() as bar:
            for mark in marks(training.options.games, training.step if training.options.look_ahead else 1):
                if mark > training.games:
                    _to_mark(training, mark, keeper, bar)
                    _measure(training, duel, asked, began, first)
                    keeper.note(at_once=True)
    except KeyboardInterrupt:
        complain(keeper.leave())
        return 130
    if asked.out:
        print(f"written to {asked.out}")
    return 0


class Keeper:
    """Writes a run's network every now and then; and, when it is broken off, as it was after its last whole slice.

    So a run that is taken up again is the same as one that was never stopped.
    """

    def __init__(self, training: Training, out: str) -> None:
        self.training, self.out = training, out
        self.latest = training.network()
        self.saved = monotonic()

    def note(self, at_once: bool = False) -> None:
        """A slice is done, or the network has been measured: that is written at once."""
        self.latest = self.training.network()
        if self.out and (at_once or monotonic() - self.saved > SAVE_SECONDS):
            self.latest.write(Path(self.out))
            self.saved = monotonic()

    def leave(self) -> str:
        """Keep what there is, and say so."""
        games = int(self.latest.progress["games"])
        if not self.out:
            return f"stopped after {count(games)} games; nothing is kept without --out FILE"
        if not games:
            return "stopped before the first games were done; nothing is written"
        self.latest.write(Path(self.out))
        return f"stopped after {count(games)} games, which are in {self.out!r}; --out {self.out} --resume goes on"


def marks(games: int, whole: int = 1) -> list[int]:
    """After how many games the network is measured and kept: multiples of ``whole``, and at the end.

    >>> marks(50)
    [50]
    >>> marks(2000)[:4], marks(2000)[-1]
    ([100, 200, 300, 400], 2000)
    >>> marks(10_000, whole=4000)
    [4000, 8000, 10000]
    """
    step = max(games // POINTS, 100)
    wanted = (*EARLY, *range(step, games, step))
    return sorted({games, *(mark for mark in (-(-place // whole) * whole for place in wanted) if mark < games)})


def _begin(game: Game, asked: Learning) -> Training:
    from zerosum.learn.training import TdOptions, kind_of, resume
    from zerosum.networks.network import Network

    if asked.resume:
        if not asked.out:
            raise ZerosumError("--resume goes on with the network in --out FILE: name it")
        training = resume(game, Network.read(Path(asked.out), game), threads=asked.threads, gpu=asked.gpu)
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
        round_games=asked.round_games,
        window=asked.window,
        batch=asked.batch,
        seed=asked.seed,
    )
    words = [Path(word).name if "/" in word else word for word in sys.argv[1:]]  # no folders of this machine
    made: dict[str, Any] = {"command": shlex.join(["zerosum", *words]), "version": __version__}
    made |= {"seed": asked.seed, "threads": asked.threads}
    if start is not None:
        made["began with"] = dict(start.made)
    kind = kind_of(options.look_ahead)
    return kind(game, options, start=start, threads=asked.threads, gpu=asked.gpu, made=made)


def _to_mark(training: Training, mark: int, keeper: Keeper, bar: Bar) -> None:
    """Learn up to a mark."""
    total = training.options.games
    while training.games < mark:
        part = min(training.step - training.games % training.step, mark - training.games)
        training.advance(
            part, on_progress=lambda now: bar.show(now.games / total, f"game {count(now.games)} of {count(total)}")
        )
        keeper.note()


def _measure(training: Training, duel: Duel | None, asked: Learning, began: float, first: int) -> None:
    score: Score | None = None
    if duel is not None:
        score = duel.play(training.weights, asked.matches, seed=training.games, threads=asked.threads)
        training.note(score)
    if asked.plot:
        write_text("--plot", asked.plot, plot(training))
    speed = (training.games - first) / max(monotonic() - began, 1e-9)
    told = f": {score}" if score else ""
    print(f"{count(training.games):>11} games, {count(round(speed))} a second{told}", flush=True)


def plot(training: Training) -> str:
    """The learning curve as SVG."""
    from zerosum.classroom.drawing.plot import line_plot

    points = [(float(games), points) for games, points, _ in training.curve] or [(0.0, 0.0)]
    title = f"Learning {training.game.name}"
    return line_plot({"points a game": points}, title=title, x_label="games", y_label="points a game")
