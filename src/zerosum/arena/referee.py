"""Runs one game from the opening to the result. The game ends, whatever a player does."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from zerosum.arena.adjudication import Adjudication, Verdict
from zerosum.arena.player import Answer, Fault, Player, Stopped
from zerosum.arena.time_control import GRACE, PATIENCE, Clock, TimeControl
from zerosum.errors import GameError, ZerosumError
from zerosum.formats.record import GameRecord, texts
from zerosum.game import CHANCE, MAX, MIN, Game, Line
from zerosum.value_display import margin_in_words

MAX_PLIES = 1000


@dataclass(frozen=True)
class Rules:
    """Conditions of all games of a match, in addition to the rules of the game itself."""

    control: TimeControl = field(default_factory=TimeControl)
    grace: float = GRACE
    patience: float = PATIENCE
    max_plies: int = MAX_PLIES
    adjudication: Adjudication = field(default_factory=Adjudication)
    database: Callable[[Any], Verdict | None] | None = None


class Referee:
    """Runs one game. ``players`` are the two sides; equal ``dice`` give the same rolls in both games of a pair."""

    def __init__(
        self,
        line: Line,
        players: Mapping[int, Player],
        rules: Rules,
        dice: str,
        seed: str,
        on_move: Callable[[Line], None] | None = None,
    ) -> None:
        self.game: Game = line.game
        self.line, self.players, self.rules = line, players, rules
        self.opening = len(line.moves)
        self.seed = seed
        self._on_move = on_move
        self._dice = random.Random(dice)
        self._clock = Clock(rules.control, rules.grace, rules.patience)
        self._seen = Counter(self.game.identity(s) for s in line.states) if self.game.repetition else Counter()
        self._seconds: list[float | None] = []
        self._scores: list[float | None] = []
        self._depths: list[int | None] = []
        self._opinions: dict[int, list[float | None]] = {MAX: [], MIN: []}
        self._side = MAX  # the side that is to blame for a fault

    def play(self, number: int) -> GameRecord:
        """Play the game and return its record; Stopped if the match ends first."""
        fault, margin = "", None
        try:
            for side in (MAX, MIN):
                self._side = side
                self._guarded(lambda player: player.begin(self.line, f"{self.seed} {player.name}"))
            self._tell()
            while (ending := self._ending()) is None:
                self._move()
            result, reason, detail = ending
            margin = float(self.game.utility(self.line.state)) if reason == "rules" and self.game.scored else None
        except _Resigned:
            result, reason, detail = self._lost(), "resignation", f"{self.players[self._side].name} resigns"
        except Fault as problem:
            result, reason, detail = self._lost(), problem.kind, str(problem)
            fault = self.players[self._side].name
        return GameRecord(
            number=number,
            max_player=self.players[MAX].name,
            min_player=self.players[MIN].name,
            result=result,
            reason=reason,
            detail=detail,
            start=self.game.format_state(self.line.start),
            moves=tuple(texts(self.line)),
            opening=self.opening,
            fault=fault,
            margin=margin,
            seconds=tuple(self._seconds),
            scores=tuple(self._scores),
            depths=tuple(self._depths),
            date=time.strftime("%Y-%m-%d %H:%M:%S"),
        )

    def _lost(self) -> int:
        return -1 if self._side == MAX else 1

    def _guarded(self, act: Callable[[Player], Any]) -> Any:
        """Let the player to move act; any error counts as its fault."""
        player = self.players[self._side]
        try:
            return act(player)
        except (Fault, Stopped):
            raise
        except GameError as problem:
            raise Fault("crash", str(problem)) from problem
        except ZerosumError:
            raise  # a wrong setup: no game of this match can be played
        except Exception as problem:
            raise Fault("crash", f"{type(problem).__name__}: {problem}") from problem

    # A move

    def _move(self) -> None:
        s = self.line.state
        side = self.game.to_move(s)
        if side == CHANCE:
            self._play(self.game.roll(s, self._dice), None, None, None)
            return
        self._side = side
        budget = self._clock.budget(side)
        started = time.perf_counter()
        answer: Answer = self._guarded(lambda player: player.choose(self.line, budget))
        seconds = answer.seconds if answer.seconds is not None else time.perf_counter() - started
        if answer.move is None:
            raise _Resigned
        if not self._clock.spend(side, seconds):
            raise Fault("time", f"took {seconds:.3f} s for a move, but had {budget.limit - self.rules.grace:.3f} s")
        if answer.move not in self.game.legal_moves(s):
            raise Fault("illegal move", f"{answer.move!r} is not legal in {self.game.format_state(s)!r}")
        score = None if answer.score is None else answer.score if side == MAX else -answer.score
        self._opinions[side].append(score)
        self._play(answer.move, seconds, score, answer.depth)

    def _play(self, move: int, seconds: float | None, score: float | None, depth: int | None) -> None:
        self.line = self.line.play(move)
        self._seconds.append(None if seconds is None else round(seconds, 4))
        self._scores.append(score)
        self._depths.append(depth)
        if self.game.repetition:
            self._seen[self.game.identity(self.line.state)] += 1
        self._tell()

    def _tell(self) -> None:
        if self._on_move is not None:
            self._on_move(self.line)

    # The end

    def _ending(self) -> tuple[int, str, str] | None:
        """The result, reason and detail, or None if the game is not over."""
        game, s = self.game, self.line.state
        if game.is_over(s):
            value = game.utility(s)
            return (value > 0) - (value < 0), "rules", margin_in_words(game, value).strip()
        if game.repetition and self._seen[game.identity(s)] >= game.repetition:
            return 0, "repetition", f"the position has occurred {game.repetition} times"
        if len(self.line.moves) - self.opening >= self.rules.max_plies:
            return 0, "length", f"not over after {self.rules.max_plies} plies"
        verdict = self.rules.adjudication.judge(self._opinions)
        if verdict is None and self.rules.database is not None:
            verdict = self.rules.database(s)
        return None if verdict is None else (verdict.result, "adjudication", verdict.why)


class _Resigned(Exception):
    """The player to move resigns."""
