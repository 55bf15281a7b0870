"""JSON lines on stdin and stdout: any program can ask for legal moves, values and best moves, one object per line.

A request has an ``id``, which every line of its answer repeats, and names what to ``do``. Requests are self-contained,
so the client does not have to keep track of any state. See docs/serve.md.

>>> from zerosum.games import load
>>> server = Server(load("tictactoe"), print, jit=False)
>>> server.handle('{"id": 1, "do": "position", "moves": "5 5"}')
{"id": 1, "error": "move 2: '5' is not a legal move here; legal: 1, 2, 3, 4, 6, 7, 8, 9"}
True
"""

from __future__ import annotations

import json
import math
import queue
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from zerosum import __version__
from zerosum.errors import ProtocolError, ZerosumError, nearest
from zerosum.game import CHANCE, MAX, Game, Line
from zerosum.protocols.output import Output, lines_to
from zerosum.protocols.uci_words import shortened
from zerosum.running.stopping import Stop
from zerosum.search.limits import Limits
from zerosum.session.session import EngineSpec, Session
from zerosum.value_display import PLAYERS, ending, report

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.search.result import Result

VERSION = 1
"""Version of the protocol. It changes only if clients of an earlier version would misunderstand the new one."""

PLACE = ("position", "moves")
FIELDS: Mapping[str, tuple[str, ...]] = {
    "game": (),
    "position": PLACE,
    "play": (*PLACE, "move"),
    "search": (*PLACE, "depth", "seconds", "nodes", "lines", "among", "reports"),
    "solve": (*PLACE, "seconds", "reports"),
    "stop": ("of",),
    "quit": (),
}
"""The requests, and the fields that each may have in addition to ``id`` and ``do``."""

Json = dict[str, Any]
Id = str | int | float | None


class Asked(NamedTuple):
    """A requested search: the id of its request, the line to search, and how it ends."""

    id: Id
    do: str
    line: Line
    options: Json
    reports: bool
    stop: Stop

    @property
    def ends_by_itself(self) -> bool:
        return self.do == "solve" or any(self.options.get(limit) is not None for limit in ("depth", "seconds", "nodes"))


class Server:
    """The engine's side of the protocol for one game: reads lines with ``handle``, writes them with ``write``.

    Searches run one at a time, in the order of their requests; all other requests are answered immediately.
    """

    def __init__(
        self, game: Game, write: Callable[[str], object], *, spec: EngineSpec | None = None, jit: bool = True
    ) -> None:
        self.game = game
        self.output = Output(write, self._stop_all)
        self.session = Session(spec or EngineSpec(game, jit=jit))
        self._waiting: queue.SimpleQueue[Asked | None] = queue.SimpleQueue()
        self._open: list[Asked] = []  # searches not answered yet
        self._lock = threading.Lock()
        self._searcher: threading.Thread | None = None
        self._handlers: dict[str, Callable[[Id, Json], None]] = {
            "game": lambda id, body: self._answer(id, self._describe()),
            "position": lambda id, body: self._answer(id, describe_line(self._line(body))),
            "play": self._play,
            "search": self._search,
            "solve": self._search,
            "stop": self._stop,
        }

    # Reading and writing lines

    def run(self, lines: Iterable[str]) -> None:
        """Handle lines until ``quit`` or the end of the input; at the end, complete searches that have a limit."""
        self.session.warm_up()
        try:
            for line in lines:
                if not self.handle(line):
                    self._stop_all()
                    break
        except BaseException:
            self._stop_all()
            raise
        finally:
            self.close()

    def close(self) -> None:
        """Wait for searches that end by themselves, and stop the others."""
        for asked in self._searches():
            if not asked.ends_by_itself:
                asked.stop.set()
        if self._searcher is not None:
            self._waiting.put(None)
            while self._searcher.is_alive():
                self._searcher.join(0.2)  # a timeout, so that Ctrl-C works on all platforms
            self._searcher = None

    def handle(self, line: str) -> bool:
        """Handle one line; returns False after ``quit``, or if the answers are no longer read."""
        if self.output.is_gone:
            return False
        if not line.strip():
            return True
        id: Id = None
        try:
            content = read(line)
            id = _id_of(content)
            do = _wish_of(content)
            if do == "quit":
                return False
            self._handlers[do](id, content)
        except Exception as problem:
            self._refuse(id, problem)
        return True

    def _answer(self, id: Id, body: Json) -> None:
        self.output.write(json.dumps({"id": id, **body}, default=_plain))

    def _refuse(self, id: Id, problem: Exception) -> None:
        text = str(problem) if isinstance(problem, ZerosumError) else f"{type(problem).__name__}: {problem}"
        self._answer(id, {"error": " ".join(text.split())})

    # Requests answered immediately

    def _describe(self) -> Json:
        game = self.game
        return {
            "protocol": VERSION,
            "zerosum": __version__,
            "name": game.name,
            "about": game.about,
            "parameters": dict(game.settings),
            "players": list(game.players),
            "max_moves": game.max_moves,
            "scored": game.scored,
            "chance": game.has("chances"),
            "repetition": game.repetition,
            "requests": list(FIELDS),
        }

    def _line(self, body: Json) -> Line:
        """The line that a request is about: moves from a position or from the start."""
        position, moves = body.get("position"), body.get("moves", "")
        if position is not None and not isinstance(position, str):
            raise ProtocolError(f"position must be a text, not {shortened_json(position)}")
        start = None if position is None else self.game.parse_state(position)
        return Line.parse(self.game, moves if isinstance(moves, str) else _texts("moves", moves), start)

    def _play(self, id: Id, body: Json) -> None:
        move = body.get("move")
        if not isinstance(move, str):
            raise ProtocolError(f"play needs a move as a text, not {shortened_json(move)}")
        line = self._line(body)
        self._answer(id, describe_line(line.play(self.game.parse_move(line.state, move))))

    # Searches

    def _search(self, id: Id, body: Json) -> None:
        line = self._line(body)
        reports = body.get("reports", False)
        if not isinstance(reports, bool):
            raise ProtocolError(f"reports must be true or false, not {shortened_json(reports)}")
        limits = {name: body[name] for name in ("depth", "seconds", "nodes") if body.get(name) is not None}
        Limits(**limits)
        options: Json = dict(limits)
        if body["do"] == "search":
            lines = body.get("lines", 1)
            if isinstance(lines, bool) or not isinstance(lines, int) or lines < 1:
                raise ProtocolError(f"lines must be a whole number of at least 1, not {shortened_json(lines)}")
            options["multipv"] = lines
            if body.get("among") is not None:
                among = _texts("among", body["among"])
                if not among:
                    raise ProtocolError("among must have at least one move, not []")
                options["moves"] = [self.game.parse_move(line.state, text) for text in among]
        asked = Asked(id, body["do"], line, options, reports, Stop())
        with self._lock:
            self._open.append(asked)
            if self._searcher is None:
                self._searcher = threading.Thread(target=self._work, name="zerosum-serve", daemon=True)
                self._searcher.start()
        self._waiting.put(asked)

    def _stop(self, id: Id, body: Json) -> None:
        of = _checked_id("of", body.get("of"))
        found = [asked for asked in self._searches() if "of" not in body or asked.id == of]
        for asked in found:
            asked.stop.set()
        self._answer(id, {"stopped": [asked.id for asked in found]})

    def _stop_all(self) -> None:
        for asked in self._searches():
            asked.stop.set()

    def _searches(self) -> list[Asked]:
        with self._lock:
            return list(self._open)

    def _work(self) -> None:
        while (asked := self._waiting.get()) is not None:
            try:
                self._tell(asked, self._result(asked), True)
            except Exception as problem:
                self._refuse(asked.id, problem)
            with self._lock:
                self._open.remove(asked)

    def _result(self, asked: Asked) -> Result:
        engine = self._engine(asked.stop)
        ask = engine.search if asked.do == "search" else engine.solve
        heard = (lambda result: self._tell(asked, result, False)) if asked.reports else None
        return ask(asked.line, on_report=heard, stop=asked.stop, **asked.options)

    def _engine(self, stop: Stop) -> Engine:
        """The engine, or an uncompiled one if the search is stopped while the engine is still compiling."""
        self.session.warm_up()
        while not self.session.ready.wait(0.05):
            if stop.is_set():
                return self.session.plain()
        return self.session.engine()

    def _tell(self, asked: Asked, result: Result, final: bool) -> None:
        self._answer(asked.id, {**report(result, self.game, asked.line.state), "final": final})


# Positions as data


def describe_line(line: Line) -> Json:
    """A position as data: the side to move, the legal moves, and the result if the game is over.

    >>> from zerosum.games import load
    >>> describe_line(Line(load("tictactoe"), moves=(4,)))["moves"]
    ['1', '2', '3', '4', '6', '7', '8', '9']
    """
    game, s = line.game, line.state
    turn = game.mover(s)
    over = line.is_repetition or game.is_over(s)
    found: Json = {
        "position": game.format_state(s),
        "text": game.show(s),
        "turn": PLAYERS[turn],
        "player": None if turn == CHANCE else game.players[turn],
        "moves": [] if over else [game.format_move(s, move) for move in game.legal_moves(s)],
        "over": over,
    }
    if turn == CHANCE and not over:
        found["chances"] = [chance for _, chance in game.checked_chances(s)]
    if over:
        value = 0.0 if line.is_repetition else game.final_value(s)
        found["utility"] = int(value) if value.is_integer() else value
        found["winner"] = None if not value else PLAYERS[MAX if value > 0 else 1 - MAX]
        found["words"] = "a draw by repetition" if line.is_repetition else ending(game, s)
    return found


# Checked parsing of a line


def read(line: str) -> Json:
    """The JSON object in a line; raises ProtocolError, quoting it, if there is none."""
    try:
        content = json.loads(line, parse_constant=_finite, parse_float=_finite)
    except ProtocolError:
        raise
    except (ValueError, RecursionError):
        raise ProtocolError(f"{shortened(line.strip())} is not JSON: a request is one object on one line") from None
    if not isinstance(content, dict):
        raise ProtocolError(f"{shortened(line.strip())} is not a request: it must be an object")
    return content


def _finite(word: str) -> float:
    """A number of a request; raises ProtocolError for NaN and Infinity, which JSON does not have."""
    number = float(word)
    if not math.isfinite(number):
        raise ProtocolError(f"{shortened(word)} is not a finite number")
    return number


def _id_of(content: Json) -> Id:
    return _checked_id("id", content.get("id"))


def _checked_id(name: str, id: Any) -> Id:
    if isinstance(id, bool) or not isinstance(id, (str, int, float, type(None))):
        raise ProtocolError(f"{name} must be a number or a text, not {shortened_json(id)}")
    return id


def _wish_of(content: Json) -> str:
    """The name of a request; raises ProtocolError if it or one of its fields is unknown."""
    do = content.get("do")
    if not isinstance(do, str) or do not in FIELDS:
        near = nearest(do, FIELDS) if isinstance(do, str) else ""
        raise ProtocolError(f"do must be one of {', '.join(FIELDS)}, not {shortened_json(do)}{near}")
    for name in content:
        if name not in ("id", "do", *FIELDS[do]):
            known = ", ".join(FIELDS[do]) or "nothing else"
            raise ProtocolError(f"{do} has no {shortened(name)}: it takes {known}{nearest(name, FIELDS[do])}")
    return do


def _texts(name: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ProtocolError(f"{name} must be a list of moves as texts, not {shortened_json(value)}")
    return value


def shortened_json(value: Any) -> str:
    """A value as it was sent, shortened if necessary."""
    if isinstance(value, str):
        return shortened(value)
    text = json.dumps(value)
    return text if len(text) <= 100 else f"{text[:99]}…"


def _plain(value: Any) -> Any:
    """Convert a NumPy number, which a rule may return, to a Python number."""
    return value.item() if hasattr(value, "item") else str(value)


def serve(game: Game, lines: Iterable[str], output: TextIO, *, spec: EngineSpec | None = None) -> None:
    """Speak JSON lines until ``quit`` or the end of the lines."""
    Server(game, lines_to(output), spec=spec).run(lines)
