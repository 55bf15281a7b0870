"""Chess notation: FEN, SAN and UCI, and invalid texts."""

from __future__ import annotations

import pytest
from chess_fuzz import fuzz_fens, fuzz_moves

from zerosum.errors import MoveError, PositionError
from zerosum.games import load
from zerosum.games.chess.fen import START
from zerosum.games.chess.notation import from_fen, from_san, from_uci, parse_move, show, to_fen, to_san, to_uci

GAME = load("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    "fen",
    [
        START,
        KIWIPETE,
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/8/4k3/8/8/3KR3/8/8 b - - 99 90",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        "1rr1k3/8/8/8/8/8/8/1R2KR1R w Fc - 0 1",  # not the outermost rooks, so files are written
    ],
)
def test_fens_come_back(fen):
    assert to_fen(from_fen(fen)) == fen
    assert GAME.parse_state(fen) == from_fen(fen)


def test_the_start_is_the_start():
    assert to_fen(GAME.start()) == START and from_fen(START) == GAME.start()


def test_fens_in_other_forms():
    assert from_fen("4k3/8/8/8/8/8/8/4K2R w K -") == from_fen("4k3/8/8/8/8/8/8/4K2R w H - 0 1")
    assert from_fen(f"  {START} ") == GAME.start()
    # A FEN may name the square after any double step; here no pawn can capture.
    assert to_fen(from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")).split()[3] == "-"


@pytest.mark.parametrize(
    ("fen", "quoted"),
    [
        ("", "fields"),
        ("nonsense", "fields"),
        ("8/8/8/8 w - -", "8 ranks, not 4"),
        ("4k3/8/8/8/8/8/8/4K2X w - - 0 1", "'X'"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "'4K4'"),
        ("4k3/8/8/8/8/8/8/4K30 w - - 0 1", "'0'"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "7 squares"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "'x'"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "h8"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "a1"),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "'Q'"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "'K'"),
        ("4k3/8/8/8/8/8/8/4K2R w z - 0 1", "'z'"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "'KK'"),
        ("4k3/8/8/8/8/8/8/4KR1R w KF - 0 1", "'KF'"),
        ("4k3/8/8/8/8/8/8/4K2R w K e9 0 1", "'e9'"),
        ("4k3/8/8/8/8/8/8/4K2R w K e3 0 1", "'e3'"),
        ("4k3/8/8/8/8/8/8/4K2R w K e6 0 1", "'e6'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "'-1'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999", "'999999999999"[:9]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 ١", "'١'"),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "could take the king"),
        ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "could take the king"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "9 pawns"),
        ("qq2k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1", "8 pawns and more pieces"),
        ("4k3/8/8/8/7q/2n5/8/K3q2r w - - 0 1", ""),
        ("4k3/8/8/q7/7q/2b5/8/K6r w - - 0 1", "more than two"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 and more", "8"),
    ],
)
def test_what_is_wrong_with_a_fen_is_quoted(fen, quoted):
    if not quoted:
        from_fen(fen)
        return
    with pytest.raises(PositionError) as caught:
        from_fen(fen)
    text = str(caught.value)
    assert quoted in text and "\n" not in text and repr(fen) in text
    with pytest.raises(PositionError):
        GAME.parse_state(fen)


def test_a_long_text_is_not_quoted_whole():
    with pytest.raises(PositionError) as caught:
        from_fen("x" * 10_000)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        (START, "e2e4", "e4"),
        (START, "g1f3", "Nf3"),
        (KIWIPETE, "e1g1", "O-O"),
        (KIWIPETE, "e1c1", "O-O-O"),
        (KIWIPETE, "e5g6", "Nxg6"),
        (KIWIPETE, "d5e6", "dxe6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q"),
        ("8/P7/8/8/8/7k/8/K7 w - - 0 1", "a7a8b", "a8=B"),
        ("k7/8/8/8/8/8/8/KR5R w - - 0 1", "b1d1", "Rbd1"),
        ("1k6/8/8/R7/8/8/8/R6K w - - 0 1", "a1a3", "R1a3"),
        ("k7/8/8/8/8/2Q1Q3/8/2Q4K w - - 0 1", "c3d2", "Qc3d2"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", "Rh8#"),
    ],
)
def test_moves_as_text(fen, uci, san):
    s = from_fen(fen)
    move = from_uci(s, uci)
    assert (to_uci(s, move), to_san(s, move)) == (uci, san)
    assert from_san(s, san) == parse_move(s, san) == parse_move(s, uci) == GAME.parse_move(s, san) == move
    assert GAME.format_move(s, move) == san


def test_moves_in_other_forms():
    s = from_fen(KIWIPETE)
    short = from_san(s, "O-O")
    assert from_san(s, "0-0") == short == from_uci(s, "e1h1") and to_uci(s, short, chess960=True) == "e1h1"
    for text in ("Nxg6", "Ng6", "Ne5xg6", "Ne5-g6", "Nxg6!?", "Nxg6+", " Nxg6 "):
        assert to_uci(s, from_san(s, text)) == "e5g6"
    s = from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    for text in ("a8=Q", "a8Q", "a8(Q)", "a7-a8=Q"):
        assert to_uci(s, from_san(s, text)) == "a7a8q"
    assert from_uci(s, "a7a8Q") == from_uci(s, "a7a8q")
    s = from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert from_san(s, "exd6 e.p.") == from_san(s, "exd6e.p.")


def test_castling_with_other_rooks_is_king_takes_rook():
    s = from_fen("4k3/8/8/8/8/8/8/1RK5 w B - 0 1")
    assert to_uci(s, from_san(s, "O-O-O")) == "c1b1"


@pytest.mark.parametrize(
    "text", ["", "e5", "Ke2", "O-O", "Nf4", "zz", "e2e5", "e9", "a1a1", "0000", "Nbd2", "--", "e8=K"]
)
def test_moves_that_are_none(text):
    s = GAME.start()
    for read in (from_san, from_uci, parse_move):
        with pytest.raises(MoveError) as caught:
            read(s, text)
        assert repr(text) in str(caught.value)


def test_an_ambiguous_move_says_so():
    s = from_fen("k7/8/8/8/8/8/8/KR5R w - - 0 1")
    with pytest.raises(MoveError, match="Rbd1, Rhd1"):
        from_san(s, "Rd1")


def test_show():
    assert show(GAME.start()).splitlines() == [
        "8 r n b q k b n r",
        "7 p p p p p p p p",
        "6 . . . . . . . .",
        "5 . . . . . . . .",
        "4 . . . . . . . .",
        "3 . . . . . . . .",
        "2 P P P P P P P P",
        "1 R N B Q K B N R",
        "  a b c d e f g h",
        "White to move, castling KQkq",
    ]
    last = lambda fen: show(from_fen(fen)).splitlines()[-1]  # noqa: E731
    assert last("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1") == "checkmate: White wins"
    assert last("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == "a draw: Black is stalemated"
    assert last("8/8/4k3/8/8/3K4/8/8 w - - 0 1") == "a draw: insufficient material"
    assert last("8/8/3k4/8/8/3KR3/8/8 w - - 100 90") == "a draw: fifty moves without a capture or a pawn move"
    assert last("R5k1/6pp/8/8/8/8/8/6K1 b - - 0 1") == "Black to move, in check"
    assert last("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1") == "White to move, en passant d6"


def test_nothing_but_errors_of_its_own():
    """Mutated and random texts; ``chess_fuzz.py`` can try 100,000 and more."""
    good, bad = fuzz_fens(3000, seed=1)
    assert good + bad == 3000 and good > 50 and bad > 1000
    good, bad = fuzz_moves(3000, seed=1)
    assert good + bad == 3000 and good > 50 and bad > 1000
