"""Save the whole game as a file: names, comments, variations and result, whatever move is on the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zerosum.errors import MoveError, StudioError
from zerosum.formats.played import Branch
from zerosum.game import MAX, MIN, Game, Line
from zerosum.studio import positions
from zerosum.studio.formats import save
from zerosum.studio.messages import MOST_MOVES, Request, texts, words
from zerosum.studio.tab import Tab

MOST_NESTED = 50
"""Nesting depth of variations."""

MOST_COMMENT = 4000


def keep(tab: Tab, request: Request) -> None:
    """Send the game as a file to download: ``nodes`` in the form that ``read`` returns, or the current line.

    ``names`` are those of MAX and MIN; ``result``, used if the rules do not determine it, is 1, 0 or -1 for MAX;
    ``notes`` are further tags.
    """
    body = request.body
    line = tab.playing()
    result = _result(body)
    branch = Branch(line.moves)
    if "nodes" in body:
        branch = _branch(tab.game, line.start, body["nodes"], [0], 0)
        line = tab.follow(None, list(branch.moves))
    ending = positions.ending_of(line) or (tab.ended if line.moves == tab.playing().moves else None)
    if ending is not None:
        result = 0 if ending["winner"] is None else 1 if ending["winner"] == MAX else -1
    file = save(line, _names(tab, body), result, texts(body, "notes"), branch)
    tab.send("file", {"name": file.name, "text": file.text}, request.number)


def _names(tab: Tab, body: Mapping[str, Any]) -> tuple[str, str]:
    given = body.get("names")
    if given is None:
        one, other = ("person" if side in tab.people else "zerosum" for side in (MAX, MIN))
        return one, other
    if not isinstance(given, list) or len(given) != 2:
        raise StudioError(f"names must be a list with the names of the two players, not {str(given)[:60]!r}")
    return words({"name": given[0]}, "name", most=200), words({"name": given[1]}, "name", most=200)


def _result(body: Mapping[str, Any]) -> int | None:
    given = body.get("result")
    if given is None or (given in (1, 0, -1) and not isinstance(given, bool)):
        return given
    raise StudioError(f"result must be 1, 0, -1 or null, not {str(given)[:60]!r}")


def _branch(game: Game, s: Any, nodes: Any, count: list[int], depth: int) -> Branch:
    """Moves with their comments and variations, each checked by the rules."""
    if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
        raise StudioError(f"nodes must be a list of moves, not {str(nodes)[:60]!r}")
    if depth > MOST_NESTED:
        raise StudioError(f"variations may be nested at most {MOST_NESTED} deep")
    comments: dict[int, str] = {}
    branches: dict[int, tuple[Branch, ...]] = {}
    line = Line(game, s)
    for place, node in enumerate(nodes):
        count[0] += 1
        move = node.get("move")
        if count[0] > MOST_MOVES or not isinstance(move, int) or isinstance(move, bool):
            raise StudioError(f"nodes must contain at most {MOST_MOVES} moves, as numbers, not {str(move)[:60]!r}")
        comment = words(node, "comment", most=MOST_COMMENT).strip()
        if comment:
            comments[place] = comment
        others = node.get("variations", [])
        if others:
            if not isinstance(others, list):
                raise StudioError(f"variations must be a list, not {str(others)[:60]!r}")
            branches[place] = tuple(_branch(game, line.state, other, count, depth + 1) for other in others)
        try:
            line = line.play(move)
        except MoveError as problem:
            raise MoveError(f"move {place + 1}: {problem}") from problem
    return Branch(line.moves, comments, branches)


HANDLERS = {"save": keep}
