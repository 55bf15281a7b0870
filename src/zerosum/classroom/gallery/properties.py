"""Measured properties of minimax and alpha-beta, and counted answers to the notes' questions about tic-tac-toe."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from zerosum.classroom.alphabeta import least_leaves
from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example, Report
from zerosum.classroom.measuring import (
    evaluations,
    hardest_tree,
    is_depth_first,
    memory_of_minimax,
    nodes_of_minimax,
    uniform,
)
from zerosum.classroom.tracing import trace
from zerosum.classroom.tree import Tree
from zerosum.games.tictactoe import tictactoe

CASES = ((3, 2), (3, 4), (3, 6), (2, 8), (5, 4), (10, 3))

RISK = "(A (B 3 4) (C 2 20))"
"""Against the best play C is worth less; against a player who moves at random it is worth far more."""


def _minimax() -> Report:
    lines, figures = ["nodes by depth m, in trees with b = 3 moves:"], {}
    before = 0
    for depth in range(1, 7):
        game = uniform(3, depth).game
        nodes, memory = nodes_of_minimax(game), memory_of_minimax(game)
        grown = f", {nodes / before:.2f} times as many as one move less" if before else ""
        lines.append(f"  m = {depth}: {nodes:,} nodes{grown}; at most {memory} kept at once (b·m + 1)")
        figures[depth] = (nodes, memory)
        before = nodes
    risk = Tree.from_text(RISK)
    found = trace("minimax", risk)
    minimax = trace("minimax", uniform(3, 4))
    lines += [
        "complete? yes: on every finite tree it ends with a value. On an infinite tree it needs a depth limit; here a "
        "line of 250 moves is an error.",
        "optimal? yes, against an opponent who plays optimally. In " + RISK + f" it plays {'BC'[found.line[0]]} for "
        f"{found.value:g}. Against one who moves at random, C would give (2 + 20) / 2 = 11, B only 3.5; but C may also "
        "give 2.",
        "time: O(b^m), as the counts show: each additional move costs b times as much.",
        "memory: O(b·m), counted above: the path, and the waiting successors on each level.",
        f"depth-first? {'yes' if is_depth_first(list(minimax.events)) else 'no'}: every node is left before its next "
        "sibling is entered.",
    ]
    return Report(tuple(lines), {"by depth": figures, "move": "BC"[found.line[0]]})


def _cases() -> Report:
    lines = ["b   m   all leaves b^m   worst case   best case   Knuth and Moore   b^(m/2)"]
    figures = {}
    for branching, depth in CASES:
        worst_tree = hardest_tree(branching, depth)
        worst, best = evaluations(worst_tree), evaluations(worst_tree.ordered("best"))
        fewest = round(least_leaves(branching, depth))
        half = branching ** (depth / 2)
        lines.append(
            f"{branching:<3} {depth:<3} {branching**depth:<16,} {worst:<12,} {best:<11,} {fewest:<17,} {half:,.0f}"
        )
        figures[branching, depth] = (worst, best)
    lines += [
        "worst case: each move is better than all before it, for the player who makes it. Nothing is cut off.",
        "best case: the same tree with each player's best move first. It costs about 2·b^(m/2), so in the same time "
        "alpha-beta searches twice as deep.",
        "To see both: zerosum ladder --tree random; zerosum trace TREE --order best; zerosum trace TREE --order worst",
    ]
    return Report(tuple(lines), figures)


# Questions about tic-tac-toe


@cache
def _games_from(s: Any) -> Counter[tuple[int, int]]:
    """The number of games that continue from here, by number of marks at the end and by result."""
    if tictactoe.is_terminal(s):
        return Counter({(bin(s.x | s.o).count("1"), int(tictactoe.utility(s))): 1})
    total: Counter[tuple[int, int]] = Counter()
    for move in tictactoe.legal_moves(s):
        total += _games_from(tictactoe.play(s, move))
    return total


@cache
def _nodes_from(s: Any) -> int:
    if tictactoe.is_terminal(s):
        return 1
    return 1 + sum(_nodes_from(tictactoe.play(s, move)) for move in tictactoe.legal_moves(s))


def _questions() -> Report:
    start = tictactoe.initial()
    games = _games_from(start)
    lengths = Counter[int]()
    results = Counter[int]()
    for (length, result), count in games.items():
        lengths[length] += count
        results[result] += count
    after_one = len(tictactoe.legal_moves(tictactoe.play(start, 0)))
    total, nodes = sum(games.values()), _nodes_from(start)
    by_length = ", ".join(f"{length}: {count:,}" for length, count in sorted(lengths.items()))
    lines = (
        f"Are all terminal nodes at equal depth? No. By depth: {by_length}.",
        f"What is the minimum depth of a terminal node? {min(lengths)}: three marks of X and two of O.",
        f"What are the values of UTILITY? +1 where X has won ({results[1]:,} games), -1 where O has won "
        f"({results[-1]:,}), 0 for a tie ({results[0]:,}).".replace("-1", "−1"),
        f"What is the branching factor at depth 0? {len(tictactoe.legal_moves(start))}. At depth 1? {after_one}.",
        f"What is the maximum depth? {max(lengths)}.",
        "Does a MIN move minimise or maximise UTILITY? It minimises it: UTILITY is for X, and MIN is O.",
        "Are states after a terminal state explored? No: the terminal test comes first, and returns.",
        f"Are all possible states explored to a terminal state? Yes, by minimax: {nodes:,} nodes and {total:,} games.",
        "Is this a depth-first or a breadth-first search? Depth-first: MAX_VALUE calls MIN_VALUE for one successor, "
        "and that call ends before the next successor is looked at.",
    )
    return Report(lines, {"lengths": dict(lengths), "results": dict(results), "nodes": nodes, "games": total})


EXAMPLES = (
    Example(
        "minimax-properties",
        "Properties of minimax: complete, optimal, time and memory",
        topics.MINIMAX,
        "The claims of the notes, checked by counting on trees with three moves per node. The opponent is assumed to "
        "choose optimal play.",
        _minimax,
        figures={"time": "O(b^m)", "memory": "O(bm)", "complete": "yes", "optimal": "against an optimal opponent"},
    ),
    Example(
        "alpha-beta-best-and-worst",
        "The best and the worst case of alpha-beta, measured",
        topics.ALPHA_BETA,
        "A tree in its worst order, in which alpha-beta looks at every leaf, and the same tree in its best order.",
        _cases,
        figures={"worst": "b^m", "best": "b^(m/2), in the order of magnitude"},
    ),
    Example(
        "tic-tac-toe-questions",
        "Questions about the tree of tic-tac-toe, answered",
        topics.PROGRAMS,
        "The questions in the notes about the game tree, with answers counted over all games.",
        _questions,
        figures={"branching at depth 0": 9, "branching at depth 1": 8},
    ),
)
