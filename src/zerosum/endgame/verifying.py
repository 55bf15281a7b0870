"""The kernel that verifies a database: it recomputes each position from its successors in the database.

With distances, this proves every win and loss: each has a successor nearer to the end. The rest are draws.
"""

from __future__ import annotations

from zerosum.endgame.checks import complaints, verdicts
from zerosum.endgame.memory import (
    BAD_MOVES,
    DIRECTORY,
    DISTANCES,
    EDGE_COUNT,
    EDGE_LIMIT,
    END,
    INTO_HOLE,
    NEVER,
    NEXT,
    NOT_ONE_TO_ONE,
    OUTSIDE,
    TIER,
    USES,
    WORDS,
    WRONG_DISTANCE,
    WRONG_VALUE,
    regions,
)
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import STOP
from zerosum.jit.rules import Rules
from zerosum.solved_tiers import DRAW, LOSS, VICTORY, lookup, lookup_distance, tier_size


def build(rules: Rules):
    to_move, moves, play, is_terminal = rules.to_move, rules.moves, rules.play, rules.is_terminal
    tier_of, rank, unrank, is_valid = rules.tier, rules.rank, rules.unrank, rules.is_valid
    max_moves, wrong, verdict = rules.max_moves, complaints(rules), verdicts(rules)
    buffer = rules.at["buffer"]

    def check(mem):
        """Recompute the positions NEXT, NEXT + EDGE_LIMIT, … before END from their successors, and compare."""
        tier, directory = mem[TIER], mem[DIRECTORY]
        far = mem[DISTANCES] != 0
        i = mem[NEXT]
        while i < mem[END] and mem[STOP] == 0:
            s = unrank(tier, i, mem)
            if not is_valid(s, mem):
                i += mem[EDGE_LIMIT]
                continue
            if tier_of(s, mem) != tier or rank(s, mem) != i:
                wrong(s, NOT_ONE_TO_ONE, i, tier_of(s, mem), rank(s, mem), mem)
                break
            n = 0 if is_terminal(s, mem) else moves(s, mem, buffer, buffer + max_moves)
            if n < 0:
                wrong(s, BAD_MOVES, i, n, 0, mem)
                break
            mover, nearest, last, should = to_move(s, mem), NEVER, 0, LOSS
            if n == 0:
                should, nearest = verdict(s, mem), 0
            for j in range(n):
                after = play(s, mem[buffer + j], mem)
                its_tier = tier_of(after, mem)
                if its_tier < 0 or its_tier > tier:
                    wrong(s, OUTSIDE, i, its_tier, mem[buffer + j], mem)
                    break
                place = rank(after, mem)
                if place < 0 or place >= tier_size(directory, its_tier):
                    wrong(s, OUTSIDE, i, its_tier, place, mem)
                    break
                # Ask about the result of unrank, since is_valid may accept only one of several equivalent positions.
                if not is_valid(unrank(its_tier, place, mem), mem):
                    wrong(s, INTO_HOLE, i, its_tier, place, mem)
                    break
                value = lookup(directory, its_tier, place)
                if to_move(after, mem) != mover:
                    value = VICTORY + LOSS - value
                should = max(should, value)
                if far and value != DRAW:
                    distance = lookup_distance(directory, its_tier, place) + 1
                    if value == VICTORY:
                        nearest = min(nearest, distance)
                    else:
                        last = max(last, distance)
            if mem[STOP]:
                break
            value = lookup(directory, tier, i)
            if value != should:
                wrong(s, WRONG_VALUE, i, should, value, mem)
                break
            if far and value != DRAW:
                distance = nearest if value == VICTORY else last
                if lookup_distance(directory, tier, i) != distance:
                    wrong(s, WRONG_DISTANCE, i, distance, lookup_distance(directory, tier, i), mem)
                    break
            mem[EDGE_COUNT] += 1
            i += mem[EDGE_LIMIT]
        mem[NEXT] = i
        return 0

    return check


VERIFY = Kernel("verify", USES, build, WORDS, regions)
