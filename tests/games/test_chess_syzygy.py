"""Syzygy tables at the root: values, distances, moves that keep a win, and folders without tables."""

from __future__ import annotations

import builtins
import random
import shutil
import sys

import chess
import chess.syzygy
import pytest
from chess_files import check_broken_table
from reference import SHARED_DATA

from zerosum.errors import MissingExtra, TableError
from zerosum.games import load
from zerosum.games.chess.notation import from_fen, to_fen, to_uci
from zerosum.games.chess.syzygy import Tables

FOLDER = SHARED_DATA / "chess" / "syzygy"
needs_tables = pytest.mark.skipif(not FOLDER.is_dir(), reason="the folder of shared tables is not there")


@pytest.fixture(scope="module")
def tables():
    with Tables(FOLDER) as opened:
        yield opened


@needs_tables
@pytest.mark.parametrize(
    ("fen", "wdl"),
    [
        ("K7/8/8/8/8/8/1Q6/2k5 b - - 0 1", 0),  # the queen hangs
        ("4k3/8/8/8/8/8/8/KQ6 w - - 0 1", 2),
        ("4k3/8/8/8/8/8/8/KQ6 b - - 0 1", -2),
        ("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", 2),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", 0),
        ("4k3/4P3/3K4/8/8/8/8/8 b - - 0 1", -2),
    ],
)
def test_values(tables, fen, wdl):
    s = from_fen(fen)
    assert tables.probe_wdl(s) == wdl
    dtz = tables.probe_dtz(s)
    assert (dtz > 0) - (dtz < 0) == (wdl > 0) - (wdl < 0)


@needs_tables
def test_what_the_tables_do_not_hold(tables):
    for fen in (chess.STARTING_FEN, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"):
        s = from_fen(fen)
        assert tables.probe_wdl(s) is tables.probe_dtz(s) is tables.best_move(s) is None
        assert tables.rank_moves(s) == []


@needs_tables
@pytest.mark.parametrize(
    "fen",
    ["8/8/8/8/3k4/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KR6 w - - 0 1", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"],
)
def test_best_moves_of_both_sides_lead_to_mate_in_time(tables, fen):
    game = load("chess")
    s = from_fen(fen)
    board = chess.Board(fen)
    while not board.is_game_over(claim_draw=True):
        move = tables.best_move(s)
        board.push_uci(to_uci(s, move))
        s = game.play(s, move)
        assert len(board.move_stack) < 100
    assert board.is_checkmate() and board.turn == chess.BLACK


@needs_tables
def test_the_fifty_move_rule_is_kept_in_mind(tables):
    """With few plies left on the clock, the shortest way to a capture or pawn move comes first; a win that
    comes too late is ranked after it."""
    s = from_fen("8/8/8/3k4/8/8/8/KBN5 w - - 60 80")
    ranked = tables.rank_moves(s)
    wins = [root.dtz for root in ranked if root.wdl == 2]
    assert wins and wins == sorted(wins) and 60 + wins[0] > 100
    assert to_fen(s).split()[4] == "60"
    fresh = tables.rank_moves(from_fen("8/8/8/3k4/8/8/8/KBN5 w - - 0 80"))
    assert fresh[0].wdl == 2 and fresh[0].dtz <= 66


@needs_tables
def test_the_loser_holds_out_longest_and_a_draw_is_kept(tables):
    lost = tables.rank_moves(from_fen("8/8/8/3k4/8/8/8/KQ6 b - - 0 1"))
    assert {root.wdl for root in lost} == {-2}
    assert lost[0].dtz == min(root.dtz for root in lost) < lost[-1].dtz
    drawn = from_fen("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1")
    assert tables.probe_wdl(drawn) == -2 or tables.rank_moves(drawn)[0].wdl == 0


@needs_tables
def test_mate_at_once_and_stalemate_avoided(tables):
    s = from_fen("k7/8/1K6/8/8/8/8/6Q1 w - - 99 90")
    ranked = tables.rank_moves(s)
    board = chess.Board(to_fen(s))
    board.push_uci(to_uci(s, ranked[0].move))
    assert board.is_checkmate() and ranked[0][1:] == (2, 1)
    assert all(root.wdl == 0 for root in ranked if _stalemates(s, root.move))


def _stalemates(s, move):
    board = chess.Board(to_fen(s))
    board.push_uci(to_uci(s, move))
    return board.is_stalemate()


# Missing and damaged tables


@pytest.mark.parametrize(("name", "reason"), [("nowhere", "does not exist"), ("empty", "has no Syzygy tables")])
def test_folders_without_tables(tmp_path, name, reason):
    (tmp_path / "empty").mkdir()
    with pytest.raises(TableError, match=reason) as caught:
        Tables(tmp_path / name)
    assert repr(str(tmp_path / name)) in str(caught.value)


def test_an_empty_path():
    with pytest.raises(TableError, match="empty"):
        Tables("")


@needs_tables
def test_a_missing_table_is_no_failure(tmp_path):
    for suffix in ("rtbw", "rtbz"):
        shutil.copy(FOLDER / f"KQvK.{suffix}", tmp_path)
    with Tables(tmp_path) as few:
        assert few.probe_wdl(from_fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")) == 2
        assert few.probe_wdl(from_fen("8/8/8/3k4/8/8/8/KR6 w - - 0 1")) is None
        assert few.best_move(from_fen("8/8/8/3k4/8/8/8/KR6 w - - 0 1")) is None


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x71\xe8\x23\x5d", b"\x71\xe8\x23\x5d" + b"\xff" * 60])
def test_what_is_not_a_table_is_named(tmp_path, data):
    path = tmp_path / "KQvK.rtbw"
    path.write_bytes(data)
    with pytest.raises(TableError) as caught:
        Tables(tmp_path)
    assert repr(str(path)) in str(caught.value)


FEN = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"


def test_damaged_tables_are_named(tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes(b"\x71\xe8\x23\x5d" + b"\xff" * 76)
    with Tables(tmp_path) as damaged, pytest.raises(TableError) as caught:
        damaged.probe_wdl(from_fen(FEN))
    assert repr(str(tmp_path)) in str(caught.value) and FEN in str(caught.value)


@needs_tables
def test_a_table_that_never_answers_is_given_up(tmp_path, monkeypatch):
    """Pieces that are not on the board send python-chess into an endless loop."""
    monkeypatch.setattr("zerosum.games.chess.syzygy.PATIENCE", 0.3)
    data = bytearray((FOLDER / "KQvK.rtbw").read_bytes())
    data[6:9] = b"\x44\x44\x44"
    (tmp_path / "KQvK.rtbw").write_bytes(data)
    with Tables(tmp_path) as damaged:
        for _ in range(2):
            with pytest.raises(TableError, match="damaged: no answer") as caught:
                damaged.probe_wdl(from_fen(FEN))
            assert repr(str(tmp_path)) in str(caught.value)


@needs_tables
def test_damaged_tables_of_all_kinds_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr("zerosum.games.chess.syzygy.PATIENCE", 0.1)
    rng = random.Random(4)
    refused = sum(check_broken_table(rng, tmp_path) for _ in range(40))
    assert 5 < refused < 40


def test_without_python_chess_the_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name == "chess" or name.startswith("chess.")]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def without(name, *arguments, **more):
        if name == "chess" or name.startswith("chess."):
            raise ImportError(name)
        return real(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"pip install 'zerosum\[chess\]'"):
        Tables("anywhere")
