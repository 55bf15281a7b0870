"""The games of ``lookahead`` played in waves, as a GPU plays them: kernels for networks of one shape.

Each position to learn from is entered in a log: its game and ply, its words, the network's own chances, and the chances
one move ahead. The latter arrive with the next wave: from a segment for each outcome of the dice or, without dice, from
the moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.game import CHANCE
from zerosum.jit.bits import mix
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.rules import Rules
from zerosum.jit.words import (
    float_word,
    floating,
    floats_at,
    memory_at,
    reserve,
    scratch,
    whole,
    word_float,
)
from zerosum.learn.td import LONGEST_GAME
from zerosum.networks.functions import Functions
from zerosum.networks.gpu_form import by_blocks
from zerosum.networks.shape import Shape
from zerosum.search.batches import (
    BATCH,
    BEGIN_BITS,
    CHOICE,
    EVENTS,
    GAMES,
    HOLE,
    KIND_BITS,
    NOTES,
    NOTHING,
    OUTCOMES,
    OWN,
    POSITIONS,
    ROOM,
    SEGMENTS,
    SHARES,
    STATES,
    STEP,
    TO_JUDGE,
    TO_LIST,
    USES,
    UTILITY,
    VALUES,
    WAITS,
    WIDTH,
    best_of,
    count_of,
    for_outcomes,
    found_room,
    goes_on,
    live_game,
)
from zerosum.search.dice import next_below, next_fraction, pick_outcome
from zerosum.search.values import CHANCES_IN_A_ROW

WORDS = BATCH.then(
    *("seed", "first_game", "explore", "dice"),
    # Addresses of the network, the log, the number of positions in it, and the lengths of games.
    *("weights", "log", "logged", "lengths"),
)
SEED, FIRST_GAME, EXPLORE, DICE, WEIGHTS, LOG, LOGGED, LENGTHS = WORDS

BEGUN, GAME_DICE, PLY, LATEST, IS_OVER = range(OWN, OWN + 5)
"""A game's own words: whether it has begun, its dice, the number of its positions in the log, the place (plus 1) of the
latest position still without a look-ahead value, and whether the game is over."""

GAME_WORDS = OWN + 5

KNOWN = 3
"""Marks an evaluated position that ends the game: the game is over, or the features are already its chances."""

LOG_GAME, LOG_PLY, LOG_EXPLORED, LOG_STATE = range(4)
"""Words of a position in the log: game, ply, whether a random move led to it, the State; then its chances."""


def log_words(state_words: int, outputs: int) -> int:
    """Return the number of words that a position takes in the log."""
    return LOG_STATE + state_words + 2 * outputs


def build_throw(rules: Rules) -> Any:
    to_move, chances, play, is_terminal = rules.to_move, rules.chances, rules.play, rules.is_terminal
    gather, scatter, fail = rules.gather, rules.scatter, rules.fail
    outcomes, has_chance, max_chances = rules.at["outcomes"], rules.has["chances"], rules.max_chances

    def advance(g, mem):
        """Roll the dice until a player is to move or the game is over."""
        step, games = mem[STEP], memory_at(mem[GAMES])
        if games[BEGUN * step + g] == 0:
            games[BEGUN * step + g] = 1
            games[GAME_DICE * step + g] = mix(mem[SEED], mem[FIRST_GAME] + g + 1)
        mem[DICE] = games[GAME_DICE * step + g]
        s = gather(memory_at(mem[STATES]), g, step)
        compared, to_list, events = whole(0), whole(NOTHING), 0
        going = True
        while going:
            going = False
            if is_terminal(s, mem):
                games[IS_OVER * step + g] = 1
            elif not has_chance or to_move(s, mem) != CHANCE:
                to_list = whole(CHOICE)
            elif events < CHANCES_IN_A_ROW:
                if has_chance:
                    n = chances(s, mem, outcomes, outcomes + 2 * max_chances)
                    if n < 0:
                        fail(s, n, mem)
                    else:
                        if events == 0 and games[LATEST * step + g] > 0:
                            compared = n
                            scatter(s, memory_at(mem[EVENTS]), g, step)
                        s = play(s, pick_outcome(outcomes, n, DICE, mem), mem)
                        events += 1
                        going = True
        scatter(s, memory_at(mem[STATES]), g, step)
        games[GAME_DICE * step + g] = mem[DICE]
        games[OUTCOMES * step + g], games[TO_LIST * step + g] = compared, to_list

    def item(i, mem):
        """Advance the ``i``-th unfinished game, unless it is waiting for room."""
        g = live_game(i, mem)
        if memory_at(mem[GAMES])[WAITS * mem[STEP] + g] == 0:
            advance(g, mem)
        return 1

    return item


def judge_for(shape: Shape) -> Any:
    """Return the ``build`` of the kernel that evaluates positions by networks of this shape."""
    functions, judge, outputs, at = Functions(shape), by_blocks(shape), shape.outputs, shape.chances
    clear, outcome, value, copy_chances = functions.clear, functions.outcome, functions.value, functions.copy_chances

    def build(rules: Rules) -> Any:
        utility, is_terminal, features, gather = rules.utility, rules.is_terminal, rules.features, rules.gather

        def fill_in(s, row, how, mem):
            """Write a position's chances for a player to the row; return the player, with bit 1 set if exact."""
            if how == UTILITY or is_terminal(s, mem):
                outcome(row, at, utility(s, mem))
                return 2
            clear(row)
            kind = features(s, row, mem)
            if kind < 0:
                copy_chances(row, at, row, 0, False)
                return 2 | (-1 - kind) & 1
            judge(row, floats_at(mem[WEIGHTS]), kind >> 1)
            return kind & 1

        def item(i, mem):
            """Fill in the value and the chances of position ``i`` for MAX; note whether they are exact."""
            notes, values, room = memory_at(mem[NOTES]), memory_at(mem[VALUES]), mem[ROOM]
            if notes[i] != HOLE:
                row = scratch()
                kind = fill_in(gather(memory_at(mem[POSITIONS]), i, room), row, notes[i], mem)
                found = floating(value(row, at))
                values[i] = float_word(-found if kind & 1 else found)
                copy_chances(row, 0, row, at, kind & 1 != 0)
                for k in range(outputs):
                    values[(1 + k) * room + i] = float_word(row[k])
                notes[i] = KNOWN if kind & 2 else TO_JUDGE
            return 1

        return item

    return build


def choose_for(shape: Shape) -> Any:
    """Return the ``build`` of the kernel that makes moves and keeps the log."""
    outputs = shape.outputs

    def build(rules: Rules) -> Any:
        gather, scatter, pack, size = rules.gather, rules.scatter, rules.pack, rules.game.state_type.size
        entry = log_words(size, outputs)
        own = LOG_STATE + size
        ahead = own + outputs

        def chance_of(place, k, mem):
            return np.float32(word_float(memory_at(mem[VALUES])[(1 + k) * mem[ROOM] + place]))

        def look_back(g, latest, n, mem):
            """Enter the latest position's look-ahead value: the mean over outcomes, or the best of the last segment."""
            step, segments, shares = mem[STEP], memory_at(mem[SEGMENTS]), memory_at(mem[SHARES])
            log, at = memory_at(mem[LOG]), (latest - 1) * entry + ahead
            for o in range(n):
                best, share = best_of(segments[o * step + g], mem), np.float32(word_float(shares[o * step + g]))
                for k in range(outputs):
                    so_far = np.float32(word_float(log[at + k]))
                    log[at + k] = float_word(so_far + share * chance_of(best, k, mem))
            if n == 0:
                best = best_of(segments[(mem[WIDTH] - 1) * step + g], mem)
                for k in range(outputs):
                    log[at + k] = float_word(chance_of(best, k, mem))

        def record(s, g, ply, best, explored, mem):
            """Enter a position in the log; return its place plus 1."""
            place = reserve(memory_at(mem[LOGGED]), 0, 1)
            log, at = memory_at(mem[LOG]), place * entry
            log[at + LOG_GAME], log[at + LOG_PLY], log[at + LOG_EXPLORED] = mem[FIRST_GAME] + g, ply, explored
            pack(s, log, at + LOG_STATE)
            for k in range(outputs):
                log[at + own + k] = float_word(chance_of(best, k, mem))
                log[at + ahead + k] = float_word(0.0)
            return place + 1

        def make_move(g, word, mem):
            step, games = mem[STEP], memory_at(mem[GAMES])
            best = best_of(word, mem)
            place, explore = best, word_float(mem[EXPLORE])
            if explore > 0.0:
                mem[DICE] = games[GAME_DICE * step + g]
                if next_fraction(DICE, mem) < explore:
                    place = (word >> BEGIN_BITS) + next_below(count_of(word), DICE, mem)
                games[GAME_DICE * step + g] = mem[DICE]
            s = gather(memory_at(mem[POSITIONS]), place, mem[ROOM])
            scatter(s, memory_at(mem[STATES]), g, step)
            if memory_at(mem[NOTES])[place] == KNOWN:
                games[IS_OVER * step + g] = 1
            else:
                ply = games[PLY * step + g]
                games[LATEST * step + g] = record(s, g, ply, best, 1 if place != best else 0, mem)
                games[PLY * step + g] = ply + 1

        def item(i, mem):
            """Complete the ``i``-th unfinished game's latest log entry, and make a move or note its final length."""
            g = live_game(i, mem)
            if found_room(g, mem):
                step, games = mem[STEP], memory_at(mem[GAMES])
                word = memory_at(mem[SEGMENTS])[(mem[WIDTH] - 1) * step + g]
                kind, n, latest = word & KIND_BITS, games[OUTCOMES * step + g], games[LATEST * step + g]
                if latest > 0 and (n > 0 or kind != NOTHING):
                    look_back(g, latest, n, mem)
                    games[LATEST * step + g] = 0
                # Do not learn from games that are too long.
                if games[PLY * step + g] >= LONGEST_GAME:
                    kind = NOTHING
                    games[PLY * step + g] = 0
                    games[IS_OVER * step + g] = 1
                if kind == CHOICE:
                    make_move(g, word, mem)
                elif kind != NOTHING:
                    games[IS_OVER * step + g] = 1
                if games[IS_OVER * step + g]:
                    memory_at(mem[LENGTHS])[g] = games[PLY * step + g]
                else:
                    goes_on(g, mem)
            return 1

        return item

    return build


def kernels_for(shape: Shape) -> tuple[ItemKernel, ItemKernel, ItemKernel]:
    """Return the three kernels of a wave for networks of this shape."""
    return (
        ItemKernel("dice of look-ahead", USES, build_throw, WORDS, for_outcomes),
        ItemKernel("judgements of look-ahead", (*USES, "features"), judge_for(shape), WORDS),
        ItemKernel("moves of look-ahead", USES, choose_for(shape), WORDS),
    )


# Addresses of positions, of their features, and of the network and player that each is for.
OF_FEATURES = ITEMS.then("listed", "described", "kinds")
LISTED, DESCRIBED, KINDS = OF_FEATURES


def features_for(shape: Shape) -> Any:
    """Return the ``build`` of the kernel that computes the features of positions."""
    inputs, clear = shape.inputs, Functions(shape).clear

    def build(rules: Rules) -> Any:
        features, unpack, size = rules.features, rules.unpack, rules.game.state_type.size

        def item(i, mem):
            row, described = scratch(), floats_at(mem[DESCRIBED])
            clear(row)
            memory_at(mem[KINDS])[i] = features(unpack(memory_at(mem[LISTED]), i * size), row, mem)
            for k in range(inputs):
                described[i * inputs + k] = row[k]
            return 1

        return item

    return build


def features_kernel(shape: Shape) -> ItemKernel:
    return ItemKernel("features", ("features",), features_for(shape), OF_FEATURES)
