"""Helpers for tests of chess files: games made and read by python-chess, and damaged files.

As a script it runs the long versions of tests that otherwise use a sample:

    python tests/games/chess_files.py --games 2000 --mistakes 100000
"""

from __future__ import annotations

import argparse
import io
import random
import re
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn

sys.path.insert(0, str(Path(__file__).parent))

from reference import SHARED_DATA

from zerosum.errors import BookError, PgnError, TableError, ZerosumError
from zerosum.games import load
from zerosum.games.chess import syzygy
from zerosum.games.chess.book import RECORD, Book, BookMaker
from zerosum.games.chess.notation import to_uci
from zerosum.games.chess.pgn import NULL_MOVE, PgnGame, after, format_game, parse_game, read_games
from zerosum.games.chess.syzygy import Tables
from zerosum.games.pgn.tree import Variation

TABLES = SHARED_DATA / "chess" / "syzygy"
OPENINGS = SHARED_DATA / "chess" / "openings" / "8moves_v3.pgn.zip"

STARTS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 3 17",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
)
COMMENTS = (
    "[%clk 0:03:00]",
    "[%eval 0.24] [%clk 1:02:03.5] [%csl Ga4,Rb5]",
    "good",
    "a (bracket, 1. e4 and $3 inside; all that is still a comment",
    'quotes " and \\ and umlauts äöü ½ 王',
    "two  blanks, a tab\tand % a sign",
    "long " * 40,
    '[Event "no tag"]',
    "%no escape",
)


# Random games, by python-chess


def random_game(rng: random.Random, plies: int = 40) -> chess.pgn.Game:
    """A game with comments, glyphs, null moves and nested variations."""
    game = chess.pgn.Game()
    start = rng.choice(STARTS)
    if start != chess.STARTING_FEN:
        game.setup(start)
    game.headers["White"] = rng.choice(['Anna "the rook" B.', "C:\\games", "Müller", "?"])
    game.headers["Annotator"] = rng.choice(["", "Zoë", "x" * 100])
    game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    if rng.random() < 0.2:
        game.comment = rng.choice(COMMENTS)
    _grow(rng, game, rng.randrange(plies), 0)
    return game


def _grow(rng: random.Random, node: chess.pgn.GameNode, plies: int, depth: int) -> None:
    """Add moves after a node; the first move of a variation must be a new one."""
    for _ in range(plies):
        board = node.board()
        moves = [move for move in board.legal_moves if not node.has_variation(move)]
        if not moves:
            return
        if depth and rng.random() < 0.02 and not board.is_check():
            moves = [chess.Move.null()]
        child = node.add_variation(rng.choice(moves))
        if rng.random() < 0.15:
            child.comment = rng.choice(COMMENTS)
        if rng.random() < 0.1:
            child.nags = set(rng.sample(range(1, 256), rng.randrange(1, 3)))
        if depth < 3 and rng.random() < 0.08:
            _grow(rng, node, rng.randrange(1, 6), depth + 1)
            if rng.random() < 0.3 and len(node.variations) > 1:
                node.variations[1].starting_comment = rng.choice(COMMENTS)
        node = child


def opening_games(count: int) -> Iterator[str]:
    """The texts of the first games in the shared file of openings."""
    with zipfile.ZipFile(OPENINGS) as folder, folder.open(folder.namelist()[0]) as file:
        text = io.TextIOWrapper(file, encoding="utf-8")
        lines: list[str] = []
        for line in text:
            if line.startswith("[Event ") and lines:
                yield "".join(lines)
                lines = []
                count -= 1
                if not count:
                    return
            lines.append(line)


# Both programs' trees in one form


def _spaced(text: str) -> str:
    return " ".join(text.split())


def their_tree(game: chess.pgn.Game) -> list[Any]:
    return [_spaced(game.comment), _their_line(game)]


def _their_line(node: chess.pgn.GameNode) -> list[Any]:
    line = []
    while node.variations:
        main, *others = node.variations
        assert isinstance(main, chess.pgn.ChildNode)
        variations = [[_spaced(other.starting_comment), [_their_move(other), *_their_line(other)]] for other in others]
        line.append([*_their_move(main), variations])
        node = main
    return line


def _their_move(node: chess.pgn.ChildNode) -> list[Any]:
    return [node.move.uci(), sorted(node.nags), _spaced(node.comment)]


def our_tree(game: PgnGame) -> list[Any]:
    return _our_line(game.main, game.start)


def _our_line(line: Variation, s: Any, first_bare: bool = False) -> list[Any]:
    moves = []
    for number, node in enumerate(line.moves):
        uci = "0000" if node.move == NULL_MOVE else to_uci(s, node.move)
        move = [uci, sorted(set(node.nags)), _spaced(" ".join(node.comments))]
        # python-chess stores the alternatives to a variation's first move with the parent's variations.
        if number or not first_bare:
            move.append([_our_line(variation, s, True) for variation in _flat(node)])
        moves.append(move)
        s = after(s, node.move)
    return [_spaced(" ".join(line.before)), moves]


def _flat(node: Any) -> Iterator[Variation]:
    for variation in node.variations:
        yield variation
        if variation.moves:
            yield from _flat(variation.moves[0])


# The checks


def check_round_trip(text: str) -> PgnGame:
    """Check that zerosum and python-chess read a text alike, and what zerosum writes, with lines of at most 80."""
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None and not theirs.errors, theirs
    ours = parse_game(text)
    assert our_tree(ours) == their_tree(theirs)
    assert ours.tags == dict(theirs.headers)
    written = format_game(ours)
    again = chess.pgn.read_game(io.StringIO(written))
    assert again is not None and not again.errors
    assert their_tree(again) == their_tree(theirs)
    # python-chess keeps the backslashes before quotes as part of the value.
    unescaped = {name: re.sub(r'\\(["\\])', r"\1", value) for name, value in again.headers.items()}
    assert unescaped == dict(theirs.headers)
    assert parse_game(written) == ours
    moves = written[written.index("\n\n") :]
    assert all(len(line) <= 80 for line in moves.splitlines() if len(line.split()) > 1), moves
    return ours


SIGNS = '{}()[];%$!?*."\\ \n\n\t\r+#=-:/<>0123456789abcdefghKQRBNOxZ½\x00é'
WORDS = ["1-0", "1/2-1/2", "$999", "$", "--", "O-O", "(", ")", "{", "}", '\n\n[Event "', '[FEN "8/8"]', "1...", "e9"]


def broken_pgn(rng: random.Random, texts: list[str]) -> str:
    """A game with some errors in it."""
    text = rng.choice(texts)
    kind = rng.random()
    if kind < 0.1:
        return "".join(rng.choices(SIGNS, k=rng.randrange(60)))
    if kind < 0.2:
        return text[rng.randrange(len(text)) :][: rng.randrange(1, 200)]
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(text) + 1)
        new = rng.choice(WORDS) if rng.random() < 0.3 else rng.choice(SIGNS)
        text = text[:at] + new + text[at + rng.choice((0, 1, 1, 5)) :]
    return text


def check_broken_pgn(text: str) -> list[PgnError]:
    """Check that every game is read, or refused with its line number and the word quoted; games read can be written."""
    problems: list[PgnError] = []
    for game in read_games(io.StringIO(text, newline=None), problems.append):
        again = parse_game(format_game(game))
        assert again.main == game.main and again.start == game.start, text
    for problem in problems:
        assert f"line {problem.line}: " in str(problem), text
        assert _bare(repr(problem.word[:15])[1:-1]) in _bare(str(problem)), (problem, text)
        assert problem.word and _bare(problem.word) in _bare(text), (problem, text)
    return problems


def _bare(text: str) -> str:
    """The text without whitespace and backslashes, which reading and quoting change."""
    return re.sub(r"[\s\\]", "", text)


def small_book() -> bytes:
    """A book with a few openings."""
    maker = BookMaker(plies=8)
    for moves in ("e4 e5 Nf3 Nc6 Bb5 a6", "d4 d5 c4 e6", "e4 c5 Nf3 d6", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6"):
        maker.add(parse_game(f"{moves} 1/2-1/2"))
    return b"".join(RECORD.pack(*record, 0) for record in maker.records())


def check_broken_book(rng: random.Random, whole: bytes, path: Path) -> bool:
    """Check that a damaged book is refused by name or gives only legal moves; return whether it was refused."""
    data = bytearray(whole)
    kind = rng.random()
    if kind < 0.2:
        data = bytearray(rng.randbytes(rng.choice((0, 1, 15, 16, 17, 160, 320))))
    elif kind < 0.4:
        del data[rng.randrange(len(data)) :]
    else:
        for _ in range(rng.randrange(1, 30)):
            data[rng.randrange(len(data))] = rng.randrange(256)
    path.write_bytes(data)
    game = load("chess")
    try:
        with Book(path) as book:
            for s in (game.start(), game.play(game.start(), game.parse_move(game.start(), "e4"))):
                legal = game.legal_moves(s)
                assert all(move in legal for move, _ in book.moves(s))
                picked = book.pick(s, rng)
                assert picked is None or picked in legal
    except BookError as problem:
        assert repr(str(path)) in str(problem)
        return True
    return False


def check_broken_table(rng: random.Random, folder: Path) -> bool:
    """Check that a damaged endgame table is refused by name or folder, or gives any answer, but does not hang."""
    whole = (TABLES / "KQvK.rtbw").read_bytes()
    data = bytearray(whole)
    kind = rng.random()
    if kind < 0.1:
        del data[rng.randrange(len(data)) :]
    else:
        for _ in range(rng.randrange(1, 10)):
            data[rng.randrange(4, rng.choice((40, len(data))))] = rng.randrange(256)
    (folder / "KQvK.rtbw").write_bytes(data)
    s = load("chess").parse_state("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    try:
        with Tables(folder) as tables:
            tables.probe_wdl(s)
    except TableError as problem:
        assert str(folder) in str(problem)
        return True
    return False


def broken_fen(rng: random.Random) -> str:
    text = rng.choice(STARTS)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(text) + 1)
        text = (
            text[:at] + rng.choice("pnbrqkPNBRQK/12345678 -wbKQkqae36901xyé\x00") + text[at + rng.choice((0, 1, 3)) :]
        )
    return text


def check_broken_fen(text: str) -> bool:
    """Check that a text is a position or refused with a quote; return whether it was refused."""
    try:
        load("chess").parse_state(text)
    except ZerosumError as problem:
        assert repr(text) in str(problem), problem
        return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="round trips, half of them of random games")
    parser.add_argument("--mistakes", type=int, default=100_000, help="broken inputs of all kinds together")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    began = time.perf_counter()
    moves = 0
    openings = list(opening_games(arguments.games // 2)) if OPENINGS.exists() else []
    for text in openings:
        moves += len(check_round_trip(text).moves)
    for _ in range(arguments.games - len(openings)):
        moves += len(check_round_trip(str(random_game(rng))).moves)
    print(f"{arguments.games} games ({len(openings)} openings), {moves} moves: all survive", flush=True)
    print(f"{time.perf_counter() - began:.0f} s")
    texts = [str(random_game(rng, 12)) for _ in range(200)]
    refused: Counter[str] = Counter()
    whole = small_book()
    syzygy.PATIENCE = 0.3  # tables that never answer must not take too long
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.bin"
        for number in range(arguments.mistakes):
            kind = ("PGN", "PGN", "book", "FEN")[number % 4]
            if number % 100 == 99 and TABLES.is_dir():
                kind = "table"
                refused[kind] += check_broken_table(rng, Path(folder))
            elif kind == "PGN":
                refused[kind] += bool(check_broken_pgn(broken_pgn(rng, texts)))
            elif kind == "book":
                refused[kind] += check_broken_book(rng, whole, path)
            else:
                refused[kind] += check_broken_fen(broken_fen(rng))
            refused[f"all {kind}"] += 1
    print(f"{arguments.mistakes} broken inputs, never another exception; refused: {dict(refused)}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
