"""Expectiminimax: minimax in which the dice have a say.

A position where chance moves is worth the average of what follows, weighted by probability (D. Michie,
Game-playing and game-learning automata, 1966). Depth counts moves: chance events use none of it, so that the
horizon lies behind the same number of decisions on every line. Nothing is pruned: every value is exact.
"""

from __future__ import annotations

from zerosum.game import CHANCE, MAX
from zerosum.jit.bits import mix
from zerosum.jit.kernel import Kernel
from zerosum.jit.rules import ERROR, NODE_LIMIT, NODES, STOP, Rules, recursive
from zerosum.jit.words import float_word, word_float
from zerosum.search.float_table import probe_float, remember_float
from zerosum.search.memory import (
    DEPTH,
    PROVEN,
    PV_ROW,
    ROOT_BEST,
    ROOT_COUNT,
    ROOT_DONE,
    ROOT_VALUE,
    SWITCHES,
    SearchLayout,
)
from zerosum.search.options import switch
from zerosum.search.pv import extend_pv
from zerosum.search.repetition import repetition_test
from zerosum.search.table import data_depth, data_proven
from zerosum.search.values import CHANCES_IN_A_ROW

USE_TABLE = switch("table")
EXACT_DRAFT = switch("exact_draft")
SYMMETRY = switch("symmetry")


def build(rules: Rules):
    to_move, moves, chances, play, utility = rules.to_move, rules.moves, rules.chances, rules.play, rules.utility
    is_terminal, evaluate, key_of, canonical = rules.is_terminal, rules.evaluate, rules.key, rules.canonical
    reversible, unpack, pack = rules.reversible, rules.unpack, rules.pack
    max_moves, max_chances, state, culprit = rules.max_moves, rules.max_chances, rules.at.state, rules.at.culprit
    has_canonical, repeats = rules.has["canonical"], rules.repetition > 0
    layout = SearchLayout(rules.at, rules.at.width)
    root_moves, root_values, pv_rows, buffer = layout.root_moves, layout.root_values, layout.pv, layout.buffer
    last_room = layout.words - rules.at.width  # behind it the buffer is too short for one more position
    repeated, note_position = repetition_test(rules, layout)

    def wrong(s, code, mem):
        pack(s, mem, culprit)
        mem[ERROR] = code
        mem[STOP] = 1
        return 0.0

    @recursive("float", "State", "int", "int", "int", "int", "memory")
    def value(s, depth, ply, run, at, mem):
        """The exact value of ``s`` for MAX, ``depth`` moves ahead; ``ply`` moves and then ``run`` events led to it.

        Leaves ``mem[PROVEN]``, and the line as far as the first event in the row of ``ply``. Uses ``mem[at:]``.
        """
        # 1. Count, and stop when told to.
        if mem[STOP]:
            return 0.0
        nodes = mem[NODES] + 1
        mem[NODES] = nodes
        if nodes >= mem[NODE_LIMIT]:
            mem[STOP] = 1
        mem[pv_rows + ply * PV_ROW] = 0
        # 2. The end of the game, or a position that has been there too often.
        if is_terminal(s, mem):
            mem[PROVEN] = 1
            return utility(s, mem)
        is_event = to_move(s, mem) == CHANCE
        key, place = 0, 0
        if repeats and not is_event:
            key = key_of(s, mem)
            if repeated(key, ply, mem):
                mem[PROVEN] = 0
                return 0.0
        # 3. The horizon: no moves left to look ahead, or dice that only ever lead to more dice.
        if (run >= CHANCES_IN_A_ROW if is_event else depth <= 0) or at > last_room:
            mem[PROVEN] = 0
            return evaluate(s, mem)
        # 4. The table. An event in the middle of a run has no place in it: what it is worth may depend on how much
        #    longer the run may become.
        use_table = mem[SWITCHES] & USE_TABLE and not (is_event and run > 0)
        if use_table:
            place = key_of(s, mem)
            if has_canonical:
                if mem[SWITCHES] & SYMMETRY:
                    place = key_of(canonical(s, mem), mem)
            if mem[SWITCHES] & EXACT_DRAFT:
                place = mix(place, depth)  # what was found at each depth lies side by side
            data, word = probe_float(place, mem)
            if data != 0 and (data_depth(data) >= depth or data_proven(data)):
                mem[PROVEN] = data_proven(data)
                return word_float(word)
        best, all_proven = 0.0, 1
        if is_event:
            # 5. Chance: the average of all outcomes. The line ends here.
            n = chances(s, mem, at, at + 2 * max_chances)
            if n < 0:
                return wrong(s, n, mem)
            for i in range(n):
                found = value(play(s, mem[at + 2 * i], mem), depth, ply, run + 1, at + 2 * n, mem)
                if mem[STOP]:
                    return 0.0
                best += word_float(mem[at + 2 * i + 1]) * found
                all_proven &= mem[PROVEN]
            mem[pv_rows + ply * PV_ROW] = 0
        else:
            # 6. A player: the best move. A state without any is finished too.
            n = moves(s, mem, at, at + max_moves)
            if n < 0:
                return wrong(s, n, mem)
            if n == 0:
                mem[PROVEN] = 1
                return utility(s, mem)
            maximising = to_move(s, mem) == MAX
            for i in range(n):
                move = mem[at + i]
                if repeats:
                    note_position(key, reversible(s, move, mem), ply, mem)
                found = value(play(s, move, mem), depth - 1, ply + 1, 0, at + n, mem)
                if mem[STOP]:
                    return 0.0
                if i == 0 or (found > best if maximising else found < best):
                    best = found
                    extend_pv(pv_rows, ply, move, mem)
                all_proven &= mem[PROVEN]
        # 7. Remember.
        if use_table:
            remember_float(place, float_word(best), depth, all_proven, mem)
        mem[PROVEN] = all_proven
        return best

    def entry(mem):
        """Searches the root's moves one by one; leaves each one's value as the bits of a float, and the first best.

        Without any moves the root is chance's: leaves its value alone.
        """
        s = unpack(mem, state)
        depth, count = mem[DEPTH], mem[ROOT_COUNT]
        mem[pv_rows] = 0
        mem[ROOT_BEST] = 0
        if count == 0:
            best = value(s, depth, 0, 0, buffer, mem)
            if mem[STOP] == 0:
                mem[ROOT_VALUE] = float_word(best)
                mem[ROOT_DONE] = 1
            return mem[ROOT_DONE]
        maximising = to_move(s, mem) == MAX
        best, all_proven, key = 0.0, 1, 0
        if repeats:
            key = key_of(s, mem)
        for i in range(count):
            move = mem[root_moves + i]
            if repeats:
                note_position(key, reversible(s, move, mem), 0, mem)
            found = value(play(s, move, mem), depth - 1, 1, 0, buffer, mem)
            if mem[STOP]:
                break
            mem[root_values + i] = float_word(found)
            mem[ROOT_DONE] = i + 1
            if i == 0 or (found > best if maximising else found < best):
                best = found
                mem[ROOT_BEST] = i
                mem[ROOT_VALUE] = float_word(best)
                extend_pv(pv_rows, 0, move, mem)
            all_proven &= mem[PROVEN]
        mem[PROVEN] = all_proven
        return mem[ROOT_DONE]

    return entry


EXPECTIMINIMAX = Kernel(
    "expectiminimax",
    (
        "to_move",
        "moves",
        "chances",
        "play",
        "utility",
        "is_terminal",
        "evaluate",
        "key",
        "reversible",
        "canonical",
    ),
    build,
)
