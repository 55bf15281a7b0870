"""The table of algorithms that an engine can use, and how to get one: by name, by options, or as an object.

>>> algorithm_of("alphabeta"), algorithm_of({"table": False})
(AlphaBeta(), AlphaBeta(table=False))
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from zerosum.errors import LimitError

if TYPE_CHECKING:
    from zerosum.search.algorithm import Algorithm, AlgorithmLike

DEFAULT = "alphabeta"

# To add an algorithm, write its class and add one line here. It is imported on first use.
ALGORITHMS = {
    "alphabeta": "zerosum.search.strategies:AlphaBeta",
    "minimax": "zerosum.search.strategies:Minimax",
    "mcts": "zerosum.search.mcts_searcher:Mcts",
    "proof": "zerosum.search.proof_searcher:Proof",
    "auto": "zerosum.search.auto:Auto",
}


OTHER_NAMES = {
    "alpha-beta": "alphabeta",
    "iterative-deepening": "alphabeta",
    "expectimax": "alphabeta",
    "expectiminimax": "alphabeta",
    "monte-carlo-tree-search": "mcts",
    "proof-numbers": "proof",
}
"""Names from textbooks. Alpha-beta includes iterative deepening, and is expectiminimax in games of chance."""


def algorithm_named(name: str) -> type[Algorithm]:
    """The algorithm with this name; LimitError, which lists all names, if it is unknown."""
    name = OTHER_NAMES.get(name, name)
    if name not in ALGORITHMS:
        raise LimitError(f"unknown algorithm {name!r}; the algorithms are {', '.join(ALGORITHMS)}")
    module, _, kind = ALGORITHMS[name].partition(":")
    found: type[Algorithm] = getattr(import_module(module), kind)
    return found


def algorithm_of(given: AlgorithmLike) -> Algorithm:
    """The algorithm that a user specifies: an Algorithm, its name, options for alpha-beta, or None for its defaults."""
    if isinstance(given, str):
        return algorithm_named(given)()
    if given is None or isinstance(given, Mapping):
        return algorithm_named(DEFAULT)(**(given or {}))
    from zerosum.search.algorithm import Algorithm

    if not isinstance(given, Algorithm):
        raise LimitError(f"an algorithm is a name, such as 'alphabeta', or AlphaBeta(...), not {given!r}")
    return given
