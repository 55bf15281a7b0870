"""Othello (Reversi) on 8×8: outflank the opponent's discs to flip them; the player with the most discs wins.

MAX plays black, written X, and moves first. A player who cannot move passes, which is move 64; the game is
over when neither player can move. The score is the disc difference for MAX, and empty squares count for the
winner, as in the FFO endgame suite.

Square 0 is a1 at the top left, 7 is h1, 63 is h8. All 64 bits are needed, so boards are ``u64``.

>>> game = othello()
>>> s = game.initial()
>>> [game.format_move(s, move) for move in game.moves(s)]
['d3', 'c4', 'f5', 'e6']
>>> s = game.play(s, game.parse_move(s, "d3"))
>>> print(game.show(s))
  a b c d e f g h
1 . . . . . . . .
2 . . . . . . . .
3 . . * X * . . .
4 . . . X X . . .
5 . . * X O . . .
6 . . . . . . . .
7 . . . . . . . .
8 . . . . . . . .
O to move
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zerosum.formats.programs import Programs
from zerosum.game import MAX, Game
from zerosum.games.boards import othello as drawing
from zerosum.games.othello_boards import (
    CORNERS,
    EDGES,
    LAST,
    NOWHERE,
    anchored,
    full_lines,
    last_squares,
    placements,
    stable,
    surroundings,
    turned_by,
)
from zerosum.games.othello_files import GGF, OBF, PASSES, TRANSCRIPT, first_word
from zerosum.games.trained import check_switches, evaluated_with
from zerosum.jit.bits import bits, mix, popcount
from zerosum.jit.words import u64
from zerosum.terms import factors_of, linear_weights, product, with_rest


class Discs(NamedTuple):
    black: u64
    white: u64
    turn: int
    legal: u64  # where the player to move may play: computed once, in `play`, because every other rule needs it


class Weights(NamedTuple):
    weights: np.ndarray


PASS = 64
CENTRE = 0x0000_0018_1800_0000

# The features of the evaluation, with their weights in 1/64 of a disc of the final score.
FEATURES = {
    "move that a player has": 64,
    "corner": 512,
    "disc on an edge that can never be turned": 128,
    # It gives that corner away.
    "disc diagonally next to an empty corner": -256,
    # The discs that the last move flips are never flipped back.
    "making the last move": 128,
}
MOBILITY, CORNER, STABLE, DANGER, PARITY = range(5)
DISC = 6  # bits in the fraction of a disc
MOST = 60

# The value of each square for move ordering, in one quarter of the board: the corner first, its neighbours last.
QUARTER = ((48, -12, 6, 4), (-12, -24, -2, -1), (6, -2, 2, 1), (4, -1, 1, 0))
SQUARES = np.array([[QUARTER[min(row, 7 - row)][min(col, 7 - col)] for col in range(8)] for row in range(8)]).ravel()
ANSWER = 32  # for each move that the opponent gets
LATER = 8  # for each empty square next to the player's discs, where the opponent may get one later


def initial():
    return position(u64(0x0000_0008_1000_0000), u64(0x0000_0010_0800_0000), 0)


def position(black, white, turn):
    """The State with these discs and this player to move."""
    if turn == MAX:
        return Discs(black, white, turn, placements(black, white))
    return Discs(black, white, turn, placements(white, black))


def to_move(s):
    return s.turn


def moves(s):
    if s.legal == NOWHERE:
        yield PASS
    yield from bits(s.legal)


def play(s, move):
    own, other = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
    if move != PASS:
        turned = turned_by(move, own, other)
        own |= turned | (u64(1) << u64(move))
        other ^= turned
    if s.turn == MAX:
        return Discs(own, other, 1, placements(other, own))
    return Discs(other, own, 0, placements(other, own))


def is_terminal(s):
    if s.legal != NOWHERE:
        return False
    # bool: comparing NumPy integers gives a NumPy bool, which is not an int.
    if s.turn == MAX:
        return bool(placements(s.white, s.black) == NOWHERE)
    return bool(placements(s.black, s.white) == NOWHERE)


def utility(s):
    black, white = popcount(s.black), popcount(s.white)
    empty = 64 - black - white
    if black > white:
        return black - white + empty
    if black < white:
        return black - white - empty
    return 0


# Knowledge


def bounds(s):
    """Bounds on the score: stable discs stay with their owner."""
    if (s.black | s.white) & CORNERS == NOWHERE:
        return -64, 64
    rows, columns, falling, rising = full_lines(s.black | s.white)
    black = stable(s.black, rows, columns, falling, rising)
    white = stable(s.white, rows, columns, falling, rising)
    return 2 * popcount(black) - 64, 64 - 2 * popcount(white)


def endangered(own, empty):
    """Discs diagonally next to an empty corner."""
    corners = empty & CORNERS
    inward = (corners << u64(9)) | (corners << u64(7)) | (corners >> u64(9)) | (corners >> u64(7))
    return popcount(own & inward & ~EDGES)


def evaluate(s, t):
    """Mobility, corners, stable edges, squares that give corners away, and who makes the last move."""
    empty = ~(s.black | s.white)
    if s.turn == MAX:
        black_moves, white_moves = s.legal, placements(s.white, s.black)
    else:
        black_moves, white_moves = placements(s.black, s.white), s.legal
    if black_moves == NOWHERE and white_moves == NOWHERE:
        return utility(s)
    w = t.weights
    value = w[MOBILITY] * (popcount(black_moves) - popcount(white_moves))
    value += w[CORNER] * (popcount(s.black & CORNERS) - popcount(s.white & CORNERS))
    value += w[STABLE] * (popcount(anchored(s.black)) - popcount(anchored(s.white)))
    value += w[DANGER] * (endangered(s.black, empty) - endangered(s.white, empty))
    black_is_last = (popcount(empty) & 1) == (1 if s.turn == MAX else 0)
    value += w[PARITY] if black_is_last else -w[PARITY]
    # Round towards zero, so that the evaluation is symmetric in the colours.
    discs = value >> DISC if value >= 0 else -(-value >> DISC)
    return min(max(discs, -MOST), MOST)


def weights_of(t):
    return dict(zip(FEATURES, t.weights.tolist(), strict=True))


def with_weights(numbers, t):
    return Weights(np.array([round(numbers.get(name, old)) for name, old in weights_of(t).items()]))


def terms(s, t):
    """The terms of the hand-written evaluation, in discs, for Black."""
    words = {name: int(weight) for name, weight in weights_of(t).items()}
    linear = linear_weights(words)
    found = evaluate(s, Weights(np.array(list(linear.values()), object)))
    factors = factors_of(found, next(iter(linear.values())).log)
    terms = [product(name, factors[name] * 64, factors[name] * words[name]) for name in words if factors.get(name)]
    return with_rest(terms, int(evaluate(s, t)))


def order(s, move):
    """Few answers for the opponent, now (corners count twice) and later; then the value of the square."""
    if move == PASS:
        return 0
    after = play(s, move)
    own = after.black if s.turn == MAX else after.white
    later = popcount(surroundings(own) & ~(after.black | after.white))
    now = popcount(after.legal) + popcount(after.legal & CORNERS)
    return int(SQUARES[u64(move)]) - ANSWER * now - LATER * later


def moves_left(s):
    """The number of empty squares: an estimate, because players pass and some squares stay empty."""
    return 64 - popcount(s.black | s.white)


def is_ending(s):
    return popcount(s.black | s.white) >= 64 - LAST


def ending(s, low, high):
    """The final score with perfect play by both sides."""
    if s.turn == MAX:
        return last_squares(s.black, s.white, low, high)
    return -last_squares(s.white, s.black, -high, -low)


def key(s):
    """A hash of the discs and the turn; they determine the legal moves."""
    return mix(mix(s.turn, s.black), s.white)


# Notation and display


def format_move(s: Discs, move: int) -> str:
    return "pass" if move == PASS else f"{'abcdefgh'[move % 8]}{move // 8 + 1}"


def parse_move(s: Discs, text: str) -> int:
    word = text.strip().lower()
    if word in PASSES:
        return PASS
    if len(word) != 2:
        raise ValueError(f"{text!r} is not a square")
    return "abcdefgh".index(word[0]) + 8 * "12345678".index(word[1])


def cut_move(s: Discs, text: str) -> tuple[str, str]:
    """The first move of a transcript such as f5d6c3, which may omit passes, and the rest."""
    word = first_word(text)
    if s.legal == NOWHERE and word.lower() not in PASSES and not is_terminal(s):
        return "pass", text
    return word, text[len(word) :]


def program_move(s: Discs, move: int) -> str:
    """The move in two characters, as programs write it."""
    return "pa" if move == PASS else format_move(s, move)


def read_program_move(s: Discs, word: str) -> int:
    return handwritten.parse_move(s, word)


def empty_squares(s: Discs) -> int:
    return 64 - int(popcount(s.black | s.white))


def marks(s: Discs) -> str:
    black, white = int(s.black), int(s.white)
    return "".join("X" if black >> cell & 1 else "O" if white >> cell & 1 else "-" for cell in range(64))


def show(s: Discs) -> str:
    """The board, with a star where the player to move may play."""
    cells = ["*" if int(s.legal) >> cell & 1 else mark for cell, mark in enumerate(marks(s).replace("-", "."))]
    lines = ["  a b c d e f g h"]
    lines += [f"{row + 1} {' '.join(cells[8 * row : 8 * row + 8])}" for row in range(8)]
    if is_terminal(s):
        lines.append(f"X {popcount(s.black)}, O {popcount(s.white)}: the game is over")
    else:
        must_pass = " and must pass" if s.legal == NOWHERE else ""
        lines.append(f"{'XO'[s.turn]} to move{must_pass}")
    return "\n".join(lines)


def format_state(s: Discs) -> str:
    """The 64 squares row by row from a1, and the side to move: the format of endgame suites."""
    return f"{marks(s)} {'XO'[s.turn]}"


def parse_state(text: str) -> Discs:
    """Read a position: X or * is black, O is white, '-' or '.' is empty; anything after a ';' is ignored."""
    words = text.upper().split(";")[0].split()
    if len(words) < 2 or words[-1] not in ("X", "*", "O"):
        raise ValueError("it must end with the side to move: X or O")
    turn = 1 if words.pop() == "O" else 0
    board = "".join(words).replace("*", "X").replace(".", "-")
    strange = [mark for mark in board if mark not in "XO-"]
    if strange:
        raise ValueError(f"{strange[0]!r} is not X, O or '-'")
    if len(board) != 64:
        raise ValueError(f"it has {len(board)} squares instead of 64")
    black, white = (sum(1 << cell for cell in range(64) if board[cell] == mark) for mark in "XO")
    if (black | white) & CENTRE != CENTRE:
        raise ValueError("the four squares in the centre are never empty")
    s: Discs = position(u64(black), u64(white), turn)
    return s


def active(s, player):
    """The player's discs, then the opponent's."""
    own, other = (s.black, s.white) if player == MAX else (s.white, s.black)
    for square in bits(own):
        yield square
    for square in bits(other):
        yield 64 + square


def phase(s):
    """The phase, from 0 at the start to 14 with four or fewer empty squares."""
    return min((popcount(s.black | s.white) - 4) // 4, PHASES - 1)


def adjust(s, value):
    """Clip the value: no estimate is as large as a wipe-out."""
    return min(max(value, -MOST), MOST)


PHASES = 15


def images(squares: str) -> tuple[tuple[int, ...], ...]:
    """A pattern and its seven images under the symmetries of the board."""
    found = [["abcdefgh".index(square[0]) + 1j * (int(square[1]) - 1) for square in squares.split()]]
    found.append([complex(square.imag, square.real) for square in found[0]])
    for _ in range(3):
        # A quarter turn of the board and of its mirror image: column and row become 7 - row and column.
        found += [[7 + 1j * square for square in cells] for cells in found[-2:]]
    return tuple(tuple(int(square.real + 8 * square.imag) for square in cells) for cells in found)


# Lines, and the regions around corners and edges, in the spirit of M. Buro's patterns for Logistello (Experiments with
# Multi-ProbCut and a new high-quality evaluation function for Othello, 1997).
PATTERNS = tuple(
    images(squares)
    for squares in (
        "a2 b2 c2 d2 e2 f2 g2 h2",
        "a3 b3 c3 d3 e3 f3 g3 h3",
        "a4 b4 c4 d4 e4 f4 g4 h4",
        "a1 b2 c3 d4 e5 f6 g7 h8",
        "a2 b3 c4 d5 e6 f7 g8",
        "a3 b4 c5 d6 e7 f8",
        "a4 b5 c6 d7 e8",
        "a5 b6 c7 d8",
        "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
        "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2",
        "a1 b1 c1 a2 b2 c2 a3 b3 c3",
        "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
    )
)


handwritten = Game(
    "othello",
    Discs,
    initial,
    to_move,
    moves,
    play,
    utility,
    max_moves=60,
    actions=65,
    is_terminal=is_terminal,
    scored=True,
    evaluate=evaluate,
    bounds=bounds,
    order=order,
    key=key,
    moves_left=moves_left,
    is_ending=is_ending,
    ending=ending,
    advice={"endings": True, "probcut": None, "look_moves": 13, "look_weight": 20},  # None: on if it has been measured
    tables=Weights(np.array(list(FEATURES.values()))),
    weights_of=weights_of,
    with_weights=with_weights,
    terms=terms,
    active=active,
    active_features=128,
    max_active=64,
    phase=phase,
    phases=PHASES,
    adjust=adjust,
    patterns=PATTERNS,
    cells=64,
    show=show,
    parse_move=parse_move,
    format_move=format_move,
    parse_state=parse_state,
    format_state=format_state,
    cut_move=cut_move,
    players=("Black", "White"),
    formats=(GGF, TRANSCRIPT),
    programs=Programs(
        program_move,
        read_program_move,
        games=GGF,
        positions=(OBF,),
        moves_left=empty_squares,
    ),
    **drawing.board(),
    about="outflank discs to flip them; 8×8",
)


def othello(patterns: int = 1) -> Game:
    """Othello, evaluated by learned patterns; with ``patterns=0``, by a few named weights."""
    check_switches("othello", patterns=patterns)
    return evaluated_with("othello_patterns.npz", handwritten) if patterns else handwritten
