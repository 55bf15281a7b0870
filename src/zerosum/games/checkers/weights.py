"""The weights of the evaluation's features, in hundredths of a man: with all pieces on the board, and with few.

These are the hand-set weights from which training started; ``weights.json`` has the trained weights and their results.
Training changed only those for many pieces (docs/training.md explains why). All are in one array of the game's tables,
so tuning never causes a recompilation.

>>> numbers = weights_of(untrained_tables())
>>> numbers["king (many pieces)"], numbers["king (few pieces)"]
(130, 130)
>>> weights_of(with_weights({"king (few pieces)": 150.4}, untrained_tables()))["king (few pieces)"]
150
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.games.checkers.index import Index, make_index
from zerosum.games.trained import trained_weights

# Each feature with its weights for many pieces and for few. It counts for the side that has it.
FEATURES: dict[str, tuple[int, int]] = {
    "man": (100, 100),
    "king": (130, 130),
    # Rows are counted from the side's own back row; a man on the eighth is a king.
    "man on the back row": (12, -4),
    "man on the second row": (0, -2),
    "man on the third row": (0, 0),
    "man on the fourth row": (2, 2),
    "man on the fifth row": (4, 6),
    "man on the sixth row": (8, 14),
    "man on the seventh row": (14, 24),
    "man in the middle": (4, 0),
    "man at the side": (-4, 0),
    "king in the middle": (4, 8),
    "king at the side": (-6, -8),
    "king in the double corner": (0, 6),
    # The two men on the back row that keep the opponent's men from becoming kings.
    "bridge": (10, 0),
    "man that nothing can stop": (20, 40),
    "step that a piece can make": (2, 2),
    "piece that cannot move": (-2, -4),
    "king that cannot move": (-20, -30),
    # It is threatened or about to be exchanged.
    "piece that can be jumped": (-10, -15),
    "to move": (4, 4),
    # Opposition: having the last move if both sides only step towards each other.
    "the move": (0, 6),
    # Being a man ahead is worth more with fewer pieces. Not trained: in shallow games the engine fails to win won
    # endgames with few pieces, which would teach it to avoid exchanges.
    "share of the pieces": (60, 60),
}
(
    MAN,
    KING,
    ROW_1,
    ROW_2,
    ROW_3,
    ROW_4,
    ROW_5,
    ROW_6,
    ROW_7,
    MIDDLE_MAN,
    SIDE_MAN,
    MIDDLE_KING,
    SIDE_KING,
    CORNER_KING,
    BRIDGE,
    RUNAWAY,
    STEP,
    STUCK,
    STUCK_KING,
    HANGING,
    TEMPO,
    OPPOSITION,
    SHARE,
) = range(len(FEATURES))

PHASES = ("many pieces", "few pieces")


class Tables(NamedTuple):
    """The arrays used by the rules of checkers: the weights, and the index of the endgame databases."""

    weights: npt.NDArray[np.int64]  # [feature, phase]
    choose: npt.NDArray[np.int64]
    first_tier: npt.NDArray[np.int64]
    advance: npt.NDArray[np.int64]
    tier: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    patience: npt.NDArray[np.int64] = np.array([80])  # plies without progress until a draw


def untrained_tables() -> Tables:
    """The tables with the hand-set weights."""
    index: Index = make_index()
    return Tables(np.array(list(FEATURES.values()), np.int64), *index)


@cache
def trained_tables() -> Tables:
    """The tables with the trained weights; they are shared, so do not modify them."""
    return with_weights(trained_weights("checkers"), untrained_tables())


def weights_of(t: Tables) -> dict[str, float]:
    """The weights that training may change, by name; "share of the pieces" is left out (see FEATURES)."""
    return {
        f"{name} ({phase})": int(t.weights[row, column])
        for row, name in enumerate(FEATURES)
        for column, phase in enumerate(PHASES)
        if row != SHARE
    }


def with_weights(numbers: Mapping[str, float], t: Tables) -> Tables:
    """The tables with these weights, rounded; weights that are not named stay the same."""
    weights = t.weights.copy()
    for row, name in enumerate(FEATURES):
        for column, phase in enumerate(PHASES):
            if row != SHARE:
                weights[row, column] = round(numbers.get(f"{name} ({phase})", int(weights[row, column])))
    return t._replace(weights=weights)
