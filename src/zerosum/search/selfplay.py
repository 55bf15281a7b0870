"""Whole games of the engine against itself, in one compiled call: what training and tuning live on.

The first moves of a game are random, by the seed, so that no two games are alike; then both sides search to a fixed
depth and play what they find best. Every searched position is kept with the value that was found for it.

With an endgame database the searches look into it, and a game ends as soon as its position is in there, with the result
that it has at its best: what shallow searches would make of a won ending says little about the position before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zerosum.errors import LimitError
from zerosum.game import MAX, Game
from zerosum.jit.bits import mix
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import STOP, Region
from zerosum.jit.rules import Rules
from zerosum.jit.target import Target, target_of
from zerosum.packed import Directory
from zerosum.running.crew import Crew, Member
from zerosum.running.stopping import Stop
from zerosum.search import alphabeta
from zerosum.search.dice import next_below
from zerosum.search.limits import check_depth, check_games, check_threads
from zerosum.search.memory import (
    ALPHA,
    BETA,
    DEPTH,
    FOREVER,
    NO_BOUND,
    PAST,
    PAST_LIMIT,
    ROOT_BEST,
    ROOT_COUNT,
    ROOT_DONE,
    ROOT_VALUE,
    SEARCH,
    search_regions,
)
from zerosum.search.options import SearchOptions
from zerosum.search.probing import ANYWHERE, probing
from zerosum.search.repetition import repetition_test
from zerosum.search.table import Table
from zerosum.search.worker import Worker
from zerosum.state import signed

WORDS = SEARCH.then("random_plies", "last_depth", "dice", "record_count", "result", "finished")
RANDOM_PLIES, LAST_DEPTH, DICE, RECORDS, RESULT, FINISHED = WORDS

LONGEST_GAME = 400
"""Plies after which a game that goes on is broken off; its result is unknown, and it is left out."""


def build(rules: Rules):
    moves, play, key_of, reversible = rules.moves, rules.play, rules.key, rules.reversible
    is_terminal, utility = rules.counting_the_clock()
    unpack, pack, state, repeats = rules.unpack, rules.pack, rules.at.state, rules.repetition > 0
    fail, width, size = rules.fail, rules.max_moves, rules.game.state_type.size
    root_moves, records = rules.at["root_moves"], rules.at["records"]
    repeated, note_position, _, _ = repetition_test(rules)
    search = alphabeta.build(rules)
    to_move, (has_database, probed, _, _) = rules.to_move, probing(rules)

    def bring_to_front(place, mem):
        """The root move at ``place`` becomes the first; the others keep their order."""
        move = mem[root_moves + place]
        for i in range(place, 0, -1):
            mem[root_moves + i] = mem[root_moves + i - 1]
        mem[root_moves] = move

    def entry(mem):
        """Plays one game from the state in memory; leaves its records (a state and a value each) and its result."""
        mem[RECORDS], mem[FINISHED], mem[RESULT], mem[PAST] = 0, 0, 0, 0
        for ply in range(LONGEST_GAME):
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
                mem[ROOT_COUNT] = n
                for depth in range(1, mem[LAST_DEPTH] + 1):
                    mem[DEPTH], mem[ALPHA], mem[BETA], mem[ROOT_DONE] = depth, -NO_BOUND, NO_BOUND, 0
                    search(mem)
                    if mem[STOP]:
                        return 0
                    bring_to_front(mem[ROOT_BEST], mem)
                move = mem[root_moves]
                at = records + mem[RECORDS] * (size + 1)
                pack(s, mem, at)
                mem[at + size] = mem[ROOT_VALUE]
                mem[RECORDS] += 1
            if repeats:
                note_position(key, reversible(s, move, mem), 0, mem)
                mem[PAST] += 1
            pack(play(s, move, mem), mem, state)
        return 0

    return entry


def regions(game: Game) -> list[Region]:
    """Those of a search, and a state and its value for each position of a game."""
    return [*search_regions(game), Region("records", LONGEST_GAME * (game.state_type.size + 1))]


SELF_PLAY = Kernel("self-play", alphabeta.ALPHABETA.uses, build, WORDS, regions)
SELF_PLAY_WITH_DATABASE = Kernel(
    "self-play with a database", alphabeta.ALPHABETA_WITH_DATABASE.uses, build, WORDS, regions
)
assert LONGEST_GAME < PAST_LIMIT


@dataclass(frozen=True)
class SelfPlayed:
    """A game: its positions as rows of words, the value found for each, and the utility at its end, all for MAX.

    Where a database ended it, the result is 1, 0 or -1: who wins, not by how much.
    """

    states: Any
    values: Any
    result: int


def self_play(
    game: Game,
    games: int,
    *,
    depth: int = 4,
    random_plies: int = 8,
    seed: int = 0,
    threads: int = 1,
    hash_mb: float = 4,
    database: Directory | None = None,
    jit: bool | Target = True,
) -> Iterator[SelfPlayed]:
    """Games of the engine against itself, as they end. Game n of a seed is the same however many threads there are.

    ``database`` is an endgame database of the game as kernels read it, with the same ``jit``: ``unpacked`` makes it.

    >>> from zerosum.games import load
    >>> played = list(self_play(load("tictactoe"), 3, depth=9, random_plies=1, hash_mb=1, jit=False))
    >>> [game.result for game in played], len(played[0].states)
    ([0, 0, 0], 8)
    """
    check_depth(depth)
    check_games(games, seed)
    if game.has("chances"):
        raise LimitError(f"{game.name} has chance in it: self-play by alpha-beta is not for it")
    if not isinstance(random_plies, int) or random_plies < 0:
        raise LimitError(f"random_plies must be a whole number of at least 0, not {random_plies!r}")
    kernel, target = SELF_PLAY if database is None else SELF_PLAY_WITH_DATABASE, target_of(jit)
    crew = Crew(kernel, game, min(check_threads(threads), games), target)
    crew.put(random_plies=random_plies, last_depth=depth)
    players = {id(member): _Player(member, Table(int(hash_mb * 2**20), target), database) for member in crew}

    def share(first: int, ending: Stop) -> list[SelfPlayed | None]:
        """As many games as there are players, at the same time."""
        numbers = range(first, min(first + len(crew), games))
        return crew.hand_out(numbers, lambda member, number: players[id(member)].play(mix(seed, number)))

    for batch in crew.each(range(0, games, len(crew)), share):
        yield from (played for played in batch if played is not None)


class _Player:
    """One of the crew, with a table of its own."""

    def __init__(self, member: Member, table: Table, database: Directory | None) -> None:
        self.game, self.table = member.game, table
        self.worker = Worker(member, SearchOptions.advised(member.game))
        if database is not None:
            self.worker.look_into(database.address, ANYWHERE)
        self.database = database  # its memory must not go before the worker does

    def play(self, seed: int) -> SelfPlayed | None:
        """One game; None if it was stopped or did not end."""
        import numpy as np

        member = self.worker.member
        self.table.clear()
        self.worker.begin(self.game.initial(), self.table, 0, None)
        member.dice = seed
        member.run()
        if not member.finished:
            return None
        size, at = self.game.state_type.size + 1, member.at["records"]
        words = member.row[at : at + member.record_count * size]
        if isinstance(words, list):
            words = [signed(word) for word in words]
        records = np.array(words, np.int64).reshape(-1, size)
        return SelfPlayed(records[:, :-1], records[:, -1], member.result)
