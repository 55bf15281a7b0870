"""The kernel of look-ahead self-play: a network plays itself, and each position is valued by searching one move ahead.

That value is the best reply to each roll, weighted by the dice; without dice, the best reply. It costs one evaluation
per reply, and contains no luck. ``lookahead_training`` learns from it.

A network that makes the same error before and after a move learns nothing from this. So λ adds what later positions of
the game reveal: for each, the difference between its look-ahead value and the network's own value, times λ for each
move in between. These differences contain no luck either, because they compare values of the same position. With
λ = 1 their sum is the result of the game minus all luck.
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
    """Return the kernel's ``build`` for networks of this shape."""
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
            """Write to the notes the value of ``s`` for MAX by looking one move ahead, averaged over the dice."""
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
            """Add to the values of a game's positions what later positions reveal."""
            values, share = floats_at(mem[VALUES]), np.float32(word_float(mem[LAMBDA]))
            for back in range(1, count):
                later = count - back
                if mem[explored + later]:
                    continue  # it was not reached by the best move
                place = later * NOTE
                for k in range(outputs):
                    values[AHEAD + place - NOTE + k] += share * (values[AHEAD + place + k] - values[place + k])

        def entry(mem):
            """Play one game; leave its positions and their number, which is 0 if the game did not finish."""
            mem[POSITIONS] = max(one_game(mem), 0)
            add_later(mem[POSITIONS], mem)
            return mem[POSITIONS]

        return entry

    return build


def lookahead_kernel(shape: Shape) -> Kernel:
    """The kernel of self-play with look-ahead, for networks of this shape."""
    return Kernel("look-ahead", USES, build_for(shape), WORDS, regions)
