"""``game.compiled``: the rules as machine code, called from Python with plain States. For tests and experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.contract import RULES, takes_tables
from zerosum.errors import MissingRule

if TYPE_CHECKING:
    from zerosum.game import Game


class CompiledRules:
    """Each attribute is one of the game's rules, compiled on first use.

    >>> from zerosum.games import load
    >>> game = load("tictactoe")
    >>> list(game.compiled.moves(game.initial())) == list(game.moves(game.initial()))
    True
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getattr__(self, rule: str) -> Any:
        from numba import njit

        from zerosum.jit.diagnose import explained
        from zerosum.jit.lift import Lifter
        from zerosum.jit.yields import called_form

        game = self._game
        if rule not in RULES or not RULES[rule].is_compiled:
            raise AttributeError(f"{rule!r} is not one of the rules that are compiled")
        if not game.has(rule):
            raise MissingRule(f"{game.name} defines no {rule}")
        given = game.given[rule]
        if not callable(given):
            return game.bounds
        # Lifted functions cannot be called from Python; a second compilation of the outermost one can.
        compiled = njit(error_model="numpy")(Lifter(game.state_type).function(given, called_form(rule)).py_func)
        more = (game.tables,) if takes_tables(rule, given) else ()

        def call(*arguments: Any) -> Any:
            arguments = tuple(game.state(a) if isinstance(a, tuple) else a for a in arguments)
            with explained(game, (rule,)):
                found = compiled(*arguments, *more)
            return game.state(found, rule) if RULES[rule].returns == "State" else found

        self.__dict__[rule] = call
        return call
