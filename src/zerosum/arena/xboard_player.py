"""A player that speaks the chess engine communication protocol of xboard (T. Mann and H. G. Muller), version 1 or 2."""

from __future__ import annotations

import math
import re
import shlex
import time

from zerosum.arena.player import Answer, Fault
from zerosum.arena.time_control import Budget
from zerosum.arena.uci_player import LAST_CALL, ProgramPlayer
from zerosum.errors import ArenaError, MoveError
from zerosum.game import MAX, Line
from zerosum.protocols.uci_words import shortened

FEATURES = 3.0
"""Seconds for a program to name its features; a program of version 1 names none."""

PATIENT = 30.0
"""Seconds for the features of a program that has asked for more time, and for the answer to a ping."""

WANTED = ("ping", "setboard", "usermove", "san", "time", "colors", "memory", "smp", "sigint", "reuse", "myname", "done")
MOVE = re.compile(r"(?:move|my move is\s*:?)\s+(\S+)", re.IGNORECASE)
CLAIM = re.compile(r"(1-0|0-1|1/2-1/2)(?:\s|$)")
THINKING = re.compile(r"\s*(\d+)[.&+-]?\s+(-?\d+)\s+\d+\s+\d+(?:\s|$)")
SETTINGS = ("memory", "cores")


class XboardPlayer(ProgramPlayer):
    """A program that speaks xboard's protocol."""

    _sent: int | None = None  # number of moves of this game sent to it; None before the first game

    def _greet(self) -> None:
        self.features: dict[str, str] = {}
        self._pings = 0
        self.talk.send("xboard")
        self.talk.send("protover 2")
        until = time.perf_counter() + FEATURES
        while (words := self.talk.receive(until)) is not None:
            if words.text.startswith("feature "):
                self._read_features(words.text)
                if self.features.get("done") == "1":
                    break
                if self.features.get("done") == "0":
                    until = time.perf_counter() + PATIENT
        for name, value in self.options.items():
            feature = {"memory": "memory", "cores": "smp"}.get(name)
            if feature is None:
                raise ArenaError(
                    f"the player {self.name!r}: unknown option {name!r}; the options are {', '.join(SETTINGS)}, name"
                    " and depth; give others as arguments of the program"
                )
            if self.features.get(feature) != "1":
                raise ArenaError(f"the player {self.name!r} does not support {name}: it lacks the feature {feature!r}")
            self.talk.send(f"{name} {value}")
        self._ping()

    def _read_features(self, text: str) -> None:
        try:
            words = shlex.split(text)[1:]
        except ValueError:
            return
        for word in words:
            name, equals, value = word.partition("=")
            if equals:
                self.features[name] = value
                self.talk.send(f"{'accepted' if name in WANTED else 'rejected'} {name}")

    def _ping(self) -> None:
        """Wait until the program has handled all commands, if it supports ping."""
        if self.features.get("ping") != "1":
            return
        self._pings += 1
        self.talk.send(f"ping {self._pings}")
        until = time.perf_counter() + PATIENT
        while (words := self.talk.receive(until)) is not None:
            if words.text.split() == ["pong", str(self._pings)]:
                return
        raise Fault("hang", f"no answer to ping within {PATIENT:g} s")

    def _new_game(self, line: Line) -> None:
        if self.features.get("reuse") == "0" and self._sent is not None:
            self._end()
            self._start()
        self.talk.drain()
        for command in ("new", "easy", "post", "force"):
            self.talk.send(command)
        if line.start != self.game.start():
            if self.features.get("setboard") != "1":
                raise Fault("crash", "it cannot start from a given position: it lacks the feature 'setboard'")
            self.talk.send(f"setboard {self.game.format_state(line.start)}")
        self._sent = 0
        self._is_playing = False
        self._limits: list[str] = []  # the commands that set its limits
        self._ping()

    def _choose(self, line: Line, budget: Budget) -> Answer:
        self.talk.drain()
        self._set_time(budget)
        assert self._sent is not None
        # Until its first move it is in force mode; from then on it answers each move by itself.
        for place in range(self._sent, len(line.moves) - 1 if self._is_playing else len(line.moves)):
            self._send_move(line, place)
        if budget.left is not None:
            other = budget.other_left if budget.other_left is not None else budget.left
            if self.features.get("time") != "0":
                self.talk.send(f"time {max(int(100 * budget.left), 1)}")
                self.talk.send(f"otim {max(int(100 * other), 1)}")
        started = time.perf_counter()
        if self._is_playing:
            self._send_move(line, len(line.moves) - 1)
        else:
            self.talk.send("go")
            self._is_playing = True
        answer = self._listen(line, budget, started)
        # Its own move counts as sent; the others are sent before the next move.
        self._sent = len(line.moves) + 1
        return answer

    def _send_move(self, line: Line, place: int) -> None:
        s, move = line.states[place], line.moves[place]
        san = self.features.get("san") == "1"
        word = self.game.format_move(s, move) if san else self.notation.write(s, move)
        self.talk.send(f"usermove {word}" if self.features.get("usermove") == "1" else word)
        self._sent = place + 1

    def _set_time(self, budget: Budget) -> None:
        """Send the time control, once: a clock counts down, so only its first state is the time control."""
        commands = []
        depth = self.depth if self.depth is not None else budget.depth
        if budget.movetime is not None:
            # The protocol has whole seconds; many programs accept fractions, but they need not.
            commands.append(f"st {budget.movetime:g}" if budget.movetime % 1 else f"st {int(budget.movetime)}")
        elif budget.left is not None and not self._limits:
            minutes, seconds = divmod(math.ceil(budget.left), 60)
            increment = f"{budget.increment:g}"
            commands.append(f"level {budget.moves_to_go or 0} {minutes}:{seconds:02} {increment}")
        if depth is not None:
            commands.append(f"sd {depth}")
        if self.nodes is not None or budget.nodes is not None:
            raise ArenaError(f"the player {self.name!r}: xboard's protocol has no node limit; give a time or a depth")
        if not self._limits:
            for command in commands:
                self.talk.send(command)
            self._limits = commands
        if not self._limits:
            raise ArenaError(f"the player {self.name!r} needs a limit: give a time control")

    def _listen(self, line: Line, budget: Budget, started: float) -> Answer:
        score: float | None = None
        depth: int | None = None
        claim = ""
        until = started + budget.limit
        lost = "0-1" if self.game.to_move(line.state) == MAX else "1-0"
        while (words := self.talk.receive(until)) is not None:
            text = words.text
            found = MOVE.match(text)
            if found:
                return Answer(self._read_move(line, found[1], text), score, depth, words.at - started)
            thought = THINKING.match(text)
            if thought:
                depth, score = int(thought[1]), float(thought[2])
            elif text.lower().startswith(("illegal move", "error")):
                self._refuses(text)
            elif text == "resign" or text.startswith(lost):
                return Answer(None, score, depth, words.at - started)
            elif CLAIM.match(text):
                # A claim may accompany a move, often a little late. Without a move, the program loses on time.
                claim = text
        self.talk.send("?")
        until = time.perf_counter() + LAST_CALL
        answers = False
        while not answers and (words := self.talk.receive(until)) is not None:
            answers = MOVE.match(words.text) is not None
        fault = self._too_late(budget, answers)
        if claim:
            raise Fault(fault.kind, f"{fault}; it claims {shortened(claim)}")
        raise fault

    def _refuses(self, text: str) -> None:
        """Handle an error message of the program; raise if it cannot play."""
        for command in self._limits:
            if command in text:
                raise ArenaError(f"the player {self.name!r} does not support the limit {command!r}: {shortened(text)}")
        if text.lower().startswith("illegal move"):
            raise Fault("crash", f"it refuses a legal move: {shortened(text)}")

    def _read_move(self, line: Line, word: str, text: str) -> int:
        try:
            return self.notation.read(line.state, word)
        except MoveError as problem:
            try:
                return self.notation.read_any(line.state, word)
            except MoveError:
                raise Fault("illegal move", f"{shortened(text)}: {problem}") from None
