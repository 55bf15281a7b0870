"""The evaluation of backgammon: the cubeless equity, by a trained network.

``network.npz`` stores the network and the commands that produced it; see ``docs/learning.md``. When both players are
bearing off, the table in ``bearoff`` is used instead.

>>> from zerosum.games.backgammon import backgammon
>>> game = backgammon()
>>> -0.2 < game.evaluate(game.initial()) < 0.3
True
>>> sorted(chances_of(game.initial(), game.tables))
['backgammon', 'gammon', 'lose a backgammon', 'lose a gammon', 'win']
"""

from __future__ import annotations

from typing import Any

from zerosum.game import MIN
from zerosum.games.backgammon.features import NAMES, NETWORKS, features
from zerosum.games.backgammon.position import Position
from zerosum.games.backgammon.rules import is_terminal, utility
from zerosum.games.backgammon.tables import Tables
from zerosum.jit.words import floating, scratch
from zerosum.networks.functions import Functions, evaluation
from zerosum.networks.gpu_form import with_gpu_form
from zerosum.networks.shape import Shape

CHANCES = ("win", "gammon", "backgammon", "lose a gammon", "lose a backgammon")


def evaluation_by(shape: Shape) -> Any:
    """Return ``evaluate(s, t)`` for tables with networks of this shape."""
    network_value = evaluation(shape, features, takes_tables=True, whole_numbers=False)
    return with_gpu_form(_also_at_the_end(network_value), _also_at_the_end(network_value.zerosum_on_gpu))


def _also_at_the_end(network_value: Any) -> Any:
    def evaluate(s, t):
        """The equity for MAX; the dice, if already rolled, are ignored."""
        if is_terminal(s):
            return floating(utility(s))
        return network_value(s, t)

    return evaluate


def chances_of(s: Position, t: Tables) -> dict[str, float]:
    """The probability of each result, for MAX; wins include gammons, and gammons include backgammons."""
    inputs, outputs = len(NAMES), len(CHANCES)
    hidden = (t.network.shape[1] - outputs) // (inputs + 1 + outputs)  # see Shape.size
    shape = Shape(inputs, hidden, (outputs + 1) // 2, NETWORKS)
    functions = Functions(shape)
    row = scratch()
    functions.clear(row)
    if is_terminal(s):
        functions.outcome(row, 0, utility(s))
    else:
        kind = features(s, row, t)
        if kind < 0:
            functions.copy_chances(row, functions.chances, row, 0, False)
        else:
            weights = t.network.reshape(-1)
            functions.first_sums(row, weights, kind >> 1)
            functions.conclude(row, weights, kind >> 1)
        functions.copy_chances(row, 0, row.copy(), functions.chances, s.player == MIN)
    return dict(zip(CHANCES, row[:outputs].tolist(), strict=True))
