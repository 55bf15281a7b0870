"""Fuzz FENs and moves with mutated and random texts: each is read, or refused on one line.

python tests/games/chess_fuzz.py --inputs 100000
"""

from __future__ import annotations

import argparse
import random
import string

from zerosum.errors import MoveError, PositionError
from zerosum.games import load
from zerosum.games.chess.notation import from_fen, from_san, from_uci, parse_move, show, to_fen, to_san, to_uci

GAME = load("chess")
FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4k3/8/8/8/8/8/8/4K3 w - -",
]
MOVES = ["e4", "Nf3", "O-O", "O-O-O", "exd5", "e8=Q+", "Nbd2", "R1a3", "Qh4e1#", "e2e4", "e7e8q", "e1h1", "exf6 e.p."]
LIKELY = "pnbrqkPNBRQK12345678/ -wabcdefghKQkqxO0=+#"
ANYTHING = string.printable + "♔♞é٣²\x00\u2028\U0001f600"


def mutated(dice: random.Random, text: str) -> str:
    """The text with a few characters or words changed, dropped, doubled or swapped."""
    for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
        at = dice.randrange(len(text) + 1)
        what = dice.randrange(6)
        letter = dice.choice(ANYTHING if dice.random() < 0.1 else LIKELY)
        if what == 0:
            text = text[:at] + letter + text[at:]
        elif what == 1:
            text = text[:at] + text[at + 1 :]
        elif what == 2:
            text = text[:at] + letter + text[at + 1 :]
        elif what == 3:
            words = text.split(" ")
            dice.shuffle(words)
            text = " ".join(words)
        elif what == 4:
            text = text[: at + dice.randrange(9)] + text[at:]
        else:
            words = text.split(" ")
            words[dice.randrange(len(words))] = letter * dice.randrange(4)
            text = " ".join(words)
    return text


def any_text(dice: random.Random) -> str:
    letters = ANYTHING if dice.random() < 0.5 else LIKELY
    return "".join(dice.choice(letters) for _ in range(dice.randrange(90)))


def fuzz_fens(inputs: int, seed: int = 0) -> tuple[int, int]:
    """The number of texts that were positions and that were refused; any other exception propagates."""
    dice = random.Random(seed)
    good = bad = 0
    for _ in range(inputs):
        text = any_text(dice) if dice.random() < 0.2 else mutated(dice, dice.choice(FENS))
        try:
            s = from_fen(text)
        except PositionError as problem:
            bad += 1
            assert len(str(problem).splitlines()) == 1, text
            continue
        good += 1
        assert from_fen(to_fen(s)) == s, text
        assert show(s)
        for move in GAME.legal_moves(s)[:3]:
            assert from_san(s, to_san(s, move)) == move, (text, move)
    return good, bad


def fuzz_moves(inputs: int, seed: int = 0) -> tuple[int, int]:
    """The same for moves in several positions."""
    dice = random.Random(seed)
    states = [from_fen(fen) for fen in FENS]
    good = bad = 0
    for _ in range(inputs):
        s = dice.choice(states)
        text = any_text(dice) if dice.random() < 0.1 else dice.choice(MOVES)
        if dice.random() < 0.7:
            text = mutated(dice, text)
        read = dice.choice((from_san, from_uci, parse_move))
        try:
            move = read(s, text)
        except MoveError as problem:
            bad += 1
            assert len(str(problem).splitlines()) == 1, text
            continue
        good += 1
        assert from_uci(s, to_uci(s, move)) == move == from_san(s, to_san(s, move)), text
    return good, bad


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000)
    given = parser.parse_args()
    for name, fuzz in (("FENs", fuzz_fens), ("moves", fuzz_moves)):
        good, bad = fuzz(given.inputs)
        print(f"{given.inputs} {name}: {good} read, {bad} refused, no other exception")
