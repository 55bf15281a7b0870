"""Check whether a game keeps the contract, with random games, exact values near the end, and the compiler.

>>> from zerosum.games import load
>>> report = check(load("nim"), games=5, jit=False)
>>> report.ok, report.games
(True, 5)

Nothing is printed and nothing raised: every fault of the game becomes a ``Finding``.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from typing import Any

from zerosum.checking.clocks import OtherClocks
from zerosum.checking.compiled_rules import compare
from zerosum.checking.exact import NearTheEnd, Techniques
from zerosum.checking.fields import left_out
from zerosum.checking.keys import Neighbourhood
from zerosum.checking.playouts import Playouts
from zerosum.checking.report import LAWS, CheckLog, Finding, Played, Report, Tried
from zerosum.errors import ZerosumError
from zerosum.game import Game
from zerosum.search.limits import check_games, check_seconds
from zerosum.search.options import SearchOptions

__all__ = ["LAWS", "Finding", "Report", "Tried", "check"]

# How the time is divided if there is not enough for everything.
FOR_GAMES, FOR_KEYS, FOR_EXACT, FOR_COMPILED, FOR_SEARCH = 0.35, 0.15, 0.15, 0.1, 0.25

REPLAYED = 20

Tell = Callable[[float, str], None]


def check(
    game: Game,
    *,
    games: int = 200,
    seed: int = 0,
    seconds: float = 10.0,
    jit: bool = True,
    on_progress: Tell | None = None,
) -> Report:
    """Check a game against the contract.

    Args:
        game: the game.
        games: the number of random games; the first has the number ``seed``, the next ``seed + 1``, …
        seed: the number of the first game, so that a single game can be repeated.
        seconds: the time limit, without compilation; games that are left by then are not played, and one that
            takes longer is ended.
        jit: False skips everything that needs the compiler, and searches less far.
        on_progress: called with the share of the work done, from 0 to 1, and the current step.
    """
    check_games(games, seed)
    check_seconds(seconds)
    started = time.perf_counter()
    log = CheckLog(game, seed)
    tell = on_progress or (lambda done, what: None)
    jit = jit and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
    _settings(game, log)
    before = _contents(game.tables)
    playouts = Playouts(game, log)
    played = _play(playouts, games, seed, started, seconds, tell)
    _replay(game, log, played)
    if before is not None:
        log.wants("tables")
        if _contents(game.tables) != before:
            log.fault("tables", "a rule has changed the game's tables", repeat=f"--seed {seed}")
    if log.positions_are_sound:
        tell(FOR_GAMES, "comparing positions with equal keys")
        _neighbours(playouts, played, seconds)
    if log.positions_are_sound:
        tell(FOR_GAMES + FOR_KEYS, "checking positions near the end")
        NearTheEnd(game, log).look(played, time.perf_counter() + FOR_EXACT * seconds)
        jit = jit and not game.plain
        if jit:
            tell(FOR_GAMES + FOR_KEYS + FOR_EXACT, "compiling the rules")
            compare(game, log, played, FOR_COMPILED * seconds)
        else:
            log.notes["compiled"] = "skipped"
        tell(1 - FOR_SEARCH, "comparing searches")
        compiles = not any(finding.rule == "compiled" for finding in log.findings)
        _search(game, log, played, seconds, jit and compiles)
    tell(1.0, "done")
    return log.report(len(played), playouts.positions, time.perf_counter() - started)


def _settings(game: Game, log: CheckLog) -> None:
    """Check the settings that need no position."""
    log.wants("repetition")
    if game.repetition < 0 or game.repetition == 1:
        log.fault("repetition", f"must be 0, or at least 2, not {game.repetition}", repeat="")
    log.wants("advice")
    try:
        SearchOptions.advised(game)
    except (ZerosumError, TypeError, ValueError) as problem:
        log.fault("advice", str(problem), repeat="")


def _play(playouts: Playouts, games: int, seed: int, started: float, seconds: float, tell: Tell) -> list[Played]:
    """Begin games in their share of the time. The last one may go on longer: laws of the end need a whole game."""
    played = []
    for number in range(games):
        spent = (time.perf_counter() - started) / seconds
        if spent > FOR_GAMES:
            break
        tell(max(FOR_GAMES * number / games, spent), f"random game {number + 1} of {games}")
        played.append(playouts.play(seed + number, started + seconds))
    repeat = f"--seed {seed} --games {len(played)}"
    playouts.judge_endings(repeat)
    playouts.plausibility.judge(played, repeat)
    return played


def _replay(game: Game, log: CheckLog, played: list[Played]) -> None:
    """Play some games again: rules with hidden state will give other results."""
    for one in played[:REPLAYED]:
        log.seed = one.seed
        for ply, move in enumerate(one.moves):
            s, then = one.states[ply], one.states[ply + 1]
            try:
                now = game.successor(s, move)
            except Exception as problem:
                log.crash(problem, "play", s, one.moves[:ply])
                return
            if now != then:
                message = (
                    f"of the move {move} gives {now!r} now, but gave {then!r} before: it must depend on nothing else"
                )
                log.fault("play", message, s, one.moves[:ply])
                return


def _neighbours(playouts: Playouts, played: list[Played], seconds: float) -> None:
    """Check positions that the games did not reach: positions with other clocks, and neighbours."""
    game, log = playouts.game, playouts.log
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such a State is only a guess, with numbers that may not occur in any game
        if game.has("clock"):
            OtherClocks(game, log, played).look(began + FOR_KEYS * seconds / 2)
        if game.has("key") and not game.has("parse_state"):
            left_out(game, log, played, began + FOR_KEYS * seconds / 2)
        Neighbourhood(game, log, playouts.keys).look(played, began + FOR_KEYS * seconds)


def _search(game: Game, log: CheckLog, played: list[Played], seconds: float, jit: bool) -> None:
    try:
        techniques = Techniques(game, log, jit)
    except Exception as problem:
        log.crash(problem, "search")
        return
    techniques.compare(played, time.perf_counter() + FOR_SEARCH * seconds)


def _contents(tables: Any) -> Any:
    """The tables' bytes, to compare later."""
    return None if tables is None else [(str(table.dtype), table.tobytes()) for table in tables]
