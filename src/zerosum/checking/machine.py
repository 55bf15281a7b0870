"""Compiled rules against plain ones, on positions of random games."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from zerosum.checking.likeness import without_clock
from zerosum.checking.report import Notebook, Played
from zerosum.errors import ZerosumError
from zerosum.game import CHANCE, Game
from zerosum.state import signed

SAMPLES = 400
"""Positions on which each rule is compared."""

SOME_MOVES = 3

EXACT = 1e-12
# A network's sums of 32-bit numbers may be added up in any order.
ROUNDING = {"evaluate": 1e-5}

RULES = (
    "to_move", "is_terminal", "moves", "chances", "play", "utility", "clock", "evaluate", "bounds", "key", "order",
    "noisy_moves", "is_forced", "skip", "reversible", "canonical",
)  # fmt: skip

AT_THE_END = ("utility",)
EVERYWHERE = ("to_move", "is_terminal", "clock", "key")
WITH_MOVE = ("play", "order", "reversible")
OF_PLAYERS = ("moves", "order", "noisy_moves", "is_forced", "skip", "reversible", "canonical")


def compare(game: Game, book: Notebook, played: list[Played], seconds: float) -> None:
    """Compile every rule and compare it; the time to compile does not count."""
    samples = list(_samples(game, played))
    rules = without_clock(game)  # compiled rules are the author's own, too
    for rule in RULES:
        if not game.has(rule):
            continue
        try:
            compiled = _compiled(game, rule)
        except Exception as problem:
            book.fault("compiled", f"{rule} cannot be compiled: {_brief(problem)}", repeat="")
            continue
        deadline = time.perf_counter() + seconds / len(RULES)
        first = True
        for number, (seed, moves, s) in enumerate(samples):
            if time.perf_counter() > deadline and number > 2:
                break
            book.seed = seed
            for arguments in _arguments(rules, rule, s, seed):
                book.wants("compiled")
                plain = _plain(game if rule == "clock" else rules, rule, *arguments)
                try:
                    found = compiled(*arguments)
                except Exception as problem:
                    book.fault("compiled", f"{rule} fails: {_brief(problem)}", s, moves)
                    break
                if first:  # Numba compiles at the first call
                    first, deadline = False, time.perf_counter() + seconds / len(RULES)
                if not _equal(plain, found, ROUNDING.get(rule, EXACT)):
                    call = f"{rule}{arguments[1:]!r}" if len(arguments) > 1 else rule
                    book.fault("compiled", f"{call} is {found!r}, in plain Python {plain!r}", s, moves)
                    break
            else:
                continue
            break


def _samples(game: Game, played: list[Played]) -> Iterator[tuple[int, list[int], Any]]:
    """Positions of each game with the moves that lead there; the last one is always among them, for its utility."""
    share = -(-SAMPLES // max(1, len(played)))
    for one in played:
        plies = list(range(len(one.states)))
        random.Random(one.seed).shuffle(plies)
        plies = [len(one.states) - 1] * bool(plies) + plies[:share]
        for ply in plies:
            yield one.seed, one.moves[:ply], one.states[ply]


def _arguments(game: Game, rule: str, s: Any, seed: int) -> Iterator[tuple[Any, ...]]:
    """What ``rule`` may be asked in ``s``, if anything."""
    if rule in EVERYWHERE:
        yield (s,)
        return
    legal = game.legal_moves(s)
    if rule in AT_THE_END or not legal:
        if rule in AT_THE_END and not legal:
            yield (s,)
        return
    by_chance = game.to_move(s) == CHANCE
    if (rule in OF_PLAYERS and by_chance) or (rule == "chances" and not by_chance):
        return
    if rule == "skip" and game.has("is_forced") and game.is_forced(s):
        return
    if rule in WITH_MOVE:
        for move in random.Random(seed).sample(legal, min(SOME_MOVES, len(legal))):
            yield s, move
    else:
        yield (s,)


def _compiled(game: Game, rule: str) -> Callable[..., Any]:
    if rule in ("moves", "noisy_moves"):
        from zerosum.search.listing import Listing

        listing = Listing(game)
        return lambda s: listing(rule, s)
    found = getattr(game.compiled, rule)
    return (lambda s: list(found(s))) if rule == "chances" else found


def _plain(game: Game, rule: str, *arguments: Any) -> Any:
    found = getattr(game, rule)(*arguments)
    return list(found) if rule in ("moves", "noisy_moves", "chances") else found


def _equal(plain: Any, found: Any, tolerance: float) -> bool:
    if isinstance(plain, (list, tuple)):
        return len(plain) == len(found) and all(_equal(x, y, tolerance) for x, y in zip(plain, found, strict=True))
    if isinstance(plain, float) or isinstance(found, float):
        return math.isclose(plain, found, rel_tol=tolerance, abs_tol=tolerance)
    return signed(int(plain)) == signed(int(found))


def _brief(problem: Exception) -> str:
    """The first line of a message: Numba's fill pages."""
    lines = str(problem).strip().splitlines() or [""]
    return lines[0] if isinstance(problem, ZerosumError) else f"{type(problem).__name__}: {lines[0]}"
