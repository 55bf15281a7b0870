"""A player that speaks NBoard's protocol (C. Welty), as programs for Othello do."""

from __future__ import annotations

import math
import time

from zerosum.arena.player import Answer, Fault
from zerosum.arena.time_control import Budget
from zerosum.arena.uci_player import HANDSHAKE, LAST_CALL, ProgramPlayer
from zerosum.errors import ArenaError, MoveError, ProtocolError
from zerosum.formats.played import Played
from zerosum.game import Line
from zerosum.protocols.nboard import format_for_games
from zerosum.protocols.uci_words import shortened

DEFAULT_DEPTH = 12
"""Search depth if neither the player nor the time control gives one: the protocol requires a depth."""

ANSWER = "==="


class NboardPlayer(ProgramPlayer):
    """A program that speaks NBoard's protocol, which has no clock: it searches to a depth; the referee keeps time."""

    _depth: int | None = None  # the depth sent to the program
    _pings = 0

    def _greet(self) -> None:
        try:
            self.format = format_for_games(self.game)
        except ProtocolError as problem:
            raise ArenaError(f"the player {self.name!r}: {problem}") from problem
        for name in self.options:
            raise ArenaError(
                f"the player {self.name!r}: unknown option {name!r}; the options are name and depth; give others as"
                " arguments of the program"
            )
        if self.nodes is not None:
            raise self._no_nodes()
        self._depth = None
        self.talk.send("nboard 2")
        self._set_depth(self.depth or DEFAULT_DEPTH)
        self._ping()

    def _no_nodes(self) -> ArenaError:
        return ArenaError(f"the player {self.name!r}: NBoard's protocol has no node limit; give a depth")

    def _set_depth(self, depth: int) -> None:
        if depth != self._depth:
            self.talk.send(f"set depth {depth}")
            self._depth = depth

    def _ping(self) -> None:
        """Wait until the program has handled all commands, and discard its output until then."""
        self._pings += 1
        self.talk.send(f"ping {self._pings}")
        until = time.perf_counter() + HANDSHAKE
        while (words := self.talk.receive(until)) is not None:
            if words.text.split() == ["pong", str(self._pings)]:
                return
        said = f"; its last words: {shortened(self.talk.last_words)}" if self.talk.last_words else ""
        raise Fault("hang", f"no answer to 'ping' within {HANDSHAKE:g} s: does it speak NBoard's protocol?{said}")

    def _new_game(self, line: Line) -> None:
        self._sent: int | None = None
        self._ping()

    def _choose(self, line: Line, budget: Budget) -> Answer:
        if budget.nodes is not None:
            raise self._no_nodes()
        legal = self.game.legal_moves(line.state)
        if len(legal) == 1:
            # NBoard itself does not ask for a forced move, such as a pass, and not every program would answer.
            return Answer(legal[0], seconds=0.0)
        self._set_depth(self.depth or budget.depth or DEFAULT_DEPTH)
        self._set_position(line, budget)
        self._ping()
        started = time.perf_counter()
        self.talk.send("go")
        return self._listen(line, budget, started)

    def _set_position(self, line: Line, budget: Budget) -> None:
        """Send the game so far, with the initial time of each side; later, only the moves since the last call."""
        if self._sent is None:
            control = "" if budget.left is None else f"{budget.left:g}+{budget.increment:g}"
            played = Played(line, self.game.players, notes={"Site": "zerosum", "TimeControl": control or "900"})
            self.talk.send(f"set game {' '.join(self.format.write(played).split())}")
        else:
            for place in range(self._sent, len(line)):
                self.talk.send(f"move {self.notation.write(line.states[place], line.moves[place]).upper()}")
        self._sent = len(line)

    def _listen(self, line: Line, budget: Budget, started: float) -> Answer:
        depth: int | None = None
        until = started + budget.limit
        while (words := self.talk.receive(until)) is not None:
            if words.text.startswith(ANSWER):
                move, score = self._read_answer(line, words.text)
                return Answer(move, score, depth, words.at - started)
            depth = read_depth(words.text, depth)
        self._pings += 1
        self.talk.send(f"ping {self._pings}")
        until = time.perf_counter() + LAST_CALL
        answers = False
        while not answers and (words := self.talk.receive(until)) is not None:
            answers = words.text.startswith((ANSWER, "pong"))
        raise self._too_late(budget, answers)

    def _read_answer(self, line: Line, text: str) -> tuple[int, float | None]:
        """The move and the program's value for it, in hundredths of the game's unit."""
        rest = text.removeprefix(ANSWER).strip()
        # "=== D6/-1.00/0.5" according to the protocol; in practice also "=== d6 -1.00 0.5".
        parts = rest.split("/") if "/" in rest else rest.split()
        try:
            move = self.notation.read(line.state, parts[0].strip() if parts else "")
        except MoveError as problem:
            raise Fault("illegal move", f"{shortened(text)}: {problem}") from None
        value = _number(parts[1]) if len(parts) > 1 else None
        return move, None if value is None else 100 * value


def read_depth(text: str, depth: int | None) -> int | None:
    """The depth in a line of output, or ``depth`` if it has none, as for an exact value.

    >>> read_depth("search F5D6C3 -1.25 0 12", None), read_depth("search F5 2.00 0 100%W", 12)
    (12, 12)
    """
    words = text.split()
    if len(words) >= 5 and words[0] in ("search", "book") and words[4].isdecimal() and len(words[4]) < 4:
        return int(words[4])
    return depth


def _number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
