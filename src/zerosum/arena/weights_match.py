"""The match that decides whether new weights are better than old ones."""

from __future__ import annotations

from zerosum.arena.match import Plan
from zerosum.arena.players import parse_player
from zerosum.arena.ratings import Sprt
from zerosum.arena.referee import Rules
from zerosum.arena.time_control import TimeControl
from zerosum.game import Game

NODES = 5000
"""Node limit of both sides: quick, and independent of the load on the machine."""

RANDOM_PLIES = 6
"""Random moves at the start of each pair of games."""


CLOCK = "1+0.01"
"""Time control if the two evaluations differ in speed."""

WORTH = Sprt(0, 10)
"""The test that a network must pass; the match ends as soon as it is decided."""


def weights_match(game: Game, new: str, old: str, games: int, seed: int, *, by_clock: bool = False) -> Plan:
    """A match between engines with the weights in ``new`` and in ``old``; '' for the game's own.

    With ``by_clock``, moves are limited by time rather than nodes, and the match ends when a test is decided.
    """
    known = f"engine:weights={old},name=old" if old else "engine:name=old"
    return Plan(
        game,
        [parse_player(f"engine:weights={new},name=new"), parse_player(known)],
        Rules(TimeControl.parse(CLOCK if by_clock else f"nodes {NODES}")),
        games=games,
        seed=seed,
        openings=f"random:{RANDOM_PLIES}",
        sprt=WORTH if by_clock else None,
    )
