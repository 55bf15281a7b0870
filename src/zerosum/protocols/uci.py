"""UCI, the protocol of chess programs, for any game (S. Meyer-Kahlen and R. Huber, 2000).

One thread reads lines and never blocks for long: searches and compilation have their own threads, and so does
``isready`` while kernels compile. An invalid line is answered by an ``info string`` that quotes it, and the engine
continues.

>>> from zerosum.games import load
>>> engine = Uci(load("tictactoe"), print, jit=False)
>>> engine.handle("isready")
readyok
True
>>> engine.handle("position startpos moves 5 5")  # doctest: +ELLIPSIS
info string 'position startpos moves 5 5': move 2: '5' is not a legal move here; legal: 1, ...
True
>>> engine.close()
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from zerosum import __version__
from zerosum.errors import MoveError, ProtocolError, ZerosumError
from zerosum.game import Game, Line
from zerosum.protocols.advisors import Advice, Advisors
from zerosum.protocols.notation import Notation
from zerosum.protocols.output import Output, lines_to
from zerosum.protocols.readiness import Readiness
from zerosum.protocols.thinking import Task, Thinking
from zerosum.protocols.uci_info import InfoWriter
from zerosum.protocols.uci_options import Options
from zerosum.protocols.uci_words import Go, parse_go, parse_position, parse_setoption, shortened
from zerosum.session.clock import Lag
from zerosum.session.session import EngineSpec, Session

HELP = """\
uci, isready, ucinewgame, quit
position startpos|fen POSITION [moves MOVE ...]
go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [searchmoves MOVE ...] \
[wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [ponder]
stop, ponderhit
setoption name NAME [value VALUE]
d (shows the position), help"""


class Uci:
    """The engine's side of the protocol for one game: reads lines with ``handle``, writes them with ``write``."""

    def __init__(self, game: Game, write: Callable[[str], object], *, jit: bool = True) -> None:
        self.game = game
        self.output = Output(write, self._stop)
        self.write = self.output.write
        self.notation = Notation(game)
        self.options = Options(game)
        self.advisors = Advisors(game)
        self.lag = Lag()
        self.session = Session(EngineSpec(game, jit=jit), listener=self._hear, always_answers=True)
        self.readiness = Readiness(self.session, self.write, self.say)
        self.line = Line(game)
        self._words: tuple[str | None, list[str]] = (None, [])  # the words that the line was parsed from
        self.thinking: Thinking | None = None
        self._must_clear = False
        self._debug = False
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": lambda words: self._is_ready(),
            "debug": self._set_debug,
            "register": lambda words: None,
            "setoption": self._setoption,
            "ucinewgame": lambda words: self._new_game(),
            "position": self._position,
            "go": self._go,
            "stop": lambda words: self._stop(),
            "ponderhit": lambda words: self._ponderhit(),
            "d": lambda words: self._show(),
            "help": lambda words: self._help(),
        }

    # Reading and writing lines

    def run(self, lines: Iterable[str]) -> None:
        """Handle lines until ``quit`` or the end of the input; at the end, complete a search that has a limit."""
        self.session.warm_up()
        try:
            for line in lines:
                if not self.handle(line):
                    return
            self.readiness.finish()
            if self.thinking is not None and self.thinking.task.go.ends_by_itself:
                while not self.thinking.wait(0.2):  # a timeout, so that Ctrl-C works on all platforms
                    pass
        finally:
            self.close()

    def handle(self, line: str) -> bool:
        """Handle one line; returns False after ``quit``, or if the answers are no longer read."""
        if self.output.is_gone:
            return False
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        command = self._commands.get(words[0])
        if command is None:
            self.say(f"{shortened(words[0])} is not a command; 'help' lists them")
            return True
        try:
            command(words[1:])
        except ZerosumError as problem:
            text = str(problem)
            self.say(text if shortened(line.strip()) in text else f"{shortened(line.strip())}: {text}")
        except Exception as problem:
            self.say(f"{shortened(line.strip())}: {type(problem).__name__}: {problem}")
        return True

    def close(self) -> None:
        """Stop the running search, and wait until it has ended."""
        self.readiness.answer()
        if self.thinking is not None:
            self.thinking.stop()
            self.thinking.wait(2.0)

    def say(self, text: str) -> None:
        """Write a message for the user, on one line."""
        self.write(f"info string {' '.join(text.split())}")

    def _hear(self, text: str, is_warning: bool) -> None:
        self.say(f"warning: {text}" if is_warning else text)

    # Commands

    def _uci(self, words: list[str]) -> None:
        # Name the game, except for one whose positions are FENs: programs assume that one.
        known = self.game.programs is not None and self.game.programs.fields
        game = "" if known else f" ({self.game.name})"
        self.write(f"id name zerosum {__version__}{game}")
        self.write("id author the authors of zerosum")
        for option in self.options.known:
            self.write(option.declaration())
        self.write("uciok")

    def _is_ready(self) -> None:
        if self._is_thinking():
            self.write("readyok")
        else:
            self.readiness.ask()

    def _set_debug(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            raise ProtocolError(f"write 'debug on' or 'debug off', not {shortened(' '.join(['debug', *words]))}")
        self._debug = words == ["on"]

    def _setoption(self, words: list[str]) -> None:
        name = self.options.set(*parse_setoption(words))
        if name == "Clear Hash":
            self._clear()
        elif name in self.options.own:
            self.notation.choose([own for own in self.options.own if self.options[own]])
        elif name == "BookFile":
            self.advisors.open_book(str(self.options[name]))
        elif name == "SyzygyPath":
            self.advisors.open_tables(str(self.options[name]))
        self.session.want(threads=self.options.number("Threads"), hash_mb=self.options.number("Hash"))

    def _new_game(self) -> None:
        self._clear()
        self.lag.forget()
        self.line, self._words = Line(self.game), (None, [])

    def _clear(self) -> None:
        # Not during a search: if one is running, clear before the next.
        self._must_clear = self._is_thinking()
        if not self._must_clear:
            self.session.clear()

    def _position(self, words: list[str]) -> None:
        text, moves = parse_position(words)
        known_text, known_moves = self._words
        if text == known_text:
            # The game continues, or the pondered move was wrong: do not replay the common moves.
            pairs = zip(moves, known_moves, strict=False)
            done = next((n for n, (new, old) in enumerate(pairs) if new != old), min(len(moves), len(known_moves)))
            line = self.line.back(len(known_moves) - done)
        else:
            line, done = Line(self.game, None if text is None else self.game.parse_state(text)), 0
        for number, word in enumerate(moves[done:], done + 1):
            try:
                line = line.play(self.notation.read(line.state, word))
            except MoveError as problem:
                raise MoveError(f"move {number}: {problem}") from problem
        self.line, self._words = line, (text, moves)

    def _go(self, words: list[str]) -> None:
        started = time.perf_counter()
        if self._is_thinking():
            self.say(f"{shortened(' '.join(['go', *words]))} was ignored while a search is running; send 'stop' first")
            return
        go = parse_go(words)
        for word in go.unknown:
            self.say(f"go: {shortened(word)} is ignored: it is not a word of 'go'")
        s = self.line.state
        moves = tuple(dict.fromkeys(self.notation.read(s, word) for word in go.searchmoves)) or None
        if self._must_clear:
            self._clear()
        self.session.warm_up()
        self.readiness.answer()  # answer before the search starts
        task = Task(
            self.line,
            go,
            moves,
            self.options.number("MultiPV"),
            self._overhead(go),
            self._advise,
            self.lag,
            self._debug,
        )
        info = InfoWriter(self.line, self.notation, self.write, started)
        self.thinking = Thinking(task, self.session, info, started)
        self.thinking.start()

    def _overhead(self, go: Go) -> float:
        """The overhead of a move in seconds: from the option, or as observed on the clock."""
        player = self.game.to_move(self.line.state)
        clock = go.time_of(player)
        if clock.left is not None and not go.ponder:  # while pondering, the clocks are out of date
            self.lag.see(player, clock.left, clock.increment)
        return max(self.options.number("Move Overhead") / 1000, self.lag.seconds)

    def _advise(self, s: Any, legal: list[int]) -> Advice | None:
        return self.advisors.advise(s, legal, bool(self.options["OwnBook"]))

    def _is_thinking(self) -> bool:
        return self.thinking is not None and not self.thinking.is_over

    def _stop(self) -> None:
        if self.thinking is not None:
            self.thinking.stop()

    def _ponderhit(self) -> None:
        if self.thinking is not None:
            self.lag.forget()  # the clock does not show the time of this move
            self.thinking.ponderhit()

    def _show(self) -> None:
        s = self.line.state
        self.write(self.game.show(s))
        self.write(f"Position: {self.game.format_state(s)}")
        self.write(f"Moves: {' '.join(self.notation.write(s, move) for move in self.game.legal_moves(s))}")

    def _help(self) -> None:
        for line in HELP.splitlines():
            self.say(line)


def serve(game: Game, lines: Iterable[str], output: TextIO, *, jit: bool = True) -> None:
    """Speak UCI until ``quit`` or the end of the lines."""
    Uci(game, lines_to(output), jit=jit).run(lines)
