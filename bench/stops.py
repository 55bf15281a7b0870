"""Does a stop ever get lost, or an error stay in its thread? Tries both repeatedly, at random moments.

    python bench/stops.py [--stops 10000] [--tries 200] [--seed 0]

Every stop is sent to a search without limits: before it begins, while it begins, or while it runs. The stop is lost if
the search has not ended a minute later. Every try searches or solves, on two threads, a game that breaks a promise in a
few positions deep in its tree: it must end with one line that names the promise.
"""

from __future__ import annotations

import argparse
import queue
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from broken_games import PROMISES, broken_game

import zerosum as zs
from zerosum.errors import GameError
from zerosum.protocols.uci import Uci

PATIENCE = 60.0
LATEST = 0.003
"""The latest moment at which a stop is sent, in seconds. A search needs a tenth of that to begin."""


def after(delay: float, act: Callable[[], None]) -> threading.Thread:
    """Call ``act`` after a delay, more precisely than a sleep would."""

    def run() -> None:
        end = time.perf_counter() + delay
        while time.perf_counter() < end:
            time.sleep(0)
        act()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def is_heard(work: Callable[[], object], delay: float, act: Callable[[], None]) -> bool:
    """Start the work, send the stop, and return whether the work ends."""
    done = threading.Event()

    def run() -> None:
        work()
        done.set()

    sender = after(delay, act)
    threading.Thread(target=run, daemon=True).start()
    sender.join()
    return done.wait(PATIENCE)


def stop_engines(number: int, chance: random.Random) -> dict[str, tuple[int, int]]:
    """Stop searches, solves and rollouts by a Stop; return for each how many were sent and how many were lost."""
    four, pig = zs.load("connect-four"), zs.load("pig")
    engines = {f"{n} thread{'s' * (n > 1)}": zs.Engine(four, threads=n, hash_mb=1) for n in (1, 2)}
    dice = zs.Engine(pig, threads=2, hash_mb=1)
    works: dict[str, Callable[[zs.Stop], object]] = {}
    for name, engine in engines.items():
        works[f"search, {name}"] = lambda stop, e=engine: e.search(four.initial(), stop=stop)
        works[f"solve, {name}"] = lambda stop, e=engine: e.solve(four.initial(), stop=stop)
    works["rollout"] = lambda stop: dice.rollout(pig.initial(), precision=1e-9, stop=stop)
    counts = dict.fromkeys(works, (0, 0))
    for n in range(number):
        name = list(works)[n % len(works)]
        stop = zs.Stop()
        heard = is_heard(lambda name=name, stop=stop: works[name](stop), chance.uniform(0, LATEST), stop.set)
        sent, lost = counts[name]
        counts[name] = (sent + 1, lost + (not heard))
        if not heard:
            break  # the engine will stay busy
    return counts


def stop_uci(number: int, chance: random.Random) -> tuple[int, int]:
    """Send ``go infinite``, then ``stop`` a moment later; return how often, and how often no move came."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    uci = Uci(zs.load("connect-four"), lines.put)
    uci.session.warm_up()
    uci.session.ready.wait()
    for n in range(number):
        uci.handle("go infinite")
        after(chance.uniform(0, LATEST), lambda: uci.handle("stop")).join()
        try:
            while not lines.get(timeout=PATIENCE).startswith("bestmove"):
                pass
        except queue.Empty:
            return n + 1, 1
    uci.close()
    return number, 0


def break_promises(tries: int) -> dict[str, tuple[int, int]]:
    """Return, for each promise and question, the number of tries, and of those without the right error line."""
    counts = {}
    for promise, line in PROMISES.items():
        game = broken_game(promise)
        for question in ("search", "solve"):
            wrong = 0
            for _ in range(tries):
                answers: list[str] = []
                thread = threading.Thread(target=_ask, args=(game, question, answers), daemon=True)
                thread.start()
                thread.join(PATIENCE)
                wrong += not (len(answers) == 1 and line in answers[0] and "\n" not in answers[0])
            counts[f"{question}: {promise}"] = (tries, wrong)
    return counts


def _ask(game: zs.Game, question: str, answers: list[str]) -> None:
    try:
        getattr(zs.Engine(game, threads=2, hash_mb=1), question)(game.initial())
    except GameError as problem:
        answers.append(str(problem))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stops", type=int, default=10_000)
    parser.add_argument("--tries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    started = time.perf_counter()
    for name, (sent, lost) in stop_engines(options.stops * 4 // 5, chance).items():
        print(f"{name:32} {sent:6} stops {lost:6} lost", flush=True)
    sent, lost = stop_uci(options.stops - options.stops * 4 // 5, chance)
    print(f"{'uci, go infinite':32} {sent:6} stops {lost:6} lost", flush=True)
    for name, (tries, wrong) in break_promises(options.tries).items():
        print(f"{name:32} {tries:6} tries {wrong:6} without the right line", flush=True)
    print(f"seed {options.seed}, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
