"""The index of positions with few pieces: unique, without gaps, and moves lead to the same or earlier tiers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import samples

from zerosum.errors import LimitError
from zerosum.games.checkers import checkers
from zerosum.games.checkers.index import MOST_PIECES, make_index, packed, turned, unpacked
from zerosum.games.checkers.position import BOARD, START, Position

GAME = checkers()
TIERS = GAME.tiers(MOST_PIECES)
# The number of positions with one side to move and exactly 1, 2, … pieces, as published for Chinook's databases.
PUBLISHED = [120, 6_972, 261_224, 7_092_774, 148_688_232, 2_503_611_964, 34_779_531_480]


@st.composite
def slots(draw):
    """A tier and an index in it."""
    tier = draw(st.integers(0, len(TIERS) - 1))
    return tier, draw(st.integers(0, TIERS[tier][1] - 1))


@st.composite
def positions(draw):
    """Up to seven pieces on any squares where they may be."""
    number = draw(st.integers(1, MOST_PIECES))
    squares = draw(st.lists(st.integers(0, 31), min_size=number, max_size=number, unique=True))
    boards = [0, 0, 0]
    for square in squares:
        white, king = draw(st.booleans()), draw(st.booleans())
        bit = unpacked(1 << square)
        boards[white] |= bit
        if king or (square < 4 if white else square > 27):
            boards[2] |= bit
    return Position(*boards, draw(st.integers(0, 1)), draw(st.integers(0, 80)))


def other_colours(s):
    boards = [unpacked(turned(packed(board))) for board in s[:3]]
    return Position(boards[1], boards[0], boards[2], 1 - s.turn, s.clock)


def test_there_are_as_many_positions_as_published():
    sizes = [sum(size for _, size in GAME.tiers(n)) for n in range(1, MOST_PIECES + 1)]
    assert [sizes[0], *(b - a for a, b in pairwise(sizes))] == PUBLISHED


def test_smaller_databases_are_the_beginning_of_larger_ones():
    for n in range(1, MOST_PIECES):
        assert GAME.tiers(n + 1)[: len(GAME.tiers(n))] == GAME.tiers(n)
    names = [name for name, _ in TIERS]
    assert len(set(names)) == len(names) and all(size > 0 for _, size in TIERS)


@pytest.mark.parametrize("n", [0, -1, MOST_PIECES + 1])
def test_numbers_of_pieces_that_make_no_sense(n):
    with pytest.raises(LimitError, match=f"a database of checkers has 1 to {MOST_PIECES} pieces, not {n}"):
        GAME.tiers(n)


def test_all_positions_with_two_pieces_have_a_number_of_their_own():
    found = set()
    for tier, (_, size) in enumerate(GAME.tiers(2)):
        for index in range(size):
            s = GAME.unrank(tier, index)
            assert GAME.is_valid(s) and (GAME.tier(s), GAME.rank(s)) == (tier, index)
            found |= {s, other_colours(s)}
    # Both colours share an index, so each stands for two positions.
    assert len(found) == 2 * (PUBLISHED[0] + PUBLISHED[1])


@settings(max_examples=samples(200), deadline=None)
@given(slots())
def test_every_number_is_a_position_of_that_number(slot):
    s = GAME.unrank(*slot)
    assert GAME.is_valid(s) and s.clock == 0
    assert (GAME.tier(s), GAME.rank(s)) == slot


@settings(max_examples=samples(200), deadline=None)
@given(positions())
def test_every_position_has_a_number_that_stands_for_it(s):
    assert GAME.is_valid(s)
    tier, index = GAME.tier(s), GAME.rank(s)
    assert 0 <= index < TIERS[tier][1]
    assert GAME.unrank(tier, index) in {s._replace(clock=0), other_colours(s)._replace(clock=0)}
    assert (GAME.tier(other_colours(s)), GAME.rank(other_colours(s))) == (tier, index)


@settings(max_examples=samples(200), deadline=None)
@given(positions())
def test_moves_lead_to_the_same_tier_or_an_earlier_one(s):
    for move in GAME.moves(s):
        after = GAME.play(s, move)
        assert GAME.is_valid(after) and GAME.tier(after) <= GAME.tier(s)


@pytest.mark.slow
def test_compiled_numbers_are_the_same():
    index = make_index()
    for tier in range(0, len(index.tier), 7):
        number = TIERS[tier][1] * 5 // 7
        s = GAME.compiled.unrank(tier, number)
        assert s == GAME.unrank(tier, number)
        assert (GAME.compiled.tier(s), GAME.compiled.rank(s)) == (tier, number)


def test_more_pieces_are_outside():
    assert GAME.tier(START) == -1
    assert GAME.tier(GAME.parse_state("B:W25-29:B1-3")) == -1
    s = GAME.parse_state("B:W26-28:B1-3")  # Black's men on their first row, White's on their second
    assert TIERS[GAME.tier(s)][0] == "3m1-3m2"


def test_positions_that_cannot_be():
    man_on_the_last_row = Position(1 << 34, 1, 0, 0, 0)
    assert not GAME.is_valid(man_on_the_last_row)
    assert not GAME.is_valid(Position(1, 1, 1, 0, 0))  # two on one square
    assert not GAME.is_valid(Position(1, 1 << 8, 1 << 8, 0, 0))  # on an unused bit
    assert not GAME.is_valid(Position(1, 2, 2 | 4, 0, 0))  # a king without a piece
    assert packed(BOARD) == 2**32 - 1 and unpacked(2**32 - 1) == BOARD
