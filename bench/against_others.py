"""zerosum against OpenSpiel and easyAI: alpha-beta on the same games, each library with its own search.

A node is a position visited: one call of the library's recursive search function, which for zerosum is
``Result.nodes``. The others' nodes are counted in a separate run, with that function wrapped; the timed runs use
the unmodified library. No side evaluates: positions at the horizon are worth 0. There are two ratios: nodes per
second, each side at a depth that keeps it busy, and the time to search the same position to the same depth, where
zerosum's transposition table and move ordering count too.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from switches import only
from timing import clocked, interleaved, machine, speed_ratio

import zerosum as zs


@dataclass
class Rival:
    """A library's search of one game from its start: ``search()``, and the function it recurses through."""

    name: str
    game: str  # zerosum's name for it
    depth: int
    search: Callable[[], object]
    module: ModuleType
    function: str


def open_spiel(name: str, game: str, depth: int) -> Rival:
    import pyspiel
    from open_spiel.python.algorithms import minimax

    if name.startswith("python_"):
        importlib.import_module("open_spiel.python.games")  # registers the games written in Python
    rules = pyspiel.load_game(name)

    def search() -> object:
        return minimax.alpha_beta_search(rules, value_function=lambda state: 0, maximum_depth=depth)

    return Rival(f"OpenSpiel {name}", game, depth, search, minimax, "_alpha_beta")


def easy_ai(name: str, game: str, depth: int) -> Rival:
    from easyAI import AI_Player, Negamax

    rules = getattr(importlib.import_module(f"easyAI.games.{name}"), name)
    player = Negamax(depth)

    def search() -> object:
        return player(rules([AI_Player(player), AI_Player(player)]))

    return Rival(f"easyAI {name}", game, depth, search, importlib.import_module("easyAI.AI.Negamax"), "negamax")


@contextmanager
def counted(module: ModuleType, function: str) -> Iterator[list[int]]:
    """Count the calls of a module's function, including recursive ones."""
    original, calls = getattr(module, function), [0]

    def counting(*arguments: Any, **named: Any) -> Any:
        calls[0] += 1
        return original(*arguments, **named)

    setattr(module, function, counting)
    try:
        yield calls
    finally:
        setattr(module, function, original)


class Ours:
    """zerosum's Engine from the start of a game, with an empty table for every search."""

    def __init__(self, game: str, depth: int, options: zs.AlphaBeta | None) -> None:
        # The table is sized for the game: a large one takes longer to empty than tic-tac-toe to solve.
        self.game = zs.load(game).with_(evaluate=None, order=None, bounds=None, advice={})
        self.engine = zs.Engine(self.game, options, hash_mb=1 if game == "tictactoe" else 64)
        self.depth = depth
        self.nodes = 0
        self.search()  # compiles or loads the kernel

    def search(self) -> None:
        self.engine.clear()
        self.nodes = self.engine.search(self.game.initial(), depth=self.depth).nodes


def compare(rival: Rival, repeats: int) -> None:
    library = rival.name.split()[0]
    with counted(rival.module, rival.function) as calls:
        rival.search()
    theirs = calls[0]
    print(f"\n{rival.name}, depth {rival.depth}: {theirs:,} nodes")
    for name, (options, connect_four_depth) in ENGINES.items():
        busy_depth = connect_four_depth if rival.game == "connect-four" else rival.depth
        ours, busy = Ours(rival.game, rival.depth, options), Ours(rival.game, busy_depth, options)
        times = interleaved(
            {"theirs": clocked(rival.search), "ours": clocked(ours.search), "busy": clocked(busy.search)}, repeats
        )
        a_node = {"theirs": [t / theirs for t in times["theirs"]], "ours": [t / busy.nodes for t in times["busy"]]}
        print(
            f"  zerosum {name} {1 / min(a_node['ours']):,.0f} nodes/s (depth {busy_depth}, {busy.nodes:,} nodes),",
            end="",
        )
        print(f" {library} {1 / min(a_node['theirs']):,.0f}")
        print(f"    nodes/s, zerosum / {library}: {speed_ratio(a_node, 'ours', 'theirs')}")
        print(f"    speed to depth {rival.depth}, the same way: {speed_ratio(times, 'ours', 'theirs')}", flush=True)


# The default options, and the rivals' algorithm: alpha-beta and nothing else. Each has a depth of connect four that
# takes long enough for nodes/s, so that the call itself and the empty table's first pages do not matter.
ENGINES = {"as it comes": (None, 19), "plain": (only(), 12)}

RIVALS: list[tuple[str, Callable[[str, str, int], Rival], str, str, int]] = [
    ("open_spiel", open_spiel, "connect_four", "connect-four", 9),
    ("open_spiel", open_spiel, "python_tic_tac_toe", "tictactoe", 9),
    ("easyAI", easy_ai, "ConnectFour", "connect-four", 6),
    ("easyAI", easy_ai, "TicTacToe", "tictactoe", 9),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    print(machine())
    for package, make, name, game, depth in RIVALS:
        try:
            rival = make(name, game, depth)
        except ImportError as problem:
            print(f"\n{name}: skipped, {problem}; to measure it: pip install {package}")
            continue
        compare(rival, repeats)


if __name__ == "__main__":
    main()
