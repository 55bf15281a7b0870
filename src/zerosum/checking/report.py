"""The laws that a check tests, and its findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zerosum.contract import REQUIRED, RULES, plain
from zerosum.errors import KernelError, ZerosumError
from zerosum.game import Game

# Every law of the contract that can be tested, in the order of reports.
LAWS = {
    "initial": "a State, the same each time",
    "to_move": "MAX, MIN or, in games with chances, CHANCE",
    "is_terminal": "yes or no, the same each time",
    "moves": "different integers in range, at most max_moves",
    "chances": "different outcomes, at most max_chances, whose probabilities sum to 1",
    "play": "pure, returns a State, and every move changes something",
    "utility": "an integer (with chance a number) when the game is over",
    "clock": "an integer that each move lowers by one, or resets",
    "length": "games end within 1000 plies",
    "repetition": "0, or at least 2",
    "evaluate": "an integer (with chance a number), below every win",
    "bounds": "enclose the exact value",
    "key": "equal keys mean equal players, moves and results for two plies",
    "order": "an integer for every move",
    "noisy_moves": "a subset of the moves",
    "is_forced": "yes or no",
    "skip": "makes it the other player's turn",
    "reversible": "yes or no; no position recurs after an irreversible move",
    "active": "features in range, at most max_active; a phase below phases",
    "moves_left": "an integer, at least 0",
    "is_ending": "yes or no",
    "ending": "the exact value, or a bound beyond the window",
    "canonical": "the same player, value, and games for two plies; its own image",
    "notation": "moves and positions can be read back from their text",
    "layout": "a board whose cells, glyphs and paints exist",
    "pieces": "on cells, with glyphs of the layout",
    "path": "runs over cells of the layout",
    "set_up": "restores the pieces of each position",
    "counts": "two numbers for each name",
    "winning_line": "cells of the layout",
    "tables": "never changed by a rule",
    "advice": "search options that exist and that the game can use",
    "search": "pruning techniques change no value",
    "compiled": "machine code does what plain Python does",
}


class Played(NamedTuple):
    """A random game, as far as it went."""

    seed: int
    states: list[Any]
    moves: list[int]
    ended: bool


MOST = 3
"""The most findings for each law; after that it is no longer tested."""


@dataclass(frozen=True)
class Finding:
    """One breach of the contract.

    Attributes:
        rule: the law that is broken, one of ``LAWS``.
        message: what was expected and what was found.
        state: the position that shows it, in the game's notation; '' if it does not concern a position.
        repeat: how to reproduce it: the seed, and the moves from the start.
        warning: it may be intended; a game with nothing but warnings passes.
    """

    rule: str
    message: str
    state: str = ""
    repeat: str = ""
    warning: bool = False

    def __str__(self) -> str:
        parts = [f"{self.rule}: {self.message}"]
        if self.state:
            parts.append(f"position {self.state}")
        if self.repeat:
            parts.append(f"repeat: {self.repeat}")
        return "; ".join(parts)


@dataclass(frozen=True)
class Tried:
    """One line of a report: how often a law was tested, and the result."""

    law: str
    about: str
    times: int
    result: str  # ok, failed, warning, or why it was not tried
    note: str = ""


@dataclass(frozen=True)
class Report:
    """What a check of a game found; ``ok`` unless some law is broken."""

    game: str
    games: int
    positions: int
    seconds: float
    tried: tuple[Tried, ...]
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return all(finding.warning for finding in self.findings)


class Broken(Exception):
    """A rule cannot be used any further here; the fault has been recorded."""


class CheckLog:
    """Collects findings, and keeps track of the current game and position."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed  # of the game that is being played
        self.line: list[int] = []  # its moves so far
        self.times: Counter[str] = Counter()
        self.findings: list[Finding] = []
        self.notes: dict[str, str] = {}

    def wants(self, law: str) -> bool:
        """Whether a law should be tested again; counts the test."""
        if law in RULES and law != "initial" and not self.game.has(law):
            return False
        self.times[law] += 1
        return sum(finding.rule == law for finding in self.findings) < MOST

    def fault(
        self,
        law: str,
        message: str,
        s: Any = None,
        moves: Sequence[int] | None = None,
        repeat: str | None = None,
        warning: bool = False,
    ) -> None:
        """Record a breach; ``moves`` lead to ``s``, by default those of the current game."""
        if sum(finding.rule == law for finding in self.findings) >= MOST:
            return
        if repeat is None:
            texts = " ".join(self.texts(self.line if moves is None else moves))
            repeat = f"--seed {self.seed} --games 1" + (f", moves {texts}" if texts else ", at the start")
        state = "" if s is None else self.text(s)
        found = Finding(law, " ".join(message.split()), state, repeat, warning)
        if all((f.rule, f.message, f.state) != (found.rule, found.message, found.state) for f in self.findings):
            self.findings.append(found)

    def broken(self, law: str, message: str, s: Any = None) -> Broken:
        """Record a breach after which the rule cannot be used."""
        self.fault(law, message, s)
        return Broken()

    def crash(self, problem: Exception, law: str, s: Any = None, moves: Sequence[int] | None = None) -> None:
        """Record an exception from the rules: under the rule that it came through, otherwise under ``law``."""
        owners = {
            plain(function).__code__: rule
            for rule, function in self.game.given.items()
            if rule in RULES and hasattr(plain(function), "__code__")
        }
        trace, rule = problem.__traceback__, law
        while trace is not None:
            if trace.tb_frame.f_code in owners:
                rule = owners[trace.tb_frame.f_code]
                break
            trace = trace.tb_next
        if isinstance(problem, KernelError):  # about the code, not about a position
            self.fault("compiled", self.without_name(str(problem)), repeat="")
            return
        text = str(problem) if isinstance(problem, ZerosumError) else f"{type(problem).__name__}: {problem}"
        self.fault(rule if rule in LAWS else "notation", f"fails: {text}", s, moves)

    def without_name(self, message: str) -> str:
        """A message about the game without the game's name, which the report shows anyway."""
        return message.removeprefix(f"{self.game.name}: ")

    def text(self, s: Any) -> str:
        """The position in the game's notation, or if even that fails, in Python's."""
        try:
            return self.game.format_state(s)
        except Exception:
            return repr(s)

    def texts(self, moves: Sequence[int]) -> list[str]:
        texts = []
        try:
            s = self.game.initial()
            for move in moves:
                texts.append(self.game.format_move(s, move))
                s = self.game.play(s, move)
        except Exception:
            return [str(move) for move in moves]
        return texts

    def is_broken(self, *laws: str) -> bool:
        """Whether one of these laws has been broken so far."""
        return any(finding.rule in laws and not finding.warning for finding in self.findings)

    @property
    def positions_are_sound(self) -> bool:
        """Whether the rules that everything else depends on have kept the contract so far."""
        return not self.is_broken(*REQUIRED, "clock")

    def report(self, games: int, positions: int, seconds: float) -> Report:
        return Report(self.game.name, games, positions, seconds, tuple(map(self._tried, LAWS)), tuple(self.findings))

    def _tried(self, law: str) -> Tried:
        found = [finding for finding in self.findings if finding.rule == law]
        if any(not finding.warning for finding in found):
            result = "failed"
        elif found:
            result = "warning"
        elif self.times[law]:
            result = "ok"
        elif law in (*RULES, "tables") and not self.game.has(law):
            result = "not defined"
        else:
            result = "not tried"
        return Tried(law, LAWS[law], self.times[law], result, self.notes.get(law, ""))


def is_whole(x: Any) -> bool:
    """Whether it is an integer, including NumPy's; True and False are not."""
    return hasattr(x, "__index__") and not isinstance(x, bool)
