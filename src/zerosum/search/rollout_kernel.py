"""The kernel of rollouts: games to the end, with each side playing the move that the evaluation rates best.

Games are played in rounds of 36, and the dice of a round are spread evenly: in each of the first events, every
thirty-sixth of the probability comes up exactly once (stratified, or Latin hypercube, sampling: M. McKay, R. Beckman
and W. Conover, Technometrics 21, 1979). Which game gets which part is drawn anew for every round and event. So
every game is a fair sample, and the averages of the rounds are independent: their spread gives the error.

A game can be corrected for luck: the value of each event's outcome less the average over all outcomes, according to the
evaluation. This has mean 0 whatever the evaluation, so the average stays right, and much of the spread disappears.
"""

from __future__ import annotations

from zerosum.game import CHANCE, MAX, Game
from zerosum.jit.bits import mix
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import STOP, Region, width_of
from zerosum.jit.rules import Rules
from zerosum.jit.words import float_word, floating, memory_at, word_float
from zerosum.search.dice import next_below, next_fraction, outcome_at
from zerosum.search.playout import ENDLESS, LONGEST_GAME, PROBLEMS, repetition_on_the_way

WORDS = ITEMS.then(
    # What to do: the seed, the number of moves before a game is cut short and evaluated, and how many of its first
    # events are spread evenly and corrected for luck.
    *("seed", "most_moves", "spread", "luck"),
    # Which games: the address of the positions, word by word, and their number; the first round, and how many rounds.
    *("starts", "places", "first_round", "rounds"),
    # The address of the results, and the kernel's own words.
    *("results", "dice", "chosen", "worth"),
)
# fmt: off
(
    SEED, MOST_MOVES, SPREAD, LUCK, STARTS, PLACES, FIRST_ROUND, ROUNDS, RESULTS, DICE, CHOSEN, WORTH,
) = WORDS
# fmt: on

ROUND = 36
"""Games in a round: the number of ways two dice can fall."""

RESULT = 4
"""Words of a played game: its result less luck, its result, its plies, and how it ended."""

FINISHED, BROKEN_OFF = 1, 2
"""How a game ended; 0 for a game that was not played."""

STEPS = (1, 5, 7, 11, 13, 17, 19, 23, 25, 29, 31, 35)
"""Numbers coprime to ROUND: their multiples reach every part of it."""

LOW_24 = (1 << 24) - 1


def regions(game: Game) -> list[Region]:
    return [
        Region("buffer", width_of(game)),  # moves, or outcomes
        Region("inner", width_of(game)),  # moves after an outcome
        Region("keys", LONGEST_GAME + 1 if game.repetition else 0),
    ]


def thrower(seed: int, spread: int, dice: int, buffer: int):
    """The function ``throw(n, number, index, event, mem)`` for these words, with outcomes in this buffer."""

    def throw(n, number, index, event, mem):
        """One of the ``n`` outcomes in the buffer, for an event of game ``index`` in round ``number``."""
        fraction = next_fraction(dice, mem)
        if event < mem[spread]:
            word = mix(mix(mem[seed], number), event)
            step = STEPS[((word >> 8) & LOW_24) % len(STEPS)]
            part = (step * index + ((word >> 32) & LOW_24) % ROUND) % ROUND
            fraction = (floating(part) + fraction) / floating(ROUND)
        return outcome_at(fraction, buffer, n, mem)

    return throw


def first_dice(seed, number, index):
    """The initial state of a game's dice."""
    return mix(mix(seed, number), -1 - index)


def note(results, i, value, result, ply, ending):
    """Store the result of game ``i``."""
    at = RESULT * i
    results[at], results[at + 1] = float_word(value), float_word(result)
    results[at + 2], results[at + 3] = ply, ending


def build(rules: Rules):
    to_move, moves, chances, play, utility = rules.to_move, rules.moves, rules.chances, rules.play, rules.utility
    is_terminal, evaluate, gather, fail = rules.is_terminal, rules.evaluate, rules.gather, rules.fail
    key_of, reversible = rules.key, rules.reversible
    max_moves, max_chances = rules.max_moves, rules.max_chances
    has_evaluate, times = rules.has["evaluate"], rules.repetition
    buffer, inner = rules.at["buffer"], rules.at["inner"]
    repeated, throw = repetition_on_the_way(rules), thrower(SEED, SPREAD, DICE, buffer)

    def choose(s, at, mem):
        """Choose a move: leave it in ``mem[CHOSEN]``, and its value in ``mem[WORTH]``. Returns the number of moves.

        Without an evaluation the move is random.
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
        """The value of ``s``, reached by an event: the evaluation after the best move."""
        if is_terminal(s, mem):
            return utility(s, mem)
        if to_move(s, mem) == CHANCE:
            return evaluate(s, mem)
        if choose(s, inner, mem) > 0:
            return word_float(mem[WORTH])
        return utility(s, mem)

    def luck_of(s, n, chosen, mem):
        """How much better for MAX than the average the outcome ``chosen``, of the ``n`` in the buffer, is."""
        mean, found = 0.0, 0.0
        for i in range(n):
            this = promise(play(s, mem[buffer + 2 * i], mem), mem)
            mean += word_float(mem[buffer + 2 * i + 1]) * this
            if mem[buffer + 2 * i] == chosen:
                found = this
        return found - mean

    def item(i, mem):
        """Play game ``i`` and store its result. All rounds from one position come before those from the next."""
        games = ROUND * mem[ROUNDS]
        number, index = mem[FIRST_ROUND] + i % games // ROUND, i % ROUND
        s = gather(memory_at(mem[STARTS]), i // games, mem[PLACES])
        mem[DICE] = first_dice(mem[SEED], number, index)
        ply, made, event, since, noted, luck = 0, 0, 0, 0, 0, 0.0
        result, ending = 0.0, FINISHED
        while mem[STOP] == 0:
            if is_terminal(s, mem):
                result = utility(s, mem)
                break
            if made >= mem[MOST_MOVES]:
                result, ending = evaluate(s, mem), BROKEN_OFF
                break
            if ply >= LONGEST_GAME:
                if has_evaluate:
                    result, ending = evaluate(s, mem), BROKEN_OFF
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
        if mem[STOP]:
            return 0
        note(memory_at(mem[RESULTS]), i, result - luck, result, ply, ending)
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
