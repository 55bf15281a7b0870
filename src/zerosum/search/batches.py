"""Many games at once, move by move: the positions after their moves are evaluated in batches, which suits a GPU.

A *wave* advances every game by one move, with four kernels:

1. ``throw``, one thread per game, plays chance events until a player is to move. The caller provides it.
2. ``LIST``, one thread per segment of each game, lists the positions after all moves. The last segment is for the
   move to make. If the outcomes of an event are to be compared, each outcome has a segment before it.
3. ``judge``, one thread per position, evaluates it. The caller provides it.
4. ``choose``, one thread per game, compares the positions of a segment and makes the move. The caller provides it.

Games and positions are stored word by word: the first words of all of them side by side, then the second words. A game
whose positions do not fit waits for the next wave. So thread timing decides which games are in a wave, but it never
changes a game.
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
    # Games: the addresses of their positions, of the positions before an event whose outcomes are compared, and of
    # their words; and the number of games.
    *("states", "events", "games", "step"),
    # The addresses of the unfinished games' numbers, now and in the next wave; the index of the first one to handle;
    # and the address of the counts: games in the next wave, and positions.
    *("live", "live_first", "next_live", "counts"),
    # Segments, how many each game has, and the probabilities of their outcomes.
    *("segments", "width", "shares"),
    # Positions to evaluate: their States, how to evaluate them, and their values; and the room for them.
    *("positions", "notes", "values", "room"),
)
# fmt: off
(
    STATES, EVENTS, GAMES, STEP, LIVE, LIVE_FIRST, NEXT_LIVE, COUNTS, SEGMENTS, WIDTH, SHARES, POSITIONS, NOTES, VALUES,
    ROOM,
) = BATCH
# fmt: on

WAITS, TO_LIST, OUTCOMES, THROWN = range(4)
"""The first words of a game: whether it found no room, the kind of its last segment, the number of outcomes to compare,
and which of them came up."""

OWN = 4
"""From here on, a game's words belong to the caller."""

NEXT_COUNT, POSITION_COUNT = range(2)

NOTHING, CHOICE, ITSELF, FINAL, NO_ROOM = range(5)
"""The contents of a segment: nothing; the positions after each move; the position itself, where no move is to be made;
the same, with its utility as its value; nothing, because there was no room."""

KIND_BITS, BY_MAX, COUNT_BITS, BEGIN_BITS = 7, 8, 4, 20
COUNT_MASK = (1 << BEGIN_BITS - COUNT_BITS) - 1
"""A segment's word: its kind, whether MAX chooses, its number of positions, and the index of the first one."""

HOLE, TO_JUDGE, UTILITY = range(3)
"""The note of a position: there is no position; evaluate it; use its utility."""

USES = ("to_move", "moves", "chances", "play", "utility", "is_terminal")

ROOM_FOR_POSITIONS = 1 << 22
"""Positions to evaluate at a time. In backgammon each takes 64 bytes, and a tenth of them keeps a GPU busy."""

SPARE = 1.3
"""The room to leave for positions, relative to the expected number."""


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
        """The position after an outcome. Stores its probability."""
        s = gather(memory_at(mem[EVENTS]), g, mem[STEP])
        chances(s, mem, outcomes, outcomes + 2 * max_chances)
        memory_at(mem[SHARES])[o * mem[STEP] + g] = mem[outcomes + 2 * o + 1]
        return play(s, mem[outcomes + 2 * o], mem)

    def kind_of(s, mem):
        """The kind of segment for a position after an outcome."""
        if is_terminal(s, mem) or to_move(s, mem) == CHANCE:
            return ITSELF
        return CHOICE

    def listed(s, kind, mem):
        """List the positions of a segment, and return its word."""
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
        """List segment ``i % width`` of the ``i // width``-th unfinished game."""
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
    """The number of the ``i``-th unfinished game of the current portion."""
    return memory_at(mem[LIVE])[mem[LIVE_FIRST] + i]


def best_of(word, mem):
    """The index of the best position in a segment, by the first word of its value; the first of equals."""
    values, begin = memory_at(mem[VALUES]), word >> BEGIN_BITS
    best, chosen = word_float(values[begin]), begin
    for i in range(begin + 1, begin + count_of(word)):
        found = word_float(values[i])
        if found > best if word & BY_MAX else found < best:
            best, chosen = found, i
    return chosen


def count_of(word):
    """The number of positions in a segment."""
    return word >> COUNT_BITS & COUNT_MASK


def found_room(g, mem):
    """Whether all segments of a game are listed. If not, the game waits for the next wave, unchanged."""
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
    """Add a game to the next wave."""
    memory_at(mem[NEXT_LIVE])[reserve(memory_at(mem[COUNTS]), NEXT_COUNT, 1)] = g


class Batches:
    """The rows of a set of games, and the waves over them. ``kernels`` are throw, judge and choose.

    ``words`` is the number of words per game, ``outcomes`` the number of outcomes to compare at an event (0 for none),
    ``worth`` the number of words in a position's value, and ``room`` the number of positions evaluated at a time.
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
        self.crew = self.crews[0]  # stopping it stops the wave
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
            crew.at_once = width * max(games, room)  # so that a GPU does everything in one launch
        self.put(width=width, room=room, **{name: row.address for name, row in self.rows.items()})

    def put(self, **words: Any) -> None:
        """Set words in all kernels that have them."""
        for kernel, crew in zip(self.kernels, self.crews, strict=True):
            crew.put(**{name: word for name, word in words.items() if name in kernel.words.place})

    def play(self, states: Any, on_wave: Callable[[int], None] | None = None) -> None:
        """Play games from these positions, an array with a column for each, until all have ended or a stop.

        ``on_wave`` is called after each wave with the number of unfinished games.
        """
        import numpy as np

        live = states.shape[1]
        begin = Row.of(states, self.target)  # keeps it alive while kernels use its address
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
        """Advance all games by one move, and return the number of unfinished ones."""
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
                    f"{self.game.name}: {positions} positions follow one position, but there is room for {self.room}"
                )
            judge.do_items(min(positions, self.room), self.room)
            choose.do_items(portion, portion)
            self.branching = max(positions / portion, 1.0)
            first += portion
        return counts.get(NEXT_COUNT)
