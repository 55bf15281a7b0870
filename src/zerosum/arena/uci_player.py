"""A player that speaks UCI: another program, which chooses moves over pipes."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

from zerosum.arena.player import Answer, Fault, Player, Stopped
from zerosum.arena.process import Conversation, Log, find_program
from zerosum.arena.time_control import Budget
from zerosum.errors import ArenaError, MoveError
from zerosum.game import MIN, Game, Line
from zerosum.protocols.notation import Notation
from zerosum.protocols.uci_words import shortened
from zerosum.value_display import SURE_WIN

HANDSHAKE = 15.0
"""Seconds for ``uciok`` and for ``readyok``."""

LAST_CALL = 1.0
"""Seconds for an answer after ``stop``, when the game is already lost on time."""

OPTION = re.compile(r"option\s+name\s+(.+?)\s+type\s+(\w+)(.*)")


class ProgramPlayer(Player):
    """Base class for UCI, xboard and NBoard: a program that is started when needed and restarted when it fails."""

    goodbye = "quit"

    def __init__(
        self,
        name: str,
        game: Game,
        command: str,
        options: Mapping[str, str] | None = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        log: Log | None = None,
    ) -> None:
        super().__init__(name)
        self.game, self.command, self.options, self.log = game, command, dict(options or {}), log
        self.depth, self.nodes = depth, nodes
        self.notation = Notation(game)
        self._program = find_program(command)
        self._talk: Conversation | None = None
        self._stopped = False

    def prepare(self) -> None:
        """Start the program and do the handshake; ArenaError if that fails."""
        try:
            self._start()
        except Fault as fault:
            raise ArenaError(f"the player {self.name!r} cannot be started: {fault}") from None

    def begin(self, line: Line, seed: str) -> None:
        if self._talk is None or not self._talk.is_alive:
            self._end()
            try:
                self._start()
            except ArenaError as problem:
                raise Fault("crash", str(problem)) from None
        try:
            self._new_game(line)
        except Fault:
            self._end()
            raise

    def choose(self, line: Line, budget: Budget) -> Answer:
        try:
            return self._choose(line, budget)
        except Fault as fault:
            # A late program keeps running; one that failed in any other way is restarted.
            if fault.kind != "time":
                self._end()
            raise

    def _start(self) -> None:
        if self._talk is not None:
            return
        if self._stopped:
            raise Stopped
        self._talk = Conversation(self._program, self.log)
        try:
            self._greet()
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        if self._talk is not None:
            self._talk.close(self.goodbye if self._talk.is_alive else "")
            self._talk = None

    @property
    def talk(self) -> Conversation:
        assert self._talk is not None
        return self._talk

    def stop(self) -> None:
        self._stopped = True
        talk = self._talk
        if talk is not None:
            talk.interrupt()

    def close(self) -> None:
        self._end()

    # Differences between the protocols

    def _greet(self) -> None:
        raise NotImplementedError

    def _new_game(self, line: Line) -> None:
        raise NotImplementedError

    def _choose(self, line: Line, budget: Budget) -> Answer:
        raise NotImplementedError

    def _too_late(self, budget: Budget, answers: bool) -> Fault:
        """The fault for a move that did not come in time."""
        last = f"; its last words: {shortened(self.talk.last_words)}" if self.talk.last_words else ""
        if not answers:
            return Fault("hang", f"no move after {budget.limit:.3g} s, nor when told to stop{last}")
        if budget.has_clock:
            return Fault("time", f"no move within its {budget.limit:.3g} s")
        return Fault("hang", f"no move within {budget.limit:.3g} s")


class UciPlayer(ProgramPlayer):
    """A program that speaks UCI."""

    def _greet(self) -> None:
        self.known: dict[str, tuple[str, str]] = {}  # lower-case name: the original name and the type
        self.talk.send("uci")
        self._wait_for("uciok")
        given = {name.lower() for name in self.options}
        # The program is never asked to ponder, and should know that when it plans its time.
        quiet = {"Ponder": "false"} if "ponder" in self.known and "ponder" not in given else {}
        for name, value in {**quiet, **self.options}.items():
            if name.lower() not in self.known:
                names = ", ".join(written for written, _ in self.known.values())
                raise ArenaError(f"the player {self.name!r} has no option {name!r}; it has {names or 'none'}")
            written, kind = self.known[name.lower()]
            word = {"on": "true", "off": "false"}.get(value.lower(), value) if kind == "check" else value
            self.talk.send(
                f"setoption name {written}" if kind == "button" else f"setoption name {written} value {word}"
            )
        self.talk.send("isready")
        self._wait_for("readyok")

    def _wait_for(self, wanted: str) -> None:
        until = time.perf_counter() + HANDSHAKE
        while (words := self.talk.receive(until)) is not None:
            if words.text.split()[:1] == [wanted]:
                return
            option = OPTION.fullmatch(words.text)
            if option is not None:
                self.known[option[1].lower()] = (option[1], option[2])
        said = f"; its last words: {shortened(self.talk.last_words)}" if self.talk.last_words else ""
        raise Fault("hang", f"no {wanted!r} within {HANDSHAKE:g} s: does it speak UCI?{said}")

    def _new_game(self, line: Line) -> None:
        self.talk.drain()
        self.talk.send("ucinewgame")
        self.talk.send("isready")
        self._wait_for("readyok")
        self._words: list[str] = []
        start = self.game.format_state(line.start)
        self._start_words = "startpos" if line.start == self.game.start() else f"fen {start}"

    def _choose(self, line: Line, budget: Budget) -> Answer:
        for place in range(len(self._words), len(line.moves)):
            self._words.append(self.notation.write(line.states[place], line.moves[place]))
        moves = f" moves {' '.join(self._words)}" if self._words else ""
        self.talk.drain()
        self.talk.send(f"position {self._start_words}{moves}")
        started = time.perf_counter()
        self.talk.send(self._go(line, budget))
        score: float | None = None
        depth: int | None = None
        until = started + budget.limit
        while (words := self.talk.receive(until)) is not None:
            parts = words.text.split()
            if parts[0] == "info":
                score, depth = read_info(parts, score, depth)
            elif parts[0] == "bestmove":
                return Answer(self._read_move(line, words.text), score, depth, words.at - started)
        self.talk.send("stop")
        until = time.perf_counter() + LAST_CALL
        answers = False
        while not answers and (words := self.talk.receive(until)) is not None:
            answers = words.text.split()[0] == "bestmove"
        raise self._too_late(budget, answers)

    def _read_move(self, line: Line, text: str) -> int:
        words = text.split()
        try:
            if len(words) < 2:
                raise MoveError("it does not name a move")
            return self.notation.read(line.state, words[1])
        except MoveError as problem:
            raise Fault("illegal move", f"{shortened(text)}: {problem}") from None

    def _go(self, line: Line, budget: Budget) -> str:
        """The command for a search within the budget; times are in milliseconds."""
        parts = ["go"]
        if budget.movetime is not None:
            parts.append(f"movetime {max(round(1000 * budget.movetime), 1)}")
        elif budget.left is not None:
            mine, other = budget.left, budget.other_left if budget.other_left is not None else budget.left
            white, black = (other, mine) if self.game.to_move(line.state) == MIN else (mine, other)
            parts.append(f"wtime {max(int(1000 * white), 1)} btime {max(int(1000 * black), 1)}")
            if budget.increment:
                increment = round(1000 * budget.increment)
                parts.append(f"winc {increment} binc {increment}")
            if budget.moves_to_go is not None:
                parts.append(f"movestogo {budget.moves_to_go}")
        for word, own, common in (("nodes", self.nodes, budget.nodes), ("depth", self.depth, budget.depth)):
            limit = own if own is not None else common
            if limit is not None:
                parts.append(f"{word} {limit}")
        if len(parts) == 1:
            raise ArenaError(f"the player {self.name!r} needs a limit: give a time control")
        return " ".join(parts)


def read_info(parts: list[str], score: float | None, depth: int | None) -> tuple[float | None, int | None]:
    """The score and the depth in an ``info`` line, or the previous ones if it has none.

    >>> read_info("info depth 12 score cp -35 nodes 1000".split(), None, None)
    (-35.0, 12)
    >>> read_info("info depth 9 score mate 3 pv e2e4".split(), None, None)
    (99995.0, 9)
    """
    if "score" not in parts or parts[1:2] == ["string"] or "lowerbound" in parts or "upperbound" in parts:
        return score, depth
    at = parts.index("score")
    try:
        kind, number = parts[at + 1], int(parts[at + 2])
        if "multipv" in parts and int(parts[parts.index("multipv") + 1]) > 1:
            return score, depth
        depth = int(parts[parts.index("depth") + 1]) if "depth" in parts else depth
    except (ValueError, IndexError):
        return score, depth
    if kind == "mate":
        return (SURE_WIN - (2 * number - 1) if number > 0 else -SURE_WIN - 2 * number), depth
    return (float(number) if kind == "cp" else score), depth
