"""New weights against old ones: the match that decides whether training has gained anything."""

from __future__ import annotations

import tempfile
from pathlib import Path

from zerosum.arena.results import summary, table
from zerosum.cli.match_view import MatchView
from zerosum.cli.output import print_table
from zerosum.game import Game


def decide(game: Game, new: str, old: str, games: int, seed: int, *, by_clock: bool = False) -> None:
    """Play the match and print its results; use ``by_clock`` if the evaluations differ in speed.

    The games are not kept, because they are of no use once the weights change. ``zerosum match`` keeps them.
    """
    from zerosum.arena.match import Match
    from zerosum.arena.weights_match import weights_match

    plan = weights_match(game, new, old, games, seed, by_clock=by_clock)
    with tempfile.TemporaryDirectory() as folder:
        match = Match(plan, Path(folder) / plan.default_file())
        with MatchView(match, quiet=False) as view:
            match.run(view.game_ended, view.begin)
    headings, rows, right = table(match.standings)
    print_table(headings, rows, right)
    for line in summary(match.standings, plan.sprt):
        print(line)
