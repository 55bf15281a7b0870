"""Search techniques as switches, read at run time: none of them recompiles anything.

A technique is told once, by the field of ``SearchOptions`` that switches it on. Its record says whether it is sound,
which rule it needs, in which games it works, and what it does in words. Kernels, ``solve``, the command line, the
ladder and the tables of docs/search.md and docs/chance.md all go by these records.
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
"""What margins are multiples of in a game that declares no unit."""


class Sound(Enum):
    """What a technique does to the value at a given depth, in the words of the documentation."""

    YES = "yes"
    """It never changes the value. With chance: if no evaluation is outside ``bounds``."""
    CORRECTS = "never wrong, but it corrects guesses"
    """It replaces guesses by what the game knows for certain: other values, which ``solve`` may use."""
    NO = "no"
    """It looks further in places and less far in others: better guesses, which ``solve`` must not use."""


class Games(Enum):
    """The games that a technique is for."""

    ALL = "any game"
    WITHOUT_CHANCE = "games without chance"
    WITH_CHANCE = "games with chance"


@dataclass(frozen=True)
class Technique:
    """All that is known of one technique.

    Attributes:
        name: the field of ``SearchOptions`` that switches it on.
        bit: its bit among ``SearchOptions.switches()``.
        sound: what it does to values.
        does: what it does, in words.
        games: where it works.
        needs: the rule that it cannot do without, or "".
        part_of: the technique that it is only a way of using, or "".
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
    """A number that techniques go by; its name, and what it says in words."""

    name: str
    says: str


def margin_unit(game: Game) -> int:
    """What margins are multiples of in this game, unless somebody chooses another number."""
    return int(game.given.get("unit", UNIT))


def technique(default: bool | None, sound: Sound, does: str, **more: Any) -> Any:
    """The field of a technique. What it does to values has no default: nobody can forget to tell."""
    return field(default=default, metadata={"sound": sound, "does": does, **more})


def quantity(default: int | None, says: str) -> Any:
    return field(default=default, metadata={"says": says})


@dataclass(frozen=True)
class SearchOptions:
    """Which techniques a search uses. Sound ones are on; the others only where the game's advice or you say so.

    ``None`` stands for "on if the game defines the function that it needs".

    >>> SearchOptions(table=False).table
    False
    """

    table: bool = technique(
        True,
        Sound.YES,
        "search positions reached by several orders of moves once (together with `exact_draft` it is sound)",
        games=Games.ALL,
    )
    exact_draft: bool = technique(
        False,
        Sound.YES,
        "take from the table only what was searched to this very depth, as the reference does",
        games=Games.ALL,
        part_of="table",
    )
    hash_move: bool = technique(True, Sound.YES, "try first the move that the table remembers as best", games=Games.ALL)
    order: bool = technique(
        True,
        Sound.YES,
        "sort moves by the game's `order`, or else by the evaluation of their successors",
        games=Games.ALL,
    )
    killers: bool = technique(
        True, Sound.YES, "among moves of equal order, first those that refuted the last moves at the same ply"
    )
    history: bool = technique(True, Sound.YES, "then those that have refuted most, or refuted the same move before")
    pvs: bool = technique(
        True, Sound.YES, "principal variation search: prove with an empty window that later moves are no better"
    )
    aspiration: bool = technique(
        True, Sound.YES, "expect a value near that of the last depth; search again if it is not"
    )
    mate_distance: bool = technique(
        True, Sound.YES, "cut lines that cannot lead to an earlier end than one already found"
    )
    symmetry: bool | None = technique(
        None, Sound.YES, "search symmetric positions once", games=Games.ALL, needs="canonical"
    )
    bounds: bool | None = technique(
        False, Sound.CORRECTS, "cut where the game's `bounds` decide, and correct guesses by them", needs="bounds"
    )
    endings: bool | None = technique(
        False, Sound.CORRECTS, "near the end, take the value from the game's `ending`", needs="ending"
    )
    quiescence: bool = technique(
        False, Sound.NO, "at the horizon, follow noisy moves until the position is quiet", needs="noisy_moves"
    )
    forced: bool = technique(False, Sound.NO, "look one move further in forced positions", needs="is_forced")
    singular: bool = technique(
        False, Sound.NO, "look one move further after a move that is better than all others by far"
    )
    null_move: bool = technique(
        False, Sound.NO, "if even passing refutes the last move, believe it; verified at high depths", needs="skip"
    )
    reductions: bool = technique(False, Sound.NO, "search late moves less deeply first")
    futility: bool = technique(
        False, Sound.NO, "near the horizon, believe an evaluation that is far above what is needed", needs="evaluate"
    )
    razoring: bool = technique(
        False,
        Sound.NO,
        "near the horizon, go straight to quiescence where the evaluation is far below what is needed",
        needs="evaluate",
    )
    late_pruning: bool = technique(
        False,
        Sound.NO,
        "near the horizon, leave out quiet moves (those that `order` puts at 0 or below) after a number of others",
        needs="evaluate",
    )
    probcut: bool | None = technique(
        False,
        Sound.NO,
        "leave out a deep search where a shallow one says that its value is surely outside the window (Multi-ProbCut)",
        needs="probcut",
    )
    iir: bool = technique(False, Sound.NO, "look one move less far where the table knows no move to try first")
    early_repetition: bool = technique(
        False, Sound.NO, "within the search, count the first repetition as the draw that it may become"
    )
    unit: int = quantity(
        None,  # until it is known which game
        "what the evaluation gives for a small material advantage: margins and windows are multiples of it; by default"
        " the game's own unit, else 100",
    )
    table_moves: int = quantity(
        8, "where a search sees the end of the game, the least number of moves left (`moves_left`) to use the table"
    )
    cutoff_moves: int = quantity(
        10, "the least number of moves left there to look in the table whether a successor refutes the last move"
    )
    look_moves: int = quantity(
        1000,
        "the least number of moves left there to sort moves by shallow searches, a ply deeper for two more",
    )
    look_weight: int = quantity(
        1, "what a point of the evaluation counts in these beside the game's own `order`, where it has one"
    )
    guess_nodes: int = quantity(
        1,
        "where margins count, the number of positions that `solve` looks at for a guess, about which it asks first; 1"
        " for no guess, which is better where the evaluation is poor",
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
        "at an event, stop once the outcomes left cannot bring the average back into the window",
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
        None, Sound.YES, "look first at the outcomes on which the average depends most", games=Games.WITH_CHANCE
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
    filter_moves: int = quantity(8, "how many moves pass the filter at most")
    filter_margin: int = quantity(160, "how far from the best they may be, in thousandths of a point")
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Numbers by which techniques guess, where they are not the defaults: see ``parameters``."""

    def switches(self) -> int:
        """The techniques that are on, as kernels read them: a bit each."""
        return sum(each.bit for each in TECHNIQUES.values() if getattr(self, each.name) is True)

    def by_name(self) -> dict[str, Any]:
        """Every option by its name, as ``AlphaBeta`` takes them."""
        return {name: getattr(self, name) for name in (*TECHNIQUES, *QUANTITIES)} | dict(self.parameters)

    def number(self, parameter: str) -> int:
        """The value of a parameter, chosen or the default."""
        return self.parameters.get(parameter, DEFAULTS[parameter])

    def with_numbers(self, **parameters: int) -> SearchOptions:
        """These options with some parameters changed."""
        return replace(self, parameters={**self.parameters, **parameters})

    def for_game(self, game: Game) -> SearchOptions:
        """These options with every ``None`` decided; MissingRule if one needs what the game does not define."""
        has_chance = game.has("chances")
        decided: dict[str, Any] = {}
        for each in TECHNIQUES.values():
            chosen = getattr(self, each.name)
            if not each.fits(has_chance) and (each.sound is Sound.YES or chosen is None):
                decided[each.name] = False
            elif chosen is None:
                decided[each.name] = not each.needs or game.has(each.needs)
        if game.repetition:
            # A mirrored line would no longer be seen to repeat the line that led to it.
            decided["symmetry"] = False
        if self.unit is None:
            decided["unit"] = margin_unit(game)
        options = replace(self, **decided)
        if has_chance:
            options = options._with_what_stars_need()
        options._check(game)
        return options

    def _with_what_stars_need(self) -> SearchOptions:
        """Star2 is Star1 with probes, and Star1 cuts by windows: one that was left undecided follows the other."""
        star1 = self.star1 and self.windows
        return replace(self, star1=star1, star2=self.star2 and star1)

    def _check(self, game: Game) -> None:
        on = [each for each in TECHNIQUES.values() if getattr(self, each.name)]
        for each in on:
            if not each.fits(game.has("chances")):
                told = ("of alpha-beta", "chance") if game.has("chances") else ("for games with chance", "none")
                raise LimitError(f"{each.name!r} is a technique {told[0]}, but {game.name} has {told[1]} in it")
        for each in on:
            if each.needs and not game.has(each.needs):
                how = f": zerosum train {game.name} --probcut measures it" if each.needs == "probcut" else ""
                problem = f"the technique {each.name!r} needs {each.needs}, which {game.name} does not define{how}"
                raise MissingRule(problem)
        for each in on:
            if each.part_of and not getattr(self, each.part_of):
                raise LimitError(f"{each.name} says how to use the {each.part_of}, but {each.part_of} is off")
        for name in QUANTITIES:
            number = getattr(self, name)
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise LimitError(f"{name} must be a whole number of at least 1, not {number!r}")
        for name, number in self.parameters.items():
            check_parameter(name, number)

    def for_solving(self, game: Game) -> SearchOptions:
        """The techniques for solving: sound ones as chosen, ``bounds`` if the game has them, nothing that guesses."""
        corrects = (each for each in TECHNIQUES.values() if each.sound is Sound.CORRECTS)
        decided: dict[str, Any] = {each.name: game.has(each.needs) for each in corrects}
        decided |= dict.fromkeys(GUESSES, False)
        decided["exact_draft"] = False  # what is proven is proven at any depth
        return replace(self, **decided)

    @classmethod
    def advised(cls, game: Game, chosen: Mapping[str, Any] | None = None) -> SearchOptions:
        """The defaults, changed by the game's ``advice``, changed by what the user chose by name."""
        wanted = {**game.advice, **(chosen or {})}
        for word in wanted:
            if word not in OPTIONS:
                known = nearest(word, OPTIONS) or f"; the options are {', '.join(sorted(OPTIONS))}"
                raise LimitError(f"unknown search option {word!r}{known}")
        numbers = {name: wanted.pop(name) for name in PARAMETERS if name in wanted}
        return cls(**wanted, parameters=numbers).for_game(game)

    @classmethod
    def none(cls) -> SearchOptions:
        """Plain alpha-beta, with chance plain expectiminimax: every technique off."""
        off: dict[str, Any] = dict.fromkeys(TECHNIQUES, False)
        return cls(**off)


TECHNIQUES = {
    each.name: Technique(each.name, 1 << place, **each.metadata)
    for place, each in enumerate(fields(SearchOptions))
    if "sound" in each.metadata
}
"""Every technique by its name."""

QUANTITIES = {
    each.name: Quantity(each.name, **each.metadata) for each in fields(SearchOptions) if "says" in each.metadata
}
"""Every number among the options by its name."""

OPTIONS = (*TECHNIQUES, *QUANTITIES, *PARAMETERS)
"""What a game's advice and a user may choose, by name."""

IN_WORDS = "\n".join(
    [f"        {each.name}: {each.does}." for each in TECHNIQUES.values()]
    + [f"        {each.name}: {each.says}." for each in QUANTITIES.values()]
    + [f"        {each.name}: {each.says}." for each in PARAMETERS.values()]
)
"""What every option does, for ``help``."""


def _named(games: tuple[Games, ...], *sound: Sound) -> tuple[str, ...]:
    """The techniques of these kinds, without those that are only a way of using another."""
    return tuple(
        each.name for each in TECHNIQUES.values() if each.games in games and each.sound in sound and not each.part_of
    )


SOUND = _named((Games.ALL, Games.WITHOUT_CHANCE), Sound.YES)
"""Techniques that never change the value at a given depth (``table`` together with ``exact_draft``)."""

UNSOUND = _named((Games.ALL, Games.WITHOUT_CHANCE), Sound.NO, Sound.CORRECTS)
"""Techniques whose values are better guesses than those of plain search, not the same ones."""

CHANCE_SOUND = _named((Games.WITH_CHANCE,), Sound.YES)
"""Techniques for games with chance that never change a value, if no evaluation is outside ``bounds``."""

CHANCE_UNSOUND = _named((Games.WITH_CHANCE,), Sound.NO, Sound.CORRECTS)
"""Techniques for games with chance that give other values: better ones for the time, where the evaluation is good."""

GUESSES = tuple(each.name for each in TECHNIQUES.values() if each.sound not in (Sound.YES, Sound.CORRECTS))
"""Techniques that a solution must do without: all that do not say that they are certain."""

NEEDS = {each.name: each.needs for each in TECHNIQUES.values() if each.needs}
"""The function that a technique cannot do without."""


def switch(name: str) -> int:
    """The bit of a technique among ``switches()``."""
    return TECHNIQUES[name].bit
