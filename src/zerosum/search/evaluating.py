"""Evaluate many positions at once, with any numbers in the game's tables: for tuning."""

from __future__ import annotations

from typing import Any

from zerosum.errors import LimitError
from zerosum.game import Game
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.rules import Rules
from zerosum.jit.words import memory_at
from zerosum.running.crew import Crew

WORDS = ITEMS.then("states", "values")  # the addresses of positions, and of their values
STATES, VALUES = WORDS


def build(rules: Rules):
    evaluate, unpack = rules.evaluate, rules.unpack
    size = rules.game.state_type.size

    def item(i, mem):
        """Store the evaluation of a state, for MAX."""
        memory_at(mem[VALUES])[i] = evaluate(unpack(memory_at(mem[STATES]), i * size), mem)
        return 1

    return item


EVALUATE = ItemKernel("evaluate", ("evaluate",), build, WORDS)


class Evaluator:
    """Evaluates one set of positions again and again, each time with other tables.

    >>> import numpy as np
    >>> from zerosum.games import load
    >>> game = load("tictactoe")
    >>> boards = [game.parse_state(text) for text in (".........", "....x....")]
    >>> values = Evaluator(game, np.array([game.state_type.words(s) for s in boards])).values()
    >>> values.tolist() == [game.evaluate(s) for s in boards]
    True
    """

    def __init__(self, game: Game, states: Any) -> None:
        import numpy as np

        if game.has("chances"):
            raise LimitError(f"{game.name} has chance nodes, so its evaluations are not whole numbers")
        game.require("evaluate", "evaluating positions")
        self.game = game
        self.states = np.ascontiguousarray(states, np.int64)
        EVALUATE.of(game)  # raises compile errors now

    def values(self, tables: Any = None) -> Any:
        """The evaluation of every position, with these tables or the game's own. Thread-safe."""
        import numpy as np

        game = self.game if tables is None else self.game.with_(tables=tables)
        found = np.zeros(len(self.states), np.int64)
        crew = Crew(EVALUATE, game)
        crew.put(states=self.states.ctypes.data, values=found.ctypes.data)
        crew.run(lambda report: crew.do_items(len(found), max(len(found), 1)))
        return found
