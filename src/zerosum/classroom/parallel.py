"""Parallel search: two threads share one tree.

One thread alone searches the first move of the root, since its value makes cut-offs elsewhere possible ("young
brothers wait"). Then the threads take the other moves from one list. A value that either finds at the root is
immediately a bound for both. The value is that of alpha-beta, but the work is not: a thread may search a move that the
other's result, a moment later, would have cut off. This is the *search overhead*, the hardest part of parallel search.
(R. Feldmann, B. Monien, P. Mysliwietz and O. Vornberger, Distributed game-tree search, ICCA Journal 12, 1989.)

Here the threads take turns, leaf by leaf, so every run reports the same steps. Real threads do not: Deep Blue never
played quite the same game twice.

>>> from zerosum.classroom.tree import Tree
>>> parallel(Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))").game)
3
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from zerosum.classroom.events import Event, silent
from zerosum.classroom.walk import Level, Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game

Search = Generator[None, None, float]
"""A search that pauses at each leaf, to let the other thread work."""


@dataclass
class Shared:
    """The state of the root, shared by the threads."""

    best: float
    alpha: float = -inf
    beta: float = inf


def parallel(game: Game, s: Any = None, depth: float | None = None, *, threads: int = 2, tell: Tell = silent) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead, by ``threads`` that share the moves of the root."""
    root, levels = start_of(game, s), horizon(depth)
    first, *others = walks = [Walk(game, _named(tell, number)) for number in range(1, max(1, int(threads)) + 1)]
    first.enter(root)
    if first.cutoff_test(root, levels):
        return first.leave(first.evaluate(root))
    maximizing = game.to_move(root) == MAX
    shared = Shared(-inf if maximizing else inf)
    waiting = list(first.levels[0].left)
    for walk in others:
        walk.levels = [_copy(first.levels[0])]

    has_seen_a_leaf = dict.fromkeys(walks, False)

    def value(walk: Walk, s: Any, depth: float, alpha: float, beta: float) -> Search:
        if has_seen_a_leaf[walk]:
            has_seen_a_leaf[walk] = False
            yield
        alpha, beta = max(alpha, shared.alpha), min(beta, shared.beta)
        walk.enter(s, alpha, beta)
        if walk.cutoff_test(s, depth):
            has_seen_a_leaf[walk] = True
            return walk.leave(walk.evaluate(s))
        is_max = game.to_move(s) == MAX
        best = -inf if is_max else inf
        for move in walk.moves(s):
            found = yield from value(walk, walk.play(s, move), depth - 1, alpha, beta)
            best = max(best, found) if is_max else min(best, found)
            alpha, beta = max(alpha, shared.alpha), min(beta, shared.beta)
            alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.cut_off(best)
                break
        return walk.leave(best)

    def root_move(walk: Walk) -> Search:
        """Search the next root move that no thread has taken yet."""
        move = waiting.pop(0)
        has_seen_a_leaf[walk] = False
        found = yield from value(walk, walk.play(root, move), levels - 1, shared.alpha, shared.beta)
        shared.best = max(shared.best, found) if maximizing else min(shared.best, found)
        if maximizing:
            shared.alpha = max(shared.alpha, shared.best)
        else:
            shared.beta = min(shared.beta, shared.best)
        walk.back_up(shared.best, shared.alpha, shared.beta, move)
        for other in walks:  # all threads see the same root
            level, seen = other.levels[0], walk.levels[0]
            level.pbv, level.alpha, level.beta, level.frame = seen.pbv, seen.alpha, seen.beta, seen.frame
        return found

    for _ in root_move(first):
        pass
    working: dict[int, Search] = {}
    while waiting or working:
        for number, walk in enumerate(walks):
            if number not in working and waiting:
                working[number] = root_move(walk)
            if number in working:
                try:
                    next(working[number])
                except StopIteration:
                    del working[number]
    return first.leave(shared.best)


def _named(tell: Tell, number: int) -> Tell:
    """A listener that adds the thread's number to each event."""
    if tell is silent:
        return silent

    def listener(event: Event) -> None:
        tell(replace(event, worker=number))

    return listener


def _copy(level: Level) -> Level:
    """A copy of the root for another thread: already entered, without a second event."""
    other = Level(level.s, level.came_by, level.alpha, level.beta)
    other.player, other.frame = level.player, level.frame
    return other
