"""UCI, the protocol that chess programs speak, for any game (S. Meyer-Kahlen and R. Huber, 2000).

One thread reads lines and never waits for long: searches and compiling have theirs, and so has ``isready`` while
kernels compile. A line that makes no sense is
answered by an ``info string`` that quotes it, and the engine goes on.

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
    """The engine's side of the protocol for one game: lines in by ``handle``, lines out by ``write``."""

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
        self._words: tuple[str | None, list[str]] = (None, [])  # what the line was made of
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

    # Lines in, lines out

    def run(self, lines: Iterable[str]) -> None:
        """Handle lines until ``quit``, or their end: then a search that ends by itself may do so."""
        self.session.warm_up()
        try:
            for line in lines:
                if not self.handle(line):
                    return
            self.readiness.finish()
            if self.thinking is not None and self.thinking.task.go.ends_by_itself:
                while not self.thinking.wait(0.2):  # a timeout, so that Ctrl-C gets through everywhere
                    pass
        finally:
            self.close()

    def handle(self, line: str) -> bool:
        """Do what one line says; False if that is to quit, or if nobody reads the answers any more."""
        if self.output.is_gone:
            return False
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        command = self._commands.get(words[0])
        if command is None:
            self.say(f"{shortened(words[0])} is no command; 'help' lists them")
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
        """Stop what is running, and wait until it has ended."""
        self.readiness.answer()
        if self.thinking is not None:
            self.thinking.stop()
            self.thinking.wait(2.0)

    def say(self, text: str) -> None:
        """Something for people, on one line."""
        self.write(f"info string {' '.join(text.split())}")

    def _hear(self, text: str, is_warning: bool) -> None:
        self.say(f"warning: {text}" if is_warning else text)

    # Commands

    def _uci(self, words: list[str]) -> None:
        # Programs take for granted the game whose positions they know, as FEN.
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
        # Not under a running search: before the next one.
        self._must_clear = self._is_thinking()
        if not self._must_clear:
            self.session.clear()

    def _position(self, words: list[str]) -> None:
        text, moves = parse_position(words)
        known_text, known_moves = self._words
        if text == known_text:
            # A game goes on, or a ponderer was wrong: what is the same is not played again.
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
            self.say(f"{shortened(' '.join(['go', *words]))} comes while a search is running: 'stop' ends it")
            return
        go = parse_go(words)
        for word in go.unknown:
            self.say(f"go: {shortened(word)} is left out: not a word of 'go'")
        s = self.line.state
        moves = tuple(dict.fromkeys(self.notation.read(s, word) for word in go.searchmoves)) or None
        if self._must_clear:
            self._clear()
        self.session.warm_up()
        self.readiness.answer()  # a search has begun: nobody waits any longer
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
        """What a move costs beyond the thinking, in seconds: as the option says, or as the clock has shown."""
        player = self.game.to_move(self.line.state)
        clock = go.time_of(player)
        if clock.left is not None and not go.ponder:  # a ponderer's clocks are those of the past
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
            self.lag.forget()  # this move's time is not known from a clock
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
