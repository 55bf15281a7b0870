"""Chess over UCI with a real client, python-chess, which checks the rules itself. Uncompiled, so it starts quickly."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

chess = pytest.importorskip("chess", reason="python-chess is the client")
pytest.importorskip("chess.engine")

MATE_IN_TWO = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "chess"


@pytest.fixture(scope="module")
def engine():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "zerosum", "uci"]
    with chess.engine.SimpleEngine.popen_uci(command, env=environment, timeout=PATIENCE) as client:
        yield client


def test_the_client_knows_who_it_talks_to(engine):
    assert engine.id["name"].startswith("zerosum ")
    for name in ("Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "OwnBook", "BookFile", "SyzygyPath"):
        assert name in engine.options
    engine.ping()


def test_a_stop_in_mid_search(engine):
    board = chess.Board()
    with engine.analysis(board) as analysis:
        analysis.get()  # the search has started
        analysis.stop()
        best = analysis.wait()
    assert best.move in board.legal_moves
    assert analysis.info["depth"] >= 1 and analysis.info["nodes"] > 0 and analysis.info["pv"]


def test_a_hit_of_the_ponderer(engine, caplog):
    """The client tells the engine whether the expected move was played."""
    caplog.set_level("DEBUG", "chess.engine")
    ahead = chess.engine.Limit(depth=2)
    board = chess.Board()
    engine.play(board, chess.engine.Limit(depth=1), game="pondering")  # clients do not ponder in a first game
    first = engine.play(board, ahead, ponder=True, game="pondering")
    board.push(first.move)
    assert first.ponder in board.legal_moves
    board.push(first.ponder)
    second = engine.play(board, ahead, ponder=True, game="pondering")
    assert second.move in board.legal_moves and "<< ponderhit" in caplog.text
    # An unexpected move: the client stops pondering and sends a new position.
    board.push(second.move)
    board.push(next(move for move in board.legal_moves if move != second.ponder))
    assert engine.play(board, ahead, game="pondering").move in board.legal_moves
    assert "<< stop" in caplog.text


def test_several_lines(engine):
    board = chess.Board()
    infos = engine.analyse(board, chess.engine.Limit(depth=1), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert len({info["pv"][0] for info in infos}) == 3
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("board", [chess.Board(MATE_IN_TWO), chess.Board(MATE_IN_TWO).mirror()], ids=["white", "black"])
def test_mate_scores_are_for_the_side_to_move(engine, board):
    info = engine.analyse(board, chess.engine.Limit(mate=2, time=PATIENCE))
    assert info["score"].relative == chess.engine.Mate(2)
    board.push(info["pv"][0])
    info = engine.analyse(board, chess.engine.Limit(depth=3))
    assert info["score"].relative == chess.engine.Mate(-1)
    board.push(info["pv"][0])
    result = engine.play(board, chess.engine.Limit(mate=1))
    board.push(result.move)
    assert board.is_checkmate()


def test_a_finished_game_has_no_move(engine):
    mated = chess.Board("R6k/8/6K1/8/8/8/8/8 b - - 0 1")
    result = engine.play(mated, chess.engine.Limit(depth=2), info=chess.engine.INFO_ALL)
    assert result.move is None and result.info["score"].relative == chess.engine.Mate(0)


def test_only_some_moves(engine):
    board = chess.Board(MATE_IN_TWO)
    wanted = [chess.Move.from_uci("a1a2"), chess.Move.from_uci("f6e6")]
    assert engine.play(board, chess.engine.Limit(depth=2), root_moves=wanted).move in wanted


def test_castling_promotion_and_en_passant_come_through(engine):
    for fen, move in (
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
        ("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6"),
    ):
        board = chess.Board(fen)
        wanted = chess.Move.from_uci(move)
        assert engine.play(board, chess.engine.Limit(depth=1), root_moves=[wanted]).move == wanted
    fischer = chess.Board("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", chess960=True)
    castles = chess.Move.from_uci("e1g1")
    assert fischer.is_castling(castles)
    assert engine.play(fischer, chess.engine.Limit(depth=1), root_moves=[castles]).move == castles


def test_quick_games(engine):
    """A few moves against itself, with a clock; bench/uci_games.py plays whole games, compiled."""
    for number in range(3):
        board = chess.Board()
        for left in range(20, 0, -2):
            clock = left / 10  # a fixed schedule, so that the speed of the machine does not matter
            limit = chess.engine.Limit(white_clock=clock, black_clock=clock, white_inc=0.05, black_inc=0.05)
            result = engine.play(board, limit, game=number)
            board.push(result.move)  # the client has checked that it is legal


def test_files_that_are_not_there_are_told_and_the_engine_goes_on(engine, tmp_path):
    for name in ("BookFile", "SyzygyPath"):
        engine.configure({name: str(tmp_path / "nowhere")})
        engine.ping()
    engine.configure({"BookFile": "", "SyzygyPath": ""})
    assert engine.play(chess.Board(), chess.engine.Limit(depth=1)).move


@pytest.mark.skipif(not DATA.exists(), reason="the files in shared/data are not there")
def test_book_and_tables_answer_without_a_search(engine):
    engine.configure({"OwnBook": True, "BookFile": str(DATA / "book" / "performance.bin")})
    result = engine.play(chess.Board(), chess.engine.Limit(time=60), info=chess.engine.INFO_ALL)
    assert result.move in chess.Board().legal_moves and "depth" not in result.info
    engine.configure({"OwnBook": False, "SyzygyPath": str(DATA / "syzygy")})
    board = chess.Board("8/8/8/8/8/2k5/1q6/4K3 b - - 0 1")
    result = engine.play(board, chess.engine.Limit(time=60), info=chess.engine.INFO_ALL)
    assert result.info["tbhits"] == 1 and result.info["score"].relative.score() == 10000
    engine.configure({"SyzygyPath": ""})
