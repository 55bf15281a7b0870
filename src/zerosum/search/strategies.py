"""The algorithms that deepen: alpha-beta and, to compare it with, minimax. Each has a form for games with chance."""

from __future__ import annotations

from typing import Any

from zerosum.game import Game
from zerosum.jit.kernel import Kernel
from zerosum.search.algorithm import Algorithm, Searcher, Setup
from zerosum.search.alphabeta import ALPHABETA, ALPHABETA_WITH_DATABASE
from zerosum.search.expectiminimax import EXPECTIMINIMAX
from zerosum.search.minimax import MINIMAX
from zerosum.search.options import IN_WORDS, QUANTITIES, TECHNIQUES, SearchOptions
from zerosum.search.parameters import PARAMETERS
from zerosum.search.searcher import DeepeningSearcher


class AlphaBeta(Algorithm):
    """Alpha-beta with iterative deepening and every classical technique; in games with chance, expectiminimax.

    Techniques that are not named are on or off as the game advises, else the sound ones are on. docs/search.md tells
    what each does.

    >>> AlphaBeta(table=False, null_move=True)
    AlphaBeta(table=False, null_move=True)
    """

    name = "alphabeta"
    about = "alpha-beta with iterative deepening; with chance, expectiminimax"
    solves = uses_database = True
    kinds = dict.fromkeys(TECHNIQUES, bool) | dict.fromkeys((*QUANTITIES, *PARAMETERS), int)

    @classmethod
    def plain(cls, **options: Any) -> AlphaBeta:
        """With every technique off but these."""
        return cls(**{**dict.fromkeys(TECHNIQUES, False), **options})

    def options(self, game: Game) -> SearchOptions:
        """Every option decided for a game; MissingRule or LimitError if one does not fit it."""
        return SearchOptions.advised(game, self.chosen)

    def kernel(self, game: Game, has_endings: bool = False) -> Kernel:
        """What it runs for a game, with an endgame database or without."""
        if game.has("chances"):
            return EXPECTIMINIMAX
        return ALPHABETA_WITH_DATABASE if has_endings else ALPHABETA

    def searcher(self, setup: Setup) -> Searcher:
        return DeepeningSearcher(setup, self.kernel(setup.game, setup.endings is not None), self.options(setup.game))


AlphaBeta.__doc__ = f"{AlphaBeta.__doc__}\n    Options:\n{IN_WORDS}\n"


class Minimax(Algorithm):
    """Plain minimax to one depth after the other, every line to its end: the measure of all pruning.

    In games with chance it is plain expectiminimax.
    """

    name = "minimax"
    about = "plain minimax, every line to its end; with chance, expectiminimax"

    def kernel(self, game: Game) -> Kernel:
        """What it runs for a game."""
        return EXPECTIMINIMAX if game.has("chances") else MINIMAX

    def searcher(self, setup: Setup) -> Searcher:
        plain = SearchOptions.none().for_game(setup.game)
        return DeepeningSearcher(setup, self.kernel(setup.game), plain, has_table=False)
