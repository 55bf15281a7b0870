"""zerosum: adversarial search for two-player zero-sum games written in plain Python.

>>> import zerosum as zs
>>> game = zs.load("tictactoe")
>>> zs.Engine(game).search(game.initial(), depth=9).value
0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Numba, NumPy and the games load on first use: importing zerosum costs next to nothing.
_HOMES = {
    "AlphaBeta": "search.strategies",
    "Auto": "search.auto",
    "CHANCE": "game",
    "Engine": "engine",
    "Format": "formats.format",
    "Game": "game",
    "GameError": "errors",
    "KernelError": "errors",
    "Line": "game",
    "MAX": "game",
    "MIN": "game",
    "Mcts": "search.mcts_searcher",
    "Minimax": "search.strategies",
    "MissingRule": "errors",
    "Played": "formats.played",
    "Programs": "formats.programs",
    "Proof": "search.proof_searcher",
    "Result": "search.result",
    "Stop": "running.stopping",
    "WIN": "game",
    "ZerosumError": "errors",
    "bits": "jit.bits",
    "highest_bit": "jit.bits",
    "load": "games",
    "lowest_bit": "jit.bits",
    "mix": "jit.bits",
    "perft": "engine",
    "playouts": "engine",
    "popcount": "jit.bits",
    "replace": "jit.bits",
    "u64": "jit.words",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name == "SearchOptions":
        raise AttributeError("zerosum.SearchOptions is now zerosum.AlphaBeta: Engine(game, AlphaBeta(table=False))")
    if name not in _HOMES:
        raise AttributeError(f"module 'zerosum' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"zerosum.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])


if TYPE_CHECKING:
    from zerosum.engine import Engine as Engine
    from zerosum.engine import perft as perft
    from zerosum.engine import playouts as playouts
    from zerosum.errors import GameError as GameError
    from zerosum.errors import KernelError as KernelError
    from zerosum.errors import MissingRule as MissingRule
    from zerosum.errors import ZerosumError as ZerosumError
    from zerosum.formats.format import Format as Format
    from zerosum.formats.played import Played as Played
    from zerosum.formats.programs import Programs as Programs
    from zerosum.game import CHANCE as CHANCE
    from zerosum.game import MAX as MAX
    from zerosum.game import MIN as MIN
    from zerosum.game import WIN as WIN
    from zerosum.game import Game as Game
    from zerosum.game import Line as Line
    from zerosum.games import load as load
    from zerosum.jit.bits import bits as bits
    from zerosum.jit.bits import highest_bit as highest_bit
    from zerosum.jit.bits import lowest_bit as lowest_bit
    from zerosum.jit.bits import mix as mix
    from zerosum.jit.bits import popcount as popcount
    from zerosum.jit.bits import replace as replace
    from zerosum.jit.words import u64 as u64
    from zerosum.running.stopping import Stop as Stop
    from zerosum.search.auto import Auto as Auto
    from zerosum.search.mcts_searcher import Mcts as Mcts
    from zerosum.search.proof_searcher import Proof as Proof
    from zerosum.search.result import Result as Result
    from zerosum.search.strategies import AlphaBeta as AlphaBeta
    from zerosum.search.strategies import Minimax as Minimax
