"""Search techniques as switches, read at run time: changing one recompiles nothing.

A technique is described once, by the field of ``SearchOptions`` that turns it on. Its record says whether it is sound,
which rule it needs, in which games it works, and what it does. Kernels, ``solve``, the command line, the
ladder and the tables of docs/search.md and docs/chance.md all use these records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any

from zerosum.errors import LimitError, MissingRule, nearest
from zerosum.game import Game
from zerosum.search.parameters import DEFAULTS, PARAMETERS, check_parameter

UNIT = 100
"""The unit of margins in a game that declares none."""


class Sound(Enum):
    """How a technique affects the value at a given depth, in the words of the documentation."""

    YES = "yes"
    """It never changes the value. With chance: if all evaluations are within ``bounds``."""
    CORRECTS = "never wrong, but it corrects guesses"
    """It replaces guesses by certain values from the game. Values may change; ``solve`` may use it."""
    NO = "no"
    """It searches deeper in some places and less deep in others: better guesses, which ``solve`` must not use."""


class Games(Enum):
    """The games that a technique is for."""

    ALL = "any game"
    WITHOUT_CHANCE = "games without chance"
    WITH_CHANCE = "games with chance"


@dataclass(frozen=True)
class Technique:
    """The record of one technique.

    Attributes:
        name: the field of ``SearchOptions`` that turns it on.
        bit: its bit in ``SearchOptions.switches()``.
        sound: how it affects values.
        does: what it does, in words.
        games: the games in which it works.
        needs: the rule that it requires, or "".
        part_of: the technique that it only modifies, or "".
    """

    name: str
    bit: int
    sound: Sound
    does: str
    games: Games = Games.WITHOUT_CHANCE
    needs: str = ""
    part_of: str = ""

    def fits(self, has_chance: bool) -> bool:
        return self.games is Games.ALL or (self.games is Games.WITH_CHANCE) == has_chance


@dataclass(frozen=True)
class Quantity:
    """A number that techniques use: its name, and its meaning in words."""

    name: str
    says: str


def margin_unit(game: Game) -> int:
    """The default unit of margins in this game."""
    return int(game.given.get("unit", UNIT))


def technique(default: bool | None, sound: Sound, does: str, **more: Any) -> Any:
    """The field of a technique. ``sound`` has no default, so that it cannot be forgotten."""
    return field(default=default, metadata={"sound": sound, "does": does, **more})


def quantity(default: int | None, says: str) -> Any:
    return field(default=default, metadata={"says": says})


@dataclass(frozen=True)
class SearchOptions:
    """The techniques a search uses. Sound ones are on; the others only if the game's advice or the user turns them on.

    ``None`` means "on if the game defines the function that it needs".

    >>> SearchOptions(table=False).table
    False
    """

    table: bool = technique(
        True,
        Sound.YES,
        "search a position once even if several move orders lead to it (sound together with `exact_draft`)",
        games=Games.ALL,
    )
    exact_draft: bool = technique(
        False,
        Sound.YES,
        "use only table entries that were searched to exactly this depth, as the reference does",
        games=Games.ALL,
        part_of="table",
    )
    hash_move: bool = technique(True, Sound.YES, "try the best move from the table first", games=Games.ALL)
    order: bool = technique(
        True,
        Sound.YES,
        "sort moves by the game's `order`, or else by the evaluation of their successors",
        games=Games.ALL,
    )
    killers: bool = technique(
        True, Sound.YES, "among moves of equal order, first try those that caused the last cut-offs at the same ply"
    )
    history: bool = technique(
        True, Sound.YES, "then try those that caused the most cut-offs, or refuted the same move before"
    )
    pvs: bool = technique(
        True, Sound.YES, "principal variation search: prove with a null window that later moves are no better"
    )
    aspiration: bool = technique(
        True, Sound.YES, "search with a window around the last depth's value; search again if the value is outside"
    )
    mate_distance: bool = technique(
        True, Sound.YES, "prune lines that cannot lead to an earlier win or loss than one already found"
    )
    symmetry: bool | None = technique(
        None, Sound.YES, "search symmetric positions once", games=Games.ALL, needs="canonical"
    )
    bounds: bool | None = technique(
        False, Sound.CORRECTS, "prune where the game's `bounds` decide, and clamp guesses to them", needs="bounds"
    )
    endings: bool | None = technique(
        False, Sound.CORRECTS, "near the end, take the value from the game's `ending`", needs="ending"
    )
    quiescence: bool = technique(
        False, Sound.NO, "at the horizon, follow noisy moves until the position is quiet", needs="noisy_moves"
    )
    forced: bool = technique(False, Sound.NO, "search forced positions one move deeper", needs="is_forced")
    singular: bool = technique(
        False, Sound.NO, "search one move deeper after a move that is far better than all others"
    )
    null_move: bool = technique(
        False, Sound.NO, "if even passing causes a cut-off, accept it; verified at high depths", needs="skip"
    )
    reductions: bool = technique(False, Sound.NO, "search late moves less deeply first")
    futility: bool = technique(
        False, Sound.NO, "near the horizon, accept an evaluation that is far above the window", needs="evaluate"
    )
    razoring: bool = technique(
        False,
        Sound.NO,
        "near the horizon, go straight to quiescence if the evaluation is far below the window",
        needs="evaluate",
    )
    late_pruning: bool = technique(
        False,
        Sound.NO,
        "near the horizon, skip quiet moves (those whose `order` is 0 or less) after a number of others",
        needs="evaluate",
    )
    probcut: bool | None = technique(
        False,
        Sound.NO,
        "skip a deep search if a shallow one puts its value almost certainly outside the window (Multi-ProbCut)",
        needs="probcut",
    )
    iir: bool = technique(False, Sound.NO, "search one move less deep if the table has no move to try first")
    early_repetition: bool = technique(False, Sound.NO, "within the search, count the first repetition as a draw")
    unit: int = quantity(
        None,  # until the game is known
        "the evaluation of a small material advantage: margins and windows are multiples of it; by default the game's"
        " own unit, else 100",
    )
    table_moves: int = quantity(
        8, "the fewest moves left (`moves_left`) to use the table, if the search reaches the end of the game"
    )
    cutoff_moves: int = quantity(
        10,
        "the fewest moves left to look for a cut-off in the table's entries for the successors, if the search reaches"
        " the end of the game",
    )
    look_moves: int = quantity(
        1000,
        "the fewest moves left to sort moves by shallow searches, if the search reaches the end of the game; a ply"
        " deeper for every two more",
    )
    look_weight: int = quantity(
        1, "the weight of a point of evaluation in the searches of `look_moves`, relative to the game's own `order`"
    )
    guess_nodes: int = quantity(
        1,
        "in scored games, the number of positions that `solve` searches for a first guess; 1 for no guess, which is"
        " better if the evaluation is poor",
    )
    windows: bool | None = technique(
        None,
        Sound.YES,
        "where a player moves, stop once a better choice is known elsewhere (alpha-beta)",
        games=Games.WITH_CHANCE,
    )
    star1: bool | None = technique(
        None,
        Sound.YES,
        "at an event, stop once the remaining outcomes cannot bring the average back into the window",
        games=Games.WITH_CHANCE,
        needs="bounds",
    )
    star2: bool | None = technique(
        None,
        Sound.YES,
        "try one move after each outcome first: that may be enough to stop",
        games=Games.WITH_CHANCE,
        needs="bounds",
    )
    chance_order: bool | None = technique(
        None, Sound.YES, "search first the outcomes that affect the average most", games=Games.WITH_CHANCE
    )
    evaluate_events: bool = technique(
        False,
        Sound.NO,
        "evaluate a chance event after the last move instead of averaging over its outcomes",
        games=Games.WITH_CHANCE,
        needs="evaluate",
    )
    move_filter: bool = technique(
        False,
        Sound.NO,
        "search only the best `filter_moves` moves, within `filter_margin` of the best by a shallower search",
        games=Games.WITH_CHANCE,
        needs="evaluate",
    )
    filter_moves: int = quantity(8, "the most moves that pass the filter")
    filter_margin: int = quantity(160, "how far below the best they may be, in thousandths of a point")
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Parameters of techniques that differ from the defaults: see ``parameters``."""

    def switches(self) -> int:
        """The techniques that are on, as kernels read them: one bit each."""
        return sum(each.bit for each in TECHNIQUES.values() if getattr(self, each.name) is True)

    def by_name(self) -> dict[str, Any]:
        """Every option by name, as ``AlphaBeta`` takes it."""
        return {name: getattr(self, name) for name in (*TECHNIQUES, *QUANTITIES)} | dict(self.parameters)

    def number(self, parameter: str) -> int:
        """The chosen or default value of a parameter."""
        return self.parameters.get(parameter, DEFAULTS[parameter])

    def with_numbers(self, **parameters: int) -> SearchOptions:
        """These options with some parameters changed."""
        return replace(self, parameters={**self.parameters, **parameters})

    def for_game(self, game: Game) -> SearchOptions:
        """These options with every ``None`` decided; MissingRule if one needs a rule that the game does not define."""
        has_chance = game.has("chances")
        decided: dict[str, Any] = {}
        for each in TECHNIQUES.values():
            chosen = getattr(self, each.name)
            if not each.fits(has_chance) and (each.sound is Sound.YES or chosen is None):
                decided[each.name] = False
            elif chosen is None:
                decided[each.name] = not each.needs or game.has(each.needs)
        if game.repetition:
            # In a mirrored line, a repetition of the line that led to it would go unnoticed.
            decided["symmetry"] = False
        if self.unit is None:
            decided["unit"] = margin_unit(game)
        options = replace(self, **decided)
        if has_chance:
            options = options._with_what_stars_need()
        options._check(game)
        return options

    def _with_what_stars_need(self) -> SearchOptions:
        """Turn off Star1 without windows and Star2 without Star1, since each builds on the one before."""
        star1 = self.star1 and self.windows
        return replace(self, star1=star1, star2=self.star2 and star1)

    def _check(self, game: Game) -> None:
        on = [each for each in TECHNIQUES.values() if getattr(self, each.name)]
        for each in on:
            if not each.fits(game.has("chances")):
                words = ("of alpha-beta", "chance nodes") if game.has("chances") else ("for games with chance", "none")
                raise LimitError(f"{each.name!r} is a technique {words[0]}, but {game.name} has {words[1]}")
        for each in on:
            if each.needs and not game.has(each.needs):
                how = f": zerosum train {game.name} --probcut measures it" if each.needs == "probcut" else ""
                problem = f"the technique {each.name!r} needs {each.needs}, which {game.name} does not define{how}"
                raise MissingRule(problem)
        for each in on:
            if each.part_of and not getattr(self, each.part_of):
                raise LimitError(f"{each.name} changes how {each.part_of} works, but {each.part_of} is off")
        for name in QUANTITIES:
            number = getattr(self, name)
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise LimitError(f"{name} must be a whole number of at least 1, not {number!r}")
        for name, number in self.parameters.items():
            check_parameter(name, number)

    def for_solving(self, game: Game) -> SearchOptions:
        """The techniques for solving: sound ones as chosen, ``bounds`` and ``endings`` if the game has them."""
        corrects = (each for each in TECHNIQUES.values() if each.sound is Sound.CORRECTS)
        decided: dict[str, Any] = {each.name: game.has(each.needs) for each in corrects}
        decided |= dict.fromkeys(GUESSES, False)
        decided["exact_draft"] = False  # what is proven is proven at any depth
        return replace(self, **decided)

    @classmethod
    def advised(cls, game: Game, chosen: Mapping[str, Any] | None = None) -> SearchOptions:
        """The defaults, overridden by the game's ``advice``, overridden by the user's choices."""
        wanted = {**game.advice, **(chosen or {})}
        for word in wanted:
            if word not in OPTIONS:
                known = nearest(word, OPTIONS) or f"; the options are {', '.join(sorted(OPTIONS))}"
                raise LimitError(f"unknown search option {word!r}{known}")
        numbers = {name: wanted.pop(name) for name in PARAMETERS if name in wanted}
        return cls(**wanted, parameters=numbers).for_game(game)

    @classmethod
    def none(cls) -> SearchOptions:
        """Plain alpha-beta, or plain expectiminimax in games with chance: every technique off."""
        off: dict[str, Any] = dict.fromkeys(TECHNIQUES, False)
        return cls(**off)


TECHNIQUES = {
    each.name: Technique(each.name, 1 << place, **each.metadata)
    for place, each in enumerate(fields(SearchOptions))
    if "sound" in each.metadata
}
"""Every technique by name."""

QUANTITIES = {
    each.name: Quantity(each.name, **each.metadata) for each in fields(SearchOptions) if "says" in each.metadata
}
"""Every number among the options, by name."""

OPTIONS = (*TECHNIQUES, *QUANTITIES, *PARAMETERS)
"""The names that a game's advice and a user may set."""

IN_WORDS = "\n".join(
    [f"        {each.name}: {each.does}." for each in TECHNIQUES.values()]
    + [f"        {each.name}: {each.says}." for each in QUANTITIES.values()]
    + [f"        {each.name}: {each.says}." for each in PARAMETERS.values()]
)
"""What every option does, for ``help``."""


def _named(games: tuple[Games, ...], *sound: Sound) -> tuple[str, ...]:
    """The techniques of these kinds, without those that only modify another."""
    return tuple(
        each.name for each in TECHNIQUES.values() if each.games in games and each.sound in sound and not each.part_of
    )


SOUND = _named((Games.ALL, Games.WITHOUT_CHANCE), Sound.YES)
"""Techniques that never change the value at a given depth (``table`` only together with ``exact_draft``)."""

UNSOUND = _named((Games.ALL, Games.WITHOUT_CHANCE), Sound.NO, Sound.CORRECTS)
"""Techniques that change values: they give better guesses than plain search."""

CHANCE_SOUND = _named((Games.WITH_CHANCE,), Sound.YES)
"""Techniques for games with chance that never change a value if all evaluations are within ``bounds``."""

CHANCE_UNSOUND = _named((Games.WITH_CHANCE,), Sound.NO, Sound.CORRECTS)
"""Techniques for games with chance that change values: better ones in the same time, if the evaluation is good."""

GUESSES = tuple(each.name for each in TECHNIQUES.values() if each.sound not in (Sound.YES, Sound.CORRECTS))
"""Techniques that ``solve`` must not use: all whose values are not certain."""

NEEDS = {each.name: each.needs for each in TECHNIQUES.values() if each.needs}
"""The function that each technique requires."""


def switch(name: str) -> int:
    """The bit of a technique in ``switches()``."""
    return TECHNIQUES[name].bit
