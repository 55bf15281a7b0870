"""Random playouts: games of random moves to the end, uniform over moves, outcomes of chance by probability."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from zerosum.errors import GameError
from zerosum.game import CHANCE, Game
from zerosum.jit.bits import signed
from zerosum.jit.kernel import Kernel, Memory
from zerosum.jit.rules import ERROR, STOP, Layout, Rules
from zerosum.jit.words import float_word, floating, word_float
from zerosum.search.background import in_background
from zerosum.search.dice import next_below, pick_outcome

# Words of the header, after those of every kernel: how many games, the dice, and what came out.
GAMES, DICE, DONE, PLIES, WINS, LOSSES, TOTAL = range(4, 11)

LONGEST_GAME = 10_000
"""A game of more plies counts as one that never ends."""

ENDLESS = -10
"""What is left in ``mem[ERROR]`` by a game that was too long."""


@dataclass(frozen=True)
class Playouts:
    """What came out of some random games.

    Attributes:
        games: how many were played.
        plies: moves and outcomes of chance in all of them.
        wins: games that MAX has won: with a utility above 0.
        draws: games with utility 0.
        losses: games that MIN has won.
        mean: the average utility, for MAX.
        seconds: time taken.
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


class PlayoutLayout:
    """The regions of the memory: moves of a position, then the keys of a game."""

    def __init__(self, at: Layout, repeats: bool) -> None:
        self.buffer = at.free
        self.keys = self.buffer + at.width
        self.words = self.keys + (LONGEST_GAME + 1 if repeats else 0)


def build(rules: Rules):
    to_move, moves, chances, play, utility = rules.to_move, rules.moves, rules.chances, rules.play, rules.utility
    is_terminal, key_of, reversible, unpack, pack = (
        rules.is_terminal,
        rules.key,
        rules.reversible,
        rules.unpack,
        rules.pack,
    )
    max_moves, max_chances, state, culprit = rules.max_moves, rules.max_chances, rules.at.state, rules.at.culprit
    has_chance, times = rules.has["chances"], rules.repetition
    layout = PlayoutLayout(rules.at, times > 0)
    buffer, keys = layout.buffer, layout.keys

    def wrong(s, code, mem):
        pack(s, mem, culprit)
        mem[ERROR] = code
        mem[STOP] = 1

    def repeated(key, since, here, mem):
        """Enter the key at ``here``; whether it is there for the last time allowed, looking back to ``since``."""
        mem[keys + here] = key
        count = 1
        for i in range(since, here):
            if mem[keys + i] == key:
                count += 1
        return count >= times

    def entry(mem):
        """Plays the games; leaves their number, plies, wins, losses, and the sum of utilities as a float."""
        start = unpack(mem, state)
        plies, wins, losses, total = 0, 0, 0, 0.0
        for _ in range(mem[GAMES]):
            s = start
            ply, since, noted, result = 0, 0, 0, 0.0
            while mem[STOP] == 0:
                if is_terminal(s, mem):
                    result = floating(utility(s, mem))
                    break
                if ply >= LONGEST_GAME:
                    wrong(s, ENDLESS, mem)
                    break
                if has_chance:
                    if to_move(s, mem) == CHANCE:
                        n = chances(s, mem, buffer, buffer + 2 * max_chances)
                        if n < 0:
                            wrong(s, n, mem)
                            break
                        s = play(s, pick_outcome(buffer, n, DICE, mem), mem)
                        ply += 1
                        continue
                if times > 0:
                    if repeated(key_of(s, mem), since, noted, mem):
                        break
                    noted += 1
                n = moves(s, mem, buffer, buffer + max_moves)
                if n <= 0:
                    if n < 0:
                        wrong(s, n, mem)
                    else:
                        result = floating(utility(s, mem))
                    break
                move = mem[buffer + next_below(n, DICE, mem)]
                if times > 0:
                    if not reversible(s, move, mem):
                        since = noted
                s = play(s, move, mem)
                ply += 1
            if mem[STOP]:
                break
            mem[DONE] += 1
            plies += ply
            total += result
            if result > 0.0:
                wins += 1
            elif result < 0.0:
                losses += 1
        mem[PLIES], mem[WINS], mem[LOSSES], mem[TOTAL] = plies, wins, losses, float_word(total)
        return mem[DONE]

    return entry


PLAYOUT = Kernel(
    "playout",
    ("to_move", "moves", "chances", "play", "utility", "is_terminal", "key", "reversible"),
    build,
)


def play_at_random(game: Game, s: Any, games: int, seed: int, jit: bool) -> Playouts:
    """Run the kernel in the background, so that it can be interrupted."""
    kernel = PLAYOUT.of(game, jit)
    memory = Memory(game, PlayoutLayout(Layout(game), game.repetition > 0).words, jit)
    row = memory.row
    memory.put_state(s)
    row[GAMES], row[DICE] = games, signed(seed)

    def stop() -> None:
        row[STOP] = 1

    def work(report: Any) -> Playouts:
        started = time.perf_counter()
        kernel(memory)
        seconds = time.perf_counter() - started
        if row[ERROR] == ENDLESS:
            raise GameError(f"{game.name}: may never end: a random game was not over after {LONGEST_GAME:,} plies")
        memory.raise_error()
        done, plies, wins, losses = (int(row[i]) for i in (DONE, PLIES, WINS, LOSSES))
        return Playouts(done, plies, wins, done - wins - losses, losses, word_float(row[TOTAL]) / max(done, 1), seconds)

    return in_background(work, stop)  # type: ignore[no-any-return]
