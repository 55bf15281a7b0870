"""How games, lines, results and standings are displayed in a notebook: the board, the line, the value in words.

>>> from zerosum.game import Line
>>> from zerosum.games import load
>>> picture = html(Line(load("tictactoe")).play(4))
>>> picture.count('class="cell'), "O to move" in picture
(9, True)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, singledispatch
from itertools import islice
from typing import Any

from zerosum.arena.results import summary, table
from zerosum.arena.standings import Standings
from zerosum.board import ways
from zerosum.board.inferred import drawable
from zerosum.classroom.drawing.board import board_svg
from zerosum.classroom.drawing.text import escape, tag
from zerosum.game import CHANCE, Game, Line
from zerosum.notebook.styles import in_page
from zerosum.search.result import Result
from zerosum.value_display import at_the_board, ending
from zerosum.wording import count, duration, rate

AREA = 280.0
"""The side of a square board in pixels; other boards have about the same area."""

LONGEST_LINE = 24
"""Maximum number of moves shown of a line."""


@singledispatch
def html(shown: Any) -> str:
    """The HTML that a notebook displays for an object."""
    raise TypeError(f"cannot display {shown!r}: it must be a Game, Line, Result or Standings")


@html.register
def _(game: Game) -> str:
    facts = [f"{game.players[0]} against {game.players[1]}"]
    facts += [f"{name} {value}" for name, value in game.settings.items() if isinstance(value, (int, float, str))]
    if game.has("chances"):
        facts.append("with chance")
    about = tag("p", {}, escape(game.about)) if game.about else ""
    text = f"<p><b>{escape(game.name)}</b>: {escape(', '.join(facts))}</p>{about}"
    return _framed(board_of(Line(game)), text)


@html.register
def _(line: Line) -> str:
    text = tag("p", {}, f"<b>{escape(stands(line))}</b>")
    if len(line):
        text += tag("p", {}, escape(" ".join(line.texts())))
    return _framed(board_of(line, _last_way(line)), text)


@html.register
def _(result: Result) -> str:
    game = result.position.game if result.position is not None else None
    words = at_the_board(result, game) if game is not None else result.in_words()
    text = tag("p", {}, f"<b>{escape(words[0].upper() + words[1:])}</b>")
    lines = result.lines if len(result.lines) > 1 else ()
    if lines and game is not None:
        text += _table(("value", "line"), [(at_the_board(one, game), _moves(one, result.position)) for one in lines])
    elif result.pv:
        text += tag("p", {}, escape(_moves(result, result.position)))
    facts = [f"depth {result.depth}", f"{count(result.nodes)} positions"]
    if result.seconds > 0:
        facts += [duration(result.seconds), rate(result.nodes_per_second)]
    text += tag("p", {"class": "facts"}, escape(" · ".join(facts)))
    if result.position is None:
        return _framed("", text)
    return _framed(board_of(result.position, _way(result.position.game, result.position.state, result.move)), text)


@html.register
def _(standings: Standings) -> str:
    headings, rows, right = table(standings)
    text = "".join(tag("p", {"class": "facts"}, escape(line)) for line in summary(standings))
    return _framed("", _table(headings, rows, right) + text)


# Parts


def stands(line: Line) -> str:
    """The state of a line in a few words: the side to move, or the result."""
    game, s = line.game, line.state
    if line.is_repetition:
        return "A draw by repetition"
    if game.is_over(s):
        words = ending(game, s)
        return words[0].upper() + words[1:]
    turn = game.mover(s)
    return "Chance to move" if turn == CHANCE else f"{game.players[turn]} to move"


def board_of(line: Line, touched: Sequence[str] = ()) -> str:
    """The position as a drawing, or as the game's text if it has no board."""
    game = _drawable(line.game)
    if not game.has("layout"):
        return tag("pre", {}, escape(line.game.show(line.state)))
    layout = game.layout()
    width = min(1.6 * AREA, AREA * (layout.width / layout.height) ** 0.5)
    # The style sheet is included once for the whole display, in the notebook's theme.
    return re.sub(r"<style>.*?</style>", "", board_svg(game, line.state, touched=touched, width=width), flags=re.DOTALL)


_drawable = lru_cache(maxsize=64)(drawable)  # inferring a board takes some random games


def _last_way(line: Line) -> Sequence[str]:
    return _way(line.game, line.states[-2], line.moves[-1]) if len(line) else ()


def _way(game: Game, s: Any, move: int | None) -> Sequence[str]:
    """The cells that a move touches."""
    game = _drawable(game)
    if move is None or not game.has("path") or game.to_move(s) == CHANCE:
        return ()
    return ways(game, s, move)[0]


def _moves(result: Result, position: Line | None) -> str:
    """The expected line, from the position of the search."""
    if position is None:
        texts: Iterable[str] = map(str, result.pv)
    else:
        texts = result.pv_texts(position.game, position.state)
    first = list(islice(texts, LONGEST_LINE))
    return " ".join(first) + (" …" if len(result.pv) > LONGEST_LINE else "")


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    def row(kind: str, cells: Sequence[str]) -> str:
        written = (tag(kind, {"class": "number" if n in right else None}, escape(c)) for n, c in enumerate(cells))
        return tag("tr", {}, "".join(written))

    body = "".join(row("td", cells) for cells in rows)
    return f"<table><thead>{row('th', headings)}</thead><tbody>{body}</tbody></table>"


def _framed(picture: str, text: str) -> str:
    style = f"<style>{in_page('theme.css', 'board.css', 'shown.css')}</style>"
    return tag("div", {"class": "zs-shown"}, style + picture + tag("div", {"class": "told"}, text))
