"""The index of chess endgames: one index for each position, one position for each index."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import chess as python_chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import THOROUGH, samples

from zerosum.errors import PositionError
from zerosum.games import load
from zerosum.games.chess.endgame_index import OUTSIDE
from zerosum.games.chess.endgame_tiers import EN_PASSANT_FROM, EN_PASSANT_TIER, ENDINGS, PAIR_COUNT

GAME = load("chess")
TIERS = GAME.tiers(4)
NAMES = [name for name, _ in TIERS]
MIRRORS = (
    lambda board: board,
    python_chess.flip_horizontal,
    python_chess.flip_vertical,
    python_chess.flip_diagonal,
    lambda board: python_chess.flip_diagonal(python_chess.flip_vertical(board)),
)


@st.composite
def slots(draw):
    tier = draw(st.integers(0, len(TIERS) - 1))
    return tier, draw(st.integers(0, TIERS[tier][1] - 1))


def random_board(seed, men=(3, 4)):
    """A legal python-chess position with a few pieces."""
    dice = random.Random(seed)
    while True:
        board = python_chess.Board.empty()
        squares = dice.sample(range(64), dice.choice(men))
        board.set_piece_at(squares[0], python_chess.Piece(python_chess.KING, True))
        board.set_piece_at(squares[1], python_chess.Piece(python_chess.KING, False))
        for square in squares[2:]:
            board.set_piece_at(square, python_chess.Piece(dice.randint(1, 5), dice.random() < 0.5))
        board.turn = dice.random() < 0.5
        if board.is_valid():
            return board


def state_of(board):
    return GAME.parse_state(board.fen())


def test_every_ending_of_up_to_four_men_has_a_tier():
    singles = {f"K{a}vK" for a in "QRBNP"}
    pairs = {f"K{a}{b}vK" for a, b in combinations_with_replacement("QRBNP", 2)}
    pairs |= {f"K{a}vK{b}" for a, b in combinations_with_replacement("QRBNP", 2)}
    assert sorted(NAMES) == sorted({"KvK"} | singles | pairs)
    assert len(set(NAMES)) == len(NAMES) == 36


def test_kings_have_as_many_places_as_is_known():
    # 462 without pawns and 1806 with them: the counts of Nalimov's tables.
    assert PAIR_COUNT == [462, 1806]
    assert dict(TIERS)["KvK"] == 462


def test_fewer_men_come_first():
    for men in (2, 3, 4):
        few = GAME.tiers(men)
        assert few == TIERS[: len(few)]
    assert [len(GAME.tiers(men)) for men in (2, 3, 4)] == [1, 6, 36]


@pytest.mark.parametrize("men", [1, 5, -3])
def test_other_numbers_of_men_are_refused(men):
    with pytest.raises(PositionError, match=f"not {men}"):
        GAME.tiers(men)


@given(slots())
@settings(max_examples=samples(400), deadline=None)
def test_a_number_gives_a_position_with_that_number(slot):
    tier, index = slot
    s = GAME.unrank(tier, index)
    if GAME.is_valid(s):
        assert (GAME.tier(s), GAME.rank(s)) == (tier, index)


@given(slots())
@settings(max_examples=samples(200), deadline=None)
def test_positions_from_numbers_are_complete(slot):
    """They equal the positions read from their FENs, including the key."""
    s = GAME.unrank(*slot)
    if GAME.is_valid(s):
        read = GAME.parse_state(GAME.format_state(s))
        assert s == read


def test_tuned_weights_have_no_part_in_a_number():
    """Otherwise a database would be worthless after the next training."""
    other = load("chess", trained=0)
    for tier in (1, 5, 20, 35):
        assert GAME.unrank(tier, 12345) == other.unrank(tier, 12345)


@given(st.integers(0, 2**32))
@settings(max_examples=samples(300), deadline=None)
def test_legal_positions_have_valid_numbers(seed):
    s = state_of(random_board(seed))
    tier, index = GAME.tier(s), GAME.rank(s)
    assert 0 <= index < TIERS[tier][1]
    other = GAME.unrank(tier, index)
    assert GAME.is_valid(s) and GAME.is_valid(other)
    assert GAME.rank(other) == index
    assert len(GAME.legal_moves(other)) == len(GAME.legal_moves(s))


@given(st.integers(0, 2**32))
@settings(max_examples=samples(200), deadline=None)
def test_mirror_images_and_changed_colours_have_the_same_number(seed):
    board = random_board(seed)
    s = state_of(board)
    number = GAME.tier(s), GAME.rank(s)
    for mirror in MIRRORS if not board.pawns else MIRRORS[:2]:
        turned = board.transform(mirror)
        for image in (turned, turned.mirror()):
            t = state_of(image)
            assert (GAME.tier(t), GAME.rank(t)) == number


def test_different_positions_have_different_numbers():
    """All positions with two kings and a rook, by brute force: as many indices as classes of mirror images."""
    name = NAMES.index("KRvK")
    for turn in (True, False):
        classes, numbers = set(), set()
        for king in (0, 9, 27, 2) if THOROUGH else (0, 2):  # on the diagonal and next to it
            for rook in range(64):
                for other in range(64):
                    board = python_chess.Board.empty()
                    for square, symbol in ((king, "K"), (rook, "R"), (other, "k")):
                        board.set_piece_at(square, python_chess.Piece.from_symbol(symbol))
                    board.turn = turn
                    if len({king, rook, other}) < 3 or not board.is_valid():
                        continue
                    flipped = [_diagonal(square) for square in (king, rook, other)]
                    # With White's king in the triangle, only the reflection in the diagonal is left.
                    image = min((king, rook, other), tuple(flipped)) if flipped[0] == king else (king, rook, other)
                    s = state_of(board) if king == 0 and rook < 16 else _quick_state(king, rook, other, turn)
                    assert GAME.tier(s) == name
                    classes.add(image)
                    numbers.add(GAME.rank(s))
        assert len(numbers) == len(classes)


def _diagonal(square):
    return (square & 7) << 3 | square >> 3


def _quick_state(king, rook, other, turn):
    s = GAME.unrank(0, 0)
    word = type(s.white)
    white, black = word(1 << king | 1 << rook), word(1 << other)
    return s._replace(
        rooks=word(1 << rook), kings=word(1 << king | 1 << other), white=white, black=black, turn=0 if turn else 1
    )


@given(st.integers(0, 2**32))
@settings(max_examples=samples(150), deadline=None)
def test_moves_lead_to_this_tier_or_an_earlier_one(seed):
    s = state_of(random_board(seed))
    tier = GAME.tier(s)
    for move in GAME.legal_moves(s):
        after = GAME.play(s, move)
        assert 0 <= GAME.tier(after) <= tier
        assert GAME.is_valid(after)
        assert (GAME.tier(after) == tier) == (popcounts(after) == popcounts(s))


def popcounts(s):
    return [int(board).bit_count() for board in (s.pawns, s.knights, s.bishops, s.rooks, s.queens, s.kings)]


def test_en_passant_has_numbers_of_its_own():
    with_right = GAME.parse_state("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2")
    without = GAME.parse_state("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2")
    assert GAME.tier(with_right) == GAME.tier(without) == EN_PASSANT_TIER
    assert GAME.rank(without) < EN_PASSANT_FROM <= GAME.rank(with_right)
    black = GAME.parse_state("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 2")
    assert GAME.rank(black) == GAME.rank(GAME.parse_state("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2"))


def test_every_number_of_en_passant_stands_for_one_position():
    size = TIERS[EN_PASSANT_TIER][1]
    valid = 0
    for index in range(EN_PASSANT_FROM, size, 7 if THOROUGH else 35):
        s = GAME.unrank(EN_PASSANT_TIER, index)
        if GAME.is_valid(s):
            valid += 1
            assert GAME.rank(s) == index
            board = python_chess.Board(GAME.format_state(s))
            assert board.has_legal_en_passant()
    assert valid > samples(1000)


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",  # castling
        "4k3/8/8/8/8/8/PP6/R3K3 w - - 0 1",  # five pieces
        python_chess.STARTING_FEN,
    ],
)
def test_positions_in_no_tier(fen):
    s = GAME.parse_state(fen)
    assert GAME.tier(s) == OUTSIDE
    assert not GAME.is_valid(s)


def test_a_king_that_could_be_taken_makes_no_position():
    s = GAME.unrank(NAMES.index("KQvK"), 0)
    found = 0
    for index in range(300):
        s = GAME.unrank(NAMES.index("KQvK"), index)
        if s.kings and not GAME.is_valid(s):
            found += 1
            with pytest.raises(PositionError):
                GAME.parse_state(GAME.format_state(s))
    assert found


def test_names_are_those_of_syzygy_tables():
    assert all(ending.name == name for ending, (name, _) in zip(ENDINGS, TIERS, strict=True))
    assert {"KBNvK", "KQvKR", "KPvKP"} <= set(NAMES)
