"""Compare chess with python-chess on positions of random games: moves, check, outcome, FEN and SAN.

The tests compare a few thousand positions; for more:

    python tests/games/chess_agreement.py --positions 100000
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess as python_chess

from zerosum.games.chess import chess
from zerosum.games.chess.notation import from_san, from_uci, to_san, to_uci
from zerosum.games.chess.play import complete
from zerosum.games.chess.position import QUEEN, captured, promotion

DATA = Path(__file__).parents[3] / "shared" / "data" / "chess"
MOST_PLIES = 200
# Endgames and crowded middle games, where promotions, pins, castling and en passant are frequent.
STARTS = (
    python_chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/8/4k3/2n5/8/4K3/1N6/8 w - - 90 80",
    "8/5k2/8/8/8/2K5/8/R6r w - - 93 80",
)

GAME = chess()


def random_boards(seed: int) -> Iterator[python_chess.Board]:
    """The positions of a random game; every fifth game is Chess960."""
    dice = random.Random(seed)
    if seed % 5 == 4:
        board = python_chess.Board.from_chess960_pos(dice.randrange(960))
    else:
        board = python_chess.Board(dice.choice(STARTS))
    for _ in range(MOST_PLIES):
        yield board
        legal = list(board.legal_moves)
        if not legal or board.is_insufficient_material():
            return
        # Captures would soon empty the board, so half of the time choose a quiet move.
        quiet = [move for move in legal if not board.is_capture(move)]
        board.push(dice.choice(quiet if quiet and dice.random() < 0.5 else legal))


def disagreement(board: python_chess.Board, s, dice: random.Random) -> str:
    """How zerosum and python-chess differ about a position; '' if they agree."""
    chess960 = board.chess960
    text = board.fen(en_passant="legal")
    if GAME.format_state(s) != text:
        return f"FEN {GAME.format_state(s)} instead of {text}"
    if complete(s, GAME.tables) != s:
        return "the key does not match the pieces"
    ours = {to_uci(s, move, chess960): move for move in GAME.moves(s)}
    theirs = {move.uci(): move for move in board.legal_moves}
    if set(ours) != set(theirs) or len(ours) != len(list(GAME.moves(s))):
        return f"moves differ: {set(ours) ^ set(theirs)}"
    loud = {m for m in ours.values() if captured(m) or promotion(m)} - {
        m for m in ours.values() if promotion(m) not in (0, QUEEN)
    }
    if sorted(loud) != sorted(GAME.noisy_moves(s)):
        return "noisy moves are not the captures and promotions to queens"
    for move, uci in ((m, u) for u, m in ours.items()):
        if bool(captured(move)) != board.is_capture(theirs[uci]):
            return f"{uci}: they differ about whether it is a capture"
        irreversible = board.is_zeroing(theirs[uci]) or board.is_irreversible(theirs[uci])
        # python-chess also calls a move irreversible if it gives up an en passant capture: harmless, the keys differ.
        if GAME.reversible(s, move) == irreversible and not (irreversible and board.has_legal_en_passant()):
            return f"{uci}: they differ about whether it is reversible"
    if bool(GAME.is_forced(s)) != board.is_check():
        return "check"
    outcome = _outcome(board)
    if GAME.is_over(s) != (outcome is not None):
        return f"they differ about whether the game is over; python-chess says {outcome}"
    if outcome is not None and GAME.utility(s) != outcome:
        return f"utility {GAME.utility(s)} instead of {outcome}"
    if ours:
        uci = dice.choice(sorted(ours))
        san = board.san(theirs[uci])
        if to_san(s, ours[uci]) != san:
            return f"{uci} is {to_san(s, ours[uci])} instead of {san}"
        if from_san(s, san) != ours[uci] or from_uci(s, uci) != ours[uci]:
            return f"{san}, {uci} is read as another move"
    return ""


def _outcome(board: python_chess.Board) -> int | None:
    if board.is_insufficient_material() or board.is_fifty_moves() or board.is_stalemate():
        return 0
    if board.is_checkmate():
        return -1 if board.turn else 1
    return None


def compare(positions: int, seed: int = 0, show_progress: bool = False) -> int:
    """Compare on this many positions or more; return their number. AssertionError quotes the FEN if they disagree."""
    done = 0
    began = time.perf_counter()
    while done < positions:
        dice = random.Random(seed)
        s, last = None, None
        for board in random_boards(seed):
            # Each position is played from the one before, to test incremental fields; the first comes from its FEN.
            if s is None:
                s = GAME.parse_state(board.fen())
            else:
                s = GAME.play(last, from_uci(last, board.peek().uci()))
            last = s
            problem = disagreement(board, s, dice)
            assert not problem, f"{board.fen()} (game {seed}): {problem}"
            if GAME.parse_state(GAME.format_state(s)) != s:
                raise AssertionError(f"{board.fen()} (game {seed}): another position after a FEN")
            done += 1
        seed += 1
        if show_progress and seed % 20 == 0:
            print(f"\r{done} positions, {done / (time.perf_counter() - began):.0f}/s ", end="", file=sys.stderr)
    return done


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print(f"\n{compare(given.positions, given.seed, show_progress=True)} positions agree")
