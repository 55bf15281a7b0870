"""One small example for each technique that the notes mention without an example."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example
from zerosum.classroom.node import Node
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import Tree
from zerosum.game import Game

QUEEN_OR_PAWN = "4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1"
"""The queen can take a pawn that another pawn protects."""

SHOWN_MOVES = ("Kd2", "Qxd6", "Qf3", "Qc4", "Qd5", "Qf5")
"""Some of the 28 moves, to keep the drawing readable."""

TRANSPOSING = "xox.o..x."
"""O to move; several orders of the same moves are possible."""

LATE = "The notes only mention the technique; the example is ours."


def chess_without_network() -> Game:
    """Chess with a sum of features as its evaluation, as in the notes."""
    from zerosum.games import load

    return load("chess", network=0)


def chess_trace(algorithm: str, depth: int) -> Trace:
    """A search of the queen position; only the board of the root is drawn."""
    game = chess_without_network()
    found = trace(algorithm, game, game.parse_state(QUEEN_OR_PAWN), depth=depth)
    assert found.tree is not None
    root = _without_boards(found.tree.root, keep=True)
    shown = [path for path, _ in found.tree.nodes() if path and root.label(path[0]) in SHOWN_MOVES]
    return replace(found, tree=Tree(root, found.tree.title), shown=tuple(shown))


def _without_boards(node: Node, keep: bool = False) -> Node:
    children = tuple(_without_boards(child) for child in node.children)
    return replace(node, children=children, picture=node.picture if keep else "")


def _horizon() -> Trace:
    return chess_trace("minimax", 1)


def _quiescence() -> Trace:
    return chess_trace("quiescence", 1)


def extension_tree() -> Tree:
    """B looks good one move ahead, but is in the middle of an exchange."""
    return Tree.from_text("(A (B @9 ! -5 10) (C @2 2 3) (D @1 1 4))")


def _selective() -> Trace:
    return trace("selective", extension_tree(), depth=1)


def singular_tree() -> Tree:
    """B looks far better than all others one move ahead, but not two moves ahead."""
    return Tree.from_text("(A (B @9 (E @-5 -5 -6) (F @8 8 7)) (C @2 (G 2 1) (H 3 2)) (D @1 (I 1 0) (J 4 2)))")


def _singular() -> Trace:
    return trace("singular", singular_tree(), depth=1, margin=5)


def deepening_tree() -> Tree:
    """The tree of chapter 6 with its best move last and an estimate for each move."""
    return Tree.from_text("(A (D @2 2 5 14) (C @1 2 4 6) (B @4 3 12 8))")


def _deepening() -> Trace:
    return trace("deepening", deepening_tree())


def _table() -> Trace:
    from zerosum.games.tictactoe import tictactoe

    return trace("table", tictactoe, tictactoe.parse_state(TRANSPOSING))


def _aspiration() -> Trace:
    return trace("aspiration", Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))"), guess=6, window=2)


def killer_tree() -> Tree:
    """MIN's third move refutes all of MAX's moves but the first."""
    return Tree.from_text("(A (B 5 6 7) (C 8 9 2) (D 9 8 1) (E 7 9 0))")


def _killer() -> Trace:
    return trace("killer", killer_tree())


def null_move_tree() -> Tree:
    """At C, MIN could even pass; at D passing would be a mistake."""
    return Tree.from_text("(A (B 3 12 8) (C pass=2 (E 1 2) (F 0 3)) (D pass=9 (G 2 0) (H 8 7)))")


def _null_move() -> Trace:
    return trace("null-move", null_move_tree())


def zugzwang_tree() -> Tree:
    """At C, MIN would like to pass: every move harms MIN."""
    return Tree.from_text("(A (B 3 12 8) (C pass=2 (E 7 5) (F 6 9)))")


def _zugzwang() -> Trace:
    return trace("null-move", zugzwang_tree())


def parallel_tree() -> Tree:
    """Five moves for two threads; one starts on D before the other knows the value of C."""
    return Tree.from_text("(A (B 3 12 8) (C 9 7 6) (D 5 8 4) (E 14 5 2) (F 4 1 9))")


def _parallel() -> Trace:
    return trace("parallel", parallel_tree())


def _example(name: str, title: str, about: str, make: Any, topic: str = topics.TECHNIQUES, **more: Any) -> Example:
    return Example(name, title, topic, about, make, reconstructed=LATE, **more)


EXAMPLES = (
    _example(
        "horizon-effect",
        "The horizon effect: a pawn for a queen",
        "Chess, one move ahead, in hundredths of a pawn. The queen takes the pawn on d6, and the search stops there: "
        "it counts a pawn won. It does not see that the pawn on c7 then takes the queen: that is beyond the horizon.",
        _horizon,
        figures={"told": "what is the problem with a depth limit? The horizon effect"},
    ),
    _example(
        "quiescence-search",
        "Quiescence: the same position, evaluated only when it is quiet",
        "After the queen takes on d6, a capture is left, so the search continues: cxd6, and the queen is lost. Now "
        "White plays Qc4. A player need not capture: standing pat is worth the value of the evaluation.",
        _quiescence,
        figures={"told": "unstable positions: add quiescence search"},
    ),
    _example(
        "selective-extension",
        "A selective extension: look further where a position is unstable",
        "One move ahead, B looks best, with 9. But B is unstable (marked with ! in the text), so the move to it uses "
        "up no depth: MIN strikes back, and B is worth −5. MAX chooses C.",
        _selective,
        figures={"told": "search deeper at unstable positions; Deep Blue down to depth 25"},
    ),
    _example(
        "singular-extension",
        "A singular extension: look further along a move that is far better than the rest",
        "One move ahead, B is worth 9 and no other move more than 2. Such a move is singular: it is searched one move "
        "deeper, and turns out to be worth −5. MAX chooses C.",
        _singular,
        figures={"told": "alpha-beta with singular extensions"},
    ),
    _example(
        "iterative-deepening",
        "Iterative deepening: the first search orders the moves of the second",
        "One move ahead, B looks best, so it comes first in the search two moves ahead, and D and C are cut off after "
        "one leaf each: 5 leaves. A direct search to depth 2, with B last, looks at 7.",
        _deepening,
        figures={"told": "trades a little time for a huge reduction in space; anytime"},
    ),
    _example(
        "transposition-table",
        "A transposition table: the same position by other moves",
        "Tic-tac-toe with four free cells. The same marks in another order make the same position: it is in the table, "
        "and is not searched again.",
        _table,
        figures={"told": "MacHack 1967"},
    ),
    _example(
        "aspiration-window",
        "An aspiration window that misses, and the search that follows",
        "The value is expected between 4 and 8. The first search finds that it is at most 3, below the window. The "
        "second search, with the lower side open, finds 3. With a correct guess, one search would have been enough.",
        _aspiration,
        figures={"told": "Rybka: a relatively large aspiration window"},
    ),
    _example(
        "killer-moves",
        "Killer moves: the move that refuted C is tried first at D",
        "MIN's third move refutes C. So it comes first at D and at E, and cuts both off after one leaf. Without "
        "killers, alpha-beta looks at all twelve leaves.",
        _killer,
        figures={"told": "explore the best moves first, best for the player whose move it is"},
    ),
    _example(
        "null-move",
        "The null move: even if MIN passes, C is bad for MAX",
        "MAX has 3. At C the search lets MIN pass: the position is then worth 2. MIN's moves are assumed to be at "
        "least as good for MIN, so they are not searched. At D passing is worth 9, which proves nothing, so the moves "
        "are searched.",
        _null_move,
        figures={"told": "forward pruning"},
    ),
    _example(
        "null-move-zugzwang",
        "Zugzwang: where the null move is wrong",
        "At C every move harms MIN: C is really worth 7. MIN would like to pass, but may not. The null move lets MIN "
        "pass, finds 2 and cuts C off, so MAX plays B for 3. This is why engines do not use the null move in pawn "
        "endgames.",
        _zugzwang,
    ),
    _example(
        "parallel-search",
        "Parallel search: two threads, one tree",
        "Thread 1 searches B alone, because its value is needed for cut-offs. Then both threads take the other moves "
        "in turn. A value that one finds at the root is immediately a bound for the other, but too late for the leaves "
        "that the other has already looked at: together they look at 12 leaves, one thread alone at 10. That is the "
        "search overhead.",
        _parallel,
        figures={"told": "Cray Blitz; hardest part: coordinating parallel search"},
    ),
)
