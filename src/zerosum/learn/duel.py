"""Compiled games between a network and a fixed opponent, which supply the points of a learning curve.

The network plays the move that leads to the position it evaluates best. The opponent does the same with the game's
``evaluate``, or plays the move with the highest ``order(s, move)``, or a random one. They take turns playing MAX.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from zerosum.errors import GameError, LimitError
from zerosum.game import CHANCE, MAX, Game
from zerosum.jit.bits import mix, signed
from zerosum.jit.kernel import ItemKernel
from zerosum.jit.plan import STOP
from zerosum.jit.rules import Rules
from zerosum.jit.target import target_of
from zerosum.jit.words import float_word, floating, word_float
from zerosum.learn import td
from zerosum.learn.rows import Rows
from zerosum.learn.td import BEST, DICE, USES, player_of, regions
from zerosum.networks.shape import Shape
from zerosum.running.crew import Crew
from zerosum.search.dice import next_below, pick_outcome
from zerosum.search.limits import check_games, check_threads

WORDS = td.WORDS.then(
    *("seed", "random_plies", "opponent"),  # random plies at the start; how the opponent plays
    # Results: games, points and their squares as floats, wins and large wins, losses and large losses.
    *("played", "points", "points_squared", "won", "won_more", "lost", "lost_more"),
)
SEED, RANDOM_PLIES, OPPONENT, PLAYED, POINTS, SQUARES, GAMES_WON, WON_MORE, LOST, LOST_MORE = WORDS

OPPONENTS = ("random", "evaluate", "order")
AT_RANDOM, BY_EVALUATION, BY_ORDER = range(3)
SURE = 1e9
"""More than any evaluation: the value of a win in games that are not scored."""

LONGEST_GAME = 10_000
"""A game with more plies counts as a draw."""

GAMES_AT_ONCE = 8
"""Games that a thread plays at a time."""


def build_for(shape: Shape) -> Any:
    def build(rules: Rules) -> Any:
        to_move, moves, play, utility = rules.to_move, rules.moves, rules.play, rules.utility
        is_terminal, chances, order, evaluate = rules.is_terminal, rules.chances, rules.order, rules.evaluate
        unpack, a_win = rules.unpack, 1.0 if rules.scored else SURE
        has_chance, max_chances, width = rules.has["chances"], rules.max_chances, rules.max_moves
        state, buffer, outcomes = rules.at.state, rules.at["buffer"], rules.at["outcomes"]
        look, fail = player_of(rules, shape), rules.fail

        def liked(s, move, mem):
            """Return the opponent's value of a move."""
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
            """Play one game with the network as ``side``; return its utility for MAX."""
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
                            fail(s, n, mem)
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
                    fail(s, n, mem)
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

        def item(i, mem):
            """Play game ``i``, and add its result for the network to the totals."""
            mem[DICE] = mix(mem[SEED], i)
            side = i & 1
            found = result(side, mem)
            if mem[STOP]:
                return 0
            if side:
                found = -found
            mem[PLAYED] += 1
            mem[POINTS] = float_word(word_float(mem[POINTS]) + found)
            mem[SQUARES] = float_word(word_float(mem[SQUARES]) + found * found)
            if found > 0.0:
                mem[GAMES_WON] += 1
                if found > 1.0:
                    mem[WON_MORE] += 1
            elif found < 0.0:
                mem[LOST] += 1
                if found < -1.0:
                    mem[LOST_MORE] += 1
            return 1

        return item

    return build


@dataclass(frozen=True)
class Score:
    """A network's score in a match.

    Attributes:
        games: the number of games.
        points: the mean utility of a game, for the network.
        error: the standard error of ``points``.
        wins, large_wins, losses, large_losses: numbers of games; large ones are worth more than 1.
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
    """Matches between networks of one shape and one opponent, which plays ``game`` by one of ``OPPONENTS``."""

    def __init__(
        self, game: Game, shape: Shape, opponent: str = "random", random_plies: int = 0, jit: bool = True
    ) -> None:
        game.require("features", "a match of a network")
        if opponent not in OPPONENTS:
            raise LimitError(f"unknown opponent {opponent!r}: choose one of {', '.join(OPPONENTS)}")
        if opponent != "random":
            game.require(opponent, f"the opponent {opponent!r}")
        self.game, self.shape, self.opponent, self.random_plies = game, shape, opponent, random_plies
        self._kernel = ItemKernel("duel", (*USES, "order", "evaluate"), build_for(shape), WORDS, regions)
        self._target = target_of(jit)
        self._kernel.of(game, self._target)  # report compile errors now

    def play(self, weights: Any, games: int, seed: int = 0, threads: int = 1) -> Score:
        """Play a number of games. Equal seeds give equal games on any number of threads."""
        check_games(games, seed)
        crew = Crew(self._kernel, self.game, min(check_threads(threads), games), self._target)
        rows = [Rows(member, self.shape, weights) for member in crew]  # kept until the games are over
        crew.put(seed=signed(seed), random_plies=self.random_plies, opponent=OPPONENTS.index(self.opponent))
        for member in crew:
            member.put_state(self.game.initial())
        crew.run(lambda report: crew.do_items(games, GAMES_AT_ONCE))
        del rows
        return _score(crew)


def _score(crew: Crew) -> Score:
    names = ("played", "won", "won_more", "lost", "lost_more")
    played, won, more, lost, lost_more = (sum(getattr(member, name) for member in crew) for name in names)
    if not played:
        raise GameError("no game of the match finished")
    points = sum(word_float(member.points) for member in crew)
    squares = sum(word_float(member.points_squared) for member in crew)
    mean = points / played
    error = math.sqrt(max(squares / played - mean * mean, 0.0) / played)
    return Score(played, mean, error, won, more, lost, lost_more)
