"""Random playouts: random games to the end, with uniformly random moves and chance outcomes by probability."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from zerosum.game import CHANCE, Game
from zerosum.jit.bits import mix, signed
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import STOP, Region, width_of
from zerosum.jit.rules import Rules
from zerosum.jit.target import Target
from zerosum.jit.words import float_word, floating, word_float
from zerosum.running.crew import Crew
from zerosum.search.dice import next_below, pick_outcome

# The seed, this game's dice, and the results: games, plies, won by MAX, by MIN, the sum of utilities as a float.
WORDS = ITEMS.then("seed", "dice", "done", "plies", "wins", "losses", "total")
SEED, DICE, DONE, PLIES, WINS, LOSSES, TOTAL = WORDS

LONGEST_GAME = 10_000
"""A game of more plies counts as endless."""

ENDLESS = -10
"""The error code for a game that is too long."""

PROBLEMS = ((ENDLESS, f"may never end: a game was not over after {LONGEST_GAME:,} plies"),)


@dataclass(frozen=True)
class Playouts:
    """The results of random games.

    Attributes:
        games: the number of games played.
        plies: moves and chance outcomes in all of them.
        wins: games that MAX won: with a utility above 0.
        draws: games with utility 0.
        losses: games that MIN won.
        mean: the average utility, for MAX.
        seconds: the time taken.
    """

    games: int
    plies: int
    wins: int
    draws: int
    losses: int
    mean: float
    seconds: float

    @property
    def plies_per_second(self) -> float:
        return self.plies / self.seconds if self.seconds > 0 else 0.0


def regions(game: Game) -> list[Region]:
    return [
        Region("buffer", width_of(game)),  # moves of a position
        Region("keys", LONGEST_GAME + 1 if game.repetition else 0),  # of a game's positions
    ]


def repetition_on_the_way(rules: Rules):
    """The function ``repeated(key, since, here, mem)``, which enters the key of a game's position at ``here``.

    It returns whether the key has now occurred often enough for a draw, looking back to ``since``.
    """
    keys, times = rules.at["keys"], rules.repetition

    def repeated(key, since, here, mem):
        mem[keys + here] = key
        count = 1
        for i in range(since, here):
            if mem[keys + i] == key:
                count += 1
        return count >= times

    return repeated


def build(rules: Rules):
    to_move, moves, chances, play, utility = rules.to_move, rules.moves, rules.chances, rules.play, rules.utility
    is_terminal, key_of, reversible = rules.is_terminal, rules.key, rules.reversible
    unpack, fail, max_moves, max_chances = rules.unpack, rules.fail, rules.max_moves, rules.max_chances
    has_chance, times = rules.has["chances"], rules.repetition
    state, buffer, repeated = rules.at.state, rules.at["buffer"], repetition_on_the_way(rules)

    def item(i, mem):
        """Play game ``i``, and add its result to the sums."""
        s = unpack(mem, state)
        mem[DICE] = mix(mem[SEED], i)
        ply, since, noted, result = 0, 0, 0, 0.0
        while mem[STOP] == 0:
            if is_terminal(s, mem):
                result = floating(utility(s, mem))
                break
            if ply >= LONGEST_GAME:
                return fail(s, ENDLESS, mem)
            if has_chance:
                if to_move(s, mem) == CHANCE:
                    n = chances(s, mem, buffer, buffer + 2 * max_chances)
                    if n < 0:
                        return fail(s, n, mem)
                    s = play(s, pick_outcome(buffer, n, DICE, mem), mem)
                    ply += 1
                    continue
            if times > 0:
                if repeated(key_of(s, mem), since, noted, mem):
                    break
                noted += 1
            n = moves(s, mem, buffer, buffer + max_moves)
            if n < 0:
                return fail(s, n, mem)
            if n == 0:
                result = floating(utility(s, mem))
                break
            move = mem[buffer + next_below(n, DICE, mem)]
            if times > 0:
                if not reversible(s, move, mem):
                    since = noted
            s = play(s, move, mem)
            ply += 1
        if mem[STOP]:
            return 0
        mem[DONE] += 1
        mem[PLIES] += ply
        mem[TOTAL] = float_word(word_float(mem[TOTAL]) + result)
        if result > 0.0:
            mem[WINS] += 1
        elif result < 0.0:
            mem[LOSSES] += 1
        return 1

    return item


PLAYOUT = ItemKernel(
    "playout",
    ("to_move", "moves", "chances", "play", "utility", "is_terminal", "key", "reversible"),
    build,
    WORDS,
    regions,
    PROBLEMS,
    sums=("done", "plies", "wins", "losses"),
    fraction_sums=("total",),
)

AT_ONCE = 256
"""Games that a thread takes at a time."""


def play_at_random(game: Game, s: Any, games: int, seed: int, threads: int, target: Target) -> Playouts:
    """Play a number of games. The result does not depend on which thread plays which game."""
    crew = Crew(PLAYOUT, game, threads, target)
    crew.put(seed=signed(seed))
    for member in crew:
        member.put_state(s)
    started = time.perf_counter()
    crew.run(lambda report: crew.do_items(games, AT_ONCE))
    seconds = time.perf_counter() - started
    done, plies, wins, losses = (sum(getattr(m, word) for m in crew) for word in ("done", "plies", "wins", "losses"))
    mean = sum(word_float(member.total) for member in crew) / max(done, 1)
    return Playouts(done, plies, wins, done - wins - losses, losses, mean, seconds)
