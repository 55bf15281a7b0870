"""The numbers by which alpha-beta guesses: margins, depths and reductions, by name.

A parameter is told once, here. It lies in the search's memory as a word, so that another value recompiles nothing:
kernels read it, options and a game's ``advice`` set it, ``zerosum train --search`` tunes it, and docs/search.md has
this table. Margins are in hundredths of the game's unit, so that one value serves every game.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from zerosum.errors import LimitError, nearest

WHOLE = 100
"""Margins, shares and reductions are in hundredths: of the unit, of the depth, of a ply."""

REDUCTIONS = 64
"""Late moves are reduced by a table of depth × move number, both below this."""


@dataclass(frozen=True)
class Parameter:
    """One number of the search.

    Attributes:
        name: what users call it.
        technique: the technique that goes by it; while that is off, the number has no effect.
        default: its value unless the game or somebody else chooses another.
        least, most: what it may be. Within them a search always ends, and no list of moves is left empty.
        step: how far tuning moves it to see a difference.
        says: what it does, in words.
    """

    name: str
    technique: str
    default: int
    least: int
    most: int
    step: float
    says: str


# Depths are in plies, margins in hundredths of the unit.
_TABLE = (
    # name, technique, default, least, most, step, what it says
    ("futility_depth", "futility", 6, 0, 20, 0.5, "greatest depth at which an evaluation above the window is believed"),
    ("futility_margin", "futility", 100, 0, 1000, 10, "how far above it must be, for each ply of depth"),
    ("quiet_depth", "futility", 6, 0, 20, 0.5, "greatest depth at which a low evaluation leaves out quiet moves"),
    ("quiet_base", "futility", 100, 0, 2000, 15, "how far below the window it must be for that, at depth 0"),
    ("quiet_margin", "futility", 100, 0, 1000, 10, "how much further below for each ply of depth"),
    ("razoring_depth", "razoring", 3, 0, 20, 0.5, "greatest depth at which a low evaluation leads to quiescence"),
    ("razoring_margin", "razoring", 300, 0, 2000, 30, "how far below the window it must be, for each ply of depth"),
    ("null_depth", "null_move", 3, 1, 20, 0.5, "least depth at which a null move is tried"),
    ("null_base", "null_move", 4, 1, 12, 0.5, "reduction of the search after a null move, in plies"),
    ("null_slope", "null_move", 25, 0, 100, 3, "further reduction, in hundredths of the depth"),
    ("null_margin", "null_move", 200, 10, 2000, 20, "one ply more for each such margin above the window"),
    ("null_most", "null_move", 2, 0, 10, 0.5, "most plies that this margin adds"),
    ("null_verify", "null_move", 10, 1, 100, 1, "least depth at which a null move is verified"),
    ("iir_depth", "iir", 4, 2, 20, 0.5, "least depth at which a position without a table move loses a ply"),
    ("singular_depth", "singular", 6, 2, 30, 0.5, "least depth at which the table's move may be singular"),
    ("singular_draft", "singular", 3, 0, 20, 0.5, "how many plies shallower the table's entry may be"),
    ("singular_margin", "singular", 100, 0, 1000, 10, "how far below all other moves must be, for 16 plies of depth"),
    ("singular_share", "singular", 50, 10, 90, 4, "how deep these are searched, in hundredths of the depth"),
    ("singular_double", "singular", 25, 0, 1000, 5, "how much further below for an extension of two plies"),
    ("late_depth", "late_pruning", 8, 0, 30, 0.5, "greatest depth at which late quiet moves are left out"),
    ("late_base", "late_pruning", 300, 200, 2000, 25, "moves searched before that at depth 0, in hundredths"),
    ("late_slope", "late_pruning", 100, 0, 1000, 8, "further moves, in hundredths, times the square of the depth"),
    ("history_depth", "late_pruning", 5, 0, 30, 0.5, "greatest depth at which a bad history leaves out quiet moves"),
    ("history_margin", "late_pruning", 2048, 0, 32768, 250, "how far below 0 it must be, for each ply of depth"),
    ("probcut_confidence", "probcut", 87, 50, 99, 3, "how sure a shallow search must be, in percent"),
    ("probcut_depth", "probcut", 3, 2, 30, 0.5, "least depth at which a shallow search may decide"),
    ("probcut_left", "probcut", 10, 2, 60, 0.5, "the same where the end is seen: least number of moves left"),
    ("reduction_depth", "reductions", 3, 2, 20, 0.5, "least depth at which late moves are reduced"),
    ("reduction_moves", "reductions", 2, 1, 20, 0.5, "moves that are searched before reductions begin"),
    ("reduction_base", "reductions", 50, 0, 500, 8, "reduction of every late move, in hundredths of a ply"),
    ("reduction_divisor", "reductions", 220, 50, 2000, 12, "divisor of log(depth) × log(move number), in hundredths"),
    ("reduction_open", "reductions", 100, 0, 500, 12, "less reduction in an open window, in hundredths of a ply"),
    ("reduction_worse", "reductions", 100, 0, 500, 12, "more reduction where the evaluation does not improve"),
    ("reduction_cut", "reductions", 100, 0, 500, 12, "more reduction where a refutation is expected"),
    ("reduction_history", "reductions", 200, 0, 2000, 20, "effect of a full history counter, in hundredths of a ply"),
    ("reduction_most", "reductions", 2, 0, 10, 0.5, "most plies that the history adds or takes away"),
)

PARAMETERS = {row[0]: Parameter(*row) for row in _TABLE}
"""Every parameter by its name, in the order in which they lie in memory."""

DEFAULTS: Mapping[str, int] = MappingProxyType({each.name: each.default for each in PARAMETERS.values()})

_PLACES = {name: place for place, name in enumerate(PARAMETERS)}


def places(region: int, names: str) -> list[int]:
    """Where these parameters lie in a memory whose region of parameters begins here.

    >>> places(1000, "futility_depth quiet_depth")
    [1000, 1002]
    """
    return [region + _PLACES[name] for name in names.split()]


def words(chosen: Mapping[str, int]) -> list[int]:
    """The values of all parameters, as kernels read them: those that were chosen, else the defaults."""
    return list({**DEFAULTS, **chosen}.values())


@lru_cache(maxsize=4)  # tuning asks for thousands of them
def reduction_rows(base: int, divisor: int) -> list[int]:
    """How much less deeply the n-th move is searched, by depth and n, in hundredths of a ply: growing slowly with both.

    >>> rows = reduction_rows(50, 220)
    >>> rows[REDUCTIONS * 3 + 2], rows[REDUCTIONS * 20 + 20]
    (84, 457)
    """
    logarithms = [math.log(max(n, 1)) for n in range(REDUCTIONS)]
    return [int(base + depth * n * WHOLE * WHOLE / divisor) for depth in logarithms for n in logarithms]


def check_parameter(name: str, value: Any) -> None:
    """LimitError unless there is such a parameter, and it may have this value."""
    if name not in PARAMETERS:
        raise LimitError(f"unknown search parameter {name!r}{nearest(name, PARAMETERS)}")
    each = PARAMETERS[name]
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or not each.least <= value <= each.most:
        raise LimitError(f"{name} is a whole number from {each.least} to {each.most}, not {value!r}")
