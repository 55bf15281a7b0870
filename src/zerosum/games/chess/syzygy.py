"""Syzygy endgame tables, probed through python-chess (the optional extra ``chess``).

python-chess is under the GPL, so it is never required: ``pip install 'zerosum[chess]'`` adds it. Probing runs in
Python: fast enough for the root of a search and for tests, but not inside a search.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from zerosum.errors import MissingExtra, TableError
from zerosum.games.chess.notation import to_fen, to_uci
from zerosum.games.chess.pgn import chess

WDL, DTZ = ".rtbw", ".rtbz"
MAGIC = {WDL: b"\x71\xe8\x23\x5d", DTZ: b"\xd7\x66\x0c\xa5"}
PATIENCE = 5.0
"""The seconds after which a table is considered damaged: probing takes milliseconds."""

# A win that takes more plies than this is a draw by the fifty-move rule.
FIFTY_MOVES = 100

Answer = TypeVar("Answer")


class RootMove(NamedTuple):
    """A root move with its values from the tables, for the player who makes it.

    ``wdl`` is 2 for a win, 1 for a win that the fifty-move rule turns into a draw, 0 for a draw, and -1 and -2 for
    losses. ``dtz`` is the plies to the next capture or pawn move, or to mate, counted from the position before the
    move, with the sign of ``wdl``.
    """

    move: int
    wdl: int
    dtz: int


class Tables:
    """The tables in a folder, or in several, separated as in PATH; ``with Tables(path) as tables`` closes them."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._module = _python_chess()
        self._broken = ""
        self._tables = self._module.syzygy.Tablebase()
        folders = [folder for folder in self.path.split(os.pathsep) if folder]
        if not folders:
            raise TableError("the path of the Syzygy tables is empty")
        for folder in folders:
            self._add(folder)
        self.pieces = max(_pieces(name) for name in self._tables.wdl)

    def _add(self, folder: str) -> None:
        try:
            if not Path(folder).is_dir():
                raise TableError(f"the folder {folder!r} of Syzygy tables does not exist")
            self._tables.add_directory(folder)
        except (OSError, ValueError) as problem:
            if isinstance(problem, TableError):
                raise
            raise TableError(f"the folder {folder!r} cannot be read: {problem}") from problem
        if not self._tables.wdl:
            raise TableError(f"the folder {folder!r} has no Syzygy tables: no file in it ends with {WDL}")
        for table in sorted(Path(folder).iterdir()):
            if table.suffix in (WDL, DTZ):
                _check_file(table)

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        self._tables.close()

    def probe_wdl(self, s: Any) -> int | None:
        """2 for a win for the side to move, 1 for a win that the fifty-move rule turns into a draw, 0 for a draw,
        -1 and -2 for losses; None if the position is not in the tables."""
        return self._in_time(lambda: self._probe(self._tables.probe_wdl, self._board(s)), s)

    def probe_dtz(self, s: Any) -> int | None:
        """The plies to the next capture or pawn move on the way to a win; negative for a loss, 0 for a draw; or None.

        It may be one too small in tables that store whole moves.
        """
        return self._in_time(lambda: self._probe(self._tables.probe_dtz, self._board(s)), s)

    def best_move(self, s: Any) -> int | None:
        """A move that keeps the value of the position, given the fifty-move clock; or None."""
        ranked = self.rank_moves(s)
        return ranked[0].move if ranked else None

    def outcome(self, s: Any) -> int | None:
        """1 for a win for the side to move, -1 for a loss, 0 for a draw, including by the fifty-move rule; or None."""
        wdl = self.probe_wdl(s)
        return None if wdl is None else (wdl == 2) - (wdl == -2)

    def verdict(self, s: Any) -> int | None:
        """``outcome`` if it is certain: only with the fifty-move clock at 0, as after a capture; otherwise None."""
        return None if s.clock else self.outcome(s)

    def rank_moves(self, s: Any) -> list[RootMove]:
        """All legal moves, best first; empty if the tables do not contain them all.

        Wins within the fifty-move rule come first, shortest first; then wins that come too late, draws, and losses,
        longest first.
        """
        return self._in_time(lambda: self._rank_moves(s), s)

    def _rank_moves(self, s: Any) -> list[RootMove]:
        board = self._board(s)
        if not self._holds(board):
            return []
        found = []
        for move in chess().legal_moves(s):
            board.push(self._module.Move.from_uci(to_uci(s, move)))
            rated = self._rate(board)
            board.pop()
            if rated is None:
                return []
            found.append(RootMove(move, *rated))
        found.sort(key=lambda root: _rank(root, int(s.clock)), reverse=True)
        return found

    def _rate(self, board: Any) -> tuple[int, int] | None:
        """The value of a move that leads to ``board``, and its distance."""
        if board.is_checkmate():
            return 2, 1
        if board.is_stalemate() or board.is_insufficient_material():
            return 0, 0
        wdl = self._probe(self._tables.probe_wdl, board)
        if wdl is None:
            return None
        if wdl == 0:
            return 0, 0
        if board.halfmove_clock == 0:
            # A capture or pawn move: the distance is 1, whatever follows.
            late = FIFTY_MOVES if abs(wdl) == 1 else 0
            return -wdl, (1 + late) * (1 if wdl < 0 else -1)
        dtz = self._probe(self._tables.probe_dtz, board)
        if dtz is None:
            return None
        return -wdl, 1 - dtz if dtz < 0 else -1 - dtz

    def _in_time(self, work: Callable[[], Answer], s: Any) -> Answer:
        """Run ``work`` in a separate thread, because a damaged table can send python-chess into an endless loop."""
        if self._broken:
            raise TableError(self._broken)
        answers: list[Answer] = []
        problems: list[BaseException] = []

        def run() -> None:
            try:
                answers.append(work())
            except BaseException as problem:
                problems.append(problem)

        thread = Thread(target=run, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        if thread.is_alive():
            self._broken = f"the Syzygy tables in {self.path!r} are damaged: no answer for {to_fen(s)!r}"
            _interrupt(thread)
            raise TableError(self._broken)
        if problems:
            raise problems[0]
        return answers[0]

    def _holds(self, board: Any) -> bool:
        return not board.castling_rights and board.occupied.bit_count() <= self.pieces

    def _board(self, s: Any) -> Any:
        return self._module.Board(to_fen(s))

    def _probe(self, probe: Any, board: Any) -> int | None:
        if not self._holds(board):
            return None
        try:
            return int(probe(board))
        except self._module.syzygy.MissingTableError:
            return None
        except Exception as problem:  # a damaged table can fail in any way
            reason = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
            raise TableError(f"the Syzygy tables in {self.path!r} fail on {board.fen()!r}: {reason}") from problem


def _check_file(path: Path) -> None:
    """Raise TableError if the file cannot be a table, judging by its first bytes and its length."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as problem:
        raise TableError(f"the table {str(path)!r} cannot be read: {problem.strerror or problem}") from problem
    # Whole blocks of 64 bytes, and a checksum of 16.
    if magic != MAGIC[path.suffix] or size % 64 != 16:
        raise TableError(f"{str(path)!r} is not a Syzygy table, or is incomplete")


def _interrupt(thread: Thread) -> None:
    """End a thread that is running Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))
    thread.join(PATIENCE)


def _rank(root: RootMove, clock: int) -> tuple[int, int]:
    """The sort key of a move: its class, then the distance."""
    if root.wdl > 0:
        in_time = root.wdl == 2 and clock + root.dtz <= FIFTY_MOVES
        return (3 if in_time else 2), -root.dtz
    if root.wdl < 0:
        saved = root.wdl == -1 or clock - root.dtz > FIFTY_MOVES
        return (0 if saved else -1), -root.dtz
    return 1, 0


def _pieces(name: str) -> int:
    """The number of pieces in a table such as KQvK."""
    return len(name.replace("v", ""))


def _python_chess() -> ModuleType:
    try:
        import chess as python_chess
        import chess.syzygy as module  # noqa: F401
    except ImportError as problem:
        raise MissingExtra(
            "Syzygy tables need python-chess, which is not installed: pip install 'zerosum[chess]'"
        ) from problem
    return python_chess
