"""Perft breadth first, in waves that fit into memory: how a graphics card counts.

A wave is many positions of one depth. ``LIST`` lists their moves, each as one word: the number of the position and the
move. ``PLAY`` makes the next wave of such a list, a thread for each move. At the last plies nothing is stored any more:
``COUNT`` plays each move of the list, and counts the moves that follow each of the next ones. Neighbours in the
list are moves of one position, often of one piece: threads side by side do nearly the same, which suits a card.

The first words of all positions of a wave lie side by side, then the second ones, and so on: threads side by side read
what lies side by side. Which thread lists its moves first decides their order in the list, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from zerosum.errors import KernelError, LimitError
from zerosum.game import Game
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.memory import ask_again
from zerosum.jit.plan import STOP, Region, width_of
from zerosum.jit.row import Row
from zerosum.jit.rules import Rules
from zerosum.jit.target import GPU, Target
from zerosum.jit.words import Tagged, memory_at, reserve, whole
from zerosum.running.crew import Crew
from zerosum.search.perft import moves_or_outcomes

# The addresses of the wave, of the list with its length and room, and of the next wave; what was counted; and 1 more
# than the number of the item in which a rule broke its promise. The position itself is not noted, as it is elsewhere:
# all of it, keys and sums that counting does not look at, would have to be worked out and kept for each leaf.
WORDS = ITEMS.then("states", "step", "list", "length", "room", "successors", "next_step", "leaves", "failed")
STATES, STEP, LIST_AT, LENGTH, ROOM, SUCCESSORS, NEXT_STEP, LEAVES, FAILED = WORDS

USES = ("to_move", "moves", "chances", "play", "is_terminal")

MOVE_BITS = 31
"""A move has no more bits; those above are the number of its position."""

MOVE_MASK = (1 << MOVE_BITS) - 1

LONGEST_LIST = 1 << 28
"""Moves that are listed at once for counting: 2 GB."""

LAST_PLIES = 3
"""Plies that are counted without being stored; of fewer, the last list has a line for each move."""

LAST, LEVELS = -1, 12
"""The level of the list that is only counted; and how many levels are expected to fit into a card's memory."""

ROOM_OF_WAVES = 1 << 23
"""Moves that are listed at once between waves: enough to keep a card busy."""


def buffer(game: Game) -> list[Region]:
    return [Region("buffer", width_of(game))]


def counting(rules: Rules) -> tuple[Any, Any]:
    """The functions that list and that count moves, or outcomes of chance."""
    if rules.has["chances"]:
        fill = moves_or_outcomes(rules)
        return fill, fill
    return rules.moves, rules.count_moves


def give_up(i, mem):
    """Note the item in which something went wrong, and end."""
    mem[FAILED] = i + 1
    mem[STOP] = 1
    return 0


def build_list(rules: Rules):
    is_terminal, gather, moves_into = rules.is_terminal, rules.gather, rules.moves_into
    moves, count_moves = counting(rules)
    has_chance, width, place = rules.has["chances"], rules.max_moves, rules.at["buffer"]

    def item(i, mem):
        """Lists the moves of position ``i``; where they do not fit, only their number counts."""
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
COUNT = ItemKernel("leaves", USES, build_count, WORDS, two_buffers, sums=("leaves",), crowd=5)


class Waves:
    """Counts the lines of one game, wave by wave.

    ``room`` is how many moves are listed at once between waves, each with a position of the next one; ``longest`` how
    many where nothing follows but counting. ``on_progress`` is told which part of the work is done.
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

            part = the_card().memory()[0] // 4  # one for the last list, and one for all waves before it
            self.longest = max(game.max_moves, min(longest, part // 8))
            self.room = max(game.max_moves, min(room, part // (8 * LEVELS * (game.state_type.size + 1))))
        self.on_progress = on_progress or nothing
        self.crews: dict[str, Crew] = {}
        self.rows: dict[tuple[str, int], Row] = {}
        self.length = Row(1, target)
        self.branching = 1.0
        self.done = 0.0

    def count(self, s: Any, depth: int) -> int:
        """Lines of exactly ``depth`` plies; 1 of none."""
        if depth == 0:
            return 1
        states = Row.of(self.game.state_type.words(s), self.target)
        self.done, self.branching = 0.0, float(max(1, len(self.game.legal_moves(s))))
        return self._crew(LIST).run(
            lambda report: self._lines(_Wave(states, 1, 0, 1.0), depth, report),
            on_report=self.on_progress,
        )

    def _lines(self, wave: _Wave, depth: int, report: Callable[[float], None]) -> int:
        """Lines from the positions of a wave."""
        total, first = 0, 0
        while first < wave.size and not self._crew(LIST)[0].stopped:
            is_last = depth in (1, LAST_PLIES)
            longest = self.longest if is_last else self.room
            portion = min(wave.size - first, max(1, int(longest / (1.3 * self.branching))))
            part = _Part(wave, first, self._row("list", LAST if is_last else wave.level, longest))
            found = self._list(part, portion, longest)
            if found > longest:  # more than so far: the next portion will be smaller, and this one is done again
                if portion == 1:
                    raise LimitError(f"{self.game.name}: a position has {found} moves, and there is room for {longest}")
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
        """Raise what the plain rules have to say about the item in which they broke their promise."""
        game, wave = self.game, part.wave
        word = item << MOVE_BITS if kernel is LIST else part.listed.get(item)
        place = part.first + (word >> MOVE_BITS)
        s = game.state_type.from_words([wave.states.get(place + wave.size * i) for i in range(game.state_type.size)])
        suspects = [s]
        if kernel is not LIST:
            suspects.append(game.successor(s, word & MOVE_MASK))
        for suspect in suspects:
            ask_again(game, suspect)
        for move in game.legal_moves(suspects[-1]):
            ask_again(game, game.successor(suspects[-1], move))
        raise KernelError(f"{game.name}: compiled, moves breaks its promise below {s!r}, but not in plain Python")

    def _crew(self, kernel: ItemKernel) -> Crew:
        if kernel.name not in self.crews:
            self.crews[kernel.name] = Crew(kernel, self.game, 1, self.target)
            self.crews[kernel.name].at_once = self.longest  # items are short, and it need not find out
        return self.crews[kernel.name]

    def _row(self, what: str, level: int, count: int) -> Row:
        """The row of a level, which every wave there uses again; a larger one where that is too small."""
        known = self.rows.get((what, level))
        if known is None or known.count < count:
            self.rows.pop((what, level), None)  # its memory first
            known = self.rows[what, level] = Row(count, self.target)
        return known


_idle: list[Waves] = []
"""The waves of the last game: whoever counts once more finds kernels and memory ready."""


@contextmanager
def waves_of(game: Game, target: Target, on_progress: Callable[[float], None] | None = None) -> Iterator[Waves]:
    """Waves for one game, for as long as the block lasts."""
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
    """What is done where nobody asks for progress."""


class _Wave(NamedTuple):
    """Positions of one depth: their words, how many, how deep, and what share of the whole work they are."""

    states: Row
    size: int
    level: int
    share: float


class _Part(NamedTuple):
    """Positions of a wave from ``first`` on, and the list of their moves."""

    wave: _Wave
    first: int
    listed: Row
