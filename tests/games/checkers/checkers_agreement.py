"""Compare checkers with pydraughts on random positions: moves, their paths and the positions after them.

Half of the positions come from random games, half have randomly placed pieces, for many kings and long jumps. The tests
compare a few hundred; for more:

    python tests/games/checkers/checkers_agreement.py --positions 50000
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

from zerosum.games.checkers import checkers
from zerosum.games.checkers.notation import squares_on
from zerosum.games.checkers.position import START, Position, bit_of

GAME = checkers()
MOST_PLIES = 120


def random_game(dice: random.Random) -> Iterator[Position]:
    """The positions of a random game that still have moves."""
    s = START
    for _ in range(MOST_PLIES):
        moves = list(GAME.moves(s))
        if not moves:
            return
        yield s._replace(clock=0)
        s = GAME.play(s, dice.choice(moves))


def random_placement(dice: random.Random) -> Position:
    """Up to twelve pieces a side on random squares, with kings where men cannot be."""
    black, white = dice.randint(1, 12), dice.randint(1, 12)
    squares = dice.sample(range(1, 33), black + white)
    boards = [0, 0, 0]
    for place, square in enumerate(squares):
        side = 0 if place < black else 1
        bit = 1 << bit_of(square)
        boards[side] |= bit
        if dice.random() < 0.4 or (square > 28 if side == 0 else square < 5):
            boards[2] |= bit
    return Position(*boards, dice.randint(0, 1), 0)


def random_positions(seed: int) -> Iterator[Position]:
    dice = random.Random(seed)
    for s in random_game(dice):
        yield s
        placed = random_placement(dice)
        if GAME.legal_moves(placed):
            yield placed


def pieces_of(fen: str) -> tuple[str, ...]:
    """A FEN, normalised so that the order of its squares does not matter."""
    turn, *sides = fen.split(":")
    return (turn, *sorted(side[0] + ",".join(sorted(side[1:].split(","))) for side in sides[:2]))


def disagreement(s: Position, dice: random.Random) -> str:
    """How zerosum and pydraughts differ about a position; '' if they agree."""
    from draughts import Board

    board = Board(variant="english", fen=GAME.format_state(s))
    theirs = {tuple(move.steps_move): move for move in board.legal_moves()}
    ours = {tuple(squares_on(move)): move for move in GAME.moves(s)}
    if set(ours) != set(theirs) or len(ours) != len(list(GAME.moves(s))):
        return f"moves differ: {set(ours) ^ set(theirs)}"
    way = dice.choice(sorted(ours))
    board.push(theirs[way])
    found, expected = pieces_of(GAME.format_state(GAME.play(s, ours[way])._replace(clock=0))), pieces_of(board.fen)
    return "" if found == expected else f"{way} leads to {found} instead of {expected}"


def compare(positions: int, seed: int = 0, show_progress: bool = False) -> int:
    """Compare on this many positions or more; return their number. AssertionError quotes the FEN if they disagree."""
    done, began = 0, time.perf_counter()
    while done < positions:
        dice = random.Random(seed)
        for s in random_positions(seed):
            problem = disagreement(s, dice)
            assert not problem, f"{GAME.format_state(s)} (game {seed}): {problem}"
            done += 1
        seed += 1
        if show_progress:
            print(f"\r{done} positions, {done / (time.perf_counter() - began):.0f}/s ", end="", file=sys.stderr)
    return done


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print(f"\n{compare(given.positions, given.seed, show_progress=True)} positions agree")
