"""Many trees at once, with their leaves evaluated together: for networks, which are cheap per position in batches.

>>> import numpy as np
>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> def judge(states):  # gets a row of words for each position; returns a value for MAX from -1 to 1 for each
...     return np.zeros(len(states))
>>> found = Forest(game, judge, trees=2, jit=False).search([game.initial(), game.parse_state("xx.oo....")], 60)
>>> [result.nodes for result in found], found[1].in_words()
([60, 1], 'MAX wins in 1 ply')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import LimitError
from zerosum.game import Game
from zerosum.jit.plan import NODES
from zerosum.jit.target import Target, target_for
from zerosum.jit.words import float_word
from zerosum.running.stopping import Stop
from zerosum.search.algorithm import Request, Setup
from zerosum.search.limits import Limits
from zerosum.search.mcts import ASCEND, DESCEND
from zerosum.search.mcts_searcher import MctsSearcher
from zerosum.search.result import Result

States = npt.NDArray[np.int64]
Judge = Callable[[States], npt.NDArray[np.float64]]


class Forest:
    """A tree for each of several games; all waiting leaves are passed to ``judge`` in one batch.

    ``judge(states)`` gets the words of a State in each row (``game.state_type.from_words``) and returns the value of
    each for MAX, from -1 to 1. It never gets finished games.
    """

    def __init__(
        self,
        game: Game,
        judge: Judge,
        *,
        trees: int,
        hash_mb: float = 1,
        seed: int = 0,
        explore: int = 100,
        order: bool = False,
        jit: bool | Target = True,
    ) -> None:
        self.game, self.judge = game, judge
        setup = Setup(game, 1, hash_mb, target_for(game, jit))
        options = {"explore": explore, "order": order}
        self._trees = [MctsSearcher(setup, {**options, "seed": seed + number}) for number in range(trees)]

    def clear(self) -> None:
        """Forget everything learned."""
        for tree in self._trees:
            tree.clear()

    def search(self, positions: Sequence[Any], simulations: int) -> list[Result]:
        """The best move of each position after ``simulations`` each; at most as many positions as trees."""
        if len(positions) > len(self._trees):
            raise LimitError(f"{len(positions)} positions are too many: the forest has {len(self._trees)} trees")
        limits = Limits(nodes=simulations)
        grown = []
        for tree, position in zip(self._trees, positions, strict=False):
            s = getattr(position, "state", position)
            request = Request(position, s, self.game.legal_moves(s), True, limits, 1, None, None, Stop())
            grown.append((tree, request))
            tree.begin(request)
        open_trees = [tree for tree, _ in grown]
        while open_trees:
            open_trees = [tree for tree in open_trees if self._goes_on(tree, simulations)]
            waiting = [tree.member for tree in open_trees if self._descends(tree)]
            if waiting:
                size = self.game.state_type.size
                states = np.array([member.region("leaf", size) for member in waiting], np.int64)
                for member, value in zip(waiting, self.judge(states), strict=True):
                    member.value = member.score = float_word(max(-1.0, min(float(value), 1.0)))
            for tree in open_trees:
                tree.member.task = ASCEND
                tree.member.run()
        return [tree.result(request) for tree, request in grown]

    def _goes_on(self, tree: MctsSearcher, simulations: int) -> bool:
        return int(tree.member.row[NODES]) < simulations and not tree.is_decided

    def _descends(self, tree: MctsSearcher) -> bool:
        """Begin a simulation; whether its leaf needs an evaluation."""
        if tree.member.full:
            tree.collect()
        tree.member.task = DESCEND
        tree.member.run()
        return bool(tree.member.open)
