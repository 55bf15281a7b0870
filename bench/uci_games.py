"""Quick games over UCI with a client that checks the rules: no illegal move, no loss on time, no error.

    python bench/uci_games.py --games 100 --clock 2 --increment 0.02

The client is python-chess. Pondering is on in every other game, and both sides are the same engine process, so
positions follow one another in the most unusual ways. If the whole machine stalls, which a sleeping thread detects,
the clocks stop too; the number of stalls is printed.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import threading
import time

import chess
import chess.engine


class Complaints(logging.Handler):
    """Collects the client's complaints, such as an illegal move in an expected line."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class Stalls(threading.Thread):
    """Counts the stalls of this machine, and their total seconds."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seconds, self.count = 0.0, 0

    def run(self) -> None:
        last = time.perf_counter()
        while True:
            time.sleep(0.005)
            now = time.perf_counter()
            if now - last > 0.1:
                self.seconds += now - last
                self.count += 1
            last = now


def play(
    engine: chess.engine.SimpleEngine, stalls: Stalls, number: int, clock: float, increment: float, seed: int
) -> tuple[str, int]:
    """Play one game from a random opening of six plies; return its result and length."""
    chance = random.Random(seed + number)
    board = chess.Board()
    for _ in range(6):
        board.push(chance.choice(list(board.legal_moves)))
    left = {chess.WHITE: clock, chess.BLACK: clock}
    used: list[str] = []
    while not board.is_game_over(claim_draw=True) and board.ply() < 400:
        limit = chess.engine.Limit(
            white_clock=left[chess.WHITE],
            black_clock=left[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        started, stalled = time.perf_counter(), stalls.seconds
        result = engine.play(board, limit, game=number, ponder=number % 2 == 1)
        taken = time.perf_counter() - started
        if taken > 0.1:
            time.sleep(0.02)  # after a stall, the thread that detects it may wake up last
        spent = max(0.0, taken - (stalls.seconds - stalled))
        used.append(f"{spent:.3f} of {left[board.turn]:.3f}")
        left[board.turn] -= spent
        if left[board.turn] <= 0:
            colour = chess.COLOR_NAMES[board.turn]
            raise SystemExit(f"game {number}: {colour} lost on time; seconds a move: {', '.join(used[-20:])}")
        if result.move is None:
            raise SystemExit(f"game {number}: no move in {board.fen()}")
        left[board.turn] += increment
        board.push(result.move)
    return board.result(claim_draw=True), board.ply()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--clock", type=float, default=2.0, help="seconds for each side")
    parser.add_argument("--increment", type=float, default=0.02, help="seconds after each move")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    command = [sys.executable, "-m", "zerosum", "uci"]
    stalls = Stalls()
    stalls.start()
    results: dict[str, int] = {}
    plies = 0
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
        engine.configure({"Threads": arguments.threads, "Hash": 16})
        engine.play(chess.Board(), chess.engine.Limit(depth=5))  # compiles before the first clock starts
        for number in range(1, arguments.games + 1):
            result, length = play(engine, stalls, number, arguments.clock, arguments.increment, arguments.seed)
            results[result] = results.get(result, 0) + 1
            plies += length
            print(f"\r{number} of {arguments.games}: {results}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{arguments.games} games, {plies} plies, {len(complaints.lines)} complaints by the client: {results}")
    print(f"the machine stalled {stalls.count} times, {stalls.seconds:.1f} s in all")
    for line in complaints.lines[:5]:
        print(line)


if __name__ == "__main__":
    main()
