"""The parameters of alpha-beta's unsound techniques: margins, depths and reductions, by name.

Each parameter is described once, here. It is a word in the search's memory, so changing it recompiles nothing:
kernels read it, options and a game's ``advice`` set it, ``zerosum train --search`` tunes it, and docs/search.md has
this table. Margins are in hundredths of the game's unit, so that one value suits every game.
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
    """One parameter of the search.

    Attributes:
        name: the name users type.
        technique: the technique that uses it; while that is off, the parameter has no effect.
        default: its value unless the game or the user sets another.
        least, most: its range. Within it a search always ends, and no list of moves is left empty.
        step: how far tuning moves it to see a difference.
        says: its meaning in words.
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
    # name, technique, default, least, most, step, meaning
    ("futility_depth", "futility", 6, 0, 20, 0.5, "maximum depth to accept an evaluation above the window"),
    ("futility_margin", "futility", 100, 0, 1000, 10, "how far above it must be, for each ply of depth"),
    ("quiet_depth", "futility", 6, 0, 20, 0.5, "maximum depth to prune quiet moves if the evaluation is low"),
    ("quiet_base", "futility", 100, 0, 2000, 15, "how far below the window it must be, at depth 0"),
    ("quiet_margin", "futility", 100, 0, 1000, 10, "how much further below, for each ply of depth"),
    ("razoring_depth", "razoring", 3, 0, 20, 0.5, "maximum depth to go to quiescence if the evaluation is low"),
    ("razoring_margin", "razoring", 300, 0, 2000, 30, "how far below the window it must be, for each ply of depth"),
    ("null_depth", "null_move", 3, 1, 20, 0.5, "minimum depth to try a null move"),
    ("null_base", "null_move", 4, 1, 12, 0.5, "reduction of the search after a null move, in plies"),
    ("null_slope", "null_move", 25, 0, 100, 3, "further reduction, in hundredths of the depth"),
    ("null_margin", "null_move", 200, 10, 2000, 20, "one more ply for each such margin above the window"),
    ("null_most", "null_move", 2, 0, 10, 0.5, "maximum plies that this margin adds"),
    ("null_verify", "null_move", 10, 1, 100, 1, "minimum depth to verify a null move"),
    ("iir_depth", "iir", 4, 2, 20, 0.5, "minimum depth to reduce a position without a table move"),
    ("singular_depth", "singular", 6, 2, 30, 0.5, "minimum depth for the table's move to be singular"),
    ("singular_draft", "singular", 3, 0, 20, 0.5, "how many plies shallower the table's entry may be"),
    ("singular_margin", "singular", 100, 0, 1000, 10, "how far below all other moves must be, for 16 plies of depth"),
    ("singular_share", "singular", 50, 10, 90, 4, "how deep the others are searched, in hundredths of the depth"),
    ("singular_double", "singular", 25, 0, 1000, 5, "how much further below, for an extension of two plies"),
    ("late_depth", "late_pruning", 8, 0, 30, 0.5, "maximum depth to prune late quiet moves"),
    ("late_base", "late_pruning", 300, 200, 2000, 25, "moves searched before pruning at depth 0, in hundredths"),
    ("late_slope", "late_pruning", 100, 0, 1000, 8, "more moves, in hundredths, times the square of the depth"),
    ("history_depth", "late_pruning", 5, 0, 30, 0.5, "maximum depth to prune quiet moves with a bad history"),
    ("history_margin", "late_pruning", 2048, 0, 32768, 250, "how far below 0 it must be, for each ply of depth"),
    ("probcut_confidence", "probcut", 87, 50, 99, 3, "confidence required to prune, in percent"),
    ("probcut_depth", "probcut", 3, 2, 30, 0.5, "minimum depth to try a shallow search"),
    ("probcut_left", "probcut", 10, 2, 60, 0.5, "minimum moves left, if the search reaches the end of the game"),
    ("reduction_depth", "reductions", 3, 2, 20, 0.5, "minimum depth to reduce late moves"),
    ("reduction_moves", "reductions", 2, 1, 20, 0.5, "moves searched before reductions begin"),
    ("reduction_base", "reductions", 50, 0, 500, 8, "reduction of every late move, in hundredths of a ply"),
    ("reduction_divisor", "reductions", 220, 50, 2000, 12, "divisor of log(depth) × log(move number), in hundredths"),
    ("reduction_open", "reductions", 100, 0, 500, 12, "less reduction in an open window, in hundredths of a ply"),
    ("reduction_worse", "reductions", 100, 0, 500, 12, "more reduction if the evaluation does not improve"),
    ("reduction_cut", "reductions", 100, 0, 500, 12, "more reduction if a cut-off is expected"),
    ("reduction_history", "reductions", 200, 0, 2000, 20, "effect of a full history counter, in hundredths of a ply"),
    ("reduction_most", "reductions", 2, 0, 10, 0.5, "maximum plies that the history adds or subtracts"),
)

PARAMETERS = {row[0]: Parameter(*row) for row in _TABLE}
"""Every parameter by name, in the order in which they are stored in memory."""

DEFAULTS: Mapping[str, int] = MappingProxyType({each.name: each.default for each in PARAMETERS.values()})

_PLACES = {name: place for place, name in enumerate(PARAMETERS)}


def places(region: int, names: str) -> list[int]:
    """The addresses of these parameters, in a memory whose parameters begin at ``region``.

    >>> places(1000, "futility_depth quiet_depth")
    [1000, 1002]
    """
    return [region + _PLACES[name] for name in names.split()]


def words(chosen: Mapping[str, int]) -> list[int]:
    """The values of all parameters, as kernels read them: the chosen ones, and defaults for the rest."""
    return list({**DEFAULTS, **chosen}.values())


@lru_cache(maxsize=4)  # tuning asks for thousands of them
def reduction_rows(base: int, divisor: int) -> list[int]:
    """The reduction of the n-th move, by depth and n, in hundredths of a ply. It grows slowly with both.

    >>> rows = reduction_rows(50, 220)
    >>> rows[REDUCTIONS * 3 + 2], rows[REDUCTIONS * 20 + 20]
    (84, 457)
    """
    logarithms = [math.log(max(n, 1)) for n in range(REDUCTIONS)]
    return [int(base + depth * n * WHOLE * WHOLE / divisor) for depth in logarithms for n in logarithms]


def check_parameter(name: str, value: Any) -> None:
    """LimitError unless the parameter exists and the value is within its range."""
    if name not in PARAMETERS:
        raise LimitError(f"unknown search parameter {name!r}{nearest(name, PARAMETERS)}")
    each = PARAMETERS[name]
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or not each.least <= value <= each.most:
        raise LimitError(f"{name} is a whole number from {each.least} to {each.most}, not {value!r}")
