"""Perft: count the lines of play to a depth. Shows whether the rules are right, and how fast they are.

A ply is a move, or an outcome where chance is to move; each outcome counts once, whatever its probability.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from zerosum.game import CHANCE, Game
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import STOP, Region, width_of
from zerosum.jit.row import Row
from zerosum.jit.rules import Rules, recursive
from zerosum.jit.target import Target
from zerosum.jit.words import memory_at, whole
from zerosum.running.crew import Crew
from zerosum.search.limits import MAX_PLY

WORDS = ITEMS.then("depth", "states", "counts")  # plies to count, and the addresses of positions and of their counts
DEPTH, STATES, COUNTS = WORDS


def moves_or_outcomes(rules: Rules):
    """The function that fills the buffer with the moves of a state, or with the outcomes if chance is to move."""
    to_move, moves, chances = rules.to_move, rules.moves, rules.chances
    max_moves, max_chances = rules.max_moves, rules.max_chances

    def fill(s, mem, at, end):
        if to_move(s, mem) != CHANCE:
            return moves(s, mem, at, at + max_moves)
        n = chances(s, mem, at, at + 2 * max_chances)
        for i in range(n):
            mem[at + i] = mem[at + 2 * i]
        return n

    return fill


def build(rules: Rules):
    play, is_terminal, unpack, fail = rules.play, rules.is_terminal, rules.unpack, rules.fail
    moves, count_moves = rules.moves, rules.count_moves
    if rules.has["chances"]:
        moves = count_moves = moves_or_outcomes(rules)
    width, size, buffer = rules.max_moves, rules.game.state_type.size, rules.at["buffer"]

    def last_ply(s, at, mem):
        """The number of moves of ``s``: the last ply is counted without being played."""
        if is_terminal(s, mem):
            return 0
        n = count_moves(s, mem, at, at + width)
        return n if n >= 0 else fail(s, n, mem)

    @recursive("int", "State", "int", "int", "memory")
    def count(s, depth, at, mem):
        """Lines of exactly ``depth >= 2`` plies from ``s``; uses ``mem[at:]``. A game that ends earlier has none."""
        if is_terminal(s, mem):
            return 0
        n = moves(s, mem, at, at + width)
        if n < 0:
            return fail(s, n, mem)
        total = 0
        if depth == 2:
            # A separate loop for the leaves' parents, which are nearly all nodes: it saves a call for each, and lets
            # the compiler drop what counting does not use, such as keys and sums.
            for i in range(n):
                total += last_ply(play(s, mem[at + i], mem), at + n, mem)
                if mem[STOP]:
                    break
            return total
        for i in range(n):
            total += count(play(s, mem[at + i], mem), depth - 1, at + n, mem)
            if mem[STOP]:
                break
        return total

    def item(i, mem):
        """Count the lines of position ``i``, and store their number in the row of counts."""
        s = unpack(memory_at(mem[STATES]), i * size)
        # A literal has its own type, for which everything below would be compiled a second time.
        at = whole(buffer)
        memory_at(mem[COUNTS])[i] = last_ply(s, at, mem) if mem[DEPTH] == 1 else count(s, mem[DEPTH], at, mem)
        return 1 if mem[STOP] == 0 else 0

    return item


def regions(game: Game) -> list[Region]:
    return [Region("buffer", MAX_PLY * width_of(game))]


PERFT = ItemKernel("perft", ("to_move", "moves", "chances", "play", "is_terminal"), build, WORDS, regions)


def count_lines(
    game: Game,
    states: list[Any],
    depth: int,
    threads: int,
    target: Target,
    on_progress: Callable[[float], None] | None = None,
) -> list[int]:
    """The number of lines of ``depth`` plies from each of these positions."""
    rows = Row.of([word for s in states for word in game.state_type.words(s)], target)
    counts = Row(len(states), target)
    crew = Crew(PERFT, game, min(threads, max(len(states), 1)), target)
    crew.put(depth=depth, states=rows.address, counts=counts.address)
    done = itertools.count(1)
    crew.run(
        lambda report: crew.do_items(len(states), on_portion=lambda: report(next(done) / len(states))),
        on_report=on_progress,
    )
    return [int(lines) for lines in counts.row]
