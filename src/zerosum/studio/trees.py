"""The top of the tree of a running search: what its table holds for the positions after each move."""

from __future__ import annotations

from typing import Any

from zerosum.engine import Engine
from zerosum.game import CHANCE, MAX, Line
from zerosum.search.peek import Known
from zerosum.studio import positions
from zerosum.studio.messages import Request, moves
from zerosum.studio.tab import Tab
from zerosum.wording import about

Json = dict[str, Any]

DEEPEST = 40
BOUNDS = {0: "exact", 1: "lower", -1: "upper"}


def tree(tab: Tab, request: Request) -> None:
    """Send the children of the current position, or of the position some moves later."""
    below = moves(request.body)[:DEEPEST]
    line = tab.playing()
    ply = len(line)
    for move in below:
        line = line.play(move)
    search, engine = tab.searcher.search, tab.searcher.engine
    if engine is not None and engine.game is not line.game:
        engine = None
    root = search if search is not None and not below and search.line.moves == line.moves else None
    chosen = root.latest.move if root is not None and root.latest is not None else None
    children = children_of(line, engine, root.effort if root is not None else {}, chosen)
    tab.send("tree", {"ply": ply, "moves": below, "children": children}, request.number)


def children_of(line: Line, engine: Engine | None, effort: dict[int, int], chosen: int | None = None) -> list[Json]:
    """Each legal move, the best first: its value for MAX, whether that is a bound, its depth, and the work it took."""
    game, s = line.game, line.state
    if positions.ending_of(line) is not None:
        return []
    total = sum(effort.values())
    found = []
    for move in game.legal_moves(s):
        t = game.successor(s, move)
        child: dict[str, Any] = {"move": move, "text": game.format_move(s, move), "over": game.is_over(t)}
        if child["over"]:
            value = game.final_value(t)
            known = Known(value if game.scored else 0, 0, 0, True, None)
            child |= _as_json(known, game.unit)
            if not game.scored and value:
                child |= {"value": 1 if value > 0 else -1, "won": 1 if value > 0 else -1, "distance": 1}
        else:
            child |= _as_json(engine.known(t) if engine is not None else None, game.unit)
        if move in effort:
            child |= {"nodes": f"≈ {about(effort[move])}", "share": round(effort[move] / max(1, total), 3)}
        found.append(child)
    return _ordered(found, game.to_move(s), chosen)


def _as_json(known: Known | None, unit: float) -> dict[str, Any]:
    if known is None:
        return {"value": None, "won": None, "distance": None, "bound": None, "depth": None}
    distance = known.distance
    return {
        "value": round(known.value / unit, 4),
        "won": None if distance is None else 1 if known.value > 0 else -1,
        "distance": None if distance is None else distance + 1,
        "bound": BOUNDS[known.bound],
        "depth": known.depth,
    }


def _ordered(children: list[Json], turn: int, chosen: int | None) -> list[Json]:
    """The move chosen by the search first, then the others from best to worst; moves not in the table come last."""
    if turn == CHANCE:
        return children
    sign = 1 if turn == MAX else -1

    def worth(child: Json) -> tuple[bool, bool, float, bool]:
        if child["value"] is None:
            return child["move"] != chosen, True, 0.0, False
        value = child["value"] if not child["distance"] else child["won"] * (1e9 - child["distance"])
        return child["move"] != chosen, False, -sign * value, child["bound"] != "exact"

    children.sort(key=worth)
    if children and (chosen is not None or children[0]["value"] is not None):
        children[0]["best"] = True
    return children


HANDLERS = {"tree": tree}
