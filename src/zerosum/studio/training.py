"""Training to watch: a small run started by a page, or the file of a run in another process.

``zerosum train GAME --out FILE`` rewrites its file as it goes; ``zerosum studio --training FILE`` watches it. In both
cases the page receives the learning curve and a game of the network against itself.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zerosum.errors import StudioError, ZerosumError
from zerosum.files import is_there, why_not_a_file
from zerosum.game import CHANCE, MAX, Game, Line
from zerosum.learn.learning import LearningRun
from zerosum.learn.plans import LearningPlan
from zerosum.networks.network import Network, learned, parse
from zerosum.studio import positions
from zerosum.studio.messages import Request, in_one_line, settings, whole, words
from zerosum.studio.tab import Tab

MOST_GAMES = 200_000
MATCHES = 400
"""Games against the opponent for each point of the curve."""

LONGEST_LINE = 60
LONGEST_WITH_DICE = 10
"""Maximum plies of the network's game: with dice there are many moves to evaluate, each in plain Python."""

LOOK = 2.0
"""Seconds between two checks of a file."""

Json = dict[str, Any]


def own_game(game: Game, network: Network, seed: int = 1) -> Line:
    """A game of the network against itself: it always plays the move it values most, with dice from ``seed``.

    >>> from zerosum.games import load
    >>> small = load("connect-four", width=4, height=4, k=3)
    >>> len(own_game(small, Network.fresh(small, hidden=0))) >= 5
    True
    """
    trained = learned(game, network)
    dice, line = random.Random(seed), Line(game)
    for _ in range(LONGEST_WITH_DICE if game.has("chances") else LONGEST_LINE):
        s = line.state
        if game.is_over(s) or line.is_repetition:
            break
        player = game.to_move(s)
        if player == CHANCE:
            line = line.play(game.roll(s, dice))
            continue
        sign = 1 if player == MAX else -1
        values = {move: sign * _value(trained, game.play(s, move)) for move in game.legal_moves(s)}
        line = line.play(max(values, key=lambda move: values[move]))
    return line


def _value(trained: Game, s: Any) -> float:
    """The value of a position for MAX; a won game is worth more than any evaluation."""
    if trained.is_over(s):
        value = float(trained.final_value(s))
        return value if trained.scored else 1e9 * value
    return float(trained.evaluate(s))


def as_json(network: Network, game: Game, opponent: str) -> Json:
    """A network as data for the page: its progress, its learning curve, and a game against itself."""
    line = own_game(game, network)
    options = dict(network.progress.get("options") or {})
    return {
        **positions.board(game),
        "games": int(network.progress.get("games", 0)),
        "total": int(options.get("games", 0)),
        "hidden": network.shape.hidden,
        "features": network.shape.inputs,
        "opponent": opponent,
        "curve": [list(point) for point in network.curve],
        "line": {
            "moves": list(line.moves),
            "texts": list(line.texts()),
            "pieces": positions.pieces(game, line.state),
            "text": game.show(line.state),
            "words": (positions.ending_of(line) or {"words": ""})["words"],
        },
    }


class Watched:
    """A training run, watched in a thread that reports to a page; it ends when the page leaves."""

    def __init__(self, tab: Tab, name: str) -> None:
        self.tab, self.name = tab, name
        self.stopped = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._guarded, name="zerosum-training", daemon=True).start()

    def stop(self) -> None:
        self.stopped.set()

    def _guarded(self) -> None:
        try:
            self.run()
        except Exception as problem:  # also of a rule of a user's game
            self.tell("failed", problem=in_one_line(problem))

    def run(self) -> None:
        raise NotImplementedError

    def tell(self, state: str, **more: Any) -> None:
        self.tab.send("training", {"name": self.name, "state": state, "problem": "", **more})


class Run(Watched):
    """A small run of TD learning from scratch."""

    def __init__(self, tab: Tab, named: Mapping[str, Any], game: Game, plan: LearningPlan) -> None:
        super().__init__(tab, "here")
        self.named, self.game, self.plan = dict(named), game, plan

    def run(self) -> None:
        self.tell("preparing", **self.named)
        run = LearningRun(self.game, self.plan, {}, self.tab.studio.jit)
        began = time.monotonic()

        def now(state: str) -> None:
            speed = run.training.games / max(time.monotonic() - began, 1e-9)
            network = run.training.network()
            self.tell(state, **self.named, speed=round(speed), **as_json(network, self.game, run.opponent))

        for _ in run.to_the_end(lambda progress: None):
            if self.stopped.is_set():
                now("stopped")
                return
            now("learning")
        now("done")


class Follower(Watched):
    """The file of a run in another process."""

    def __init__(self, tab: Tab, path: Path, find: Callable[[str], tuple[Json, Game] | None]) -> None:
        super().__init__(tab, path.name)
        self.path, self.find = path, find

    def run(self) -> None:
        seen: tuple[int, ...] | None = None
        while not self.stopped.is_set() and self.tab.deliver is not None:
            changed = _changed(self.path)
            if changed is None:
                if seen is None:
                    self.tell("waiting")
                    seen = ()
            elif changed != seen:
                seen = changed
                self._tell_file()
            self.stopped.wait(LOOK)

    def _tell_file(self) -> None:
        content = self.path.read_bytes()
        name = str(parse(content, self.path.name).header.get("game"))
        found = self.find(name)
        if found is None:
            raise StudioError(f"{self.path.name!r} holds a network of {name!r}, a game that this studio does not have")
        named, game = found
        network = Network.parse(content, game, self.path.name)
        done = network.learner is None
        opponent = "evaluate" if game.has("evaluate") else "random"
        self.tell("done" if done else "learning", **named, **as_json(network, game, opponent))


def _changed(path: Path) -> tuple[int, ...] | None:
    """Numbers that are different for every version of a file, even of two that are written within a moment."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def find_game(tab: Tab, name: str) -> tuple[Json, Game] | None:
    """The studio's game with this name, and its identifier in the page."""
    for entry in tab.studio.offered.catalogue():
        try:
            game = tab.studio.offered.game(entry["id"], {})
        except ZerosumError:
            continue
        if game.name == name:
            return {"game_id": entry["id"], "settings": {}}, game
    return None


def able(tab: Tab) -> list[str]:
    """The games that can learn: those that declare features."""
    found = []
    for entry in tab.studio.offered.catalogue():
        try:
            game = tab.studio.offered.game(entry["id"], {})
        except ZerosumError:
            continue
        if game.has("features") and game.feature_names:
            found.append(entry["id"])
    return found


def watch(tab: Tab, request: Request) -> None:
    """Send the games that can learn, and from now on the progress of the watched files."""
    for path in tab.studio.training:
        key = f"training {path}"
        if key not in tab.extras:
            tab.extras[key] = Follower(tab, Path(path), lambda name: find_game(tab, name))
            tab.extras[key].start()
    files = [Path(path).name for path in tab.studio.training]
    tab.send("trainable", {"games": able(tab), "files": files}, request.number)


def begin(tab: Tab, request: Request) -> None:
    body = request.body
    name, chosen = words(body, "game"), settings(body)
    game = tab.studio.offered.game(name, chosen)
    game.require("features", "learning")
    asked = {
        "games": whole(body, "games", 1, MOST_GAMES, 20_000),
        "hidden": whole(body, "hidden", 0, 200, 20),
        "seed": whole(body, "seed", 0, 10**6, 1),
        "matches": MATCHES,
    }
    _stop(tab)
    run = tab.extras["training"] = Run(tab, {"game_id": name, "settings": chosen}, game, LearningPlan.of(game, asked))
    tab.send("training-begun", {}, request.number)
    run.start()


def stop(tab: Tab, request: Request) -> None:
    _stop(tab)
    tab.send("stopped", {}, request.number)


def _stop(tab: Tab) -> None:
    running = tab.extras.pop("training", None)
    if running is not None:
        running.stop()


def checked_files(files: Sequence[str]) -> tuple[str, ...]:
    """The files to watch: they need not exist yet, but their folders must."""
    for file in files:
        if not Path(file).resolve().parent.is_dir():
            raise StudioError(f"--training {file!r}: the folder {str(Path(file).parent)!r} does not exist")
        if is_there(Path(file)) and (reason := why_not_a_file(file)):
            raise StudioError(f"--training {file!r} {reason}")
    return tuple(files)


HANDLERS = {"training-watch": watch, "training": begin, "training-stop": stop}
