"""Search techniques as switches, read at run time: none of them recompiles anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from zerosum.errors import LimitError, MissingRule
from zerosum.game import Game

# The function that a technique cannot do without.
NEEDS = {
    "symmetry": "canonical",
    "bounds": "bounds",
    "quiescence": "noisy_moves",
    "forced": "is_forced",
    "null_move": "skip",
    "futility": "evaluate",
    "late_pruning": "evaluate",
    "razoring": "evaluate",
    "star1": "bounds",
    "star2": "bounds",
    "evaluate_events": "evaluate",
    "move_filter": "evaluate",
}

SOUND = ("table", "hash_move", "order", "killers", "history", "pvs", "aspiration", "mate_distance", "symmetry")
"""Techniques that never change the value at a given depth (``table`` together with ``exact_draft``)."""

UNSOUND = (
    "bounds",
    "quiescence",
    "forced",
    "singular",
    "null_move",
    "reductions",
    "futility",
    "razoring",
    "late_pruning",
    "iir",
    "early_repetition",
)
"""Techniques that look further in places and less far in others: values are better guesses, not the same ones.

``bounds`` never errs: it replaces guesses that the game knows to be wrong.
"""

CHANCE_SOUND = ("windows", "star1", "star2", "chance_order")
"""Techniques for games with chance that never change a value, if no evaluation is outside ``bounds``."""

CHANCE_UNSOUND = ("evaluate_events", "move_filter")
"""Techniques for games with chance that give other values: better ones for the time, where the evaluation is good."""

ALPHABETA_ONLY = tuple(name for name in SOUND if name not in ("table", "hash_move", "order", "symmetry"))
"""Sound techniques that expectiminimax has no use for."""


@dataclass(frozen=True)
class SearchOptions:
    """Which techniques a search uses. Sound ones are on; the others only where the game's advice or you say so.

    ``None`` stands for "on if the game defines the function that it needs".

    >>> SearchOptions(table=False).table
    False
    """

    table: bool = True
    """Transposition table: positions reached by several orders of moves are searched once."""
    exact_draft: bool = False
    """Take from the table only what was searched to this very depth, as the reference does."""
    hash_move: bool = True
    """Try first the move that the table remembers as best."""
    order: bool = True
    """Sort moves by the game's ``order``, or else by the evaluation of their successors."""
    killers: bool = True
    """Among moves of equal order, first those that refuted the last moves at the same ply."""
    history: bool = True
    """Then those that have refuted most, or refuted the same move before."""
    pvs: bool = True
    """Principal variation search: prove with an empty window that later moves are no better."""
    aspiration: bool = True
    """Expect a value near that of the last depth; search again if it is not."""
    mate_distance: bool = True
    """Cut lines that cannot lead to an earlier end than one already found."""
    symmetry: bool | None = None
    """Search symmetric positions once (``canonical``)."""
    bounds: bool | None = False
    """Cut where the game's ``bounds`` decide, and correct guesses by them."""
    quiescence: bool = False
    """At the horizon go on with ``noisy_moves`` until the position is quiet."""
    forced: bool = False
    """Look one move further where ``is_forced``."""
    singular: bool = False
    """Look one move further after a move that is better than all others by far."""
    null_move: bool = False
    """If even passing (``skip``) refutes the last move, believe it, verified at high depths."""
    reductions: bool = False
    """Search late moves less deeply first."""
    futility: bool = False
    """Near the horizon, believe an evaluation that is far above what is needed."""
    razoring: bool = False
    """Near the horizon, go straight to quiescence where the evaluation is far below what is needed."""
    late_pruning: bool = False
    """Near the horizon, leave out quiet moves (those that ``order`` puts at 0 or below) after so many others."""
    iir: bool = False
    """Look one move less far where the table knows no move to try first."""
    early_repetition: bool = False
    """Take the first repetition within the search for the draw that it may become."""
    unit: int = 100
    """What the evaluation gives for a small material advantage: margins and windows are multiples of it."""
    windows: bool | None = None
    """With chance: where a player moves, do not look on once a better choice is known elsewhere (alpha-beta)."""
    star1: bool | None = None
    """With chance: cut an event's outcomes where, by the game's ``bounds``, they can no longer matter."""
    star2: bool | None = None
    """With chance: try one move of every outcome first; what it brings may be enough for a cut."""
    chance_order: bool | None = None
    """With chance: look first at the outcomes on which the average depends most."""
    evaluate_events: bool = False
    """With chance: evaluate an event behind the last move instead of averaging what it may bring."""
    move_filter: bool = False
    """With chance: search only moves that a shallower search finds good, as backgammon programs do."""
    filter_moves: int = 8
    """So many moves pass the filter, if they are good enough,"""
    filter_margin: int = 160
    """which is: within so many thousandths of a point of the best."""

    def switches(self) -> int:
        """The techniques that are on, as kernels read them: a bit each."""
        return sum(1 << place for place, value in enumerate(vars(self).values()) if value is True)

    def for_game(self, game: Game) -> SearchOptions:
        """These options with every ``None`` decided; MissingRule if one needs what the game does not define."""
        decided = {technique: game.has(rule) for technique, rule in NEEDS.items() if getattr(self, technique) is None}
        for technique in CHANCE_SOUND:
            if not game.has("chances"):
                decided[technique] = False
            elif getattr(self, technique) is None:
                decided.setdefault(technique, True)
        if game.repetition:
            # A mirrored line would no longer be seen to repeat the line that led to it.
            decided["symmetry"] = False
        if game.has("chances"):
            decided |= dict.fromkeys((*ALPHABETA_ONLY, *decided.keys() & set(UNSOUND)), False)
        options = replace(self, **decided)
        if game.has("chances"):
            for technique in UNSOUND:
                if getattr(options, technique):
                    raise LimitError(f"{technique!r} is a technique of alpha-beta, but {game.name} has chance in it")
            options = options._with_what_stars_need()
        for technique in () if game.has("chances") else CHANCE_UNSOUND:
            if getattr(options, technique):
                raise LimitError(f"{technique!r} is a technique for games with chance, but {game.name} has none in it")
        for technique, rule in NEEDS.items():
            if getattr(options, technique) and not game.has(rule):
                raise MissingRule(f"the technique {technique!r} needs {rule}, which {game.name} does not define")
        if options.exact_draft and not options.table:
            raise LimitError("exact_draft says how to use the table, but table is off")
        for quantity in ("unit", "filter_moves", "filter_margin"):
            number = getattr(options, quantity)
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise LimitError(f"{quantity} must be a whole number of at least 1, not {number!r}")
        return options

    def _with_what_stars_need(self) -> SearchOptions:
        """Star2 is Star1 with probes, and Star1 cuts by windows: one that was left undecided follows the other."""
        star1 = self.star1 and self.windows
        return replace(self, star1=star1, star2=self.star2 and star1)

    @classmethod
    def advised(cls, game: Game, chosen: Mapping[str, Any] | None = None) -> SearchOptions:
        """The defaults, changed by the game's ``advice``, changed by what the user chose by name."""
        known = {field.name for field in fields(cls)}
        wanted = {**game.advice, **(chosen or {})}
        for word in wanted:
            if word not in known:
                raise LimitError(f"there is no search option {word!r}; there are {', '.join(sorted(known))}")
        return cls(**wanted).for_game(game)

    @classmethod
    def none(cls) -> SearchOptions:
        """Plain alpha-beta, with chance plain expectiminimax: every technique off."""
        return cls(**dict.fromkeys((*SOUND, *UNSOUND, *CHANCE_SOUND, *CHANCE_UNSOUND), False))


def switch(name: str) -> int:
    """The bit of a technique among ``switches()``."""
    return 1 << [field.name for field in fields(SearchOptions)].index(name)
