"""Many small solves at once: the exact values of positions whose games end within a few plies.

Each worker solves one position after another, by alpha-beta with its own small stack and without a table. It
takes the next position when one is done, so no worker waits for the slowest. A worker is a thread: one of the
CPU's, or one of many thousands on a GPU.

The search is one flat loop. Each iteration plays one move and looks at the position after it, goes back one ply, or
takes the next position. So the threads of a GPU, which run in lockstep, play moves together whatever their plies are.
The loop has a single exit for the same reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from zerosum.errors import GameError
from zerosum.game import MAX, WIN, Game
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import NODE_LIMIT, STOP, Region
from zerosum.jit.row import Row
from zerosum.jit.rules import Rules
from zerosum.jit.target import GPU, Target
from zerosum.jit.words import memory_at, reserve, whole
from zerosum.running.crew import Crew
from zerosum.running.stopping import Stop
from zerosum.search.memory import NO_BOUND
from zerosum.search.result import Result, finished_result, make_result
from zerosum.search.values import bound_values, outcome_value

# The addresses of the positions, of the results and of the number of the next position, which all workers share; the
# number of positions, which is also the distance between the words of a position; and how to sort moves.
WORDS = ITEMS.then("states", "found", "shared", "count", "ordering")
STATES, FOUND, SHARED, COUNT, ORDERING = WORDS

USES = ("to_move", "moves", "play", "utility", "is_terminal", "bounds", "order")

AS_THEY_COME, BY_REPLIES, BY_ORDER = range(3)
"""Moves in the order of the rules, those with the fewest replies first, or by the game's ``order``."""

WORTH_SORTING = 6
"""Moves are sorted at least this many plies before the last known end of the game. Later, sorting costs too much."""

PLIES = 32
"""A position with a longer line is left unsolved."""

MOVES_A_PLY = 8
"""Room for moves on the stack: this many for each ply, in addition to those of one position."""

NO_MOVE = -1
"""What follows the last move of a line."""

ROW = PLIES + 1

LINE = 2
"""Where the line begins in the results of a position: after its value and its number of nodes."""

MOVE_BITS = 31
MOVE_MASK = (1 << MOVE_BITS) - 1
"""A move has at most this many bits; those above are its score."""

# A ply's frame: its window, where its moves are, and the state.
LOW, HIGH, PLACES, STATE = range(4)
PLACE_BITS = 20
PLACE_MASK = (1 << PLACE_BITS) - 1
SORTED, SCOUTS = 2 * PLACE_BITS, 2 * PLACE_BITS + 1

TO_SOLVE, TO_SCORE = 1, 2
"""Why a position is visited: for its value, or for the score of the move that leads to it."""


def frame_size(game: Game) -> int:
    return STATE + int(game.state_type.size)


def moves_size(game: Game) -> int:
    return PLIES * min(MOVES_A_PLY, game.max_moves) + 2 * game.max_moves


def regions(game: Game) -> list[Region]:
    return [
        Region("frames", PLIES * frame_size(game)),
        Region("moves", moves_size(game)),
        Region("lines", ROW * ROW),  # for each ply the best line from there: a move for every ply, then NO_MOVE
    ]


def bring_best(at, end, mem):
    """Swap the move at ``at`` with the best-scored one before ``end``."""
    top, place = mem[at], at
    for j in range(at + 1, end):
        if mem[j] > top:
            top, place = mem[j], j
    mem[place] = mem[at]
    mem[at] = top


def known_limits(rules: Rules):
    """The function that returns certain bounds on a position's value, for the side to move."""
    bounds, has_bounds, scored = rules.bounds, rules.has["bounds"], rules.scored
    lowest, highest = bound_values(scored)

    def limits(s, sign, ply, mem):
        # The game cannot have ended before this ply.
        floor, ceiling = (-NO_BOUND, NO_BOUND) if scored else (ply - WIN, WIN - ply)
        if has_bounds:
            certain = bounds(s, mem)
            least, most = lowest(certain[0], ply), highest(certain[1], ply)
            if sign < 0:
                least, most = -most, -least
            floor, ceiling = max(floor, least), min(ceiling, most)
        return floor, ceiling

    return limits


def frame_keeping(rules: Rules):
    """The functions that push a ply's frame onto the stack, and that load it again."""
    pack, unpack, frames, size = rules.pack, rules.unpack, rules.at["frames"], frame_size(rules.game)

    def save(ply, s, low, high, at, end, is_sorted, scouts, mem):
        frame = frames + ply * size
        mem[frame + LOW], mem[frame + HIGH] = low, high
        mem[frame + PLACES] = at | end << PLACE_BITS | is_sorted << SORTED | scouts << SCOUTS
        pack(s, mem, frame + STATE)

    def load(ply, mem):
        frame = frames + ply * size
        places = mem[frame + PLACES]
        at, end = places & PLACE_MASK, places >> PLACE_BITS & PLACE_MASK
        window = mem[frame + LOW], mem[frame + HIGH]
        return unpack(mem, frame + STATE), window, (at, end), (places >> SORTED & 1, places >> SCOUTS)

    return save, load


def line_keeping(rules: Rules):
    """The functions that begin a ply's line, that put a move before the next ply's line, and that store the result."""
    lines = rules.at["lines"]

    def end_line(ply, mem):
        mem[lines + ply * ROW + ply] = NO_MOVE

    def note_line(ply, move, mem):
        here = lines + ply * ROW
        mem[here + ply] = move
        for k in range(ply + 1, ROW):
            mem[here + k] = mem[here + ROW + k]
            if mem[here + k] == NO_MOVE:
                break

    def hand_in(number, value, nodes, mem):
        found, step = memory_at(mem[FOUND]), mem[COUNT]
        found[number] = value
        found[number + step] = nodes
        for k in range(PLIES):
            found[number + (LINE + k) * step] = mem[lines + k]
            if mem[lines + k] == NO_MOVE:
                break

    return end_line, note_line, hand_in


def build(rules: Rules):
    to_move, moves, count_moves, play = rules.to_move, rules.moves, rules.count_moves, rules.play
    is_terminal, utility, order = rules.is_terminal, rules.utility, rules.order
    has_order, gather, unpack, fail = rules.has["order"], rules.gather, rules.unpack, rules.fail
    width, nowhere, first_place = rules.max_moves, rules.at.state, rules.at["moves"]
    last_place = first_place + moves_size(rules.game) - 2 * width
    outcome, limits = outcome_value(rules.scored), known_limits(rules)
    save, load = frame_keeping(rules)
    end_line, note_line, hand_in = line_keeping(rules)

    def item(lane, mem):
        """Solve positions until there are no more.

        Values are for MAX; the window is for the side to move, and so is ``low``, the best value so far.
        """
        s, ply, sign = unpack(mem, nowhere), -1, 1  # the position whose moves are tried; none at first
        low, high, scouts = 0, 0, 0  # its window, and whether to search the next move with a null window
        at, end = 0, 0  # its remaining moves
        unscored, is_sorted = 0, 0  # the first move without a score, and whether scores decide which is next
        number, value, nodes, horizon, going = -1, 0, 0, 0, 1
        while going:
            t, looks, known, alpha, beta = s, 0, 0, -NO_BOUND, NO_BOUND
            # 1. Choose what to visit: a new position, the position after the next move, or the previous ply.
            if ply < 0:
                if number >= 0:
                    hand_in(number, value, nodes, mem)
                number = reserve(memory_at(mem[SHARED]), 0, 1)
                if number >= mem[COUNT] or mem[STOP] != 0:
                    going = 0
                else:
                    t = gather(memory_at(mem[STATES]), number, mem[COUNT])
                    looks, nodes, horizon, end = TO_SOLVE, 0, whole(PLIES), whole(first_place)
            elif at < end and low < high:
                looks, place = TO_SOLVE, at
                if unscored < end:
                    looks, place = TO_SCORE, unscored
                elif is_sorted:
                    bring_best(at, end, mem)
                t = play(s, mem[place] & MOVE_MASK, mem)
                edge = low + 1 if scouts else high
                alpha, beta = (low, edge) if sign > 0 else (-edge, -low)
            else:
                value, known = sign * low, 1
                ply -= 1
                if ply >= 0:
                    s, (low, high), (at, end), (is_sorted, scouts) = load(ply, mem)
                    unscored, sign = end, 1 if to_move(s, mem) == MAX else -1
            # 2. Visit it: the game may be over, or bounds may decide; otherwise its moves come next.
            if looks != 0:
                nodes += 1
                n, over = 1, is_terminal(t, mem)
                if looks == TO_SCORE:
                    n = 0 if over else count_moves(t, mem, end, end + width)
                    mem[unscored] |= -n << MOVE_BITS
                    unscored += 1
                elif not over:
                    side = 1 if to_move(t, mem) == MAX else -1
                    a, b = (alpha, beta) if side > 0 else (-beta, -alpha)
                    floor, ceiling = limits(t, side, ply + 1, mem)
                    if b - a > 1:  # the line is needed, so the search goes on all the same
                        floor, ceiling = floor - 1, ceiling + 1
                    if floor >= b or ceiling <= a:
                        value, known = side * (floor if floor >= b else ceiling), 1
                    elif nodes > mem[NODE_LIMIT] or ply + 1 >= PLIES or end > last_place:
                        nodes, ply = -nodes, -1
                    else:
                        n = moves(t, mem, end, end + width)
                        if n == 0:
                            over = 1
                        elif n > 0:
                            if ply >= 0:
                                save(ply, s, low, high, at, end, is_sorted, scouts, mem)
                            s, ply, sign, low, high = t, ply + 1, side, max(a, floor), min(b, ceiling)
                            at, end, unscored, is_sorted, scouts = end, end + n, end + n, 0, 0
                            if n > 1 and horizon - ply >= WORTH_SORTING and mem[ORDERING] != AS_THEY_COME:
                                is_sorted, unscored = 1, at
                                if has_order and mem[ORDERING] == BY_ORDER:
                                    for j in range(at, end):
                                        mem[j] |= order(s, mem[j], mem) << MOVE_BITS
                                    nodes, unscored = nodes + n, end
                if n < 0:
                    going = fail(t, n, mem)
                if over and looks == TO_SOLVE:
                    value, known, horizon = outcome(utility(t, mem), ply + 1), 1, ply + 1
                    if beta - alpha > 1:
                        end_line(ply + 1, mem)
            # 3. Use the value of the move at ``at``.
            if known and ply >= 0:
                found = sign * value
                if scouts and low < found < high:
                    scouts = 0  # search again for the exact value
                else:
                    if low < found < high:
                        note_line(ply, mem[at] & MOVE_MASK, mem)
                    low, at, scouts = max(low, found), at + 1, 1
        return 1

    return item


SMALL_SOLVE = ItemKernel("small solve", USES, build, WORDS, regions)


NODES_EACH = 1 << 20
"""A position that takes more nodes is left unsolved: a few seconds of a GPU thread."""

LANES = 1 << 18
"""GPU threads that take positions: more than ever run at the same time."""

FIRST_AT_ONCE, MOST_AT_ONCE, SHORT = 1 << 14, 1 << 18, 0.5
"""Positions for one run of the kernel, which cannot be stopped midway: the more, the fewer threads wait for the
last one. The number doubles after a run of less than SHORT seconds."""

SAMPLE, SAMPLE_NODES = 64, 1 << 12
"""The sample of positions that decides the move ordering, and the nodes for each of them at first."""


class Found(NamedTuple):
    """The results as arrays: the value for MAX, the number of nodes, and the line of each position.

    Lines end with ``NO_MOVE``. If the number of nodes is 0 or less, the position took too long and has no value.
    """

    values: Any
    nodes: Any
    lines: Any

    @property
    def unsolved(self) -> Any:
        return self.nodes <= 0


class SmallSolver:
    """Solves many positions of one game at once. A position that takes more than ``node_limit`` nodes stays unsolved.

    >>> from zerosum.games import load
    >>> from zerosum.jit.target import PLAIN
    >>> game = load("tictactoe")
    >>> found = SmallSolver(game, PLAIN).solve([game.parse_state("xx.oo....")])
    >>> WIN - int(found.values[0]), int(found.lines[0][0])  # a win in one ply, by the move 2
    (1, 2)
    """

    def __init__(self, game: Game, target: Target, threads: int = 1, node_limit: int = NODES_EACH) -> None:
        if game.has("chances"):
            raise GameError(f"{game.name} has chance nodes: nothing can be proven; search it")
        if game.repetition:
            raise GameError(
                f"{game.name} has a repetition rule, which small solves do not support: leave out device='gpu'"
            )
        self.game, self.target, self.node_limit = game, target, node_limit
        self.crew = Crew(SMALL_SOLVE, game, threads, target)
        self.at_once = FIRST_AT_ONCE
        self.ordering: int | None = None  # decided by the first positions

    def solve(self, states: Sequence[Any], stop: Stop | None = None) -> Found:
        """Solve these positions; ``stop`` leaves positions unsolved that no worker has begun."""
        words = self.game.state_type.words
        return self.solve_words([words(s) for s in states], stop)

    def solve_words(self, words: Any, stop: Stop | None = None) -> Found:
        """Like ``solve``, for positions given as rows of words."""
        import numpy as np

        words = np.asarray(words, np.int64).reshape(-1, self.game.state_type.size)
        return self.crew.run(lambda report: self._solve(words), stop=stop)

    def results(self, states: Sequence[Any], stop: Stop | None = None) -> Iterator[Result | None]:
        """A result for each position; None if it is unsolved."""
        started = time.perf_counter()
        found = self.solve(states, stop)
        seconds = (time.perf_counter() - started) / max(1, len(states))
        columns = (column.tolist() for column in found)
        for s, value, nodes, line in zip(states, *columns, strict=True):
            if nodes <= 0:
                yield None
            elif line[0] == NO_MOVE:
                yield finished_result(self.game, s)
            else:
                moves = tuple(line[: line.index(NO_MOVE)] if NO_MOVE in line else line)
                yield make_result(self.game, value, moves, len(moves), nodes, seconds, proven=True, exact=True)

    def _solve(self, words: Any) -> Found:
        import numpy as np

        if self.ordering is None:
            self.ordering = self._best_ordering(words)
        parts, first = [self._run(words[:0], 0, 0)], 0
        while first < len(words):
            started = time.perf_counter()
            portion = words[first : first + self.at_once]
            parts.append(self._run(portion, self.ordering, self.node_limit))
            if time.perf_counter() - started < SHORT and len(portion) == self.at_once:
                self.at_once = min(2 * self.at_once, MOST_AT_ONCE)
            first += len(portion)
        return Found(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def _best_ordering(self, words: Any) -> int:
        """The ordering that solves most of a sample, with the fewest nodes. At least half of the sample must be solved,
        or the first moves alone would decide."""
        sample = words[:: max(1, len(words) // SAMPLE)][:SAMPLE]
        if not self.target.is_compiled or not len(sample):
            return BY_REPLIES
        choices = [AS_THEY_COME, BY_REPLIES, *([BY_ORDER] if self.game.has("order") else [])]
        limit = min(SAMPLE_NODES, self.node_limit)
        while True:
            runs = [(self._run(sample, ordering, limit), ordering) for ordering in choices]
            unsolved, _, best = min((int(found.unsolved.sum()), int(abs(found.nodes).sum()), o) for found, o in runs)
            if 2 * unsolved <= len(sample) or limit >= self.node_limit or self.crew[0].stopped:
                return best
            limit = min(8 * limit, self.node_limit)

    def _run(self, words: Any, ordering: int, node_limit: int) -> Found:
        """Run the kernel once. The first words of all positions are stored side by side, then the second words."""
        count, crew, target = len(words), self.crew, self.target
        states, shared = Row.of(words.T, target), Row(1, target)
        found = Row((LINE + PLIES) * count, target)
        crew.put(states=states.address, found=found.address, shared=shared.address, count=count)
        crew.put(ordering=ordering, node_limit=node_limit)
        crew.do_items(min(count, LANES) if target is GPU else len(crew))
        columns = found.array().reshape(LINE + PLIES, count)
        return Found(columns[0], columns[1], columns[LINE:].T)
