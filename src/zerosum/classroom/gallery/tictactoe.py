"""Tic-tac-toe in the notes: the open-lines evaluation, horizons of 1 and 2, and the program that never loses."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example, Report
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import LEAF, Node, Tree
from zerosum.game import MAX, Game
from zerosum.games.tictactoe import FULL, LINES, has_line, tictactoe

BOARDS = {"8-8": ".........", "6-4": ".o..x....", "3-3": "ox..x..o."}
"""Boards with the differences of open lines in the notes; the first two have the fewest marks possible."""

LATE_POSITION = "xxoo.xo.."
"""X to move, three free cells: small enough to show the whole game tree on one page."""


def open_lines(s: Any) -> tuple[int, int]:
    """The number of lines still open for MAX and for MIN: those without a mark of the other player.

    >>> open_lines(tictactoe.parse_state(".o..x...."))
    (6, 4)
    """
    return sum(not s.o & line for line in LINES), sum(not s.x & line for line in LINES)


def open_lines_by_filling(s: Any) -> tuple[int, int]:
    """The same by the definition in other notes: fill every empty cell with the player's own mark and count lines."""
    empty = FULL & ~(s.x | s.o)
    return tuple(sum((marks | empty) & line == line for line in LINES) for marks in (s.x, s.o))


def _evaluation() -> Report:
    lines = []
    for text in BOARDS.values():
        s = tictactoe.parse_state(text)
        for_max, for_min = open_lines(s)
        lines += [*tictactoe.show(s).splitlines(), f"{for_max} - {for_min} = {tictactoe.evaluate(s)}", ""]
    found = {name: open_lines(tictactoe.parse_state(board)) for name, board in BOARDS.items()}
    return Report(tuple(lines[:-1]), found)


FIRST_MOVES = {0: "corner", 1: "edge", 4: "centre"}
"""The first moves that are different up to symmetry."""


def unfold_up_to_symmetry(game: Game, s: Any, depth: int, name: str = "") -> Node:
    """The game's tree to a depth, with one child for each set of symmetric moves; the horizon is evaluated."""
    legal = game.legal_moves(s)
    if depth == 0 or not legal:
        value = game.evaluate(s) if legal else game.utility(s)
        return Node(LEAF, name, value, picture=game.show(s))
    different = {game.canonical(game.play(s, move)): move for move in reversed(legal)}
    moves = tuple(sorted(different.values()))
    names = FIRST_MOVES if s == game.initial() else {}
    children = tuple(unfold_up_to_symmetry(game, game.play(s, move), depth - 1, names.get(move, "")) for move in moves)
    labels = tuple(game.format_move(s, move) for move in moves)
    return Node(game.to_move(s), name, None, children, moves, labels, picture=game.show(s))


def horizon_tree(depth: int) -> Tree:
    """The first moves of tic-tac-toe: three up to symmetry, then twelve replies."""
    return Tree(unfold_up_to_symmetry(tictactoe, tictactoe.initial(), depth, "start"), f"tic-tac-toe, horizon {depth}")


def _horizon_1() -> Trace:
    return trace("minimax", horizon_tree(1))


def _horizon_2() -> Trace:
    return trace("minimax", horizon_tree(2))


def late_tree() -> Tree:
    """The whole tree of the late position."""
    return Tree.unfold(tictactoe, tictactoe.parse_state(LATE_POSITION), depth=9)


def _late_minimax() -> Trace:
    return trace("minimax", late_tree())


def _late_alpha_beta() -> Trace:
    return trace("alphabeta", late_tree())


# The program of chapter 6: it plays X, ignores distances, and takes the first of its best moves


@cache
def program_value(s: Any) -> int:
    """The result of MAX-VALUE or MIN-VALUE: 1, 0 or -1. Cached, or each move would take seconds."""
    if tictactoe.is_terminal(s):
        return int(tictactoe.utility(s))
    values = [program_value(tictactoe.play(s, move)) for move in tictactoe.legal_moves(s)]
    return max(values) if tictactoe.to_move(s) == MAX else min(values)


def program_move(s: Any) -> int:
    """MINIMAX_DECISION: the first of the moves with the highest value.

    >>> program_move(tictactoe.initial())
    0
    """
    return max(tictactoe.legal_moves(s), key=lambda move: program_value(tictactoe.play(s, move)))


def all_games(s: Any, moves: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Every possible game in which the program plays X and you try everything as O."""
    if tictactoe.is_terminal(s):
        return [moves]
    tried = [program_move(s)] if tictactoe.to_move(s) == MAX else tictactoe.legal_moves(s)
    return [game for move in tried for game in all_games(tictactoe.play(s, move), (*moves, move))]


def game_end(moves: tuple[int, ...]) -> Any:
    """The last board of a game."""
    s = tictactoe.initial()
    for move in moves:
        s = tictactoe.play(s, move)
    return s


def wins_slowly(moves: tuple[int, ...]) -> bool:
    """Whether the program missed an immediate win: to it all wins are worth 1, near or far."""
    s = tictactoe.initial()
    for move in moves:
        if tictactoe.to_move(s) == MAX:
            wins = [m for m in tictactoe.legal_moves(s) if has_line(tictactoe.play(s, m).x)]
            if wins and move not in wins:
                return True
        s = tictactoe.play(s, move)
    return False


def _program() -> Report:
    games = all_games(tictactoe.initial())
    ends = Counter(tictactoe.utility(game_end(moves)) for moves in games)
    lengths = Counter(len(moves) for moves in games)
    slow = sum(map(wins_slowly, games))
    first = tictactoe.format_move(tictactoe.initial(), program_move(tictactoe.initial()))
    lines = (
        f"The program plays X and begins at {first}; you try every reply as O, in {len(games)} games.",
        f"It wins {ends[1]}, draws {ends[0]} and loses {ends[-1]}.",
        f"Games last {min(lengths)} to {max(lengths)} moves.",
        f"In {slow} games it misses an immediate win, because a win is worth 1, near or far. It wins them all later.",
        "The branching factor is 9 at depth 0 and 8 at depth 1; the longest game has 9 moves, the shortest 5.",
    )
    figures = {"games": len(games), "won": ends[1], "drawn": ends[0], "lost": ends[-1], "slow": slow}
    return Report(lines, figures)


def first_replies() -> list[tuple[int, str]]:
    """SUCCESSORS of the empty board: nine pairs of a move and the board after it."""
    s = tictactoe.initial()
    return [(move, tictactoe.format_state(tictactoe.play(s, move))) for move in tictactoe.legal_moves(s)]


EXAMPLES = (
    Example(
        "tic-tac-toe-open-lines",
        "The evaluation of tic-tac-toe: 8-8, 6-4, 3-3",
        topics.EVALUATION,
        "Rows, columns and diagonals open for MAX, minus those open for MIN.",
        _evaluation,
        figures={"8-8": 0, "6-4": 2, "3-3": 0},
        reconstructed="The three boards are lost. 8-8 can only be the empty board. With two marks, 6-4 can only be X "
        "in the centre and O at an edge. 3-3 needs at least four marks; 27 boards with four have it, and one of them "
        "is shown.",
    ),
    Example(
        "tic-tac-toe-horizon-1",
        "Tic-tac-toe with a horizon of 1",
        topics.EVALUATION,
        "Each first move is evaluated immediately: centre 8-4, corner 8-5, edge 8-6. MAX takes the centre, worth 4.",
        _horizon_1,
        figures={"heuristic": "open(MAX) - open(MIN)", "depth": 1},
        reconstructed="The board in the notes is lost; the empty board replaces it. Symmetric moves are drawn once.",
    ),
    Example(
        "tic-tac-toe-horizon-2",
        "Tic-tac-toe with a horizon of 2",
        topics.EVALUATION,
        "MIN's best reply reduces the corner to −1, the edge to −2 and the centre to 1, so MAX plays the centre, worth "
        "1.",
        _horizon_2,
        figures={"horizon": 2},
        reconstructed="The drawing is lost; the values follow from the evaluation. Symmetric moves are drawn once.",
    ),
    Example(
        "tic-tac-toe-choose-minimax",
        "Choose a move in tic-tac-toe, by minimax",
        topics.MINIMAX,
        "Three cells are free and X is to move. Only the centre does not lose: it wins in 3, with two threats at once.",
        _late_minimax,
        reconstructed="The board and solution in the notes are lost; this late position is ours.",
    ),
    Example(
        "tic-tac-toe-choose-alpha-beta",
        "Choose a move in tic-tac-toe, by alpha-beta",
        topics.ALPHA_BETA,
        "The same position, move and value; the centre is searched first, so the two losing moves are cut short.",
        _late_alpha_beta,
        reconstructed="The board and solution in the notes are lost; this late position is ours.",
    ),
    Example(
        "tic-tac-toe-program",
        "The tic-tac-toe program: you play O, it never loses",
        topics.PROGRAMS,
        "Its strategy never loses: every possible game against it proves this. So the game is solved.",
        _program,
        figures={"lost": 0, "branching at depth 0": 9, "branching at depth 1": 8},
    ),
)
