"""Self-play with temporal-difference learning, whole games in one compiled call.

Both sides play the move that the network evaluates best. After the game, the value of every position, from the last to
the first, is moved towards what followed: the result and the values of later positions, mixed by λ (R. Sutton, Learning
to predict by the methods of temporal differences, 1988; G. Tesauro, TD-Gammon, 1995). The mix is computed backwards,
which gives the same sums as eligibility traces without keeping a trace for every weight.

Some moves may be chosen at random. Positions before a random move then learn the value of the best move, not of the
random one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.game import CHANCE, Game
from zerosum.jit.kernel import ITEMS, Kernel
from zerosum.jit.plan import STOP, Region, width_of
from zerosum.jit.rules import Rules
from zerosum.jit.words import LANES, float_word, floating, floats_at, word_float
from zerosum.learn.learner import BEST_CHANCES, NOTE, RETURN, TARGET, learner_of
from zerosum.networks.functions import Functions
from zerosum.networks.shape import ONE, ZERO, Shape
from zerosum.search.dice import LOW_53, next_below, next_word, pick_outcome

WORDS = ITEMS.then(
    *("games", "dice", "rate", "trace", "explore"),  # number of games, random state, and TdOptions
    # Addresses of rows: the networks, the mean squares of pulls on each weight (see ``learner``), three work rows,
    # notes, the features of a game's positions, and their values.
    *("weights", "squares", "candidate", "known", "learner", "notes", "recorded", "values"),
    # Results: games learned from, positions in them, the sum of squared errors as a float; and the best move's place.
    *("done", "positions", "surprise", "best"),
)
# fmt: off
(
    GAMES, DICE, RATE, LAMBDA, EXPLORE, WEIGHTS, SQUARES, CANDIDATE, KNOWN, LEARNER, NOTES, RECORDED, VALUES,
    DONE, POSITIONS, SURPRISE, BEST,
) = WORDS
# fmt: on

LONGEST_GAME = 1500
"""A game with more positions is abandoned, and not learned from."""

AHEAD = LONGEST_GAME * NOTE
"""Where the look-ahead values begin in the row of values: see ``lookahead``."""


def regions(game: Game) -> list[Region]:
    width = width_of(game)
    return [
        Region("buffer", width),  # moves of a position
        Region("outcomes", width),  # outcomes of chance
        Region("kinds", LONGEST_GAME),  # for each position of a game: the network and player its features are for
        Region("explored", LONGEST_GAME),  # for each position of a game: whether a random move led to it
    ]


def player_of(rules: Rules, shape: Shape) -> Any:
    """Return ``look(s, mem)``, which evaluates all moves in ``s``.

    ``look`` returns the number of moves, negative if a rule fails. It leaves the best move's place among the moves in
    ``mem[BEST]``, and its chances for MAX in the notes.
    """
    to_move, moves, play, utility = rules.to_move, rules.moves, rules.play, rules.utility
    is_terminal, features, width = rules.is_terminal, rules.features, rules.max_moves
    buffer = rules.at["buffer"]
    hidden, padded, net_of = shape.hidden, shape.padded, Functions(shape)
    clear, first_sums, move_sums, conclude = net_of.clear, net_of.first_sums, net_of.move_sums, net_of.conclude
    value, outcome, copy_chances = net_of.value, net_of.outcome, net_of.copy_chances
    sums, chances = net_of.sums, net_of.chances

    def keep(row, known):
        for i in range(padded):
            known[i] = row[i]
        for j in range(hidden):
            known[sums + j] = row[sums + j]

    def look(s, mem):
        n = moves(s, mem, buffer, buffer + width)
        if n <= 0:
            return n
        row, known = floats_at(mem[CANDIDATE]), floats_at(mem[KNOWN])
        weights, notes = floats_at(mem[WEIGHTS]), floats_at(mem[NOTES])
        mover = to_move(s, mem)
        known_net, best, best_value = -1, 0, -1e9
        for i in range(n):
            after = play(s, mem[buffer + i], mem)
            view = 0
            if is_terminal(after, mem):
                outcome(row, chances, utility(after, mem))
            else:
                clear(row)
                kind = features(after, row, mem)
                if kind < 0:
                    copy_chances(row, chances, row, 0, False)
                    view = (-1 - kind) & 1
                else:
                    net, view = kind >> 1, kind & 1
                    if hidden:
                        if net == known_net:
                            move_sums(row, known, weights, net)
                        else:
                            first_sums(row, weights, net)
                            keep(row, known)
                            known_net = net
                    conclude(row, weights, net)
            found = floating(value(row, chances))
            if view != mover:
                found = -found
            if found > best_value:
                best, best_value = i, found
                copy_chances(notes, BEST_CHANCES, row, chances, view != 0)
        mem[BEST] = best
        return n

    return look


def game_of(rules: Rules, shape: Shape, on_position: Any) -> Any:
    """Return ``one_game(mem)``, which plays a game of the network against itself and records positions and values.

    ``one_game`` returns the number of positions, or -1 if the game did not finish, and leaves the final chances as the
    return in the notes. A position's value is the chances of the best move before it. ``on_position(s, ply, mem)`` may
    record more.
    """
    padded, outputs = shape.padded, shape.outputs
    net_of = Functions(shape)
    clear, outcome = net_of.clear, net_of.outcome
    to_move, play, utility, is_terminal = rules.to_move, rules.play, rules.utility, rules.is_terminal
    chances, features, unpack, state = rules.chances, rules.features, rules.unpack, rules.at.state
    has_chance, max_chances = rules.has["chances"], rules.max_chances
    place, look, fail = rules.at, player_of(rules, shape), rules.fail
    buffer, outcomes, kinds, explored = place["buffer"], place["outcomes"], place["kinds"], place["explored"]

    def record(s, ply, mem):
        """Record the features of ``s``; return True if they are already its chances, so that the game can end here."""
        row, recorded = floats_at(mem[LEARNER]), floats_at(mem[RECORDED])
        clear(row)
        kind = features(s, row, mem)
        if kind < 0:
            return True
        for i in range(padded):
            recorded[ply * padded + i] = row[i]
        mem[kinds + ply] = kind
        return False

    def one_game(mem):
        s = unpack(mem, state)
        notes, values = floats_at(mem[NOTES]), floats_at(mem[VALUES])
        explore = word_float(mem[EXPLORE])
        ply = 0
        while mem[STOP] == 0 and ply < LONGEST_GAME:
            if is_terminal(s, mem):
                outcome(notes, RETURN, utility(s, mem))
                return ply
            if has_chance:
                if to_move(s, mem) == CHANCE:
                    n = chances(s, mem, outcomes, outcomes + 2 * max_chances)
                    if n < 0:
                        fail(s, n, mem)
                        return -1
                    s = play(s, pick_outcome(outcomes, n, DICE, mem), mem)
                    continue
            n = look(s, mem)
            if n < 0:
                fail(s, n, mem)
                return -1
            if n == 0:
                outcome(notes, RETURN, utility(s, mem))
                return ply
            place = mem[BEST]
            mem[explored + ply] = 0
            if explore > 0.0:
                if floating((next_word(DICE, mem) >> 11) & LOW_53) / 9007199254740992.0 < explore:
                    place = next_below(n, DICE, mem)
                    mem[explored + ply] = 1 if place != mem[BEST] else 0
            s = play(s, mem[buffer + place], mem)
            # The return is the best move's, even if another move was played.
            for k in range(outputs):
                values[ply * NOTE + k] = notes[BEST_CHANCES + k]
                notes[RETURN + k] = notes[BEST_CHANCES + k]
            if is_terminal(s, mem):
                return ply
            if record(s, ply, mem):
                return ply
            on_position(s, ply, mem)
            ply += 1
        return -1

    return one_game


def no_more(s, ply, mem):
    """Do nothing: TD(λ) does not use a position before the game is over."""


def build_for(shape: Shape) -> Any:
    """Return the kernel's ``build`` for networks of this shape."""
    padded, outputs, zeros = shape.padded, shape.outputs, shape.zeros
    copy_chances = Functions(shape).copy_chances

    def build(rules: Rules) -> Any:
        kinds, explored = rules.at["kinds"], rules.at["explored"]
        one_game, learn = game_of(rules, shape, no_more), learner_of(shape)

        def entry(mem):
            """Play ``mem[GAMES]`` games and learn from each; leave their number, their positions, and their errors."""
            weights, squares = floats_at(mem[WEIGHTS]), floats_at(mem[SQUARES])
            row, recorded = floats_at(mem[LEARNER]), floats_at(mem[RECORDED])
            notes, values = floats_at(mem[NOTES]), floats_at(mem[VALUES])
            rate, share = np.float32(word_float(mem[RATE])), np.float32(word_float(mem[LAMBDA]))
            missed = 0.0
            for _ in range(mem[GAMES]):
                count = one_game(mem)
                if mem[STOP]:
                    break
                if count < 0:
                    continue
                for i in range(LANES):
                    row[zeros + i] = ZERO
                for back in range(count):
                    ply = count - 1 - back
                    kind = mem[kinds + ply]
                    for i in range(padded):
                        row[i] = recorded[ply * padded + i]
                    copy_chances(notes, TARGET, notes, RETURN, kind & 1 != 0)
                    missed += floating(learn(row, weights, squares, kind >> 1, notes, rate))
                    keep = ZERO if mem[explored + ply] else share
                    for k in range(outputs):
                        notes[RETURN + k] = keep * notes[RETURN + k] + (ONE - keep) * values[ply * NOTE + k]
                mem[DONE] += 1
                mem[POSITIONS] += count
            mem[SURPRISE] = float_word(missed)
            return mem[DONE]

        return entry

    return build


USES = ("to_move", "moves", "chances", "play", "utility", "is_terminal", "features")


def td_kernel(shape: Shape) -> Kernel:
    """The kernel of learning self-play, for networks of this shape."""
    return Kernel("td", USES, build_for(shape), WORDS, regions)
