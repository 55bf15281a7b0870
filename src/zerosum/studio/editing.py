"""The board editor: turns glyphs on cells into a position that the rules accept."""

from __future__ import annotations

from zerosum.errors import PositionError, StudioError
from zerosum.studio import positions
from zerosum.studio.messages import Request, texts, whole
from zerosum.studio.tab import Tab

MOST_CELLS = 1000


def set_up(tab: Tab, request: Request) -> None:
    """Send the position with ``glyphs`` on cells and ``turn`` to move; an error if the rules reject it."""
    game = tab.game
    if not game.has("set_up"):
        raise StudioError(f"{game.name} has no rule set_up(glyphs, turn), so its board cannot be edited")
    glyphs = texts(request.body, "glyphs", MOST_CELLS, words_only=False)
    turn = whole(request.body, "turn", 0, 1)
    board = game.layout()
    known = {cell.id for cell in board.cells}
    for cell, glyph in glyphs.items():
        if cell not in known or glyph not in board.glyphs:
            raise StudioError(f"cannot put {glyph[:40]!r} on {cell[:40]!r}: the board has no such piece or cell")
    try:
        text = game.set_up(glyphs, turn)
    except (ValueError, LookupError) as problem:
        raise PositionError(f"these pieces are not a position of {game.name}: {problem}") from problem
    s = game.parse_state(text)
    body = {"position": game.format_state(s), "turn": game.mover(s), "pieces": positions.pieces(game, s)}
    tab.send("set-up", body, request.number)


HANDLERS = {"set-up": set_up}
