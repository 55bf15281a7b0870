"""Games between a network and a fixed opponent, in compiled code: how a learning curve gets its points.

The network plays the move after which it likes the position best. The opponent does the same with the game's
``evaluate``, or it plays the move to which ``order(s, move)`` gives the highest number, or any. They take
turns at playing MAX.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zerosum.errors import GameError, LimitError
from zerosum.game import CHANCE, MAX, Game
from zerosum.games.network import Shape
from zerosum.jit.bits import mix
from zerosum.jit.kernel import Kernel, Memory
from zerosum.jit.rules import STOP, Layout, Rules
from zerosum.jit.words import float_word, floating, word_float
from zerosum.learn.rows import Rows
from zerosum.learn.td import BEST, DICE, GAMES, USES, TdLayout, player_of, stopper_of
from zerosum.search.background import in_background, together
from zerosum.search.dice import next_below, pick_outcome
from zerosum.search.limits import check_games, check_threads

# Words of the header behind those of learning: random plies at the start, how the opponent plays, the number of the
# first game, and what came out: games, points and their squares as floats, wins and large wins, losses and large ones.
RANDOM_PLIES, OPPONENT, FIRST, PLAYED, POINTS, SQUARES, WON, WON_MORE, LOST, LOST_MORE = range(24, 34)

OPPONENTS = ("random", "evaluate", "order")
AT_RANDOM, BY_EVALUATION, BY_ORDER = range(3)
SURE = 1e9
"""More than any evaluation, for games in which a win is a win."""

LONGEST_GAME = 10_000
"""A game of more plies is a draw."""


def build_for(shape: Shape) -> Any:
    def build(rules: Rules) -> Any:
        to_move, moves, play, utility = rules.to_move, rules.moves, rules.play, rules.utility
        is_terminal, chances, order, evaluate = rules.is_terminal, rules.chances, rules.order, rules.evaluate
        unpack, a_win = rules.unpack, 1.0 if rules.scored else SURE
        has_chance, max_chances, width = rules.has["chances"], rules.max_chances, rules.max_moves
        state = rules.at.state
        layout = TdLayout(rules.at)
        buffer, outcomes = layout.buffer, layout.outcomes
        look, wrong = player_of(rules, shape), stopper_of(rules)

        def liked(s, move, mem):
            """How much the opponent likes a move."""
            if mem[OPPONENT] == BY_ORDER:
                return floating(order(s, move, mem))
            after = play(s, move, mem)
            if is_terminal(after, mem):
                found = a_win * floating(utility(after, mem))
            else:
                found = floating(evaluate(after, mem))
            return found if to_move(s, mem) == MAX else -found

        def opponents_choice(s, n, mem):
            best, best_liked = 0, liked(s, mem[buffer], mem)
            for i in range(1, n):
                found = liked(s, mem[buffer + i], mem)
                if found > best_liked:
                    best, best_liked = i, found
            return best

        def result(side, mem):
            """One game, in which the network plays ``side``; its utility for MAX."""
            s = unpack(mem, state)
            ply = 0
            for _ in range(LONGEST_GAME):
                if mem[STOP]:
                    return 0.0
                if is_terminal(s, mem):
                    return floating(utility(s, mem))
                if has_chance:
                    if to_move(s, mem) == CHANCE:
                        n = chances(s, mem, outcomes, outcomes + 2 * max_chances)
                        if n < 0:
                            wrong(s, n, mem)
                            return 0.0
                        s = play(s, pick_outcome(outcomes, n, DICE, mem), mem)
                        continue
                is_ours = to_move(s, mem) == side
                if is_ours and ply >= mem[RANDOM_PLIES]:
                    n = look(s, mem)
                else:
                    n = moves(s, mem, buffer, buffer + width)
                if n == 0:
                    return floating(utility(s, mem))
                if n < 0:
                    wrong(s, n, mem)
                    return 0.0
                if ply < mem[RANDOM_PLIES] or (mem[OPPONENT] == AT_RANDOM and not is_ours):
                    place = next_below(n, DICE, mem)
                elif is_ours:
                    place = mem[BEST]
                else:
                    place = opponents_choice(s, n, mem)
                s = play(s, mem[buffer + place], mem)
                ply += 1
            return 0.0

        def entry(mem):
            """Plays the games; leaves what came out, for the network."""
            points, squares = 0.0, 0.0
            for number in range(mem[FIRST], mem[FIRST] + mem[GAMES]):
                side = number & 1
                found = result(side, mem)
                if mem[STOP]:
                    break
                if side:
                    found = -found
                points += found
                squares += found * found
                mem[PLAYED] += 1
                if found > 0.0:
                    mem[WON] += 1
                    if found > 1.0:
                        mem[WON_MORE] += 1
                elif found < 0.0:
                    mem[LOST] += 1
                    if found < -1.0:
                        mem[LOST_MORE] += 1
            mem[POINTS], mem[SQUARES] = float_word(points), float_word(squares)
            return mem[PLAYED]

        return entry

    return build


@dataclass(frozen=True)
class Score:
    """What a network got out of some games.

    Attributes:
        games: how many.
        points: the mean utility of a game, for the network.
        error: its standard error.
        wins, large_wins, losses, large_losses: games; large ones are worth more than 1.
    """

    games: int
    points: float
    error: float
    wins: int
    large_wins: int
    losses: int
    large_losses: int

    def __str__(self) -> str:
        """
        >>> print(Score(100, 0.25, 0.1, 60, 10, 40, 5))
        +0.250 ± 0.100 points a game over 100 games, 60 won, 40 lost
        """
        return (
            f"{self.points:+.3f} ± {self.error:.3f} points a game over {self.games:,} games,"
            f" {self.wins:,} won, {self.losses:,} lost"
        )


class Duel:
    """Matches of networks of one shape against one opponent, who plays ``game`` by one of ``OPPONENTS``."""

    def __init__(self, game: Game, shape: Shape, opponent: str = "random", random_plies: int = 0) -> None:
        game.require("features", "a match of a network")
        if opponent not in OPPONENTS:
            raise LimitError(f"{opponent!r} is no opponent; there are {', '.join(OPPONENTS)}")
        if opponent != "random":
            game.require(opponent, f"the opponent {opponent!r}")
        self.game, self.shape, self.opponent, self.random_plies = game, shape, opponent, random_plies
        self._kernel = Kernel("duel", (*USES, "order", "evaluate"), build_for(shape)).of(game)

    def play(self, weights: Any, games: int, seed: int = 0, threads: int = 1) -> Score:
        """So many games; the same ones for equal seeds and numbers of threads."""
        check_games(games, seed)
        check_threads(threads)
        shares = [(k * games // threads, (k + 1) * games // threads) for k in range(threads)]
        memories = []
        for first, end in shares:
            memory = Memory(self.game, TdLayout(Layout(self.game)).words)
            rows = Rows(memory, self.shape, weights)
            memory.put_state(self.game.initial())
            row = memory.row
            row[FIRST], row[GAMES], row[DICE] = first, end - first, mix(seed, first)
            row[RANDOM_PLIES], row[OPPONENT] = self.random_plies, OPPONENTS.index(self.opponent)
            memories.append((memory, rows))

        def stop() -> None:
            for memory, _ in memories:
                memory.row[STOP] = 1

        def one(memory: Memory) -> Callable[[], None]:
            def work() -> None:
                self._kernel(memory)
                memory.raise_error()

            return work

        in_background(lambda report: together([one(memory) for memory, _ in memories], stop), stop)
        return _score([memory.row for memory, _ in memories])


def _score(rows: list[Any]) -> Score:
    played, won, more, lost, lost_more = (
        sum(int(row[word]) for row in rows) for word in (PLAYED, WON, WON_MORE, LOST, LOST_MORE)
    )
    if not played:
        raise GameError("no game of the match was played to its end")
    points, squares = (sum(word_float(row[word]) for row in rows) for word in (POINTS, SQUARES))
    mean = points / played
    error = math.sqrt(max(squares / played - mean * mean, 0.0) / played)
    return Score(played, mean, error, won, more, lost, lost_more)
