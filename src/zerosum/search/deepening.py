"""Iterative deepening: depth 1, then 2, then 3 …, each faster thanks to what the last one left in the table."""

from __future__ import annotations

import time
from dataclasses import replace

from zerosum.search.limits import MAX_PLY, Limits
from zerosum.search.memory import NO_BOUND
from zerosum.search.options import SearchOptions
from zerosum.search.probcut import CONFIDENCES
from zerosum.search.result import Report, Result, make_result
from zerosum.search.values import WON
from zerosum.search.worker import Iteration, Worker, is_certain_win


class Deepening:
    """The search of one worker from one position."""

    def __init__(
        self,
        worker: Worker,
        moves: list[int],
        limits: Limits,
        options: SearchOptions,
        lines: int = 1,
        first_depth: int = 1,
        started: float | None = None,
    ) -> None:
        self.worker, self.limits, self.options = worker, limits, options
        self.moves = moves
        self.wanted = max(1, min(lines, len(moves)))
        self.first_depth = first_depth
        self.started = time.perf_counter() if started is None else started
        self.best = self._result(Iteration(0, 0, 0, False, False, False, tuple(moves[:1])), 0)
        self.is_done = False  # whether it ended because there is nothing more to find
        self._report: Report | None = None

    def run(self, report: Report) -> Result:
        """Deepen until a limit is reached or the value is proven; ``best`` always holds the answer so far.

        Reports every finished depth, and every value outside the expected window, with its ``bound``.
        """
        self._report = report
        for depth in range(self.first_depth, (self.limits.depth or MAX_PLY) + 1):
            self._raise_confidence(depth)
            if not self._deepen(depth):
                break
            report(self.best)
            if self._is_settled(depth):
                self.is_done = True
                break
        return self.best

    def _raise_confidence(self, depth: int) -> None:
        """Once the search reaches the end of the game, let ProbCut prune less at each depth, and finally nothing."""
        left = self.worker.left
        if not self.options.probcut or left is None or depth <= left:
            return
        surer = [percent for percent in CONFIDENCES if percent > self.options.number("probcut_confidence")]
        step = depth - left - 1
        if step < len(surer):
            self.worker.use(self.options.with_numbers(probcut_confidence=surer[step]))
        else:
            self.worker.use(replace(self.options, probcut=False))

    def _is_settled(self, depth: int) -> bool:
        """Whether a deeper search could find nothing new, except a nearer win that unsound techniques overlooked."""
        game = self.worker.game
        return all(line.exact or is_certain_win(game, line.value, depth) for line in self.best.lines)

    def _deepen(self, depth: int) -> bool:
        """Search to one depth; False if it was stopped, in which case the best answer so far is kept."""
        found: list[Result] = []
        moves = self.moves
        for number in range(self.wanted):
            expected = self.best.lines[number].value if number < len(self.best.lines) else None
            iteration = self._iterate(moves, depth, expected)
            if iteration.stopped:
                if number == 0 and self.wanted == 1 and self._improves(iteration):
                    result = self._result(iteration, depth)
                    self.best = replace(result, lines=(result,))
                return False
            result = self._result(iteration, depth)
            found.append(result)
            if result.move is not None:
                # The best move is searched first next time; the others keep their order.
                self.moves = [m for m in self.moves if m != result.move]
                self.moves.insert(number, result.move)
                moves = [m for m in moves if m != result.move]
        proven, exact = all(line.proven for line in found), all(line.exact for line in found)
        self.best = replace(found[0], lines=tuple(found), proven=proven, exact=exact)
        return True

    def _improves(self, cut_short: Iteration) -> bool:
        """Whether an unfinished depth has a better answer than the last finished one.

        The old best move comes first, so any other that has beaten it at the new depth is better. A loss means
        nothing while some moves have not been searched.
        """
        lost = cut_short.value <= -WON if self.worker.maximising else cut_short.value >= WON
        return cut_short.done > 0 and not lost and (cut_short.place > 0 or self.best.depth == 0)

    def _iterate(self, moves: list[int], depth: int, expected: float | None) -> Iteration:
        """Search one depth with a window around the expected value, and widen it on the side where it fails."""
        if not self.options.aspiration or expected is None or depth < 4 or abs(expected) >= WON:
            return self.worker.run(moves, depth)
        margin = max(1, self.options.unit // 4)
        low, high = expected - margin, expected + margin
        better: Iteration | None = None  # the last run, if its best move was even better than expected
        while True:
            iteration = self.worker.run(moves, depth, low, high)
            if iteration.stopped:
                # A value outside the window is only a bound, not an answer.
                inside = iteration.done and low < iteration.value < high
                if better is not None and not (inside and iteration.place):
                    # Only the exact value of that move is missing; it is known to be the best.
                    return replace(better, stopped=True, proven=False, exact=False)
                return iteration if inside else replace(iteration, done=0)
            if low < iteration.value < high:
                return iteration
            # A move that fails low or high has no line after it.
            iteration = replace(iteration, line=iteration.line[:1])
            above = iteration.value >= high
            better = iteration if above == self.worker.maximising else None
            if self._report is not None and moves is self.moves:
                result = self._result(iteration, depth)
                self._report(replace(result, proven=False, exact=False, bound=1 if above else -1))
            wide = margin >= 4 * self.options.unit
            if above:
                high = NO_BOUND if wide else high + margin
            else:
                low = -NO_BOUND if wide else low - margin
            margin *= 4

    def _result(self, found: Iteration, depth: int) -> Result:
        seconds = time.perf_counter() - self.started
        worker = self.worker
        certainty = {"proven": found.proven, "exact": found.exact}
        result = make_result(worker.game, found.value, found.line, depth, worker.nodes, seconds, **certainty)
        return replace(result, seldepth=worker.seldepth)
