"""Chess endings with three pieces, solved with the chess rules: known counts, Syzygy's results, and mates in time.

``bench/chess_endgames.py`` compares all endings with four pieces, position by position.
"""

from __future__ import annotations

import random
from pathlib import Path

import chess
import chess.syzygy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.endgame.build import build
from zerosum.endgame.database import Database
from zerosum.endgame.serving import best_line
from zerosum.engine import Engine
from zerosum.errors import OutsideDatabase
from zerosum.games import load

pytestmark = pytest.mark.slow

GAME = load("chess")
SYZYGY = Path(__file__).parents[3] / "shared" / "data" / "chess" / "syzygy"
NAMES = [name for name, _ in GAME.tiers(3)]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return build(GAME, 3, tmp_path_factory.mktemp("chess-3"), distance=True)


def record(database: Database, name: str):
    return database.tiers[NAMES.index(name)]


@pytest.mark.parametrize(("name", "moves"), [("KQvK", 10), ("KRvK", 16), ("KPvK", 28)])
def test_the_longest_mates_are_the_known_ones(database: Database, name: str, moves: int) -> None:
    # In the longest win the loser is to move, and is mated after this many moves of the winner.
    assert record(database, name).longest == 2 * moves


@pytest.mark.parametrize("name", ["KvK", "KNvK", "KBvK"])
def test_nobody_wins_without_enough_to_mate(database: Database, name: str) -> None:
    assert record(database, name).wins == record(database, name).losses == 0


def test_a_rook_wins_whenever_it_is_not_lost_at_once(database: Database) -> None:
    """White to move wins all of KRvK and KQvK, except stalemates, which cannot happen to the side with the rook."""
    for name in ("KQvK", "KRvK"):
        found = record(database, name)
        assert found.wins + found.losses + found.draws == found.positions
        # In positions that are not won, it is Black's turn: a capture, or stalemate.
        assert all(_turn(name, index) == 1 for index in _draws(database, name))


def _draws(database: Database, name: str):
    tier = NAMES.index(name)
    for index in random.Random(0).sample(range(record(database, name).size), 400):
        s = GAME.unrank(tier, index)
        if GAME.is_valid(s) and database.probe(s).outcome == 0:
            yield index


def _turn(name: str, index: int) -> int:
    return int(GAME.unrank(NAMES.index(name), index).turn)


@pytest.mark.skipif(not SYZYGY.is_dir(), reason="the folder of shared tables does not exist")
def test_who_wins_is_what_syzygy_says(database: Database) -> None:
    dice = random.Random(1)
    compared = 0
    with chess.syzygy.open_tablebase(str(SYZYGY)) as tables:
        for tier, (name, size) in enumerate(GAME.tiers(3)):
            for index in dice.sample(range(size), 400):
                s = GAME.unrank(tier, index)
                if not GAME.is_valid(s):
                    continue
                board = chess.Board(GAME.format_state(s))
                wdl = tables.probe_wdl(board)
                outcome = ((wdl > 0) - (wdl < 0)) * (1 if board.turn else -1)
                assert database.probe(s).outcome == outcome, f"{name} {board.fen()}"
                compared += 1
    assert compared > 1500


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_either_colour_may_be_the_stronger(database: Database, seed: int) -> None:
    dice = random.Random(seed)
    tier = dice.randrange(1, len(NAMES))
    s = GAME.unrank(tier, dice.randrange(GAME.tiers(3)[tier][1]))
    if not GAME.is_valid(s):
        return
    board = chess.Board(GAME.format_state(s))
    mirrored = GAME.parse_state(board.mirror().fen())
    one, other = database.probe(s), database.probe(mirrored)
    assert one.outcome == -other.outcome and one.distance == other.distance


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/8/2k5/K6R w - - 0 1",
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
    ],
)
def test_the_engine_mates_as_fast_as_can_be(database: Database, fen: str) -> None:
    """In plain Python: the engine only needs to look up the position after each move."""
    s = GAME.parse_state(fen)
    engine = Engine(GAME, database=database, hash_mb=1, jit=False)
    outcome, distance = database.probe(s)
    assert outcome == 1
    plies = 0
    while not GAME.is_over(s):
        if s.turn == 0:
            result = engine.search(s, depth=1)
            assert result.distance == distance - plies
            move = result.move
        else:
            (move,) = best_line(database, s, 1)
        s = GAME.play(s, move)
        plies += 1
    assert plies == distance and GAME.utility(s) == 1


def test_the_longest_of_all_is_played_to_the_end(database: Database) -> None:
    """Sixteen moves with the rook, against the longest resistance."""
    tier = NAMES.index("KRvK")
    size = record(database, "KRvK").size
    longest = next(
        s
        for index in range(size // 2, size)
        if GAME.is_valid(s := GAME.unrank(tier, index)) and database.probe(s).distance == 32
    )
    line = best_line(database, longest, 100)
    assert len(line) == 32
    for move in line:
        longest = GAME.play(longest, move)
    assert GAME.is_over(longest) and GAME.utility(longest) == 1


@pytest.mark.parametrize(
    "fen", [chess.STARTING_FEN, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "k7/8/8/8/8/3KQ3/8/5r2 w - - 0 1"]
)
def test_positions_outside(database: Database, fen: str) -> None:
    s = GAME.parse_state(fen)
    assert s not in database
    with pytest.raises(OutsideDatabase, match="does not contain"):
        database.probe(s)
