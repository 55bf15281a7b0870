"""Perft agrees with published counts."""

from __future__ import annotations

import pytest
from chess_suites import PUBLISHED, SUITES, suite_counts
from samples import THOROUGH

import zerosum as zs
from zerosum.games.chess import chess

# Published counts ignore draws.
GAME = chess(draws=0)
MOST_NODES = 10_000_000


@pytest.mark.parametrize("fen", PUBLISHED)
def test_published_counts(fen):
    s = GAME.parse_state(fen)
    for depth, nodes in enumerate(PUBLISHED[fen], 1):
        assert zs.perft(GAME, s, depth) == nodes


@pytest.mark.skipif(not SUITES.exists(), reason="the suites are not beside the repository")
def test_every_line_of_the_suites_up_to_ten_million_nodes():
    counts = [count for count in suite_counts() if count.nodes <= MOST_NODES]
    assert len(counts) > 700
    for fen, depth, nodes in counts[:: 1 if THOROUGH else 5]:
        assert zs.perft(GAME, GAME.parse_state(fen), depth) == nodes, f"{fen} at depth {depth}"


def test_plain_rules_count_the_same():
    for fen, counts in PUBLISHED.items():
        assert zs.perft(GAME, GAME.parse_state(fen), 2, jit=False) == counts[1]


def test_fischer_chess():
    # Chess Programming Wiki, "Chess960 Perft Results": king and rooks on other files.
    s = GAME.parse_state("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")
    assert [zs.perft(GAME, s, depth) for depth in (1, 2, 3, 4)] == [21, 528, 12189, 326672]
    s = GAME.parse_state("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9")
    assert [zs.perft(GAME, s, depth) for depth in (1, 2, 3, 4)] == [21, 807, 18002, 667366]


def test_draws_end_lines():
    """With draws, the game ends when only bare kings are left; the published counts go on."""
    take = "8/8/8/8/8/2k5/4q3/4K3 w - - 0 1"  # the king must capture the queen
    assert zs.perft(chess(), chess().parse_state(take), 2, jit=False) == 0
    assert zs.perft(GAME, GAME.parse_state(take), 2, jit=False) == 6
