"""Rollouts of candidate plays in games of chance: averages over many games, with their intervals."""

from __future__ import annotations

from zerosum.engine import Engine
from zerosum.errors import StudioError
from zerosum.review.candidates import roll_out_best
from zerosum.search.rollout import Rollout
from zerosum.studio.messages import Request, whole
from zerosum.studio.searches import Search
from zerosum.studio.tab import Tab
from zerosum.wording import count

CANDIDATES = 5
PRECISION = 0.002
"""A rollout runs until its 95 % interval is at most this wide on each side, or until it is stopped."""


def rollout(tab: Tab, request: Request) -> None:
    """Roll out the best ``candidates`` of a quick search, or the position itself if chance is to move."""
    line = tab.playing()
    game, s = line.game, line.state
    if not game.has("chances"):
        raise StudioError(f"{game.name} has no dice: nothing to roll out")
    if tab.is_over:
        raise StudioError("the game is over: nothing to roll out")
    candidates = whole(request.body, "candidates", 1, 20, CANDIDATES)

    def work(engine: Engine, search: Search) -> None:
        def tell(found: tuple[Rollout, ...]) -> None:
            if not search.cancelled:
                body = {"search": search.number, "ply": len(line), "plays": [_as_json(tab, s, play) for play in found]}
                tab.send("rollout", body)

        tell(roll_out_best(engine, line, candidates, precision=PRECISION, on_report=tell, stop=search.stop))

    tab.wanted = None
    tab.start_search("rollout", work)


def _as_json(tab: Tab, s: object, found: Rollout) -> dict[str, str]:
    return {
        "text": "this position" if found.move is None else tab.game.format_move(s, found.move),
        "equity": f"{found.value:+.4f}",
        "error": f"{found.interval:.4f}",
        "games": count(found.games),
    }


HANDLERS = {"rollout": rollout}
