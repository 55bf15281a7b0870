"""``zerosum train --search``: tune parameters of the search by games, and print the progress."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from zerosum import __version__
from zerosum.cli import complain
from zerosum.cli.cluster_options import processes, recorded_command
from zerosum.cli.common import chosen_algorithm
from zerosum.cli.output import count, print_table
from zerosum.cli.progress import Bar
from zerosum.errors import ZerosumError
from zerosum.game import Game

if TYPE_CHECKING:
    from zerosum.arena.search_tuning import SearchTuning

GAMES, NODES = 20_000, 5_000
LINES = 20
"""Number of progress lines in a run."""

SHOWN = 4
"""Number of parameters in a progress line: those that moved most."""


def tune_search(game: Game, asked: Mapping[str, Any]) -> int:
    """Tune, print the results and return the exit code: 130 after Ctrl-C, which loses at most one round."""
    tuning, threads = _run_of(game, asked), asked["threads"]
    pairs = tuning.plan.pairs
    if asked["resume"]:
        print(f"continuing after {count(tuning.games)} of {count(2 * pairs)} games")
    if tuning.is_finished:
        print("this run is finished: another --out FILE starts a new one")
        return 0
    names = len(tuning.plan.names)
    print(
        f"{names} parameter{'s' * (names > 1)} of {game.name}: {count(2 * pairs)} games, {tuning.plan.control},"
        f" {threads} at a time; {tuning.plan.round} pairs of games make a step",
        flush=True,
    )
    began, first = monotonic(), tuning.games
    printed = tuning.spsa.done * LINES // pairs
    try:
        with Bar() as bar:

            def on_round(now: SearchTuning) -> None:
                nonlocal printed
                bar.show(now.spsa.done / pairs, f"game {count(now.games)} of {count(2 * pairs)}")
                if printed < now.spsa.done * LINES // pairs:
                    printed = now.spsa.done * LINES // pairs
                    speed = (now.games - first) / max(monotonic() - began, 1e-9)
                    print(f"{count(now.games):>9} games, {speed:.1f} a second: {_numbers(now)}", flush=True)

            with processes(asked["cluster"], threads, asked["cluster_log"]) as workers:
                tuning.run(workers, on_round)
    except KeyboardInterrupt:
        complain(_left(tuning))
        return 130
    _tell(tuning, asked)
    return 0


def _run_of(game: Game, asked: Mapping[str, Any]) -> SearchTuning:
    """The requested run, new or resumed."""
    from zerosum.arena.search_tuning import ROUND, SearchPlan, SearchTuning, tunable

    out = asked["out"]
    if not out:
        raise ZerosumError("--search needs --out FILE, which stores the parameters during the run")
    if asked["resume"]:
        return SearchTuning.resumed(game, Path(out))
    if Path(out).exists():
        raise ZerosumError(f"--out {out!r} exists already: continue it with --resume, or choose another name")
    games = asked["games"] or GAMES
    if games % 2:
        raise ZerosumError(f"--games {games} is odd, but games are played in pairs: give an even number")
    options = chosen_algorithm("alphabeta", asked["options"]).chosen
    plan = SearchPlan(
        names=tunable(game, options, asked["only"]),
        pairs=games // 2,
        options=options,
        control=asked["control"] or f"nodes {asked['nodes'] or NODES}",
        openings=asked["openings"] or (f"random:{asked['random_plies']}" if asked["random_plies"] else ""),
        weights=asked["start"],
        seed=asked["seed"],
        round=min(asked["round"] or ROUND, games // 2),
    )
    return SearchTuning(game, plan, Path(out), {"command": recorded_command(), "version": __version__})


def _numbers(tuning: SearchTuning) -> str:
    """The current values of the parameters that moved most."""
    return ", ".join(f"{name} {tuning.spsa.values[name]:.4g}" for name, _ in tuning.moved()[:SHOWN])


def _left(tuning: SearchTuning) -> str:
    """The message after an interrupted run: what was kept, and how to continue."""
    out = str(tuning.out)
    if not tuning.games:
        return "stopped before the first step; nothing was written"
    return f"stopped after {count(tuning.games)} games, saved in {out!r}; --out {out} --resume continues"


def _tell(tuning: SearchTuning, asked: Mapping[str, Any]) -> None:
    after = tuning.spsa.rounded
    rows = [(name, str(tuning.start[name]), str(after[name]), f"{steps:+.2f}") for name, steps in tuning.moved()]
    print_table(("parameter", "before", "after", "steps"), rows, right=(1, 2, 3))
    print(f"written to {tuning.out}")
    print(f"play a match to find out whether they are better: {_match(tuning, asked)}")


def _match(tuning: SearchTuning, asked: Mapping[str, Any]) -> str:
    """The command for a match between the new and the old parameters."""
    plan = tuning.plan
    given = {name: _word(value) for name, value in plan.options.items()}
    given |= {"weights": plan.weights} if plan.weights else {}
    new = {name: word for name, word in given.items() if name not in plan.names}
    words = ["zerosum", "match", _player({"parameters": str(tuning.out), **new}), _player(given)]
    words += ["--game", str(asked["game"]), *(word for one in asked["settings"] for word in ("--set", one))]
    words += ["--time", plan.control, *(["--openings", plan.openings] if plan.openings else [])]
    return shlex.join([*words, "--games", "20000", "--sprt", "0,5"])


def _word(value: Any) -> str:
    """An option's value as typed on the command line."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _player(options: Mapping[str, str]) -> str:
    return "engine" + ":" * bool(options) + ",".join(f"{name}={word}" for name, word in options.items())
