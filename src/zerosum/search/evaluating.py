"""The evaluation of many positions at once, with any numbers in the game's tables: what tuning asks for."""

from __future__ import annotations

from typing import Any

from zerosum.errors import LimitError
from zerosum.game import Game
from zerosum.jit.kernel import Kernel, Memory
from zerosum.jit.rules import STOP, Layout, Rules
from zerosum.jit.words import memory_at
from zerosum.search.background import in_background

# Words of the header, after those of every kernel: where the states lie, where the values go, and how many.
STATES, VALUES, COUNT = range(4, 7)


def build(rules: Rules):
    evaluate, refresh, unpack = rules.evaluate, rules.refresh, rules.unpack
    size = rules.at.culprit - rules.at.state

    def entry(mem):
        """Fills in the evaluation of each state, for MAX; what a state holds from the tables is worked out anew."""
        states, values = memory_at(mem[STATES]), memory_at(mem[VALUES])
        for i in range(mem[COUNT]):
            if mem[STOP]:
                break
            values[i] = evaluate(refresh(unpack(states, i * size), mem), mem)
        return 0

    return entry


EVALUATE = Kernel("evaluate", ("evaluate", "refresh"), build)


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
            raise LimitError(f"{game.name} has chance in it, and evaluations that are no whole numbers")
        game.require("evaluate", "evaluating positions")
        self.game = game
        self.states = np.ascontiguousarray(states, np.int64)
        self._kernel = EVALUATE.of(game)

    def values(self, tables: Any = None) -> Any:
        """The evaluation of every position, with these tables or else the game's own; callable from several threads."""
        import numpy as np

        game = self.game if tables is None else self.game.with_(tables=tables)
        memory = Memory(game, Layout(game).free)
        found = np.zeros(len(self.states), np.int64)
        row = memory.row
        row[STATES], row[VALUES], row[COUNT] = self.states.ctypes.data, found.ctypes.data, len(found)

        def stop() -> None:
            row[STOP] = 1

        in_background(lambda report: self._kernel(memory), stop)
        return found
