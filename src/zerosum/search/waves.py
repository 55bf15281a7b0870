"""Breadth-first perft, in waves that fit into memory: how a GPU counts.

A wave is many positions of one depth. ``LIST`` lists their moves, each as one word: the number of the position and the
move. ``PLAY`` makes the next wave from this list, one thread per move. The last plies are not stored:
``COUNT`` plays each move of the list and each move after it, and counts the moves that follow. Neighbours in the
list are moves of one position, often of one piece, so neighbouring threads do nearly the same work, which suits a GPU.

The first words of all positions of a wave are stored side by side, then the second words, and so on, so neighbouring
threads read neighbouring words. Thread timing decides the order of the list, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from zerosum.errors import KernelError, LimitError
from zerosum.game import Game
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.memory import call_again
from zerosum.jit.plan import STOP, Region, width_of
from zerosum.jit.row import Row
from zerosum.jit.rules import Rules
from zerosum.jit.target import GPU, Target
from zerosum.jit.words import Tagged, memory_at, reserve, whole
from zerosum.running.crew import Crew
from zerosum.search.perft import moves_or_outcomes

# The addresses of the wave, of the list with its length and room, and of the next wave; the count; and 1 plus
# the number of the item in which a rule broke its promise. Unlike elsewhere, the position itself is not stored:
# all of it, including keys and sums that counting does not use, would have to be computed and kept for each leaf.
WORDS = ITEMS.then("states", "step", "list", "length", "room", "successors", "next_step", "leaves", "failed")
STATES, STEP, LIST_AT, LENGTH, ROOM, SUCCESSORS, NEXT_STEP, LEAVES, FAILED = WORDS

USES = ("to_move", "moves", "chances", "play", "is_terminal")

MOVE_BITS = 31
"""A move has at most this many bits; those above are the number of its position."""

MOVE_MASK = (1 << MOVE_BITS) - 1

LONGEST_LIST = 1 << 28
"""Moves to list at a time for counting: 2 GB."""

LAST_PLIES = 3
"""Plies that are counted without being stored. With fewer plies, the length of the last list is the count."""

LAST, LEVELS = -1, 12
"""The level of the list that is only counted, and the number of levels expected to fit into a GPU's memory."""

ROOM_OF_WAVES = 1 << 23
"""Moves to list at a time between waves: enough to keep a GPU busy."""


def buffer(game: Game) -> list[Region]:
    return [Region("buffer", width_of(game))]


def counting(rules: Rules) -> tuple[Any, Any]:
    """The functions that list and that count moves, or chance outcomes."""
    if rules.has["chances"]:
        fill = moves_or_outcomes(rules)
        return fill, fill
    return rules.moves, rules.count_moves


def give_up(i, mem):
    """Record the item that failed, and stop."""
    mem[FAILED] = i + 1
    mem[STOP] = 1
    return 0


def build_list(rules: Rules):
    is_terminal, gather, moves_into = rules.is_terminal, rules.gather, rules.moves_into
    moves, count_moves = counting(rules)
    has_chance, width, place = rules.has["chances"], rules.max_moves, rules.at["buffer"]

    def item(i, mem):
        """List the moves of position ``i``; if they do not fit, only add their number."""
        s = gather(memory_at(mem[STATES]), i, mem[STEP])
        if is_terminal(s, mem):
            return 1
        at = whole(place)
        n = count_moves(s, mem, at, at + width)
        if n < 0:
            return give_up(i, mem)
        begin = reserve(memory_at(mem[LENGTH]), 0, n)
        if begin + n <= mem[ROOM]:
            listed = Tagged(memory_at(mem[LIST_AT]), i << MOVE_BITS)
            if has_chance:
                moves(s, mem, at, at + width)
                for j in range(n):
                    listed[begin + j] = mem[at + j]
            elif moves_into(s, listed, begin, begin + width, mem) < 0:
                return give_up(i, mem)
        return 1

    return item


def playing(rules: Rules):
    """The function that plays the ``i``-th move of the list."""
    play, gather = rules.play, rules.gather

    def successor(i, mem):
        word = memory_at(mem[LIST_AT])[i]
        return play(gather(memory_at(mem[STATES]), word >> MOVE_BITS, mem[STEP]), word & MOVE_MASK, mem)

    return successor


def build_play(rules: Rules):
    successor, scatter = playing(rules), rules.scatter

    def item(i, mem):
        scatter(successor(i, mem), memory_at(mem[SUCCESSORS]), i, mem[NEXT_STEP])
        return 1

    return item


def last_ply(rules: Rules):
    is_terminal, width, place = rules.is_terminal, rules.max_moves, rules.at["buffer"]
    _, count_moves = counting(rules)

    def leaves(s, mem):
        """The number of moves of ``s``, which are not played; below 0 if the rule broke its promise."""
        if is_terminal(s, mem):
            return 0
        at = whole(place)
        return count_moves(s, mem, at, at + width)

    return leaves


def build_count(rules: Rules):
    successor, leaves, is_terminal, play = playing(rules), last_ply(rules), rules.is_terminal, rules.play
    moves, _ = counting(rules)
    width, second = rules.max_moves, rules.at["second"]

    def item(i, mem):
        s = successor(i, mem)
        if is_terminal(s, mem):
            return 1
        at = whole(second)
        n = moves(s, mem, at, at + width)
        total = 0
        for j in range(n):
            found = leaves(play(s, mem[at + j], mem), mem)
            if found < 0:
                n = found
                break
            total += found
        if n < 0:
            return give_up(i, mem)
        mem[LEAVES] += total
        return 1

    return item


def two_buffers(game: Game) -> list[Region]:
    return [*buffer(game), Region("second", width_of(game))]


LIST = ItemKernel("list of moves", USES, build_list, WORDS, buffer)
PLAY = ItemKernel("wave", USES, build_play, WORDS, buffer)
COUNT = ItemKernel("leaves", USES, build_count, WORDS, two_buffers, sums=("leaves",), min_blocks=5)


class Waves:
    """Counts the lines of one game, wave by wave.

    ``room`` is the number of moves to list at a time between waves, each with a position of the next wave; ``longest``
    is the number if only counting follows. ``on_progress`` is called with the share of the work that is done.
    """

    def __init__(
        self,
        game: Game,
        target: Target,
        on_progress: Callable[[float], None] | None = None,
        room: int = ROOM_OF_WAVES,
        longest: int = LONGEST_LIST,
    ) -> None:
        self.game, self.target, self.room, self.longest = game, target, room, longest
        if target is GPU:
            from zerosum.jit.gpu.card import the_card

            part = the_card().memory()[0] // 4  # one part for the last list, and one for all waves before it
            self.longest = max(game.max_moves, min(longest, part // 8))
            self.room = max(game.max_moves, min(room, part // (8 * LEVELS * (game.state_type.size + 1))))
        self.on_progress = on_progress or nothing
        self.crews: dict[str, Crew] = {}
        self.rows: dict[tuple[str, int], Row] = {}
        self.length = Row(1, target)
        self.branching = 1.0
        self.done = 0.0

    def count(self, s: Any, depth: int) -> int:
        """The number of lines of exactly ``depth`` plies; 1 for depth 0."""
        if depth == 0:
            return 1
        states = Row.of(self.game.state_type.words(s), self.target)
        self.done, self.branching = 0.0, float(max(1, len(self.game.legal_moves(s))))
        return self._crew(LIST).run(
            lambda report: self._lines(_Wave(states, 1, 0, 1.0), depth, report),
            on_report=self.on_progress,
        )

    def _lines(self, wave: _Wave, depth: int, report: Callable[[float], None]) -> int:
        """The number of lines from the positions of a wave."""
        total, first = 0, 0
        while first < wave.size and not self._crew(LIST)[0].stopped:
            is_last = depth in (1, LAST_PLIES)
            longest = self.longest if is_last else self.room
            portion = min(wave.size - first, max(1, int(longest / (1.3 * self.branching))))
            part = _Part(wave, first, self._row("list", LAST if is_last else wave.level, longest))
            found = self._list(part, portion, longest)
            if found > longest:  # more than expected: do it again in smaller portions
                if portion == 1:
                    raise LimitError(f"{self.game.name}: a position has {found} moves, but there is room for {longest}")
                self.branching = max(found / portion, 1.3 * self.branching)
                continue
            first += portion
            share = wave.share * portion / wave.size
            if depth == 1:
                total += found
            elif is_last:
                total += sum(member.leaves for member in self._do(COUNT, part, found, leaves=0))
                self.done += share
                report(self.done)
            elif found:
                total += self._lines(_Wave(self._next(part, found), found, wave.level + 1, share), depth - 1, report)
            if portion > 64:
                self.branching = max(found / portion, 1.0)
        return total

    def _list(self, part: _Part, portion: int, room: int) -> int:
        self.length.clear()
        self._do(LIST, part, portion, length=self.length.address, room=room)
        return self.length.get(0)

    def _next(self, part: _Part, found: int) -> Row:
        row = self._row("wave", part.wave.level, max(found, self.room) * self.game.state_type.size)
        self._do(PLAY, part, found, successors=row.address, next_step=found)
        return row

    def _do(self, kernel: ItemKernel, part: _Part, count: int, **words: Any) -> Crew:
        crew, wave = self._crew(kernel), part.wave
        states = wave.states.address_of(part.first)
        crew.put(states=states, step=wave.size, list=part.listed.address, failed=0, **words)
        crew.do_items(count, count)
        for member in crew:
            if member.failed:
                self._complain(kernel, part, member.failed - 1)
        return crew

    def _complain(self, kernel: ItemKernel, part: _Part, item: int) -> None:
        """Run the plain rules on the item in which a rule broke its promise, and raise their error."""
        game, wave = self.game, part.wave
        word = item << MOVE_BITS if kernel is LIST else part.listed.get(item)
        place = part.first + (word >> MOVE_BITS)
        s = game.state_type.from_words([wave.states.get(place + wave.size * i) for i in range(game.state_type.size)])
        suspects = [s]
        if kernel is not LIST:
            suspects.append(game.successor(s, word & MOVE_MASK))
        for suspect in suspects:
            call_again(game, suspect)
        for move in game.legal_moves(suspects[-1]):
            call_again(game, game.successor(suspects[-1], move))
        raise KernelError(f"{game.name}: compiled, moves breaks its promise below {s!r}, but not in plain Python")

    def _crew(self, kernel: ItemKernel) -> Crew:
        if kernel.name not in self.crews:
            self.crews[kernel.name] = Crew(kernel, self.game, 1, self.target)
            self.crews[kernel.name].at_once = self.longest  # items are short, so do all of them in one launch
        return self.crews[kernel.name]

    def _row(self, what: str, level: int, count: int) -> Row:
        """The row of a level, which every wave there reuses; a larger one if it is too small."""
        known = self.rows.get((what, level))
        if known is None or known.count < count:
            self.rows.pop((what, level), None)  # free its memory first
            known = self.rows[what, level] = Row(count, self.target)
        return known


_idle: list[Waves] = []
"""The waves of the last game, so that the next count finds kernels and memory ready."""


@contextmanager
def waves_of(game: Game, target: Target, on_progress: Callable[[float], None] | None = None) -> Iterator[Waves]:
    """Waves for one game, within this block."""
    try:
        waves = _idle.pop()
    except IndexError:
        waves = None
    if waves is None or waves.game is not game or waves.target is not target:
        waves = Waves(game, target)
    waves.on_progress = on_progress or nothing
    yield waves
    _idle[:] = [waves]  # not after an error: its crews have stopped


def nothing(done: float) -> None:
    """Ignore progress."""


class _Wave(NamedTuple):
    """Positions of one depth: their words, number, level, and share of the whole work."""

    states: Row
    size: int
    level: int
    share: float


class _Part(NamedTuple):
    """Positions of a wave from ``first`` on, and the list of their moves."""

    wave: _Wave
    first: int
    listed: Row
