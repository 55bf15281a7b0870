"""ProbCut: skip a deep search if a shallow one puts its value almost certainly outside the window.

How well a shallow search predicts a deep one has been measured (``zerosum.probcut``). The measurements are in the
search's memory as rows of words, made for a confidence (``cut_rows``), so that another evaluation or confidence
recompiles nothing. Several shallow depths are tried, the evaluation alone first (M. Buro, ProbCut: an effective
selective extension of the alpha-beta algorithm, ICCA Journal 18, 1995; Experiments with Multi-ProbCut and a new
high-quality evaluation function for Othello, 1997).
"""

from __future__ import annotations

from zerosum.game import MAX
from zerosum.jit.plan import STOP
from zerosum.jit.rules import Rules, recursive
from zerosum.probcut import DEEPEST, MOST_LEFT
from zerosum.search.cut_rows import ABOVE, BELOW, BITS, CHECK, FACTOR, HOPE, ROW, SHALLOW
from zerosum.search.memory import CHECKING, DOUBTS, GUESSED

NOTHING = 1 << 50
"""What a shortcut returns if it does not apply."""

CONFIDENCES = (73, 87, 95, 98, 99)
"""The confidences, in percent, that a search steps through once it reaches the end of the game; then comes a proof."""


def prob_cutting(rules: Rules, search):
    """The function ``likely`` for one game; ``search(s, alpha, beta, depth, ply, at, mem)`` is the main search."""
    to_move, phase_of, phases = rules.to_move, rules.phase, rules.game.phases
    depths, ends = rules.at["cut_depths"], rules.at["cut_ends"]

    @recursive("int", "State", "int", "int", "int", "int", "int", "int", "int", "memory")
    def likely(s, standing, low, high, depth, left, ply, at, mem):
        """``low`` or ``high`` if the value for the side to move in ``s`` is probably not between them, or NOTHING.

        ``standing`` is the evaluation, ``left`` the moves left if the search reaches the end of the game, else 0.
        Uses ``mem[at:]``, and leaves ``mem[DOUBTS]``.
        """
        if left > 0:
            row = ends + min(left, MOST_LEFT - 1) * ROW
        else:
            row = depths + (min(max(phase_of(s, mem), 0), phases - 1) * DEEPEST + min(depth, DEEPEST - 1)) * ROW
        maximising = to_move(s, mem) == MAX
        sign = 1 if maximising else -1
        for check in range(row, row + ROW, CHECK):
            shallow, factor, hope = mem[check + SHALLOW], mem[check + FACTOR], mem[check + HOPE] >> BITS
            if shallow < 0:
                break
            # The least, or the most, that the shallow search must find.
            above = (high * factor + mem[check + ABOVE] + (1 << BITS) - 1) >> BITS
            below = (low * factor - mem[check + BELOW]) >> BITS
            found = standing
            if standing >= above - hope:
                if shallow > 0:
                    a, b = (above - 1, above) if maximising else (-above, 1 - above)
                    mem[CHECKING] += 1
                    found = sign * search(s, a, b, shallow, ply, at, mem)
                    mem[CHECKING] -= 1
                if mem[STOP]:
                    return 0
                if found >= above:
                    mem[DOUBTS] = GUESSED
                    return high
            elif standing <= below + hope:
                if shallow > 0:
                    a, b = (below, below + 1) if maximising else (-below - 1, -below)
                    mem[CHECKING] += 1
                    found = sign * search(s, a, b, shallow, ply, at, mem)
                    mem[CHECKING] -= 1
                if mem[STOP]:
                    return 0
                if found <= below:
                    mem[DOUBTS] = GUESSED
                    return low
        return NOTHING

    return likely
