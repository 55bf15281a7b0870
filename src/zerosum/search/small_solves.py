"""Many small solves at once: the exact values of positions whose games end within a few plies.

Each worker solves one position after the other, by alpha-beta with a small stack of its own and without a table. It
asks for the next position when one is done, so nobody waits for the slowest. A worker of the processor is a thread, and
so is a worker of a graphics card, of which many thousands are at work.

The search is one flat loop. Each round plays one move and looks at the position behind it, or goes back one ply, or
takes the next position. So the threads of a card, which work in step, play moves together whatever their plies are.
The loop has a single way out for the same reason.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.game import MAX, WIN, Game
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import NODE_LIMIT, NODES, STOP, Region
from zerosum.jit.row import Row
from zerosum.jit.rules import Rules
from zerosum.jit.target import GPU, Target
from zerosum.jit.words import memory_at, reserve, whole
from zerosum.running.crew import Crew
from zerosum.search.memory import NO_BOUND
from zerosum.search.values import bound_values, outcome_value

# The addresses of the positions, of what is found and of the number of the next position, which all workers share; and
# how many positions there are, which is also how far apart the words of a position lie.
WORDS = ITEMS.then("states", "found", "shared", "count")
STATES, FOUND, SHARED, COUNT = WORDS

USES = ("to_move", "moves", "play", "utility", "is_terminal", "bounds", "order")

PLIES = 32
"""A position from which a line is longer than this is left unsolved."""

MOVES_A_PLY = 8
"""Room for moves on the stack: so many a ply on average, beside those of one position."""

NO_MOVE, UNSOLVED = -1, -2
"""What stands for the best move where the game is over, and where it took too long."""

MOVE_BITS = 31
MOVE_MASK = (1 << MOVE_BITS) - 1

# A ply's frame: the window, and where its moves lie; then the state.
LOW, HIGH, PLACES, STATE = range(4)
PLACE_BITS = 20
PLACE_MASK = (1 << PLACE_BITS) - 1

ORDERED = 4
"""Moves are put in order where the last game ended at least so many plies further on: below, that costs more."""


def frame_size(game: Game) -> int:
    return STATE + game.state_type.size


def moves_size(game: Game) -> int:
    return PLIES * min(MOVES_A_PLY, game.max_moves) + game.max_moves


def regions(game: Game) -> list[Region]:
    return [Region("frames", PLIES * frame_size(game)), Region("moves", moves_size(game))]


def build(rules: Rules):
    to_move, moves, play, utility = rules.to_move, rules.moves, rules.play, rules.utility
    is_terminal, bounds, order = rules.is_terminal, rules.bounds, rules.order
    has_bounds, has_order, scored = rules.has["bounds"], rules.has["order"], rules.scored
    gather, pack, unpack, fail = rules.gather, rules.pack, rules.unpack, rules.fail
    width, nowhere = rules.max_moves, rules.at.state
    frames, size = rules.at["frames"], frame_size(rules.game)
    first_place, last_place = rules.at["moves"], rules.at["moves"] + moves_size(rules.game)
    outcome = outcome_value(scored)
    lowest, highest = bound_values(scored)

    def bring_best(at, end, mem):
        """Exchange the move at ``at`` for the one with the highest score of all up to ``end``."""
        top, place = mem[at], at
        for j in range(at + 1, end):
            if mem[j] > top:
                top, place = mem[j], j
        mem[place] = mem[at]
        mem[at] = top

    def item(lane, mem):
        """Solves positions until there are no more."""
        s, ply = unpack(mem, nowhere), -1  # of the position whose moves are tried; nothing is, at first
        low, high, sign = 0, 0, 1  # its window, for the side to move; and whether that is MAX
        at, end, in_order = 0, 0, 0  # its moves that are left
        number, value, best, nodes, horizon = -1, 0, NO_MOVE, 0, 0
        going = 1
        while going:
            t, visits, known = s, 0, 0
            alpha, beta = -NO_BOUND, NO_BOUND
            if ply < 0:
                # The next position.
                found = memory_at(mem[FOUND])
                if number >= 0:
                    found[number] = value
                    found[mem[COUNT] + number] = best
                    found[2 * mem[COUNT] + number] = nodes
                number = reserve(memory_at(mem[SHARED]), 0, 1)
                if number >= mem[COUNT] or mem[STOP] != 0:
                    going = 0
                else:
                    t = gather(memory_at(mem[STATES]), number, mem[COUNT])
                    visits, best, nodes, horizon, end = 1, NO_MOVE, 0, PLIES, whole(first_place)
            elif at < end and low < high:
                # The next move.
                if in_order:
                    bring_best(at, end, mem)
                t = play(s, mem[at] & MOVE_MASK, mem)
                visits = 1
                alpha, beta = (low, high) if sign > 0 else (-high, -low)
            else:
                # All moves are tried, or one was too good: back to the position before.
                value, known = sign * low, 1
                ply -= 1
                if ply >= 0:
                    frame = frames + ply * size
                    low, high, places = mem[frame + LOW], mem[frame + HIGH], mem[frame + PLACES]
                    at, end, in_order = places & PLACE_MASK, places >> PLACE_BITS & PLACE_MASK, places >> 2 * PLACE_BITS
                    s = unpack(mem, frame + STATE)
                    sign = 1 if to_move(s, mem) == MAX else -1
            if visits:
                nodes += 1
                if is_terminal(t, mem):
                    value, known, horizon = outcome(utility(t, mem), ply + 1), 1, ply + 1
                else:
                    side = 1 if to_move(t, mem) == MAX else -1
                    floor, ceiling = -NO_BOUND, NO_BOUND
                    if not scored:
                        # Mate distance: the game cannot have ended before this ply.
                        floor, ceiling = ply + 1 - WIN, WIN - ply - 1
                    if has_bounds:
                        certain = bounds(t, mem)
                        least, most = lowest(certain[0], ply + 1), highest(certain[1], ply + 1)
                        if side < 0:
                            least, most = -most, -least
                        floor, ceiling = max(floor, least), min(ceiling, most)
                    if ply < 0:
                        floor -= 1  # a move must be better to be the best
                    a, b = (alpha, beta) if side > 0 else (-beta, -alpha)
                    if floor >= b:
                        value, known = side * floor, 1
                    elif ceiling <= a or floor == ceiling:
                        value, known = side * ceiling, 1
                    elif nodes > mem[NODE_LIMIT] or ply + 1 >= PLIES or end + width > last_place:
                        best, ply = UNSOLVED, -1
                    else:
                        n = moves(t, mem, end, end + width)
                        if n < 0:
                            going = fail(t, n, mem)
                        elif n == 0:
                            value, known, horizon = outcome(utility(t, mem), ply + 1), 1, ply + 1
                        else:
                            if ply >= 0:
                                frame = frames + ply * size
                                mem[frame + LOW], mem[frame + HIGH] = low, high
                                mem[frame + PLACES] = at | end << PLACE_BITS | in_order << 2 * PLACE_BITS
                                pack(s, mem, frame + STATE)
                            ply += 1
                            s, sign, low, high = t, side, max(a, floor), min(b, ceiling)
                            at, end, in_order = end, end + n, 0
                            if has_order:
                                if n > 1 and horizon - ply >= ORDERED:
                                    in_order = 1
                                    for j in range(at, end):
                                        mem[j] |= order(s, mem[j], mem) << MOVE_BITS
            if known and ply >= 0:
                # What the move at ``at`` is worth.
                if sign * value > low:
                    low = sign * value
                    if ply == 0:
                        best = mem[at] & MOVE_MASK
                at += 1
            mem[NODES] += visits
        return 1

    return item


SMALL_SOLVE = ItemKernel("small solve", USES, build, WORDS, regions, sums=("nodes",))


class Found(NamedTuple):
    """Values for MAX, best moves and numbers of nodes of many positions, as arrays.

    A move of ``NO_MOVE`` says that the game is over there; one of ``UNSOLVED``, that there is no value.
    """

    values: Any
    moves: Any
    nodes: Any


def solve_small(game: Game, words: Any, node_limit: int, target: Target, lanes: int = 1) -> Found:
    crew = Crew(SMALL_SOLVE, game, lanes, target)
    count = len(words)
    import numpy as np

    states = Row.of(np.ascontiguousarray(np.asarray(words, np.int64).T), target)
    found, shared = Row(3 * count, target), Row(1, target)
    crew.put(states=states.address, found=found.address, shared=shared.address, count=count, node_limit=node_limit)
    crew.run(lambda report: crew.do_items(min(count, 1 << 18) if target is GPU else len(crew)))
    out = found.array()
    return Found(out[:count], out[count : 2 * count], out[2 * count :])
