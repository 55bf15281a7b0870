"""The algorithms with iterative deepening: alpha-beta and, for comparison, minimax. Each has a form for chance."""

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

    The game's advice turns techniques on or off unless an option is given; by default the sound ones are on.
    docs/search.md says what each does.

    >>> AlphaBeta(table=False, null_move=True)
    AlphaBeta(table=False, null_move=True)
    """

    name = "alphabeta"
    about = "alpha-beta with iterative deepening; with chance, expectiminimax"
    solves = uses_database = True
    kinds = dict.fromkeys(TECHNIQUES, bool) | dict.fromkeys((*QUANTITIES, *PARAMETERS), int)

    @classmethod
    def plain(cls, **options: Any) -> AlphaBeta:
        """Alpha-beta with every technique off except these options."""
        return cls(**{**dict.fromkeys(TECHNIQUES, False), **options})

    def options(self, game: Game) -> SearchOptions:
        """The options for a game, all decided; MissingRule or LimitError if one does not fit the game."""
        return SearchOptions.advised(game, self.chosen)

    def kernel(self, game: Game, has_endings: bool = False) -> Kernel:
        """The kernel for a game, with or without an endgame database."""
        if game.has("chances"):
            return EXPECTIMINIMAX
        return ALPHABETA_WITH_DATABASE if has_endings else ALPHABETA

    def searcher(self, setup: Setup) -> Searcher:
        return DeepeningSearcher(setup, self.kernel(setup.game, setup.endings is not None), self.options(setup.game))


AlphaBeta.__doc__ = f"{AlphaBeta.__doc__}\n    Options:\n{IN_WORDS}\n"


class Minimax(Algorithm):
    """Plain minimax with iterative deepening, every line to the full depth: the baseline for all pruning.

    In games with chance it is plain expectiminimax.
    """

    name = "minimax"
    about = "plain minimax, every line to the full depth; with chance, expectiminimax"

    def kernel(self, game: Game) -> Kernel:
        """The kernel for a game."""
        return EXPECTIMINIMAX if game.has("chances") else MINIMAX

    def searcher(self, setup: Setup) -> Searcher:
        plain = SearchOptions.none().for_game(setup.game)
        return DeepeningSearcher(setup, self.kernel(setup.game), plain, has_table=False)
