"""A running search as data for the page."""

from __future__ import annotations

import time
from typing import Any

from zerosum.engine import Engine
from zerosum.game import MAX, Game
from zerosum.search.result import Result
from zerosum.studio.positions import way
from zerosum.studio.searches import Search
from zerosum.value_display import at_the_board, data
from zerosum.wording import count, duration, rate

LONGEST_LINE = 24
"""Maximum number of moves written per line: longer lines are not read, and in chess each move takes a millisecond."""


def report(search: Search, result: Result, engine: Engine | None) -> dict[str, Any]:
    """The current findings of the search: its newest result, and its progress since."""
    thinking = search.state == "thinking"
    progress = engine.progress() if engine is not None and thinking else None
    nodes = max(result.nodes, progress.nodes if progress else 0)
    seconds = time.perf_counter() - search.started if thinking else result.seconds
    lines = _lines(search, result)
    best = {name: lines[0][name] for name in ("words", "value", "won", "distance")}
    return {
        "search": search.number,
        "ply": len(search.line),
        "position": search.position,
        "purpose": search.purpose,
        "depth": result.depth,
        "seldepth": result.seldepth,
        "nodes": count(nodes),
        "rate": rate(nodes / seconds) if seconds > 0 else "",
        "time": duration(seconds),
        "hash": engine.hashfull() / 10 if engine is not None else 0,
        "proven": result.proven,
        **best,
        "lines": lines,
    }


def _lines(search: Search, result: Result) -> list[dict[str, Any]]:
    """The result's lines as data, the best for the side to move first; cached."""
    if search.written is None or search.written[0] is not result:
        game, s = search.line.game, search.line.state
        # Each line is searched separately, so a later one may turn out better than an earlier one.
        found = sorted(
            result.lines or (result,), key=lambda line: -line.value if game.to_move(s) == MAX else line.value
        )
        search.written = (result, [_line(game, s, line) for line in found])
    return search.written[1]


def _line(game: Game, s: Any, result: Result) -> dict[str, Any]:
    pv = result.pv[:LONGEST_LINE]
    texts, t = [], s
    for move in pv:
        texts.append(game.format_move(t, move))
        t = game.play(t, move)
    return {
        "moves": list(pv),
        "texts": texts,
        "way": way(game, s, pv[0]) if pv else [],
        "words": at_the_board(result, game),
        **data(result, game.unit),
    }
