"""The match that decides whether new weights are better than old ones."""

from __future__ import annotations

from zerosum.arena.match import Plan
from zerosum.arena.players import parse_player
from zerosum.arena.ratings import Sprt
from zerosum.arena.referee import Rules
from zerosum.arena.time_control import TimeControl
from zerosum.game import Game

NODES = 5000
"""Positions that both sides look at for a move: quick, and no matter how busy the machine is."""

RANDOM_PLIES = 6
"""Random moves at the start of each pair of games."""


CLOCK = "1+0.01"
"""What both sides have where they judge positions at different speeds."""

WORTH = Sprt(0, 10)
"""The test that a network must pass: no match goes on once it has decided."""


def weights_match(game: Game, new: str, old: str, games: int, seed: int, *, by_clock: bool = False) -> Plan:
    """An engine with the weights in the file ``new`` against one with those in ``old``, or the game's own if ''.

    ``by_clock``: with time rather than positions for a move, and until a test has decided.
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
