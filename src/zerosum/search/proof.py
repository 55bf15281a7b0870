"""Proof-number search: find out who wins by following the moves that need the least work to prove it.

The question always has one form: can one player, the attacker, force a result of at least ``bar``, which is more than
a draw? A position's proof number is the least number of open positions below it that must be proven to prove it; its
disproof number is the least number that must be refuted to refute it. The search continues where this number is
smallest (V. Allis, M. van der Meulen and J. van den Herik, Proof-number search, Artificial Intelligence 66, 1994),
depth-first with thresholds, and keeps the numbers in a table (df-pn: A. Nagai, 2002). Thresholds are a quarter larger
than necessary, so that the search does not switch moves at every step (1 + ε: J. Pawlewicz and L. Lew, Improving
depth-first PN-search, CG 2006).

**Never a wrong proof.** A repetition is a draw, so it is never a success for the attacker. The attacker never needs
one: a proof depends only on positions that were proven earlier, so a player who follows it meets no position twice. A
proof therefore holds on every path to the position. A refutation may depend on a repetition: "this leads back to a
position of the line, and if that one is refuted, so is this". It holds while that position is on the line, and is
stored under the hash of the line (after A. Kishimoto and M. Müller, A general solution to the graph history interaction
problem, AAAI 2004). Once the position it leads back to is refuted too, nothing is open any more: the defender can
repeat moves forever, and the refutation holds everywhere. Positions before the root that must not be repeated are
draws, and are mixed into the keys: see ``repetition``.

**Little memory.** While a position is on its line, a worker keeps what it knows about the position's moves itself, not
only in the table. And if a position has to return to its moves very often, it gives them ever larger thresholds. So the
search ends, with the right answer, however small the table is.

``classroom/proof.py`` is a readable version.
"""

from __future__ import annotations

from zerosum.game import MAX, WIN
from zerosum.jit.bits import mix
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import HALT, NODE_LIMIT, NODES, STOP
from zerosum.jit.rules import Rules, recursive
from zerosum.jit.words import whole
from zerosum.search.memory import FOREVER, PAST, ROOT_COUNT, ROOT_DONE, UNIT
from zerosum.search.probing import CONVERTED, probing
from zerosum.search.proof_table import (
    ATTACKER,
    BAR,
    COUNTS_CLOCK,
    CUT,
    DISPROOF,
    DRAWN,
    FACTS,
    HELPERS,
    INFINITE,
    IS_FREE,
    IS_LIMITED,
    JUDGED,
    LARGEST,
    LONGEST,
    MOBILITY,
    NEVER,
    NUMBER_BITS,
    OPEN,
    PROOF,
    PROVEN,
    QUESTION,
    REFUTED,
    UNDATED,
    WEAK,
    WORDS,
    back_of,
    content_of,
    facts,
    flags_of,
    keep,
    kind_of,
    measure_of,
    regions,
    time_of,
)
from zerosum.search.repetition import repetition_test
from zerosum.search.table import is_busy, probe, set_busy

ROOM = 4
"""The search follows a move until its number is 1 / ROOM above that of the second best."""

PATIENCE = 1024
"""The thresholds double each time a position has followed moves PATIENCE × (number of its moves + 1) times."""

BUSY_WORK = 256
"""Threads avoid each other's positions if proof and disproof numbers add up to more than this."""


def build(rules: Rules):
    to_move, moves, play, utility, evaluate = rules.to_move, rules.moves, rules.play, rules.utility, rules.evaluate
    is_terminal, bounds, ending, is_ending = rules.is_terminal, rules.bounds, rules.ending, rules.is_ending
    key_of, canonical, clock, reversible = rules.key, rules.canonical, rules.clock, rules.reversible
    has_bounds, has_ending, has_clock = rules.has["bounds"], rules.has["ending"], rules.has["clock"]
    has_canonical, has_evaluate = rules.has["canonical"], rules.has["evaluate"]
    count_moves, unpack, fail = rules.count_moves, rules.unpack, rules.fail
    repeats, scored, width, place = rules.repetition > 0, rules.scored, rules.max_moves, rules.at
    state, spare = place.state, place.spare
    root_moves, path, path_from, trails = place["root_moves"], place["path"], place["path_from"], place["trails"]
    buffer, keys, known, scratch = place["buffer"], place["keys"], place["known"], place["scratch"]
    proofs, disproofs = place["proofs"], place["disproofs"]
    _, note_position, repeats_past, salt_at = repetition_test(rules)
    has_database, probed, _, _ = probing(rules)

    # What is known about a position without a search

    def decide(least, most, mem):
        """Whether bounds on the attacker's result answer the question; if so, leave the numbers and facts."""
        bar = mem[BAR]
        if least >= bar:
            measure = 0
            if scored:
                measure = min(least - bar, UNDATED)
            else:
                measure = WIN - least if least > CONVERTED else UNDATED
            mem[PROOF], mem[DISPROOF] = 0, INFINITE
            mem[FACTS] = facts(measure, measure if measure < NEVER else NEVER, 0, 0)
            return True
        if most < bar:
            measure, flags = 0, DRAWN
            if scored:
                measure = min(bar - 1 - most, UNDATED)
            elif most < 0:
                measure, flags = WIN + most if most < -CONVERTED else UNDATED, 0
            mem[PROOF], mem[DISPROOF] = INFINITE, 0
            mem[FACTS] = facts(measure, measure if measure < NEVER else NEVER, 0, flags)
            return True
        return False

    def finish(s, mem):
        """Leave the numbers and facts of a finished position."""
        found = utility(s, mem)
        if not scored:
            found = WIN if found > 0 else (-WIN if found < 0 else 0)
        if mem[ATTACKER] != MAX:
            found = -found
        decide(found, found, mem)

    def draw(back, flags, mem):
        """Leave the numbers and facts of a draw, by rule or by repetition: the attacker has failed."""
        mem[PROOF], mem[DISPROOF] = INFINITE, 0
        measure = min(mem[BAR] - 1, UNDATED) if scored else 0
        mem[FACTS] = facts(measure, 0, back, DRAWN | flags)

    def table_key(s, key, ply, mem):
        """The key under which a position is stored: it includes the question and all that the answer depends on."""
        if repeats:
            key ^= salt_at(ply, mem)
        key ^= mem[QUESTION]
        if has_clock:
            if mem[COUNTS_CLOCK]:
                key = mix(key, clock(s, mem))
        if mem[IS_LIMITED]:
            key = mix(key, mem[LONGEST] - ply)
        return key

    def path_key(s, key, ply, mem):
        """The key for results that hold only on this line."""
        return mix(mem[trails + ply], table_key(s, key, ply, mem))

    def recall(data, mem):
        """Read an entry of the table."""
        content = content_of(data)
        if kind_of(data) == OPEN:
            mem[PROOF], mem[DISPROOF], mem[FACTS] = content & INFINITE, content >> NUMBER_BITS, 0
        elif kind_of(data) == PROVEN:
            mem[PROOF], mem[DISPROOF], mem[FACTS] = 0, INFINITE, content
        else:
            mem[PROOF], mem[DISPROOF], mem[FACTS] = INFINITE, 0, content

    def number(s, mem):
        """Leave the initial numbers of a new position."""
        mem[PROOF], mem[DISPROOF], mem[FACTS] = 1, 1, 0
        attacks = to_move(s, mem) == mem[ATTACKER]
        if has_evaluate:
            if mem[JUDGED]:
                good = evaluate(s, mem)
                if mem[ATTACKER] != MAX:
                    good = -good
                good = min(max(2 * good // mem[UNIT], -16), 16)
                if good > 0:
                    mem[DISPROOF] += good
                else:
                    mem[PROOF] -= good
        if mem[MOBILITY]:
            at = whole(scratch)
            n = count_moves(s, mem, at, at + width)
            if n > 0:
                if attacks:
                    mem[DISPROOF] += n - 1
                else:
                    mem[PROOF] += n - 1

    def look(s, key, ply, mem):
        """Leave the numbers and facts of a position at ``ply``, as far as they are known without a search."""
        nodes = mem[NODES] + 1
        mem[NODES] = nodes
        if nodes >= mem[NODE_LIMIT]:
            mem[STOP] = 1
        if is_terminal(s, mem):
            finish(s, mem)
            return
        left = FOREVER
        if has_clock:
            if mem[COUNTS_CLOCK]:
                left = clock(s, mem)
                if left <= 0:
                    at = whole(spare)
                    n = moves(s, mem, at, at + width)
                    draw(0, 0, mem)
                    if n < 0:
                        fail(s, n, mem)
                    elif n == 0:
                        finish(s, mem)
                    return
        if repeats:
            if repeats_past(key, mem):
                draw(0, 0, mem)
                return
            if not mem[IS_LIMITED]:
                here = mem[PAST] + ply
                first = max(mem[path_from + here], mem[PAST] + 1 - mem[IS_FREE])
                for i in range(first, here):
                    if mem[path + i] == key:
                        draw(here - i, 0, mem)
                        return
        if has_database:
            limit = left
            if repeats:
                limit = left if salt_at(ply, mem) == 0 else 0
            least, most, _ = probed(s, 0, limit, mem)
            if to_move(s, mem) != mem[ATTACKER]:
                least, most = -most, -least
            if decide(least, most, mem):
                return
        if has_ending:
            if is_ending(s, mem):
                sign = 1 if mem[ATTACKER] == MAX else -1
                low, high = (mem[BAR] - 1, mem[BAR]) if sign > 0 else (-mem[BAR], 1 - mem[BAR])
                found = sign * ending(s, low, high, mem)
                decide(found, found, mem)
                return
        if has_bounds:
            certain = bounds(s, mem)
            least, most = certain[0], certain[1]
            if mem[ATTACKER] != MAX:
                least, most = -most, -least
            if decide(least, most, mem):
                return
        data = probe(table_key(s, key, ply, mem), mem)
        if repeats:
            if not mem[IS_LIMITED] and (data == 0 or kind_of(data) == OPEN):
                here = probe(path_key(s, key, ply, mem), mem)
                if here != 0 and kind_of(here) == REFUTED:
                    data = here
        if data != 0:
            recall(data, mem)
            return
        number(s, mem)

    # Combining moves

    def lifted(s, child, mem):
        """The facts of ``child`` as seen from ``s``, one ply earlier."""
        fact = mem[FACTS]
        measure, time, back = measure_of(fact), time_of(fact), back_of(fact)
        if not scored and measure < UNDATED:
            measure += 1
        if has_clock and time < NEVER:
            time = time + 1 if clock(child, mem) == clock(s, mem) - 1 else 1
        return facts(measure, time, back, flags_of(fact))

    def joined(one, other):
        """The combined facts of two positions that are both needed. (Both count ``back`` from the same ply.)"""
        measure = max(measure_of(one), measure_of(other))
        if scored:
            measure = min(measure_of(one), measure_of(other))
        time = max(time_of(one), time_of(other))
        return facts(measure, time, max(back_of(one), back_of(other)), flags_of(one) | flags_of(other))

    def is_better(one, other):
        """Whether the facts of one decisive move are preferable to those of another."""
        one_flags, other_flags = flags_of(one) + back_of(one), flags_of(other) + back_of(other)
        if one_flags != other_flags:
            return one_flags < other_flags
        return (measure_of(one) < measure_of(other)) != scored

    def sum_up(attacks, n, at, mem):
        """Compute and leave the numbers and facts of a position from those of its ``n`` moves."""
        # The player to move needs one small number of ``mine``; the opponent needs all of ``theirs`` to be small.
        mine, theirs = (proofs, disproofs) if attacks else (disproofs, proofs)
        least, total, most, open_moves, fact = INFINITE, 0, 0, 0, 0
        is_first = True
        for i in range(at, at + n):
            one, other = mem[mine + i], mem[theirs + i]
            if one == 0:
                if least > 0 or is_better(mem[known + i], fact):
                    fact = mem[known + i]
                least = 0
            elif other != 0:
                least = min(least, one)
                total += other
                most = max(most, other)
                open_moves += 1
            elif least > 0:
                fact = mem[known + i] if is_first else joined(fact, mem[known + i])
                is_first = False
        if least == 0:
            total = INFINITE
        elif open_moves == 0:
            least, total = INFINITE, 0
        else:
            if mem[WEAK]:
                total = most + open_moves - 1
            total, fact = min(total, LARGEST), 0
        mem[PROOF], mem[DISPROOF], mem[FACTS] = (least, total, fact) if attacks else (total, least, fact)

    def store(s, key, ply, work, mem):
        """Store the result for the position at ``ply``: for every path if it holds there, or else for this line."""
        proof, disproof, fact = mem[PROOF], mem[DISPROOF], mem[FACTS]
        if proof == 0:
            keep(table_key(s, key, ply, mem), PROVEN, fact, work, mem)
        elif disproof != 0:
            keep(table_key(s, key, ply, mem), OPEN, proof | disproof << NUMBER_BITS, work, mem)
        elif back_of(fact) == 0:
            if not fact & CUT or mem[IS_LIMITED]:
                keep(table_key(s, key, ply, mem), REFUTED, fact, work, mem)
        elif not fact & CUT:
            keep(path_key(s, key, ply, mem), REFUTED, fact, work, mem)

    def shorten(mem):
        """Count ``back`` from a position instead of from its moves: 0 for what leads back to the position itself."""
        fact = mem[FACTS]
        back = max(back_of(fact) - 1, 0)
        mem[FACTS] = facts(measure_of(fact), time_of(fact), back, flags_of(fact))

    def enter_line(s, move, key, ply, mem):
        """Record the position at ``ply`` as part of the line that continues with ``move``."""
        if repeats:
            back = reversible(s, move, mem) != 0
            note_position(key, back, ply, mem)
            mem[trails + ply + 1] = mix(mem[trails + ply], key) if back else 0

    @recursive("int", "State", "int", "int", "int", "int", "int", "memory")
    def prove(s, key, ply, at, most_proof, most_disproof, mem):
        """Work on a position until a number reaches its threshold, or it is decided. Leaves its numbers and facts.

        The caller's thresholds are above the known numbers, so one of these grows. Uses the move regions from
        ``at`` on.
        """
        began = mem[NODES]
        n = 0
        if ply == 0 and mem[ROOT_COUNT] > 0:
            n = mem[ROOT_COUNT]
            for i in range(n):
                mem[buffer + i] = mem[root_moves + i]
        else:
            n = moves(s, mem, buffer + at, buffer + at + width)
        if n < 0:
            mem[PROOF] = mem[DISPROOF] = 1
            return fail(s, n, mem)
        if n == 0:
            finish(s, mem)
            store(s, key, ply, 1, mem)
            return 0
        if ply >= mem[LONGEST]:
            draw(0, CUT, mem)
            return 0
        attacks = to_move(s, mem) == mem[ATTACKER]
        if ply == 0:
            mem[ROOT_DONE] = n
        # 1. Look up the moves. One that decides is enough, except at the root, where all moves are reported.
        for i in range(n):
            move = mem[buffer + at + i]
            child = play(s, move, mem)
            enter_line(s, move, key, ply, mem)
            kept = child
            if has_canonical and not repeats:
                if not is_terminal(child, mem):
                    kept = canonical(child, mem)
            spot = key_of(kept, mem)
            look(child, spot, ply + 1, mem)
            mem[keys + at + i] = spot
            mem[proofs + at + i], mem[disproofs + at + i] = mem[PROOF], mem[DISPROOF]
            if mem[PROOF] == 0 or mem[DISPROOF] == 0:
                mem[known + at + i] = lifted(s, child, mem)
                if mem[PROOF if attacks else DISPROOF] == 0 and ply > 0:
                    n = i + 1
                    break
        # 2. Follow the best move until another is better, or a threshold is reached.
        calls = 0
        while True:
            sum_up(attacks, n, at, mem)
            proof, disproof = mem[PROOF], mem[DISPROOF]
            if proof == 0 or disproof == 0 or proof >= most_proof or disproof >= most_disproof:
                break
            if mem[STOP] or mem[HALT]:
                break
            mine, theirs = (proofs, disproofs) if attacks else (disproofs, proofs)
            shares = mem[HELPERS] != 0 and disproof + proof > BUSY_WORK
            best, first, second, open_moves = 0, FOREVER, FOREVER, 0
            for i in range(at, at + n):
                if mem[theirs + i] == 0:
                    continue
                open_moves += 1
                # A move that another thread is working on counts as more work: virtual proof numbers (T. Kaneko,
                # Parallel depth first proof number search, AAAI 2010).
                seen = mem[mine + i]
                if shares and is_busy(mem[keys + i], mem):
                    seen += seen // 2 + 1
                if seen < first or (seen == first and mem[theirs + i] < mem[theirs + best]):
                    best, first, second = i, seen, first
                else:
                    second = min(second, seen)
            limit, total = (most_proof, most_disproof) if attacks else (most_disproof, most_proof)
            all_theirs = disproof if attacks else proof
            first = mem[mine + best]
            if second < INFINITE:
                limit = min(limit, second + second // ROOM + 1)
            if total < INFINITE:
                total = total - (open_moves - 1) if mem[WEAK] else total - (all_theirs - mem[theirs + best])
            limit, total = max(limit, first + 1), max(total, mem[theirs + best] + 1)
            calls += 1
            wider = calls // (PATIENCE * (n + 1))
            if wider > 0:
                limit, total = max(limit, first << min(wider, 30)), max(total, mem[theirs + best] << min(wider, 30))
            limit = INFINITE if limit >= LARGEST else limit
            total = INFINITE if total >= LARGEST else total
            move, spot = mem[buffer + best], mem[keys + best]
            child = play(s, move, mem)
            enter_line(s, move, key, ply, mem)
            if shares:
                set_busy(spot, spot, mem)
            if attacks:
                prove(child, spot, ply + 1, at + n, limit, total, mem)
            else:
                prove(child, spot, ply + 1, at + n, total, limit, mem)
            if shares:
                set_busy(spot, 0, mem)
            mem[proofs + best], mem[disproofs + best] = mem[PROOF], mem[DISPROOF]
            if mem[PROOF] == 0 or mem[DISPROOF] == 0:
                mem[known + best] = lifted(s, child, mem)
        # 3. Store the result.
        shorten(mem)
        if ply > 0:
            store(s, key, ply, mem[NODES] - began, mem)
        return 0

    def entry(mem):
        """Answer the question about the root, within the limits. Leaves its numbers, and those of its moves."""
        s = unpack(mem, state)
        mem[trails] = mem[IS_FREE]
        mem[PROOF], mem[DISPROOF], mem[FACTS] = 1, 1, 0
        prove(s, key_of(s, mem), 0, 0, INFINITE, INFINITE, mem)
        return 0

    return entry


USES = (
    *("to_move", "moves", "play", "utility", "is_terminal", "clock", "evaluate", "key", "bounds"),
    *("reversible", "canonical", "is_ending", "ending"),
)

PROVING = Kernel("proof-number search", USES, build, WORDS, regions)

# A separate kernel, as for alpha-beta.
PROVING_WITH_DATABASE = Kernel("proof-number search with a database", (*USES, "tier", "rank"), build, WORDS, regions)
