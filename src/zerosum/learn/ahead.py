"""Games of a network against itself, each position with what one more move makes of it: the kernel.

That is the best reply to each roll, weighted by the dice; without dice, the best reply. It costs as many evaluations as
there are replies, and has no luck in it. What is learned from it is in ``ahead_training``.

A network that errs in the same way before and after a move learns nothing from that. So λ adds what later positions of
the game have found out: for each the difference between its value from one move more and the network's own, times λ for
each move on the way. The dice's luck is not in these differences either, as they compare values of one position; with
λ = 1 their sum is the result of the game less all luck.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.game import CHANCE
from zerosum.jit.kernel import Kernel
from zerosum.jit.rules import Rules
from zerosum.jit.words import floats_at, word_float
from zerosum.learn.learner import AVERAGE, BEST_CHANCES, NOTE
from zerosum.learn.td import (
    AHEAD,
    LAMBDA,
    NOTES,
    POSITIONS,
    USES,
    VALUES,
    WORDS,
    game_of,
    player_of,
    regions,
)
from zerosum.networks.functions import Functions
from zerosum.networks.shape import ZERO, Shape


def build_for(shape: Shape) -> Any:
    """The kernel's ``build`` for networks of this shape."""
    outputs = shape.outputs
    outcome = Functions(shape).outcome

    def build(rules: Rules) -> Any:
        to_move, play, utility, is_terminal = rules.to_move, rules.play, rules.utility, rules.is_terminal
        chances, has_chance, max_chances = rules.chances, rules.has["chances"], rules.max_chances
        outcomes, explored = rules.at["outcomes"], rules.at["explored"]
        look, fail = player_of(rules, shape), rules.fail

        def add_reply(s, chance, mem):
            """Add the chances after the best reply in ``s`` to the average."""
            notes = floats_at(mem[NOTES])
            ended = is_terminal(s, mem)
            if not ended:
                n = look(s, mem)
                if n < 0:
                    fail(s, n, mem)
                ended = n == 0
            if ended:
                outcome(notes, BEST_CHANCES, utility(s, mem))
            share = np.float32(chance)
            for k in range(outputs):
                notes[AVERAGE + k] += share * notes[BEST_CHANCES + k]

        def look_ahead(s, mem):
            """What one move more makes of ``s``, averaged over the dice, for MAX, in the notes."""
            notes = floats_at(mem[NOTES])
            for k in range(outputs):
                notes[AVERAGE + k] = ZERO
            if has_chance:
                if to_move(s, mem) == CHANCE:
                    n = chances(s, mem, outcomes, outcomes + 2 * max_chances)
                    if n < 0:
                        fail(s, n, mem)
                    for i in range(n):
                        add_reply(play(s, mem[outcomes + 2 * i], mem), word_float(mem[outcomes + 2 * i + 1]), mem)
                    return
            add_reply(s, 1.0, mem)

        def value(s, ply, mem):
            look_ahead(s, mem)
            notes, values = floats_at(mem[NOTES]), floats_at(mem[VALUES])
            for k in range(outputs):
                values[AHEAD + ply * NOTE + k] = notes[AVERAGE + k]

        one_game = game_of(rules, shape, value)

        def add_later(count, mem):
            """Add to the values of a game's positions what later ones have found out."""
            values, share = floats_at(mem[VALUES]), np.float32(word_float(mem[LAMBDA]))
            for back in range(1, count):
                later = count - back
                if mem[explored + later]:
                    continue  # it did not follow from the best move
                place = later * NOTE
                for k in range(outputs):
                    values[AHEAD + place - NOTE + k] += share * (values[AHEAD + place + k] - values[place + k])

        def entry(mem):
            """Plays one game; leaves its positions, and how many they are: none if it did not end."""
            mem[POSITIONS] = max(one_game(mem), 0)
            add_later(mem[POSITIONS], mem)
            return mem[POSITIONS]

        return entry

    return build


def ahead_kernel(shape: Shape) -> Kernel:
    """Self-play that looks ahead, for networks of this shape."""
    return Kernel("look-ahead", USES, build_for(shape), WORDS, regions)
