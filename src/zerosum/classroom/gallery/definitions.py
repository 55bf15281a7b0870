"""Definitions from the notes: the parts of a game, kinds of games, their sizes, and boards as bits."""

from __future__ import annotations

from math import log10

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example, Report
from zerosum.classroom.gallery.known_sizes import KNOWN
from zerosum.classroom.gallery.tictactoe import first_replies
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import Tree
from zerosum.games.tictactoe import tictactoe

LATE = "The notes mention it; the example is ours."


def _definition() -> Report:
    replies = first_replies()
    won = tictactoe.parse_state("xxx.oo...")
    lines = (
        "initial state: the empty board, X (MAX) to move. Here: initial() and to_move(s).",
        f"successor function: {len(replies)} pairs of a move and a state, {replies[0]}, {replies[1]}, … "
        "Here: moves(s) and play(s, move).",
        f"terminal test: a line of three, or a full board. Of {tictactoe.format_state(won)!r}: "
        f"{tictactoe.is_terminal(won)}. Here: is_terminal(s).",
        f"utility function: +1, 0 or −1 for MAX. Of {tictactoe.format_state(won)!r}: +{tictactoe.utility(won)}. Here: "
        "utility(s).",
        "These four make a complete game; docs/contract.md lists everything that can be added.",
    )
    return Report(lines, {"successors": len(replies)})


def games_by_kind() -> dict[str, list[str]]:
    """The names of all games: deterministic ones, and games of chance."""
    from zerosum.games import GAMES, load

    kinds: dict[str, list[str]] = {"deterministic": [], "chance": []}
    for name in GAMES:
        kinds["chance" if load(name).has("chances") else "deterministic"].append(name)
    return kinds


def _kinds() -> Report:
    kinds = games_by_kind()
    lines = (
        "All games here are two-player, turn-taking and zero-sum: one player wins what the other loses.",
        "",
        f"deterministic game, perfect information:  {', '.join(kinds['deterministic'])}",
        f"game of chance, perfect information:      {', '.join(kinds['chance'])}",
        "deterministic, imperfect information:     none here (battleships, blind tic-tac-toe)",
        "chance, imperfect information:            none here (poker, bridge, Scrabble)",
        "",
        "In scope: two players, zero-sum, perfect information, with or without chance, any rules that end or repeat.",
        "Not in scope: imperfect information. In poker a good player must bluff, that is, mix moves at random; "
        "minimax, alpha-beta and expectiminimax do not find such strategies. Games for three players, or in which "
        "both may win, are not in scope either.",
    )
    return Report(lines, kinds)


def _lookup_table() -> Report:
    """A game solved backwards, position by position, in the way an endgame database is built."""
    from zerosum.classroom.retrograde import retrograde
    from zerosum.games import load

    game = load("nim", heaps="3,2")
    table = retrograde(game, [game.initial()])
    lines = ["An endgame database of nim with heaps of 3 and 2: every position, solved from the end backwards."]
    for s, (outcome, distance) in sorted(table.items(), key=lambda pair: (pair[1][1], pair[0])):
        who = "MAX" if outcome > 0 else "MIN"
        lines.append(f"  {game.format_state(s)}: {who} wins in {distance}")
    lines.append(
        "A search that reaches such a position looks it up. For real games: zerosum endgame build GAME --out DIR"
    )
    return Report(tuple(lines), {"positions": len(table)})


def _cutoff_test() -> Trace:
    return trace("minimax", Tree.from_text("(A (B @4 3 12 8) (C @2 2 4 6) (D @5 14 5 2))"), depth=1)


def _bitboards() -> Report:
    from zerosum.games import load

    game = load("chess", network=0)
    s = game.initial()
    knights, pawns, white = (int(board) for board in (s.knights, s.pawns, s.white))
    reach = int(game.tables.knight[1])
    lines = [
        "A chessboard has 64 squares, and a number has 64 bits. Six kinds of pieces and two colours: twelve bitboards, "
        "or as here eight, one for each kind and one for each colour.",
        f"White's pawns:            {pawns & white:#018x}",
        f"White's knights:          {knights & white:#018x}",
        f"moves of the knight on b1: {reach:#018x}; without squares of white pieces, in one operation: "
        f"{reach & ~white:#018x}",
        "",
        "White's pawns as a board:",
    ]
    rows = [
        " ".join("x" if (pawns & white) >> (8 * rank + file) & 1 else "." for file in range(8)) for rank in range(8)
    ]
    return Report((*lines, *reversed(rows)), {"pawns": pawns & white, "knights": knights & white})


def _sizes() -> Report:
    lines = [
        f"35 moves, 80 plies: 35^80 = 10^{80 * log10(35):.1f}",
        "atoms in the universe: about 10^80",
        "By game, from the notes and the literature:",
        *(f"  {name}: {line}" for name, facts in KNOWN.items() for line in facts),
        "Generalised to boards of any size, chess and checkers need exponential time, and Othello and hex are "
        "PSPACE-complete: no fast algorithm is expected.",
        "Measured: zerosum measure GAME",
    ]
    return Report(tuple(lines), {"chess": 80 * log10(35)})


EXAMPLES = (
    Example(
        "game-definition",
        "A game by its four parts: tic-tac-toe",
        topics.MINIMAX,
        "Initial state, successor function, terminal test and utility function: the definition in the notes, and how a "
        "game is written here.",
        _definition,
        figures={"successors of the initial state": 9},
    ),
    Example(
        "kinds-of-games",
        "Kinds of games, and what is in scope",
        topics.MINIMAX,
        "Deterministic or with chance, with perfect or imperfect information.",
        _kinds,
    ),
    Example(
        "cut-off-test",
        "A cut-off test: stop at depth 1 and evaluate",
        topics.EVALUATION,
        "The CUTOFF-TEST replaces the terminal test: the search stops one move ahead, where EVAL estimates 4, 2 and 5. "
        "D is chosen, wrongly: one move deeper, it is worth 2.",
        _cutoff_test,
        figures={"told": "if CUTOFF-TEST(state) then return EVAL(state)"},
        reconstructed="The estimates are ours; the tree is that of chapter 6.",
    ),
    Example(
        "lookup-table",
        "A lookup table: nim, solved backwards",
        topics.HISTORY,
        "Retrograde analysis: finished positions first, then those that lead to them, until all are known.",
        _lookup_table,
        figures={"told": "database of all 5 piece endgames exists"},
        reconstructed=LATE,
    ),
    Example(
        "bitboards",
        "A chessboard as bitboards",
        topics.HISTORY,
        "One bit for each square: Rybka, Chess 4.x and the chess game of this toolkit compute with these.",
        _bitboards,
        figures={"squares": 64, "vectors": 12},
    ),
    Example(
        "sizes-of-trees",
        "How large are game trees?",
        topics.LIMITS,
        "10^40 and 10^120 from the notes, and what others have counted.",
        _sizes,
        figures={"checkers": "10^40", "chess": "10^120"},
    ),
)
