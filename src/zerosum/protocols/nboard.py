"""NBoard's protocol, version 2, used by Othello programs (C. Welty, 2014).

It works for any game that declares a format for it. The GUI sends a game as one line of text (``Programs.games``), then
moves; it asks for a move (``go``), for the values of the best moves (``hint``), or for those of all positions of the
game (``analyze``). One thread reads lines and never blocks for long: searches have their own threads. Every line that
arrives during a search ends it. An invalid line is answered by a ``status`` that quotes it, and the engine continues.

>>> from zerosum.games import load
>>> engine = Nboard(load("othello"), print, jit=False)
>>> engine.handle("move d3/0.5/1.2")
True
>>> engine.handle("move d3")
status 'move d3': 'd3' is not a legal move here; legal: c3, e3, c5
True
>>> engine.handle("ping 7")
pong 7
True
>>> engine.close()
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TextIO

from zerosum import __version__
from zerosum.errors import ProtocolError, ZerosumError
from zerosum.formats.format import Format
from zerosum.game import Game, Line
from zerosum.levels import DEFAULT_SECONDS
from zerosum.protocols.nboard_analysis import Analysis
from zerosum.protocols.nboard_lines import LineWriter
from zerosum.protocols.notation import Notation
from zerosum.protocols.output import Output, lines_to
from zerosum.protocols.thinking import Task, Thinking
from zerosum.protocols.uci_words import Go, shortened
from zerosum.search.limits import MAX_PLY
from zerosum.session.session import EngineSpec, Session

VERSIONS = (1, 2)

END_EXTRA = 6
"""The game is searched to its end if that is at most this many moves beyond the depth that was set."""

LOADING = 5.0
"""Seconds after the start that ``pong`` waits for the engine to load, so that the first move does not have to."""

PATIENCE = 10.0
"""Seconds to wait for a search to end after a stop; it usually takes milliseconds."""

HELP = """\
nboard 2, set depth N, set game GGF, set contempt N, move MOVE[/VALUE[/SECONDS]], \
go, hint N, analyze, ping N, learn, quit"""


def format_for_games(game: Game) -> Format:
    """The format in which programs send each other whole games; raises ProtocolError if the game declares none."""
    if game.programs is None or game.programs.games is None:
        raise ProtocolError(
            f"{game.name} does not support NBoard's protocol: it declares no Programs(games=) for whole games"
        )
    return game.programs.games


class Nboard:
    """The engine's side of the protocol for one game: reads lines with ``handle``, writes them with ``write``.

    Args:
        seconds: the time for a move; by default two seconds until ``set depth``.
        depth: the search depth until the GUI sets another.
    """

    def __init__(
        self,
        game: Game,
        write: Callable[[str], object],
        *,
        seconds: float | None = None,
        depth: int | None = None,
        threads: int = 1,
        hash_mb: float = 64,
        jit: bool = True,
    ) -> None:
        self.game, self.format = game, format_for_games(game)
        self.seconds, self.depth = seconds, depth
        self.output = Output(write, self._end)
        self.write = self.output.write
        self.notation = Notation(game)
        spec = EngineSpec(game, threads=threads, hash_mb=hash_mb, jit=jit)
        self.session = Session(spec, listener=self._hear, always_answers=True)
        self.line = Line(game)
        self.version = VERSIONS[-1]
        self.work: Thinking | Analysis | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "nboard": self._greet,
            "set": self._set,
            "move": self._move,
            "go": lambda rest: self._think(1, plays=True),
            "hint": self._hint,
            "analyze": lambda rest: self._analyze(),
            "ping": self._ping,
            "learn": lambda rest: self.write("learned"),
            "help": lambda rest: self.say(HELP),
        }
        self._settings: dict[str, Callable[[str], None]] = {
            "depth": self._set_depth,
            "game": self._set_game,
            "contempt": self._set_contempt,
        }

    # Reading and writing lines

    def run(self, lines: Iterable[str]) -> None:
        """Handle lines until ``quit`` or the end of the input; at the end, let a search finish."""
        self.session.warm_up()
        try:
            for line in lines:
                if not self.handle(line):
                    return
            while self.work is not None and not self.work.wait(0.2):  # a timeout, so that Ctrl-C works
                pass
        finally:
            self.close()

    def handle(self, line: str) -> bool:
        """Handle one line; returns False after ``quit``, or if the answers are no longer read."""
        if self.output.is_gone:
            return False
        command, rest = _cut(line)
        if not command:
            return True
        self._stop()
        if command == "quit":
            return False
        try:
            self._obey(command, rest)
        except ZerosumError as problem:
            text, sent = str(problem), shortened(line.strip())
            self.say(text if sent in text else f"{sent}: {text}")
        except Exception as problem:
            self.say(f"{shortened(line.strip())}: {type(problem).__name__}: {problem}")
        return True

    def _obey(self, command: str, rest: str) -> None:
        act = self._commands.get(command)
        if act is not None:
            act(rest)
        elif self.version == 1 and not rest:
            self._move(command)  # in version 1, moves have no command word
        else:
            self.say(f"{shortened(command)} is not a command; 'help' lists them")

    def close(self) -> None:
        """Stop the running search, and wait until it has ended."""
        self._stop()

    def say(self, text: str) -> None:
        """Write a message for the user, on one line."""
        self.write(f"status {' '.join(text.split())}")

    def _hear(self, text: str, is_warning: bool) -> None:
        self.say(f"warning: {text}" if is_warning else text)

    def _ping(self, rest: str) -> None:
        self.session.warm_up()
        self.session.ready.wait(max(self.session.begun + LOADING - time.perf_counter(), 0.0))
        self.write(f"pong {rest}".rstrip())

    # Settings

    def _greet(self, rest: str) -> None:
        version = _whole("nboard", rest)
        self.version = version if version in VERSIONS else VERSIONS[-1]
        self._tell_name()

    def _tell_name(self) -> None:
        self.write(f"set myname zerosum {__version__}{'' if self.depth is None else f' depth {self.depth}'}")

    def _set(self, rest: str) -> None:
        name, value = _cut(rest)
        act = self._settings.get(name)
        if act is None:
            raise ProtocolError(f"unknown setting {shortened(name)}; the settings are depth, game and contempt")
        act(value)

    def _set_depth(self, rest: str) -> None:
        self.depth = min(max(_whole("set depth", rest), 1), MAX_PLY)
        self._tell_name()

    def _set_contempt(self, rest: str) -> None:
        """Ignore the contempt: it is about the value of draws in a book, and there is no book."""
        _whole("set contempt", rest)

    def _set_game(self, rest: str) -> None:
        games = list(self.format.parse(self.game, rest))
        if len(games) != 1:
            raise ProtocolError(f"'set game' needs one game in {self.format.title}, not {len(games)}")
        line, old = games[0].line, self.line
        if line.start != old.start or line.moves[: len(old)] != old.moves:
            self.session.clear()  # perhaps another game, whose results must not be used here
        self.line = line

    def _move(self, rest: str) -> None:
        word = rest.partition("/")[0].strip()
        self.line = self.line.play(self.notation.read(self.line.state, word))

    # Searches

    def _limits(self, line: Line) -> Go:
        """The limits of a search; to the end of the game if that is near."""
        depth, seconds = self.depth, self.seconds
        if depth is None and seconds is None:
            seconds = DEFAULT_SECONDS
        left = self.game.programs.moves_left if self.game.programs is not None else None
        if depth is not None and left is not None and left(line.state) <= depth + END_EXTRA:
            depth = MAX_PLY  # a search ends by itself when everything is known
        return Go(depth=depth, movetime=seconds)

    def _hint(self, rest: str) -> None:
        self._think(min(max(_whole("hint", rest or "1"), 1), self.game.max_moves), plays=False)

    def _think(self, multipv: int, *, plays: bool) -> None:
        started = time.perf_counter()
        self.session.warm_up()
        self.say("thinking")
        teller = LineWriter(self.line, self.notation, self.write, started, plays=plays)
        self.work = Thinking(Task(self.line, self._limits(self.line), multipv=multipv), self.session, teller, started)
        self.work.start()

    def _analyze(self) -> None:
        self.session.warm_up()
        self.say("analyzing")
        self.work = Analysis(self.line, self.session, self._limits, self.write)
        self.work.start()

    def _end(self) -> None:
        """Stop the running search, which may be the caller: the answers are no longer read."""
        if self.work is not None:
            self.work.stop()

    def _stop(self) -> None:
        """End the running search. Its last lines are written before any other answer."""
        work, self.work = self.work, None
        if work is not None:
            work.stop()
            work.wait(PATIENCE)


def _cut(text: str) -> tuple[str, str]:
    """The first word, and the rest."""
    word, rest = (*text.split(None, 1), "", "")[:2]
    return word, rest.strip()


def _whole(command: str, word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise ProtocolError(f"{command!r} needs a whole number, not {shortened(word)}") from None


def serve(
    game: Game,
    lines: Iterable[str],
    output: TextIO,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    threads: int = 1,
    hash_mb: float = 64,
) -> None:
    """Speak NBoard's protocol until ``quit`` or the end of the lines."""
    Nboard(game, lines_to(output), seconds=seconds, depth=depth, threads=threads, hash_mb=hash_mb).run(lines)
