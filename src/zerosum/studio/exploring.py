"""Requests of a page to the opening explorer."""

from __future__ import annotations

from typing import Any

from zerosum.game import CHANCE, Line
from zerosum.studio import positions
from zerosum.studio.explorer import Book, Index
from zerosum.studio.messages import Request
from zerosum.studio.tab import Tab

Json = dict[str, Any]

SHOWN = 20


def explore(tab: Tab, request: Request) -> None:
    """Send the moves played in the position: for each source, how often, with what results, and their values."""
    line = tab.playing()
    explorer = tab.studio.explorer
    sources = [] if line.game.to_move(line.state) == CHANCE else explorer.sources(line.game)
    body = {
        "ply": len(line),
        "position": line.game.format_state(line.state),
        "name": explorer.name(line),
        "sources": [_as_json(line, source) for source in sources],
    }
    tab.send("explored", body, request.number)


def _as_json(line: Line, source: Index | Book) -> Json:
    game, s = line.game, line.state
    found = source.at(s)
    legal = set(game.legal_moves(s)) if found else set()
    order = sorted(found.items(), key=lambda pair: (-pair[1].games, -pair[1].weight))
    return {
        "title": source.path.name,
        "games": source.games,
        "wrong": source.wrong,
        "reading": source.is_reading,
        "problem": source.problem,
        "moves": [
            {
                "move": move,
                "text": game.format_move(s, move),
                "way": positions.way(game, s, move),
                "games": count.games,
                "results": [count.results[1], count.results[0], count.results[-1]],
                "value": round(count.value / count.valued, 2) if count.valued else None,
                "weight": count.weight,
            }
            for move, count in order[:SHOWN]
            if move in legal
        ],
    }


HANDLERS = {"explore": explore}
