"""Checkers databases: the published numbers."""

from __future__ import annotations

from collections import Counter

import pytest

from zerosum.endgame.build import build, verify
from zerosum.endgame.database import Database
from zerosum.games import load
from zerosum.games.checkers.rules import jumpers

GAME = load("checkers")


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return build(GAME, 3, tmp_path_factory.mktemp("checkers"), threads=2)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return build(GAME, 2, tmp_path_factory.mktemp("checkers"), jit=False)


def test_positions_with_up_to_two_pieces(two: Database) -> None:
    assert two.positions == 120 + 6_972


@pytest.mark.slow
def test_positions_with_up_to_three_pieces(three: Database) -> None:
    assert three.positions == 120 + 6_972 + 261_224
    assert [sum(size for _, size in GAME.tiers(n)) for n in (4, 5)] == [7_361_090, 156_049_322]


def test_one_king_against_one_king(two: Database) -> None:
    """230 wins, 654 draws, 108 losses; if neither side can jump, 140, 650 and 108."""
    number, tier = next((i, tier) for i, tier in enumerate(two.tiers) if tier.name == "1k-1k")
    assert (tier.wins, tier.draws, tier.losses) == (230, 654, 108)
    quiet: Counter[int] = Counter()
    for index in range(tier.size):
        s = GAME.unrank(number, index)
        if not jumpers(s) and not jumpers(s._replace(turn=1 - s.turn)):
            outcome = two.probe(s).outcome
            quiet[outcome if s.turn == 0 else -outcome] += 1
    assert (quiet[1], quiet[0], quiet[-1]) == (140, 650, 108)


@pytest.mark.slow
def test_all_follow_from_their_moves(three: Database) -> None:
    assert verify(three, threads=2) == three.positions


def test_the_counter_of_moves_without_progress_has_no_part_in_it(two: Database) -> None:
    number = next(i for i, tier in enumerate(two.tiers) if tier.name == "1k-1k")
    s = GAME.unrank(number, 123)
    assert s.clock == 0 and two.probe(s) == two.probe(s._replace(clock=30))
