"""New weights against old ones: the match that decides whether training has gained anything."""

from __future__ import annotations

import tempfile
from pathlib import Path

from zerosum.cli.match_view import MatchView, summary, table
from zerosum.cli.output import print_table
from zerosum.game import Game

NODES = 5000
"""Both sides look at so many positions for a move: quick, and no matter how busy the machine is."""

RANDOM_PLIES = 6
"""So many random moves begin each pair of games."""


def decide(game: Game, new: str, old: str, games: int, seed: int) -> None:
    """Let an engine with the weights in the file ``new`` play one with those in ``old``, or those that the game has.

    The games are not kept: a file of them is of no use once the weights change. ``zerosum match`` keeps them.
    """
    from zerosum.arena.match import Match, Plan
    from zerosum.arena.players import parse_player
    from zerosum.arena.referee import Rules
    from zerosum.arena.time_control import TimeControl

    # Both engines begin with the game as it is, before its weights were replaced.
    known = f"engine:weights={old},name=old" if old else "engine:name=old"
    plan = Plan(
        game,
        [parse_player(f"engine:weights={new},name=new"), parse_player(known)],
        Rules(TimeControl.parse(f"nodes {NODES}")),
        games=games,
        seed=seed,
        openings=f"random:{RANDOM_PLIES}",
    )
    with tempfile.TemporaryDirectory() as folder:
        match = Match(plan, Path(folder) / plan.default_file())
        with MatchView(match, quiet=False) as view:
            match.run(view.game_ended, view.begin)
    headings, rows, right = table(match)
    print_table(headings, rows, right)
    for line in summary(match):
        print(line)
