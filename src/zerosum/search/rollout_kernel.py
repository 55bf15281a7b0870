"""The kernel of rollouts: games to their end, each side playing the move that the evaluation likes best.

Games come in rounds of 36, and the dice of a round are spread evenly: of the first events of its games, each
thirty-sixth of the probability comes up exactly once (stratified, or Latin hypercube, sampling: M. McKay, R. Beckman
and W. Conover, Technometrics 21, 1979). Which game has which part is drawn anew for every round and event, so that
every game is a fair sample, and the averages of the rounds are independent of each other: their spread tells the error.

A game can be corrected for luck: what each event brought, compared with the average of all its outcomes, both as the
evaluation sees them. That has mean 0 whatever the evaluation, so the average stays right, and much of the spread goes.
"""

from __future__ import annotations

from zerosum.game import CHANCE, MAX, Game
from zerosum.jit.bits import mix
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import STOP, Region, width_of
from zerosum.jit.rules import Rules
from zerosum.jit.words import float_word, floating, word_float
from zerosum.search.dice import next_below, next_fraction, outcome_at
from zerosum.search.playout import ENDLESS, LONGEST_GAME, PROBLEMS, repetition_on_the_way

WORDS = ITEMS.then(
    # What to do: the seed, how many moves before a game is broken off and evaluated, and how many of its first events
    # are spread evenly and corrected.
    *("seed", "most_moves", "spread", "luck"),
    # What came out: plies, games broken off, kinds of results; and the kernel's own words.
    *("plies", "unfinished", "kinds_found", "dice", "chosen", "worth"),
)
SEED, MOST_MOVES, SPREAD, LUCK, PLIES, UNFINISHED, KINDS, DICE, CHOSEN, WORTH = WORDS

ROUND = 36
"""Games in a round: two dice fall in so many ways."""

ROUNDS_AT_ONCE = 64
"""The kernel plays no more rounds in one call."""

MOST_KINDS = 64
"""So many different results are counted; games with others count in the average only."""

STEPS = (1, 5, 7, 11, 13, 17, 19, 23, 25, 29, 31, 35)
"""Numbers without a factor in common with ROUND: their multiples reach every part of it."""

LOW_24 = (1 << 24) - 1


def regions(game: Game) -> list[Region]:
    return [
        Region("buffer", width_of(game)),  # moves, or outcomes
        Region("inner", width_of(game)),  # moves after an outcome
        Region("kinds", 2 * MOST_KINDS),  # results, each with its number of games
        Region("sums", 2 * ROUNDS_AT_ONCE),  # of each round: its results, and their squares
        Region("keys", LONGEST_GAME + 1 if game.repetition else 0),
    ]


def build(rules: Rules):
    to_move, moves, chances, play, utility = rules.to_move, rules.moves, rules.chances, rules.play, rules.utility
    is_terminal, evaluate, unpack, fail = rules.is_terminal, rules.evaluate, rules.unpack, rules.fail
    key_of, reversible = rules.key, rules.reversible
    max_moves, max_chances, state, place = rules.max_moves, rules.max_chances, rules.at.state, rules.at
    has_evaluate, times = rules.has["evaluate"], rules.repetition
    buffer, inner, kinds, sums = (place[name] for name in ("buffer", "inner", "kinds", "sums"))
    repeated = repetition_on_the_way(rules)

    def choose(s, at, mem):
        """How many moves ``s`` has; leaves the one to play in ``mem[CHOSEN]``, and in ``mem[WORTH]`` what it promises.

        Without an evaluation any move is as good as another.
        """
        n = moves(s, mem, at, at + max_moves)
        if n <= 0:
            if n < 0:
                fail(s, n, mem)
            return n
        if has_evaluate:
            maximising = to_move(s, mem) == MAX
            best, chosen = 0.0, -1
            for i in range(n):
                then = play(s, mem[at + i], mem)
                found = utility(then, mem) if is_terminal(then, mem) else evaluate(then, mem)
                if chosen < 0 or (found > best if maximising else found < best):
                    best, chosen = found, i
            mem[CHOSEN], mem[WORTH] = mem[at + chosen], float_word(best)
        else:
            mem[CHOSEN] = mem[at + next_below(n, DICE, mem)]
        return n

    def promise(s, mem):
        """What ``s``, reached by an event, is worth by the evaluation after the best move."""
        if is_terminal(s, mem):
            return utility(s, mem)
        if to_move(s, mem) == CHANCE:
            return evaluate(s, mem)
        if choose(s, inner, mem) > 0:
            return word_float(mem[WORTH])
        return utility(s, mem)

    def luck_of(s, n, chosen, mem):
        """By how much the outcome ``chosen`` of the ``n`` in the buffer is better for MAX than the average."""
        mean, found = 0.0, 0.0
        for i in range(n):
            this = promise(play(s, mem[buffer + 2 * i], mem), mem)
            mean += word_float(mem[buffer + 2 * i + 1]) * this
            if mem[buffer + 2 * i] == chosen:
                found = this
        return found - mean

    def throw(n, number, index, event, mem):
        """One of the ``n`` outcomes in the buffer, for an event of the game ``index`` in the round ``number``."""
        fraction = next_fraction(DICE, mem)
        if event < mem[SPREAD]:
            word = mix(mix(mem[SEED], number), event)
            step = STEPS[((word >> 8) & LOW_24) % len(STEPS)]
            part = (step * index + ((word >> 32) & LOW_24) % ROUND) % ROUND
            fraction = (floating(part) + fraction) / floating(ROUND)
        return outcome_at(fraction, buffer, n, mem)

    def count_result(result, mem):
        word = float_word(result)
        for i in range(mem[KINDS]):
            if mem[kinds + 2 * i] == word:
                mem[kinds + 2 * i + 1] += 1
                return
        if mem[KINDS] < MOST_KINDS:
            i = mem[KINDS]
            mem[kinds + 2 * i], mem[kinds + 2 * i + 1] = word, 1
            mem[KINDS] += 1

    def play_out(number, index, mem):
        """The result of one game for MAX, less its luck."""
        s = unpack(mem, state)
        mem[DICE] = mix(mix(mem[SEED], number), -1 - index)
        ply, made, event, since, noted, luck = 0, 0, 0, 0, 0, 0.0
        result, unfinished = 0.0, 0
        while mem[STOP] == 0:
            if is_terminal(s, mem):
                result = utility(s, mem)
                break
            if made >= mem[MOST_MOVES]:
                result, unfinished = evaluate(s, mem), 1
                break
            if ply >= LONGEST_GAME:
                if has_evaluate:
                    result, unfinished = evaluate(s, mem), 1
                else:
                    fail(s, ENDLESS, mem)
                break
            ply += 1
            if to_move(s, mem) == CHANCE:
                n = chances(s, mem, buffer, buffer + 2 * max_chances)
                if n < 0:
                    fail(s, n, mem)
                    break
                outcome = throw(n, number, index, event, mem)
                if event < mem[LUCK]:
                    luck += luck_of(s, n, outcome, mem)
                event += 1
                s = play(s, outcome, mem)
                continue
            if times > 0:
                if repeated(key_of(s, mem), since, noted, mem):
                    break
                noted += 1
            n = choose(s, buffer, mem)
            if n <= 0:
                if n == 0:
                    result = utility(s, mem)
                break
            move = mem[CHOSEN]
            if times > 0:
                if not reversible(s, move, mem):
                    since = noted
            made += 1
            s = play(s, move, mem)
        if mem[STOP] == 0:
            mem[PLIES] += ply
            if unfinished:
                mem[UNFINISHED] += 1
            else:
                count_result(result, mem)
        return result - luck

    def item(i, mem):
        """Plays round ``i``; leaves the sum of its results and of their squares, and adds to the counts of all."""
        total, squares = 0.0, 0.0
        for index in range(ROUND):
            result = play_out(i, index, mem)
            if mem[STOP]:
                return 0
            total += result
            squares += result * result
        at = sums + 2 * (i % ROUNDS_AT_ONCE)
        mem[at], mem[at + 1] = float_word(total), float_word(squares)
        return 1

    return item


ROLLOUT = ItemKernel(
    "rollout",
    ("to_move", "moves", "chances", "play", "utility", "is_terminal", "evaluate", "key", "reversible"),
    build,
    WORDS,
    regions,
    PROBLEMS,
)
