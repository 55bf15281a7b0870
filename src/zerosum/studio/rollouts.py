"""Rollouts of the candidate plays in games of chance: averages of many games, and how sure they are."""

from __future__ import annotations

from zerosum.engine import Engine
from zerosum.errors import StudioError
from zerosum.game import CHANCE, MAX
from zerosum.search.rollout import Rollout, roll_out
from zerosum.studio.messages import Request, whole
from zerosum.studio.searches import Search
from zerosum.studio.tab import Tab
from zerosum.wording import count

CANDIDATES = 5
PRECISION = 0.002
"""A rollout goes on until its 95 % interval is this narrow on each side, or somebody stops it."""


def rollout(tab: Tab, request: Request) -> None:
    """Roll out the best ``candidates`` of a quick search, or where chance moves the position itself."""
    line = tab.playing()
    game, s = line.game, line.state
    if not game.has("chances"):
        raise StudioError(f"{game.name} has no dice: nothing to roll out")
    if tab.is_over:
        raise StudioError("the game is over: nothing to roll out")
    candidates = whole(request.body, "candidates", 1, 20, CANDIDATES)

    def work(engine: Engine, search: Search) -> None:
        if game.to_move(s) == CHANCE:
            states, moves = [s], None
        else:
            lines = engine.search(line, depth=1, multipv=candidates, stop=search.stop).lines
            moves = [found.move for found in lines if found.move is not None]
            states = [game.successor(s, move) for move in moves]

        def tell(found: tuple[Rollout, ...]) -> None:
            if search.cancelled:
                return
            sign = 1 if game.to_move(s) in (MAX, CHANCE) else -1
            plays = sorted(found, key=lambda one: -sign * one.value)
            body = {"search": search.number, "ply": len(line), "plays": [_told(tab, s, play) for play in plays]}
            tab.send("rollout", body)

        tell(roll_out(game, states, moves, precision=PRECISION, jit=tab.studio.jit, on_report=tell, stop=search.stop))

    tab.wanted = None
    tab.start_search("rollout", work)


def _told(tab: Tab, s: object, found: Rollout) -> dict[str, str]:
    return {
        "text": "this position" if found.move is None else tab.game.format_move(s, found.move),
        "equity": f"{found.value:+.4f}",
        "error": f"{found.interval:.4f}",
        "games": count(found.games),
    }


HANDLERS = {"rollout": rollout}
