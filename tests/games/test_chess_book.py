"""Polyglot books: the keys of the specification, books from other sources, and our own."""

from __future__ import annotations

import random
from collections import Counter

import chess
import chess.polyglot
import pytest
from chess_files import check_broken_book, small_book
from reference import SHARED_DATA

from zerosum.errors import BookError
from zerosum.games import load
from zerosum.games.chess.book import RECORD, Book, BookMaker, move_code, position_key, position_keys
from zerosum.games.chess.notation import from_fen, from_uci, to_fen, to_uci
from zerosum.games.chess.pgn import parse_game

PERFORMANCE = SHARED_DATA / "chess" / "book" / "performance.bin"
needs_book = pytest.mark.skipif(not PERFORMANCE.exists(), reason="the folder of shared books is not there")


# The examples of the specification, http://hgm.nubati.net/book_format.html
@pytest.mark.parametrize(
    ("moves", "key"),
    [
        ("", 0x463B96181691FC9C),
        ("e2e4", 0x823C9B50FD114196),
        ("e2e4 d7d5", 0x0756B94461C50FB0),
        ("e2e4 d7d5 e4e5", 0x662FAFB965DB29D4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22A48B5A8E47FF78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A607CA3F242C1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FDD303C946BDD9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C8123EA7B067637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F9B829B279560),
    ],
)
def test_the_keys_of_the_specification(moves, key):
    game = load("chess")
    s = game.start()
    for move in moves.split():
        s = game.play(s, from_uci(s, move))
    assert position_key(s) == key


def test_keys_agree_with_python_chess_on_random_positions():
    game = load("chess")
    rng = random.Random(5)
    for _ in range(12):
        board, s = chess.Board(), game.start()
        for _ in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            # Prefer pawn moves, to get en passant.
            move = rng.choice([m for m in moves if board.piece_type_at(m.from_square) == chess.PAWN] or moves)
            s = game.play(s, from_uci(s, move.uci()))
            board.push(move)
            wanted = chess.polyglot.zobrist_hash(board)
            if board.has_legal_en_passant() or not board.has_pseudo_legal_en_passant():
                assert position_key(s) == wanted, board.fen()
            assert wanted in position_keys(s)


def test_en_passant_by_a_pinned_pawn_is_found_under_polyglots_key(tmp_path):
    game = load("chess")
    s = from_fen("4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    push = from_uci(s, "d7d5")
    board = chess.Board(to_fen(s))
    board.push_uci("d7d5")
    assert not board.has_legal_en_passant() and board.has_pseudo_legal_en_passant()
    after = game.play(s, push)
    path = tmp_path / "book.bin"
    path.write_bytes(RECORD.pack(chess.polyglot.zobrist_hash(board), move_code(after, from_uci(after, "e1d2")), 1, 0))
    with Book(path) as book:
        assert [to_uci(after, move) for move, _ in book.moves(after)] == ["e1d2"]
    maker = BookMaker()
    maker.add(parse_game(f'[FEN "{to_fen(s)}"]\n\n1... d5 2. Kd2 *'))
    assert chess.polyglot.zobrist_hash(board) in [key for key, _, _ in maker.records()]


@needs_book
def test_a_book_of_others_says_what_python_chess_says():
    game = load("chess")
    rng = random.Random(3)
    known = castled = 0
    with Book(PERFORMANCE) as book, chess.polyglot.open_reader(PERFORMANCE) as theirs:
        assert len(book) == len(theirs)
        for _ in range(15):
            board, s = chess.Board(), game.start()
            while True:
                entries = list(theirs.find_all(board))
                ours = {to_uci(s, move): weight for move, weight in book.moves(s)}
                assert ours == {entry.move.uci(): entry.weight for entry in entries}
                if not entries:
                    break
                known += 1
                # Prefer castling, which books encode differently.
                choice = next((e for e in entries if board.is_castling(e.move)), None) or rng.choice(entries)
                castled += board.is_castling(choice.move)
                s = game.play(s, from_uci(s, choice.move.uci()))
                board.push(choice.move)
    assert known > 100 and castled > 5


@needs_book
def test_moves_are_picked_as_often_as_they_weigh():
    game = load("chess")
    s = game.start()
    with Book(PERFORMANCE) as book:
        weights = dict(book.moves(s))
        total = sum(weights.values())
        rng = random.Random(1)
        picked = Counter(book.pick(s, rng) for _ in range(1000))
    for move, weight in weights.items():
        assert abs(picked[move] / 1000 - weight / total) < 0.05


def write(path, *records):
    path.write_bytes(b"".join(RECORD.pack(*record, 0) for record in sorted(records)))
    return path


def test_castling_is_the_king_that_takes_its_rook_and_also_its_two_steps(tmp_path):
    s = from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    castles = from_uci(s, "e1g1")
    assert move_code(s, castles) == 4 << 6 | 7
    for code in (4 << 6 | 7, 4 << 6 | 6):
        with Book(write(tmp_path / "book.bin", (position_key(s), code, 9))) as book:
            assert book.moves(s) == [(castles, 9)]


def test_promotions(tmp_path):
    s = from_fen("8/4P1k1/8/8/8/8/6K1/8 w - - 0 1")
    for number, letter in enumerate("nbrq", 1):
        code = move_code(s, from_uci(s, f"e7e8{letter}"))
        assert code == number << 12 | 52 << 6 | 60
        with Book(write(tmp_path / f"{letter}.bin", (position_key(s), code, 1))) as book:
            assert [to_uci(s, move) for move, _ in book.moves(s)] == [f"e7e8{letter}"]


def test_illegal_moves_are_left_out_and_weightless_ones_not_played(tmp_path):
    s = load("chess").start()
    key = position_key(s)
    with Book(write(tmp_path / "book.bin", (key, 0xFFFF, 5), (key, 0, 5), (key, 12 << 6 | 28, 0))) as book:
        assert [(to_uci(s, move), weight) for move, weight in book.moves(s)] == [("e2e4", 0)]
        assert book.pick(s, random.Random(1)) is None


# Making books


def make(path, *texts, plies=30, **least):
    maker = BookMaker(plies)
    for text in texts:
        maker.add(parse_game(text))
    maker.write(path, **least)
    return path


def weights(path, board):
    with chess.polyglot.open_reader(path) as reader:
        return {entry.move.uci(): entry.weight for entry in reader.find_all(board)}


GAMES = ("1. e4 e5 1-0", "1. e4 c5 1/2-1/2", "1. d4 d5 0-1", "1. c4 1/2-1/2", "1. c4 *", "1. e4 e5 0-1")


def test_python_chess_reads_what_we_made(tmp_path):
    path = make(tmp_path / "book.bin", *GAMES)
    assert weights(path, chess.Board()) == {"e2e4": 3, "c2c4": 2}  # 1. d4 never scored
    board = chess.Board()
    board.push_uci("e2e4")
    assert weights(path, board) == {"e7e5": 2, "c7c5": 1}
    data = path.read_bytes()
    keys = [data[at : at + 8] for at in range(0, len(data), 16)]
    assert keys == sorted(keys) and len(data) == 16 * 5


def test_seldom_and_bad_moves_are_left_out(tmp_path):
    path = make(tmp_path / "book.bin", *GAMES, min_games=3)
    assert weights(path, chess.Board()) == {"e2e4": 3}
    path = make(tmp_path / "book.bin", *GAMES, min_score=50.5)
    assert weights(path, chess.Board()) == {}
    path = make(tmp_path / "book.bin", *GAMES, plies=1)
    assert path.stat().st_size == 2 * 16


def test_transpositions_meet(tmp_path):
    path = make(tmp_path / "book.bin", "1. Nf3 d5 2. d4 Nf6 1/2-1/2", "1. d4 d5 2. Nf3 Nf6 0-1")
    board = chess.Board()
    for move in ("Nf3", "d5", "d4"):
        board.push_san(move)
    assert weights(path, board) == {"g8f6": 3}


def test_weights_fit_into_16_bits():
    maker = BookMaker()
    games = [parse_game("1. e4 1-0"), parse_game("1. d4 1-0")]
    for n in range(60_000):
        maker.add(games[n % 3 == 0])
    assert sorted(weight for _, _, weight in maker.records()) == [32767, 65535]


def test_an_empty_book_is_not_written(tmp_path):
    path = tmp_path / "book.bin"
    with pytest.raises(BookError, match="no move was played often"):
        BookMaker().write(path)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written(tmp_path):
    with pytest.raises(Exception, match="cannot be written") as caught:
        make(tmp_path / "nowhere" / "book.bin", "1. e4 1-0")
    assert repr(str(tmp_path / "nowhere" / "book.bin")) in str(caught.value)


# Damaged books


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b"x" * 17, "17 bytes"),
        (b"\xff" * 16 + b"\x00" * 16, "record 2 is out of order"),
        (None, "cannot be read"),
    ],
)
def test_what_is_not_a_book_is_named(tmp_path, data, reason):
    path = tmp_path / "book.bin"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BookError, match=reason) as caught:
        Book(path)
    assert repr(str(path)) in str(caught.value)


def test_damaged_books_are_refused_or_give_legal_moves(tmp_path):
    rng = random.Random(11)
    whole = small_book()
    refused = sum(check_broken_book(rng, whole, tmp_path / "book.bin") for _ in range(150))
    assert 20 < refused < 150
