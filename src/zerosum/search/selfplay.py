"""Complete games of the engine against itself, in one compiled call: the data for training and tuning.

The first moves of a game are random, by the seed, so that games differ. Then both sides search, to a fixed
depth or number of nodes, and play the best move. Every searched position is stored with its value, and with flags that
make it unsuitable for learning, if any: see FORCED, NOISY and DECIDED.

With an endgame database, the searches probe it, and a game ends as soon as its position is in the database, with the
result of perfect play: how shallow searches would handle a won endgame says little about the positions before it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any

from zerosum.errors import LimitError
from zerosum.game import MAX, WIN, Game
from zerosum.jit.bits import mix
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import ERROR, HALT, NODE_LIMIT, NODES, STOP, Region
from zerosum.jit.rules import Rules
from zerosum.jit.target import Target, target_of
from zerosum.running.crew import Crew, Member
from zerosum.running.stopping import Stop
from zerosum.search import alphabeta
from zerosum.search.dice import next_below
from zerosum.search.limits import NO_LIMIT, Limits, check_games, check_hash, check_threads
from zerosum.search.memory import (
    AGE,
    ALPHA,
    BETA,
    DEPTH,
    DOUBTS,
    FOREVER,
    NO_BOUND,
    PAST,
    PAST_LIMIT,
    ROOT_BEST,
    ROOT_COUNT,
    ROOT_DONE,
    ROOT_VALUE,
    SEARCH,
    SWITCHES,
    UNIT,
    UNSEEN,
    search_regions,
)
from zerosum.search.options import SearchOptions, margin_unit, switch
from zerosum.search.probing import ANYWHERE, probing
from zerosum.search.repetition import repetition_test
from zerosum.search.table import OLDEST, Table
from zerosum.search.values import WON
from zerosum.search.worker import Worker
from zerosum.solved_tiers import Directory
from zerosum.state import signed

# fmt: off
WORDS = SEARCH.then(
    "random_plies", "last_depth", "move_nodes",  # how a game is played; no nodes: no limit
    "perfect",  # with at most this many moves left, searches go to the end
    "resign", "balance",  # for MAX, in the units of values; 0: not used
    "dice", "record_count", "result", "finished",
)
RANDOM_PLIES, LAST_DEPTH, MOVE_NODES, PERFECT, RESIGN, BALANCE, DICE, RECORDS, RESULT, FINISHED = WORDS
# fmt: on

ASPIRATION, PROBCUT = switch("aspiration"), switch("probcut")

LONGEST_GAME = 400
"""Plies after which a game is abandoned; its result is unknown, and it is skipped."""

FORCED, NOISY, DECIDED = 1, 2, 4
"""Flags of a record: the position is forced; its best move is noisy; the search found who wins. A position
without flags is quiet."""

TOO_MUCH = 2
"""If a search has a node limit, it begins no new depth after half of the nodes, and abandons a depth at TOO_MUCH times
the limit. So the mean is near the limit, and few nodes are wasted."""

DEEPEST = 64
"""The greatest depth of a search that is limited by nodes, and the depth of one to the end of the game."""

BEFORE_THE_END = 6
"""Depths before the search to the end of the game: they find a good first move, and fill the table."""

SMALL_TABLE, LARGE_TABLE = 0.5, 2.0
"""Megabytes of a player's table: shallow searches are faster with one that fits in the processor's cache."""

DEEP, MANY_NODES = 8, 10_000
"""Searches to this depth, or with this many nodes, need the large one."""

IN_A_ROW = 4
"""Consecutive searches that must agree before a player resigns."""

OPENINGS = 16
"""Random openings to try; the last one is played however unbalanced it is."""


def build(rules: Rules):
    moves, play, key_of, reversible = rules.moves, rules.play, rules.key, rules.reversible
    is_terminal, utility = rules.counting_the_clock()
    unpack, pack, state, repeats = rules.unpack, rules.pack, rules.at.state, rules.repetition > 0
    fail, width, size, scored = rules.fail, rules.max_moves, rules.game.state_type.size, rules.scored
    root_moves, records, start = rules.at["root_moves"], rules.at["records"], rules.at["start"]
    repeated, note_position, _, _ = repetition_test(rules)
    search = alphabeta.build(rules)
    to_move, (has_database, probed, _, _) = rules.to_move, probing(rules)
    moves_left, has_moves_left = rules.moves_left, rules.has["moves_left"]
    is_forced, has_forced = rules.is_forced, rules.has["is_forced"]
    noisy_moves, has_noisy, buffer = rules.noisy_moves, rules.has["noisy_moves"], rules.at["buffer"]

    def bring_to_front(place, mem):
        """Move the root move at ``place`` to the front; the others keep their order."""
        move = mem[root_moves + place]
        for i in range(place, 0, -1):
            mem[root_moves + i] = mem[root_moves + i - 1]
        mem[root_moves] = move

    def knows_all(value, depth, mem):
        """Whether a deeper search could find nothing new."""
        if not scored:
            if value >= WIN - depth or value <= depth - WIN:
                return True
        return mem[DOUBTS] & UNSEEN == 0

    def search_around(expected, depth, mem):
        """Search the root to one depth, with a window around the last depth's value, and widen it where it fails."""
        low, high, margin = -NO_BOUND, NO_BOUND, max(1, mem[UNIT] >> 2)
        if mem[SWITCHES] & ASPIRATION and depth >= 4 and (scored or -WON < expected < WON):
            low, high = expected - margin, expected + margin
        while True:
            mem[DEPTH], mem[ALPHA], mem[BETA], mem[ROOT_DONE] = depth, low, high, 0
            search(mem)
            if mem[STOP] or low < mem[ROOT_VALUE] < high:
                return
            wide = margin >= 4 * mem[UNIT]
            if mem[ROOT_VALUE] >= high:
                high = NO_BOUND if wide else high + margin
            else:
                low = -NO_BOUND if wide else low - margin
            margin *= 4

    def think(n, mem):
        """The value of the state in memory. Puts the best of its ``n`` root moves first.

        The value is meaningless if the caller has stopped the game, or if a rule broke its promise. A node limit ends
        the current depth, whose results so far are dropped.
        """
        limit, begun, value = mem[MOVE_NODES], mem[NODES], 0
        last, to_the_end = mem[LAST_DEPTH], False
        if has_moves_left and mem[PERFECT] > 0:
            if moves_left(unpack(mem, state), mem) <= mem[PERFECT]:
                last, limit, to_the_end = min(last, BEFORE_THE_END), 0, True
        mem[ROOT_COUNT] = n
        switches = mem[SWITCHES]
        for step in range(1, last + 1 + to_the_end):
            depth = step
            if step > last:
                depth, mem[SWITCHES] = DEEPEST, switches & ~PROBCUT  # to the end means for certain
            mem[NODE_LIMIT] = begun + TOO_MUCH * limit if limit > 0 and depth > 1 else NO_LIMIT
            search_around(value, depth, mem)
            if mem[STOP]:
                if mem[HALT] == 0 and mem[ERROR] == 0:
                    mem[STOP] = 0  # it was the node limit; if the caller stops right now, HALT shows it
                break
            value = mem[ROOT_VALUE]
            bring_to_front(mem[ROOT_BEST], mem)
            if (limit > 0 and 2 * (mem[NODES] - begun) >= limit) or knows_all(value, depth, mem):
                break
        mem[SWITCHES] = switches
        return value

    def flags_of(s, move, value, mem):
        """The flags of ``s``, whose best move is ``move``; negative if a rule broke its promise."""
        flags = 0
        if has_forced:
            if is_forced(s, mem) != 0:
                flags |= FORCED
        if has_noisy:
            n = noisy_moves(s, mem, buffer, buffer + width)
            if n < 0:
                return n
            for i in range(n):
                if mem[buffer + i] == move:
                    flags |= NOISY
        if not scored:
            if value >= WON or value <= -WON:
                flags |= DECIDED
        return flags

    def entry(mem):
        """Play one game from the state in memory; leave its result, and a state, value and flags for each search."""
        mem[RECORDS], mem[FINISHED], mem[RESULT], mem[PAST] = 0, 0, 0, 0
        for i in range(size):
            mem[start + i] = mem[state + i]
        ply, openings, streak = 0, 1, 0  # streak: consecutive searches beyond RESIGN, negative if MIN is ahead
        while ply < LONGEST_GAME:
            s = unpack(mem, state)
            if is_terminal(s, mem):
                mem[FINISHED], mem[RESULT] = 1, utility(s, mem)
                return 1
            if has_database:
                least, most, _ = probed(s, 0, FOREVER, mem)
                if least > -NO_BOUND or most < NO_BOUND:
                    winner = 1 if to_move(s, mem) == MAX else -1
                    mem[FINISHED], mem[RESULT] = 1, winner if least > 0 else -winner if most < 0 else 0
                    return 1
            key = 0
            if repeats:
                key = key_of(s, mem)
                if repeated(key, 0, mem):
                    mem[FINISHED] = 1
                    return 1
            n = moves(s, mem, root_moves, root_moves + width)
            if n < 0:
                return fail(s, n, mem)
            if n == 0:
                mem[FINISHED], mem[RESULT] = 1, utility(s, mem)
                return 1
            if ply < mem[RANDOM_PLIES]:
                move = mem[root_moves + next_below(n, DICE, mem)]
            else:
                mem[AGE] = mem[AGE] % OLDEST + 1
                value = think(n, mem)
                if mem[HALT] or mem[ERROR]:
                    return 0
                unequal = mem[BALANCE] > 0 and (value > mem[BALANCE] or value < -mem[BALANCE])
                if unequal and mem[RECORDS] == 0 and openings < OPENINGS:
                    openings += 1
                    ply, mem[PAST] = 0, 0
                    for i in range(size):
                        mem[state + i] = mem[start + i]
                    continue
                move = mem[root_moves]
                flags = flags_of(s, move, value, mem)
                if flags < 0:
                    return fail(s, flags, mem)
                at = records + mem[RECORDS] * (size + 2)
                pack(s, mem, at)
                mem[at + size], mem[at + size + 1] = value, flags
                mem[RECORDS] += 1
                if not scored and mem[RESIGN] > 0:
                    if value >= mem[RESIGN]:
                        streak = max(streak, 0) + 1
                    elif value <= -mem[RESIGN]:
                        streak = min(streak, 0) - 1
                    else:
                        streak = 0
                    if streak >= IN_A_ROW or streak <= -IN_A_ROW:
                        mem[FINISHED], mem[RESULT] = 1, 1 if streak > 0 else -1
                        return 1
            if repeats:
                note_position(key, reversible(s, move, mem), 0, mem)
                mem[PAST] += 1
            pack(play(s, move, mem), mem, state)
            ply += 1
        return 0

    return entry


def regions(game: Game) -> list[Region]:
    """The regions of a search, the first state of a game, and a state, value and flags for each searched position."""
    size = game.state_type.size
    return [*search_regions(game), Region("start", size), Region("records", LONGEST_GAME * (size + 2))]


SELF_PLAY = Kernel("self-play", alphabeta.ALPHABETA.uses, build, WORDS, regions)
SELF_PLAY_WITH_DATABASE = Kernel(
    "self-play with a database", alphabeta.ALPHABETA_WITH_DATABASE.uses, build, WORDS, regions
)
assert LONGEST_GAME < PAST_LIMIT


@dataclass(frozen=True)
class SelfPlayed:
    """A game: its positions as rows of words, the value and flags of each, and the utility at the end.

    Values are for MAX. If a database ended the game, or a player resigned, the result is 1, 0 or -1: who wins, not by
    how much. ``number`` is the game's number among those of its seed, ``nodes`` the positions that its searches
    visited.
    """

    states: Any
    values: Any
    flags: Any
    result: int
    number: int
    nodes: int


def self_play(
    game: Game, games: int, *, first: int = 0, stop: Stop | None = None, **how: Any
) -> Generator[SelfPlayed, None, None]:
    """Yield games of the engine against itself, from number ``first`` on, in order, as they end; see ``SelfPlay``.

    Games that do not end are skipped.

    >>> from zerosum.games import load
    >>> played = list(self_play(load("tictactoe"), 3, depth=9, random_plies=1, hash_mb=1, jit=False))
    >>> [game.result for game in played], len(played[0].states)
    ([0, 0, 0], 8)
    """
    check_games(games, how.get("seed", 0))
    threads = min(check_threads(how.pop("threads", 1)), games)
    yield from SelfPlay(game, threads=threads, **how).games(range(first, first + games), stop)


class SelfPlay:
    """Plays games of the engine against itself. Game n of a seed is always the same, whichever worker plays it."""

    def __init__(
        self,
        game: Game,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        perfect: int = 0,
        random_plies: int = 8,
        both_begin: bool = False,
        resign: float = 0,
        balance: float = 0,
        seed: int = 0,
        threads: int = 1,
        hash_mb: float | None = None,
        database: Directory | None = None,
        jit: bool | Target = True,
    ) -> None:
        """Prepare to play.

        Args:
            depth, nodes: the limit of each search; without either, depth 4. With ``nodes`` a search visits about
                this many positions, at most twice as many; only complete depths count, and depth 1 is always completed.
            perfect: with at most this many moves left (``moves_left``), searches go to the end of the game.
            random_plies: random moves before the first search.
            both_begin: in about half of the games, by the seed, one more random move: the other player searches first.
            resign: a game is won if four searches in a row find one player ahead by this many units; 0: never.
                Only in games that are not ``scored``.
            balance: if the first search finds a player ahead by more units than this, another opening is drawn; 0: play
                every opening.
            database: an endgame database of the game, loaded by ``load_shared`` with the same ``jit``.
        """
        limits = Limits(depth=4 if depth is None and nodes is None else depth, nodes=nodes)
        check_games(1, seed)
        if game.has("chances"):
            raise LimitError(f"{game.name} has chance nodes: self-play by alpha-beta is for games without chance")
        for name, number in (("random_plies", random_plies), ("perfect", perfect)):
            if not isinstance(number, int) or number < 0:
                raise LimitError(f"{name} must be a whole number of at least 0, not {number!r}")
        if perfect and not game.has("moves_left"):
            raise LimitError(f"perfect needs moves_left, which {game.name} does not define")
        unit = margin_unit(game)
        points = {"resign": _in_points("resign", resign, unit), "balance": _in_points("balance", balance, unit)}
        kernel, target = SELF_PLAY if database is None else SELF_PLAY_WITH_DATABASE, target_of(jit)
        self._crew = Crew(kernel, game, check_threads(threads), target)
        self._crew.put(last_depth=limits.depth or DEEPEST, move_nodes=limits.nodes or 0, perfect=perfect, **points)
        if hash_mb is None:
            is_deep = limits.depth >= DEEP if limits.depth else (limits.nodes or 0) >= MANY_NODES
            hash_mb = LARGE_TABLE if is_deep or perfect >= DEEP else SMALL_TABLE
        size = check_hash(hash_mb)
        self._players = {id(member): _Player(member, Table(size, target), database) for member in self._crew}
        self._seed, self._random_plies, self._both_begin = seed, random_plies, both_begin

    def games(self, numbers: Iterable[int], stop: Stop | None = None) -> Generator[SelfPlayed, None, None]:
        """Yield the games with these numbers, in order, as they end."""
        for played in self._crew.in_order(numbers, self._one, stop=stop):
            if played is not None:
                yield played

    def _one(self, member: Member, number: int) -> SelfPlayed | None:
        dice = mix(self._seed, number)
        plies = self._random_plies + (mix(dice, 1) & 1 if self._both_begin else 0)
        return self._players[id(member)].play(number, dice, plies)


def _in_points(name: str, units: float, unit: int) -> int:
    """Convert a number of units to a value; LimitError if it is invalid."""
    if not isinstance(units, (int, float)) or not 0 <= units < WON:
        raise LimitError(f"{name} must be a number of units of at least 0, not {units!r}")
    return round(units * unit)


class _Player:
    """One member of the crew, with its own table."""

    def __init__(self, member: Member, table: Table, database: Directory | None) -> None:
        self.game, self.table = member.game, table
        self.worker = Worker(member, SearchOptions.advised(member.game))
        if database is not None:
            self.worker.look_into(database.address, ANYWHERE)
        self.database = database  # keeps its memory alive as long as the worker

    def play(self, number: int, dice: int, random_plies: int) -> SelfPlayed | None:
        """Play one game; None if it was stopped or did not end."""
        import numpy as np

        member = self.worker.member
        self.table.clear()
        self.worker.begin(self.game.initial(), self.table, 0, None)
        member.dice, member.random_plies = dice, random_plies
        member.run()
        if not member.finished:
            return None
        size, at = self.game.state_type.size + 2, member.at["records"]
        words = member.row[at : at + member.record_count * size]
        if isinstance(words, list):
            words = [signed(word) for word in words]
        records = np.array(words, np.int64).reshape(-1, size)
        return SelfPlayed(records[:, :-2], records[:, -2], records[:, -1], member.result, number, member.nodes)
