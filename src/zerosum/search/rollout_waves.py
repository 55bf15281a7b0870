"""Rollouts in waves: the kernels that play the games of ``rollout_kernel`` side by side, with the same results.

An event that is corrected for luck needs a segment for each outcome, so a game has at most one such event per wave.
"""

from __future__ import annotations

from zerosum.game import CHANCE
from zerosum.jit.kernel import ItemKernel
from zerosum.jit.rules import Rules
from zerosum.jit.words import float_word, floating, memory_at, whole, word_float
from zerosum.search.batches import (
    BATCH,
    CHOICE,
    EVENTS,
    FINAL,
    GAMES,
    HOLE,
    ITSELF,
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
    THROWN,
    TO_LIST,
    USES,
    UTILITY,
    VALUES,
    WAITS,
    WIDTH,
    best_of,
    for_outcomes,
    found_room,
    goes_on,
    live_game,
)
from zerosum.search.playout import LONGEST_GAME
from zerosum.search.rollout_kernel import BROKEN_OFF, FINISHED, ROUND, first_dice, note, thrower

WORDS = BATCH.then("seed", "most_moves", "spread", "luck", "first_round", "rounds", "results", "dice")
SEED, MOST_MOVES, SPREAD, LUCK, FIRST_ROUND, ROUNDS, RESULTS, DICE = WORDS

BEGUN, GAME_DICE, PLY, MADE, EVENT, LUCK_SO_FAR, ENDING, ENDED_WITH = range(OWN, OWN + 8)
"""A game's own words: whether it has begun, its dice, its plies, moves and events so far, the luck in these, how it
ended, and its result."""

GAME_WORDS = OWN + 8


def build_throw(rules: Rules):
    to_move, chances, play, utility = rules.to_move, rules.chances, rules.play, rules.utility
    is_terminal, gather, scatter, fail = rules.is_terminal, rules.gather, rules.scatter, rules.fail
    outcomes, max_chances = rules.at["outcomes"], rules.max_chances
    throw = thrower(SEED, SPREAD, DICE, outcomes)

    def place_of(outcome, n, mem):
        found = whole(0)
        for i in range(n):
            if mem[outcomes + 2 * i] == outcome:
                found = i
        return found

    def advance(g, mem):
        """Play events until there are positions to list, or the game is over."""
        step, games, index = mem[STEP], memory_at(mem[GAMES]), g % ROUND
        number = mem[FIRST_ROUND] + g // ROUND % mem[ROUNDS]
        if games[BEGUN * step + g] == 0:
            games[BEGUN * step + g] = 1
            games[GAME_DICE * step + g] = first_dice(mem[SEED], number, index)
        mem[DICE] = games[GAME_DICE * step + g]
        ply, event = games[PLY * step + g], games[EVENT * step + g]
        s = gather(memory_at(mem[STATES]), g, step)
        compared, to_list, going = whole(0), whole(NOTHING), True
        while going:
            going = False
            if is_terminal(s, mem):
                games[ENDED_WITH * step + g] = float_word(utility(s, mem))
                games[ENDING * step + g] = FINISHED
            elif games[MADE * step + g] >= mem[MOST_MOVES] or ply >= LONGEST_GAME:
                to_list = whole(ITSELF)
            elif to_move(s, mem) != CHANCE:
                to_list = whole(CHOICE)
                ply += 1
            elif compared == 0 or event >= mem[LUCK]:  # otherwise the event waits for the next wave
                n = chances(s, mem, outcomes, outcomes + 2 * max_chances)
                if n < 0:
                    fail(s, n, mem)
                else:
                    outcome = throw(n, number, index, event, mem)
                    if event < mem[LUCK]:
                        compared = n
                        games[THROWN * step + g] = place_of(outcome, n, mem)
                        scatter(s, memory_at(mem[EVENTS]), g, step)
                    s = play(s, outcome, mem)
                    event += 1
                    ply += 1
                    going = True
        scatter(s, memory_at(mem[STATES]), g, step)
        games[GAME_DICE * step + g], games[PLY * step + g], games[EVENT * step + g] = mem[DICE], ply, event
        games[OUTCOMES * step + g], games[TO_LIST * step + g] = compared, to_list

    def item(i, mem):
        """Advance the ``i``-th unfinished game, unless it waits for room."""
        g = live_game(i, mem)
        if memory_at(mem[GAMES])[WAITS * mem[STEP] + g] == 0:
            advance(g, mem)
        return 1

    return item


def build_judge(rules: Rules):
    utility, is_terminal, evaluate, gather = rules.utility, rules.is_terminal, rules.evaluate, rules.gather

    def item(i, mem):
        """Store the value of position ``i`` for MAX."""
        how = memory_at(mem[NOTES])[i]
        if how != HOLE:
            s = gather(memory_at(mem[POSITIONS]), i, mem[ROOM])
            ended = how == UTILITY or is_terminal(s, mem)
            memory_at(mem[VALUES])[i] = float_word(utility(s, mem) if ended else evaluate(s, mem))
        return 1

    return item


def build_choose(rules: Rules):
    gather, scatter = rules.gather, rules.scatter

    def luck_of(g, n, mem):
        """How much better for MAX than the average the outcome that came up is."""
        step, segments, shares = mem[STEP], memory_at(mem[SEGMENTS]), memory_at(mem[SHARES])
        thrown, values = memory_at(mem[GAMES])[THROWN * step + g], memory_at(mem[VALUES])
        mean, found = 0.0, 0.0
        for o in range(n):
            this = word_float(values[best_of(segments[o * step + g], mem)])
            mean += word_float(shares[o * step + g]) * this
            if o == thrown:
                found = this
        return found - mean

    def make_move(g, mem):
        step, games = mem[STEP], memory_at(mem[GAMES])
        n = games[OUTCOMES * step + g]
        luck = word_float(games[LUCK_SO_FAR * step + g])
        if n > 0:
            luck += luck_of(g, n, mem)
            games[LUCK_SO_FAR * step + g] = float_word(luck)
        word = memory_at(mem[SEGMENTS])[(mem[WIDTH] - 1) * step + g]
        kind = word & KIND_BITS
        if kind != NOTHING:
            best = best_of(word, mem)
            if kind == CHOICE:
                scatter(gather(memory_at(mem[POSITIONS]), best, mem[ROOM]), memory_at(mem[STATES]), g, step)
                games[MADE * step + g] += 1
            else:
                games[ENDED_WITH * step + g] = memory_at(mem[VALUES])[best]
                games[ENDING * step + g] = FINISHED if kind == FINAL else BROKEN_OFF
        ending = games[ENDING * step + g]
        if ending:
            result = word_float(games[ENDED_WITH * step + g])
            note(memory_at(mem[RESULTS]), g, result - floating(luck), result, games[PLY * step + g], ending)
        else:
            goes_on(g, mem)

    def item(i, mem):
        """Make the move of the ``i``-th unfinished game; store its result if it is over."""
        g = live_game(i, mem)
        if found_room(g, mem):
            make_move(g, mem)
        return 1

    return item


THROW = ItemKernel("dice of rollouts", USES, build_throw, WORDS, for_outcomes)
JUDGE = ItemKernel("evaluations of a wave", (*USES, "evaluate"), build_judge, WORDS)
CHOOSE = ItemKernel("moves of rollouts", USES, build_choose, WORDS)
KERNELS = (THROW, JUDGE, CHOOSE)
