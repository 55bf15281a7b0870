"""A board in a notebook: play by clicking, take back, flip, analyse; for any game, including one defined in a cell.

It is a tab of the studio (studio/tab.py), shown by a widget instead of a page: the kernel sends what to show as traits,
and the widget sends requests as messages.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import traitlets

from zerosum.board.inferred import drawable
from zerosum.errors import GameError, LimitError, StudioError, ZerosumError
from zerosum.game import CHANCE, MAX, MIN, Game, Line
from zerosum.levels import LEVELS, Strength
from zerosum.notebook.styles import in_widget, module, of_boards
from zerosum.search.result import Result
from zerosum.studio import analysis, playing, positions
from zerosum.studio.messages import MOST_MOVES, Request, whole
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.reports import report
from zerosum.studio.tab import Studio, Tab

TICK = 0.2
"""Seconds between two reports of one search."""

MOST_LINES = 10

SIDES = {MAX: (MAX,), MIN: (MIN,), None: (MAX, MIN)}


class OnlyGame(OfferedGames):
    """The games of a notebook: only the game it was given."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._only = game

    def game(self, name: str, settings: Mapping[str, Any]) -> Game:
        return self._only


class Board(anywidget.AnyWidget):
    """A board to analyse and to play on, against the engine or with both sides.

    Args:
        game: a Game, or a Line to continue.
        start: the State to start from.
        you: the side that you play: MAX, MIN, or None for both.
        level: strength of the engine, 1 to 10; ``seconds`` sets a time for each move instead.
        analyse: start with the analysis, in which you move both sides.
        lines: number of lines that the analysis shows.
        width: width of the board in pixels.

    Attributes:
        line: the current game, as a Line.
        result: the Result of the last search, or None.
        moves: the moves so far, in the game's notation; ``observe`` them to be notified of each.

    >>> import zerosum as zs
    >>> board = Board(zs.load("tictactoe"), you=None, jit=False)
    >>> board.play("5").play("1").line
    <Line of tictactoe: 5 1>
    >>> board.close()
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _board = traitlets.Dict().tag(sync=True)
    _position = traitlets.Dict().tag(sync=True)
    _history: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    _search = traitlets.Dict({"state": "idle", "purpose": ""}).tag(sync=True)
    _report = traitlets.Dict().tag(sync=True)
    _problem = traitlets.Unicode().tag(sync=True)
    moves = traitlets.List(traitlets.Unicode(), read_only=True)
    flipped = traitlets.Bool(False).tag(sync=True)
    level = traitlets.Int(4, min=min(LEVELS), max=max(LEVELS)).tag(sync=True)
    lines = traitlets.Int(1, min=1, max=MOST_LINES).tag(sync=True)
    width = traitlets.Int(420, min=100).tag(sync=True)

    def __init__(
        self,
        game: Game | Line,
        start: Any = None,
        *,
        you: int | None = MAX,
        level: int = 4,
        seconds: float | None = None,
        analyse: bool = False,
        lines: int = 1,
        width: int = 420,
        threads: int = 1,
        hash_mb: float = 16,
        jit: bool = True,
    ) -> None:
        if not isinstance(game, (Game, Line)):
            raise GameError(f"a Board needs a Game or a Line, not {game!r}")
        if you not in SIDES:
            raise LimitError(f"you must be MAX, MIN or None, not {you!r}")
        if level not in LEVELS:
            raise LimitError(f"level must be a whole number from {min(LEVELS)} to {max(LEVELS)}, not {level!r}")
        line = game if isinstance(game, Line) else Line(game, start)
        self._game = drawable(line.game)
        self._tab = Tab(Studio(OnlyGame(self._game), hash_mb, threads, jit))
        self._began = Line(self._game, line.start)
        self._numbers = 0
        self._ticker: threading.Thread | None = None
        layout = self._game.layout() if self._game.has("layout") else None
        flipped = layout is not None and layout.turns and you is not None and you != layout.near
        super().__init__(
            _esm=f"const STYLE = {json.dumps(STYLE)};\n{module('board_view.js')}",
            _board=_plain(positions.board(self._game)),
            level=level,
            lines=lines,
            width=width,
            flipped=flipped,
        )
        self._seconds = seconds
        self._tab.deliver = self._hear
        self._tab.people = frozenset(SIDES[you])
        self._tab.mode = "analyse" if analyse else "play"
        self._tab.strength = self._strength()
        self._tab.set_line(Line(self._game, line.start, line.moves))
        self.on_msg(self._asked)
        self.observe(self._changed, ["level", "lines"])
        self._do(self._go_on)

    # Python interface

    @property
    def line(self) -> Line:
        return self._tab.playing()

    @property
    def result(self) -> Result | None:
        search = self._tab.searcher.search
        return None if search is None else search.latest

    def play(self, *moves: str | int) -> Board:
        """Play moves, given as text or as numbers; returns the board."""
        with self._tab.lock:
            line = self.line
            for move in moves:
                if isinstance(move, int):
                    line = line.play(move)
                else:
                    for one in self._game.parse_moves(line.state, move):
                        line = line.play(one)
            self._tab.set_line(line)
            self._go_on()
        return self

    def back(self, plies: int = 1) -> Board:
        """Take moves back; returns the board."""
        with self._tab.lock:
            self._tab.set_line(self.line.back(plies))
            self._go_on()
        return self

    def close(self) -> None:
        """End the search, and remove the board from the notebook."""
        if hasattr(self, "_tab"):  # false if __init__ failed and Python discards the object
            self._tab.leave()
        super().close()

    def __repr__(self) -> str:
        return f"<Board of {self._game.name}: {' '.join(self.moves) or 'start'}>"

    # Requests of the widget

    def _asked(self, widget: Any, content: Mapping[str, Any], buffers: Any) -> None:
        wish = WISHES.get(str(content.get("do")))
        if wish is not None:
            self._do(lambda: wish(self, content))

    def _do(self, wish: Callable[[], None]) -> None:
        """Handle a request; errors are shown below the board."""
        problem = ""
        try:
            with self._tab.lock:
                wish()
        except ZerosumError as found:
            problem = str(found)
        except Exception as found:  # a rule of a user's game
            problem = f"{type(found).__name__}: {found}"
        self._problem = problem

    def _go_on(self) -> None:
        """Send the position; then let the engine move, or continue the analysis."""
        self._tab.wanted = None
        if self._tab.mode == "analyse":
            analysis.analyse(self._tab, Request(None, "analyse", {"lines": self.lines}))
            self._tab.tell_position()
            return
        playing.tell_and_go_on(self._tab)
        if self._tab.people != frozenset((MAX, MIN)):
            playing.warm_up(self._tab)

    def _move(self, content: Mapping[str, Any]) -> None:
        playing.move(self._tab, Request(None, "move", content))

    def _undo(self, content: Mapping[str, Any]) -> None:
        if self._tab.mode == "play":
            playing.undo(self._tab, Request(None, "undo", content))
            return
        self._tab.set_line(self.line.back())
        self._go_on()

    def _hint(self, content: Mapping[str, Any]) -> None:
        playing.hint(self._tab, Request(None, "hint", content))

    def _stop(self, content: Mapping[str, Any]) -> None:
        playing.stop(self._tab, Request(None, "stop", content))

    def _new(self, content: Mapping[str, Any]) -> None:
        self._tab.set_line(self._began)
        self._history = []
        self._go_on()

    def _set_mode(self, content: Mapping[str, Any]) -> None:
        if content.get("mode") not in playing.MODES:
            raise StudioError(f"mode must be one of {', '.join(playing.MODES)}, not {content.get('mode')!r}")
        self._tab.searcher.stop()
        self._tab.mode = content["mode"]
        self._go_on()

    def _set_people(self, content: Mapping[str, Any]) -> None:
        people = playing.people_of(content)
        if not people:
            raise StudioError("you must play at least one side")
        self._tab.searcher.stop()
        self._tab.people = people
        self._go_on()

    def _set_level(self, content: Mapping[str, Any]) -> None:
        self.level = whole(content, "level", min(LEVELS), max(LEVELS))

    def _go(self, content: Mapping[str, Any]) -> None:
        """Go to another position of the game as last played."""
        ply = whole(content, "ply", 0, min(len(self._history), MOST_MOVES))
        self._tab.set_line(self._tab.follow(None, [entry["move"] for entry in self._history[:ply]]))
        self._go_on()

    def _changed(self, change: Any) -> None:
        self._tab.strength = self._strength()
        if change["name"] == "lines" and self._tab.mode == "analyse":
            self._do(self._go_on)

    def _strength(self) -> Strength:
        return Strength.of(None if self._seconds else self.level, self._seconds)

    # Messages of the tab

    def _hear(self, text: str) -> None:
        """Show a message of the tab, from any thread, in the widget."""
        message = json.loads(text)
        kind, body = message["kind"], message["body"]
        if kind == "position":
            self._numbers += 1
            known = self._history[: body.pop("known")] + body.pop("history")
            ply = body["ply"]
            # Going back in the analysis keeps the later moves until another move is made.
            kept = self._history if body["mode"] == "analyse" and self._history[:ply] == known else known
            way = known[-1]["way"] if known else []
            self._history = kept
            body["pieces"] += self._dice(known)
            self._position = {**body, "number": self._numbers, "way": way}
            self.set_trait("moves", [entry["text"] for entry in known])
        elif kind == "search":
            self._search = body
            if body["state"] == "thinking":
                self._tick()
        elif kind == "report":
            search = self._tab.searcher.search
            is_here = search is not None and search.line is self._tab.line
            self._report = {**body, "position": self._numbers if is_here else 0}

    def _dice(self, history: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The last roll, for games whose positions do not store it."""
        cells = self._board["layout"].get("dice", []) if self._board["layout"] else []
        thrown = next((entry["text"] for entry in reversed(history) if entry["turn"] == CHANCE), "") if cells else ""
        faces = [sign for sign in thrown if sign in "123456"]
        return [{"cell": cell, "glyph": f"die-{face}"} for cell, face in zip(cells, faces, strict=False)]

    def _tick(self) -> None:
        """Report the findings of a search while it runs."""
        if self._ticker is None or not self._ticker.is_alive():
            self._ticker = threading.Thread(target=self._report_news, name="zerosum-board", daemon=True)
            self._ticker.start()

    def _report_news(self) -> None:
        while True:
            time.sleep(TICK)
            with self._tab.lock:
                if not self._tab.searcher.is_busy or self._tab.deliver is None:
                    self._ticker = None
                    return
                search, engine = self._tab.searcher.search, self._tab.searcher.engine
                if search is not None and search.state == "thinking" and search.latest is not None:
                    self._tab.send("report", report(search, search.latest, engine))


def _plain(value: Any) -> Any:
    """The value as JSON represents it, so that later messages can be compared with it."""
    return json.loads(json.dumps(value))


WISHES: dict[str, Callable[[Board, Mapping[str, Any]], None]] = {
    "move": Board._move,
    "undo": Board._undo,
    "hint": Board._hint,
    "stop": Board._stop,
    "new": Board._new,
    "mode": Board._set_mode,
    "people": Board._set_people,
    "level": Board._set_level,
    "go": Board._go,
}

STYLE = in_widget("theme.css", "board.css", *of_boards(), "widget.css")
