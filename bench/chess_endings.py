"""Elementary mates against perfect defence: the engine uses search alone, the bare king Syzygy tables.

    python bench/chess_endings.py FOLDER [--positions 20] [--seconds 0.5] [--depth N]

FOLDER contains the tables KQvK, KRvK and KBNvK. Every game starts from a random won position with White to move, counts
the fifty-move rule and threefold repetition as draws, and must end in mate. The tables never help White.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import Any

from timing import machine

import zerosum as zs
from zerosum.errors import PositionError
from zerosum.games.chess.syzygy import FIFTY_MOVES, Tables

ENDINGS = {"KQK": "KQk", "KRK": "KRk", "KBNK": "KBNk"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds for each move")
    parser.add_argument("--depth", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ending", choices=ENDINGS, action="append", help="endings to play; default: all")
    arguments = parser.parse_args()
    print(machine())
    game = zs.load("chess")
    engine = zs.Engine(game)
    engine.prepare()
    with Tables(arguments.folder) as tables:
        for ending in arguments.ending or ENDINGS:
            rng = random.Random(arguments.seed)
            began = time.perf_counter()
            lengths, failures = [], []
            for _ in range(arguments.positions):
                start = won_position(rng, game, tables, ENDINGS[ending])
                engine.clear()
                line, end = play_out(engine, tables, start, arguments.seconds, arguments.depth)
                if end == "mate":
                    lengths.append(len(line))
                else:
                    failures.append(f"{end}: {game.format_state(start)} {' '.join(line.texts())}")
            seconds = time.perf_counter() - began
            print(
                f"{ending}: {len(lengths)} of {arguments.positions} won{in_moves(lengths)}; {seconds:.0f} s", flush=True
            )
            for failure in failures:
                print(f"  {failure}")


def in_moves(lengths: list[int]) -> str:
    moves = [(plies + 1) // 2 for plies in lengths]
    return f", mate after {sum(moves) / len(moves):.1f} moves on average, {max(moves)} at most" if moves else ""


def won_position(rng: random.Random, game: zs.Game, tables: Tables, pieces: str) -> Any:
    """Return a random position with White to move that is won according to the tables."""
    while True:
        squares = rng.sample(range(64), len(pieces))
        board = ["."] * 64
        for square, piece in zip(squares, pieces, strict=True):
            board[square] = piece
        rows = ("".join(board[row : row + 8]).replace(".", "1") for row in range(0, 64, 8))
        try:
            s = game.parse_state(f"{'/'.join(rows)} w - - 0 1")
        except PositionError:
            continue
        if tables.probe_wdl(s) == 2:
            return s


def play_out(engine: zs.Engine, tables: Tables, start: Any, seconds: float, depth: int | None) -> tuple[zs.Line, str]:
    """Play a game to its end; return it, and how it ended."""
    game = engine.game
    line = zs.Line(game, start)
    while not game.is_over(line.state):
        if sum(game.key(s) == game.key(line.state) for s in line.states) >= 3:
            return line, "repetition"
        if game.to_move(line.state) == zs.MAX:
            move = engine.search(line, seconds=seconds, depth=depth).move
        else:
            move = tables.best_move(line.state)
        assert move is not None
        line = line.play(move)
    if game.utility(line.state) > 0:
        return line, "mate"
    return line, "fifty moves" if line.state.clock >= FIFTY_MOVES else "a piece lost, or stalemate"


if __name__ == "__main__":
    main()
