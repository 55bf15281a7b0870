"""Compare compiled rules with plain ones: the comparison of a game's first search, on more positions."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from zerosum.checking.report import CheckLog, Played
from zerosum.errors import ZerosumError
from zerosum.game import Game
from zerosum.jit.answers import ASKED, COUNT_MOVES, CompiledAnswers, compile_rule
from zerosum.jit.compare import Comparison, place_of
from zerosum.jit.rules import Rules

SAMPLES = 400
"""The number of positions on which each rule is compared."""


def compare(game: Game, log: CheckLog, played: list[Played], seconds: float) -> None:
    """Compile every rule and compare it; ``seconds`` does not include compilation."""
    comparison = Comparison(_compiled(game, log))
    deadline = time.perf_counter() + seconds
    for number, (seed, moves, s) in enumerate(_samples(played)):
        if time.perf_counter() > deadline and number > 2:
            break
        log.seed = seed
        log.wants("compiled")
        for difference in comparison.differences(place_of(game, s, random.Random(seed))):
            log.fault("compiled", difference.message, s, moves)
            comparison.asked = tuple(rule for rule in comparison.asked if rule != difference.rule)


def _compiled(game: Game, log: CheckLog) -> CompiledAnswers:
    """All rules as machine code; rules that cannot be compiled are recorded and left out."""
    from zerosum.jit.diagnose import explained, refuse_missing_returns
    from zerosum.jit.lift import Lifter
    from zerosum.jit.numba_private import quick_compilation

    uses = tuple(rule for rule in ASKED if game.has(rule))
    rules, lifter = Rules(game, uses, compiled=True), Lifter(game.state_type)
    for rule in (*uses, COUNT_MOVES):
        try:
            with explained(game, (rule,)), quick_compilation():
                refuse_missing_returns(game, () if rule == COUNT_MOVES else (rule,))
                compile_rule(rules, rule, lifter)
        except Exception as problem:
            log.fault("compiled", log.without_name(_brief(problem)), repeat="")
    return CompiledAnswers(rules, lifter)


def _samples(played: list[Played]) -> Iterator[tuple[int, list[int], Any]]:
    """Positions of each game with the moves that lead to them, always including the last one, for its utility."""
    share = -(-SAMPLES // max(1, len(played)))
    for one in played:
        plies = list(range(len(one.states)))
        random.Random(one.seed).shuffle(plies)
        plies = [len(one.states) - 1] * bool(plies) + plies[:share]
        for ply in plies:
            yield one.seed, one.moves[:ply], one.states[ply]


def _brief(problem: Exception) -> str:
    """The first line of a message; Numba's are pages long."""
    lines = str(problem).strip().splitlines() or [""]
    return lines[0] if isinstance(problem, ZerosumError) else f"{type(problem).__name__}: {lines[0]}"
