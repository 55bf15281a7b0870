"""Many games at once, move by move: the positions that their moves lead to are judged in batches, as a card likes it.

A *wave* takes every game one move further, by four kernels:

1. ``throw``, a thread for each game, plays events of chance until somebody is to move. It is the user's own.
2. ``LIST``, a thread for each segment of each game, lists the positions after all moves. The last segment is that of
   the move to be made. Where the outcomes of an event are to be compared, each has a segment too, before it.
3. ``judge``, a thread for each position, says what it is worth. It is the user's own.
4. ``choose``, a thread for each game, compares the positions of a segment and makes the move. It is the user's own.

Words of games, and of positions, lie apart, the first ones of all side by side. A game whose positions find no room
waits for the next wave; so which games are in a wave depends on the order in which threads come, but no game does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zerosum.errors import LimitError
from zerosum.game import CHANCE, MAX, Game
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import Region
from zerosum.jit.row import Row
from zerosum.jit.rules import Rules
from zerosum.jit.target import Target
from zerosum.jit.words import memory_at, reserve, whole, word_float
from zerosum.running.crew import Crew

BATCH = ITEMS.then(
    # Addresses of games: their positions, those before an event whose outcomes are compared, words, and how many games.
    *("states", "events", "games", "step"),
    # The numbers of the games that go on, the first one's place there, and of those that will; how many these are, and
    # how many positions.
    *("live", "live_first", "next_live", "counts"),
    # Segments, how many each game has, and the probabilities of their outcomes.
    *("segments", "width", "shares"),
    # Positions to be judged: themselves, how they are judged and what they are worth; and the room for them.
    *("positions", "notes", "values", "room"),
)
# fmt: off
(
    STATES, EVENTS, GAMES, STEP, LIVE, LIVE_FIRST, NEXT_LIVE, COUNTS, SEGMENTS, WIDTH, SHARES, POSITIONS, NOTES, VALUES,
    ROOM,
) = BATCH
# fmt: on

WAITS, TO_LIST, OUTCOMES, THROWN = range(4)
"""The first words of a game: whether it found no room, what its last segment is, how many outcomes are to be compared,
and which of them came up."""

OWN = 4
"""From here on a game's words are the user's."""

NEXT_COUNT, POSITION_COUNT = range(2)

NOTHING, CHOICE, ITSELF, FINAL, NO_ROOM = range(5)
"""What a segment has: nothing; the positions after each move; the position itself, which is not to be moved in; the
same, and its utility counts; nothing, as there was no room."""

KIND_BITS, BY_MAX, COUNT_BITS, BEGIN_BITS = 7, 8, 4, 20
COUNT_MASK = (1 << BEGIN_BITS - COUNT_BITS) - 1
"""A segment's word: its kind, whether MAX chooses, how many positions there are, and where they begin."""

HOLE, TO_JUDGE, UTILITY = range(3)
"""The note of a position: there is none; it is judged; its utility counts."""

USES = ("to_move", "moves", "chances", "play", "utility", "is_terminal")

ROOM_FOR_POSITIONS = 1 << 22
"""Positions that are judged at once. In backgammon each takes 64 bytes, and a card is busy with a tenth of them."""

SPARE = 1.3
"""More room than positions are expected to need."""


def for_outcomes(game: Game) -> list[Region]:
    return [Region("outcomes", 2 * game.max_chances if game.has("chances") else 0)]


def buffers(game: Game) -> list[Region]:
    return [*for_outcomes(game), Region("buffer", game.max_moves)]


def build_list(rules: Rules):
    to_move, moves, play, is_terminal = rules.to_move, rules.moves, rules.play, rules.is_terminal
    chances, gather, scatter, fail = rules.chances, rules.gather, rules.scatter, rules.fail
    buffer, outcomes = rules.at["buffer"], rules.at["outcomes"]
    has_chance, max_moves, max_chances = rules.has["chances"], rules.max_moves, rules.max_chances

    def after_event(g, o, mem):
        """The position after an outcome; its probability is noted."""
        s = gather(memory_at(mem[EVENTS]), g, mem[STEP])
        chances(s, mem, outcomes, outcomes + 2 * max_chances)
        memory_at(mem[SHARES])[o * mem[STEP] + g] = mem[outcomes + 2 * o + 1]
        return play(s, mem[outcomes + 2 * o], mem)

    def kind_of(s, mem):
        """What is to be listed of a position after an outcome."""
        if is_terminal(s, mem) or to_move(s, mem) == CHANCE:
            return ITSELF
        return CHOICE

    def listed(s, kind, mem):
        """List the positions of a segment; its word."""
        at, by_max = whole(buffer), 0
        n = whole(0)
        if kind == CHOICE:
            n = moves(s, mem, at, at + max_moves)
            if n < 0:
                fail(s, n, mem)
            elif n == 0:
                kind = FINAL
            elif to_move(s, mem) == MAX:
                by_max = BY_MAX
        count = max(n, 1)
        begin = reserve(memory_at(mem[COUNTS]), POSITION_COUNT, count)
        room, notes, positions = mem[ROOM], memory_at(mem[NOTES]), memory_at(mem[POSITIONS])
        if begin + count > room:
            for i in range(begin, room):
                notes[i] = HOLE
            return whole(NO_ROOM)
        if n <= 0:
            scatter(s, positions, begin, room)
            notes[begin] = UTILITY if kind == FINAL else TO_JUDGE
        for i in range(n):
            scatter(play(s, mem[at + i], mem), positions, begin + i, room)
            notes[begin + i] = TO_JUDGE
        return begin << BEGIN_BITS | count << COUNT_BITS | by_max | kind

    def item(i, mem):
        """Lists segment ``i % width`` of the ``i // width``-th game that goes on."""
        width, step = mem[WIDTH], mem[STEP]
        g, o = live_game(i // width, mem), i % width
        games = memory_at(mem[GAMES])
        word, s = whole(NOTHING), gather(memory_at(mem[STATES]), g, step)
        kind = whole(NOTHING)
        if o == width - 1:
            kind = games[TO_LIST * step + g]
        elif o < games[OUTCOMES * step + g]:
            if has_chance:
                s = after_event(g, o, mem)
                kind = kind_of(s, mem)
        if kind != NOTHING:
            word = listed(s, kind, mem)
        memory_at(mem[SEGMENTS])[o * step + g] = word
        return 1

    return item


LIST = ItemKernel("positions of a wave", USES, build_list, BATCH, buffers)


def live_game(i, mem):
    """The number of the ``i``-th game that goes on, of those that are looked at now."""
    return memory_at(mem[LIVE])[mem[LIVE_FIRST] + i]


def best_of(word, mem):
    """The place of the best position in a segment, the first of equals, by the first word of their values."""
    values, begin = memory_at(mem[VALUES]), word >> BEGIN_BITS
    best, chosen = word_float(values[begin]), begin
    for i in range(begin + 1, begin + count_of(word)):
        found = word_float(values[i])
        if found > best if word & BY_MAX else found < best:
            best, chosen = found, i
    return chosen


def count_of(word):
    """How many positions a segment has."""
    return word >> COUNT_BITS & COUNT_MASK


def found_room(g, mem):
    """Whether all segments of a game are listed. If not it waits for the next wave, and is as it was."""
    step, width, segments, missing = mem[STEP], mem[WIDTH], memory_at(mem[SEGMENTS]), 0
    games = memory_at(mem[GAMES])
    for o in range(width):
        if segments[o * step + g] == NO_ROOM:
            missing = 1
    games[WAITS * step + g] = missing
    if missing:
        goes_on(g, mem)
    return missing == 0


def goes_on(g, mem):
    """Have a game take part in the next wave."""
    memory_at(mem[NEXT_LIVE])[reserve(memory_at(mem[COUNTS]), NEXT_COUNT, 1)] = g


class Batches:
    """The rows of some games, and the waves over them. ``kernels`` are throw, judge and choose.

    ``words`` is how many words a game has, ``outcomes`` how many of an event are compared, 0 for none, ``worth`` how
    many words the value of a position has, and ``room`` how many positions are judged at once.
    """

    def __init__(
        self,
        game: Game,
        kernels: tuple[ItemKernel, ItemKernel, ItemKernel],
        target: Target,
        games: int,
        *,
        words: int,
        outcomes: int = 0,
        worth: int = 1,
        room: int = ROOM_FOR_POSITIONS,
    ) -> None:
        size, width = game.state_type.size, outcomes + 1
        throw, judge, choose = kernels
        self.game, self.target, self.room, self.width = game, target, room, width
        self.kernels = (throw, LIST, judge, choose)
        self.crews = [Crew(kernel, game, 1, target) for kernel in self.kernels]
        self.crew = self.crews[0]  # whoever stops it stops the wave
        self.branching = 32.0 * width
        self.rows = {
            "counts": Row(2, target),
            "events": Row(size * games if outcomes else 1, target),
            "games": Row(words * games, target),
            "segments": Row(width * games, target),
            "shares": Row(width * games, target),
            "positions": Row(size * room, target),
            "notes": Row(room, target),
            "values": Row(worth * room, target),
        }
        for crew in self.crews:
            crew.at_once = width * max(games, room)  # a card need not find out how many
        self.put(width=width, room=room, **{name: row.address for name, row in self.rows.items()})

    def put(self, **words: Any) -> None:
        """Set words of all kernels that have them."""
        for kernel, crew in zip(self.kernels, self.crews, strict=True):
            crew.put(**{name: word for name, word in words.items() if name in kernel.words.place})

    def play(self, states: Any, on_wave: Callable[[int], None] | None = None) -> None:
        """Play games from these positions, an array with a column for each, until none goes on, or until stopped.

        ``on_wave`` is told after each wave how many go on.
        """
        import numpy as np

        live = states.shape[1]
        begin = Row.of(states, self.target)  # kept here as long as kernels know its address
        now, following = Row.of(np.arange(live), self.target), Row(live, self.target)
        self.rows["games"].clear()
        self.put(states=begin.address, step=live)
        while live and not self.crew[0].stopped:
            self.put(live=now.address, next_live=following.address)
            live = self._wave(live)
            now, following = following, now
            if on_wave is not None:
                on_wave(live)

    def _wave(self, live: int) -> int:
        """Take all games one move further; how many go on."""
        counts, first = self.rows["counts"], 0
        throw, lister, judge, choose = self.crews
        counts.clear()
        while first < live and not self.crew[0].stopped:
            portion = min(live - first, max(1, int(self.room / (SPARE * self.branching))))
            counts.put(POSITION_COUNT, 0)
            self.put(live_first=first)
            throw.do_items(portion, portion)
            lister.do_items(portion * self.width, portion * self.width)
            positions = counts.get(POSITION_COUNT)
            if portion == 1 and positions > self.room:
                raise LimitError(
                    f"{self.game.name}: {positions} positions follow one, and there is room for {self.room}"
                )
            judge.do_items(min(positions, self.room), self.room)
            choose.do_items(portion, portion)
            self.branching = max(positions / portion, 1.0)
            first += portion
        return counts.get(NEXT_COUNT)
