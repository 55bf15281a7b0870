"""The rules of chess."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.games import load
from zerosum.games.chess.attacks import (
    attackers_to,
    bishop_attacks,
    checkers_and_pinned,
    pawn_attacks,
    queen_attacks,
    rook_attacks,
)
from zerosum.games.chess.fen import parse_square, square_name
from zerosum.games.chess.notation import from_san, to_san, to_uci
from zerosum.games.chess.position import captured, kind, make_move, move_type, origin, promotion, target
from zerosum.games.chess.sliders import (
    BISHOP_STEPS,
    ROOK_STEPS,
    blocker_mask,
    build_sliders,
    rays,
    subsets,
)
from zerosum.games.chess.tables import default_tables
from zerosum.jit.bits import bits
from zerosum.jit.words import u64

GAME = load("chess")
T = default_tables()


def position(fen):
    return GAME.parse_state(fen)


def moved(fen, *sans):
    s = position(fen)
    for san in sans:
        s = GAME.play(s, from_san(s, san))
    return s


def names(board):
    return {square_name(square) for square in bits(board)}


def sans(fen):
    s = position(fen)
    return {to_san(s, move) for move in GAME.moves(s)}


# Attacks


@pytest.mark.parametrize(("which", "steps"), [(0, BISHOP_STEPS), (1, ROOK_STEPS)])
def test_every_multiplier_tells_all_sets_of_blockers_apart(which, steps):
    finders, slides = build_sliders()
    for square in range(64):
        sets = subsets(blocker_mask(square, steps))
        _, multiplier, shift, offset = finders[which, square]
        places = (sets * multiplier >> shift) + offset
        expected = rays(np.full(len(sets), 1 << square, np.uint64), sets, steps)
        assert (slides[places] == expected).all()


def test_sliders_see_up_to_what_blocks_them():
    occupied = u64(1 << parse_square("d6") | 1 << parse_square("f4") | 1 << parse_square("b2"))
    d4 = parse_square("d4")
    assert names(rook_attacks(d4, occupied, T)) == {*["d1", "d2", "d3", "d5", "d6", "a4", "b4", "c4", "e4", "f4"]}
    assert names(bishop_attacks(d4, occupied, T)) == {
        *["c3", "b2", "e5", "f6", "g7", "h8", "c5", "b6", "a7", "e3", "f2", "g1"]
    }
    both = rook_attacks(d4, occupied, T) | bishop_attacks(d4, occupied, T)
    assert queen_attacks(d4, occupied, T) == both


def test_pawns_attack_diagonally_and_never_around_the_edge():
    assert names(pawn_attacks(u64(1 << parse_square("a4")), 0)) == {"b5"}
    assert names(pawn_attacks(u64(1 << parse_square("h4")), 0)) == {"g5"}
    assert names(pawn_attacks(u64(1 << parse_square("a4")), 1)) == {"b3"}
    assert names(pawn_attacks(u64(1 << parse_square("h4")), 1)) == {"g3"}


def test_lines_between_squares():
    a1, d4, h8, b3 = map(parse_square, ("a1", "d4", "h8", "b3"))
    assert names(T.between[a1, d4]) == {"b2", "c3"}
    assert names(T.line[d4, a1]) == {*["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]}
    assert T.between[a1, b3] == 0 and T.line[a1, b3] == 0 and T.between[a1, a1] == 0
    assert names(T.between[a1, h8]) == {*["b2", "c3", "d4", "e5", "f6", "g7"]}
    assert (T.between == T.between.T).all() and (T.line == T.line.T).all()


def test_attackers_checkers_and_pins():
    s = position("4k3/8/8/8/1b2r3/8/3NN3/4K3 w - - 0 1")
    checkers, pinned = checkers_and_pinned(s, T)
    assert checkers == 0 and names(pinned) == {"d2", "e2"}
    assert names(attackers_to(s, parse_square("e4"), s.white | s.black, T)) == {"d2"}
    assert sans("4k3/8/8/8/1b2r3/8/3NN3/4K3 w - - 0 1") == {"Kd1", "Kf1", "Kf2"}


# Moves


def test_moves_keep_what_play_needs():
    move = make_move(52, 61, 1, 4, 5)
    assert [part(move) for part in (origin, target, kind, captured, promotion, move_type)] == [52, 61, 1, 4, 5, 0]


def test_a_pinned_pawn_stays_on_its_line():
    assert "e3" not in sans("4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1")
    assert sans("4k3/8/8/8/8/6b1/5P2/4K3 w - - 0 1") >= {"fxg3"}
    assert sans("4r1k1/8/8/8/8/3b4/4P3/4K3 w - - 0 1") >= {"e3", "e4"}
    assert "exd3" not in sans("4r1k1/8/8/8/8/3b4/4P3/4K3 w - - 0 1")


def test_en_passant():
    s = moved("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d5")
    assert square_name(s.en_passant) == "d6" and GAME.format_state(s).split()[3] == "d6"
    s = GAME.play(s, from_san(s, "exd6"))
    assert GAME.format_state(s) == "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2"


def test_en_passant_is_noted_only_where_it_is_legal():
    assert moved("4k3/3p4/8/8/4P3/8/8/4K3 b - - 0 1", "d5").en_passant == 0  # no pawn can capture
    # Two pawns leave the fifth rank together, and the rook would attack the king.
    assert moved("4k3/2p5/8/KP5r/8/8/8/8 b - - 0 1", "c5").en_passant == 0
    assert moved("4k3/2p5/8/1P5r/K7/8/8/8 b - - 0 1", "c5").en_passant != 0
    # The capturing pawn is pinned on a diagonal: it may move along it, but not leave it.
    assert moved("b3k3/2p5/8/3P4/4K3/8/8/8 b - - 0 1", "c5").en_passant != 0
    assert moved("4k1b1/2p5/8/3P4/2K5/8/8/8 b - - 0 1", "c5").en_passant == 0


def test_equal_positions_have_equal_keys_also_if_a_pawn_went_two_squares():
    twice = moved("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4", "Kd8", "Kd1", "Ke8", "Ke1")
    once = moved("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e4", "Kd8", "Kd1", "Ke8", "Ke1")
    assert twice.key == once.key and GAME.key(twice) == twice.key


def test_keys_tell_turn_castling_and_en_passant():
    board = "r3k2r/8/8/8/8/8/8/R3K2R"
    texts = [f"{board} w KQkq -", f"{board} b KQkq -", f"{board} w Qkq -", f"{board} w K -", f"{board} w - -"]
    texts += ["4k3/8/8/3pP3/8/8/8/4K3 w - d6", "4k3/8/8/3pP3/8/8/8/4K3 w - -"]
    assert len({position(text).key for text in texts}) == len(texts)


def test_castling_needs_a_free_and_safe_way():
    assert {"O-O", "O-O-O"} <= sans("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert "O-O" not in sans("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1")  # the king would end in check
    assert "O-O" not in sans("4kr2/8/8/8/8/8/8/4K2R w K - 0 1")  # the king would pass through check
    assert "O-O" not in sans("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1")  # the king is in check
    assert "O-O-O" in sans("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1")  # only the rook passes an attacked square
    assert "O-O-O" not in sans("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1")
    assert "O-O" not in sans("4k3/8/8/8/8/8/8/4K2R w - - 0 1")


def test_castling_rights_end_with_king_and_rooks():
    board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    rights = lambda *line: GAME.format_state(moved(board, *line)).split()[2]  # noqa: E731
    assert rights("Ke2") == "kq"
    assert rights("Rb1") == "Kkq"
    assert rights("O-O", "O-O-O") == "-"
    assert rights("Rxa8+") == "Kk"


def test_castling_puts_king_and_rook_where_they_belong():
    board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert GAME.format_state(moved(board, "O-O", "O-O-O")) == "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"
    # Chess960: the king passes the rook, or does not move at all.
    assert GAME.format_state(moved("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "O-O-O")) == "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"
    assert GAME.format_state(moved("4k3/8/8/8/8/8/8/5RK1 w - - 0 1", "Re1+")).startswith("4k3")
    s = moved("4k3/8/8/8/8/8/8/6KR w K - 0 1", "O-O")
    assert GAME.format_state(s) == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"
    # The rook must not have shielded the king.
    assert "O-O-O" not in sans("4k3/8/8/8/8/8/8/rRK5 w B - 0 1")


def test_two_checks_leave_only_the_king():
    assert all(san.startswith("K") for san in sans("4k3/8/8/8/1b6/8/4q3/R3K2R w KQ - 0 1"))
    assert sans("4k3/8/8/8/1b5q/8/8/R3K3 w Q - 0 1") == {"Kd1", "Ke2", "Kf1"}


def test_promotions():
    assert {"a8=Q", "a8=R", "a8=B", "a8=N"} <= sans("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    s = moved("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "axb8=N")
    assert GAME.format_state(s) == "1N5k/8/8/8/8/8/8/K7 b - - 0 1"


def test_noisy_moves_are_captures_and_queens():
    s = position("1n5k/P7/8/3p4/4P3/8/8/K6r w - - 0 1")
    assert {to_san(s, move) for move in GAME.noisy_moves(s)} == set()  # in check, and no capture ends it
    s = position("1n5k/P7/8/3p4/4P3/8/8/K7 w - - 0 1")
    assert {to_san(s, move) for move in GAME.noisy_moves(s)} == {"axb8=Q+", "a8=Q", "exd5"}


def test_the_position_with_the_most_moves():
    s = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(list(GAME.moves(s))) == GAME.max_moves == 218


# The end


@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -1),  # the fool's mate
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 1),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),  # stalemate
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", 0),
        ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", 0),
        ("8/8/4k3/8/5b2/3KB3/8/8 w - - 0 1", 0),  # bishops on one colour
        ("8/8/4k3/8/8/3KR3/8/8 b - - 100 90", 0),  # fifty moves
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80", 1),  # mate on the last ply counts
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 80", 0),
        ("R5k1/6pp/8/8/8/8/8/6K1 b - - 100 80", 0),  # a check that can be answered does not
    ],
)
def test_games_that_are_over(fen, value):
    s = position(fen)
    assert GAME.is_over(s) and GAME.utility(s) == value


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/4k3/8/4b3/3KB3/8/8 w - - 0 1",  # bishops on both colours can mate, with help
        "8/8/4k3/8/4n3/3KN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KP3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KR3/8/8 b - - 99 90",
    ],
)
def test_games_that_go_on(fen):
    assert not GAME.is_over(position(fen))


def test_passing_is_no_capture_en_passant():
    s = position("4k3/8/8/3pP3/8/5N2/8/4K3 w - d6 0 1")
    passed = GAME.skip(s)
    assert (passed.turn, passed.en_passant) == (1, 0)
    assert passed.key == position("4k3/8/8/3pP3/8/5N2/8/4K3 b - - 0 1").key


def test_what_cannot_be_undone():
    s = position("r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1")
    undone = {to_uci(s, move): bool(GAME.reversible(s, move)) for move in GAME.moves(s)}
    assert not any(undone[uci] for uci in ("a2a3", "e1e2", "h1h8", "h1g1", "e1g1"))
    free = position("r3k2r/8/8/8/8/8/P7/R3K2R w - - 0 1")
    assert GAME.reversible(free, from_san(free, "Ke2")) and GAME.reversible(free, from_san(free, "Rg1"))
