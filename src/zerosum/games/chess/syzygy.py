"""Syzygy endgame tables, probed through python-chess (the optional extra ``chess``).

python-chess is under the GPL, so it is never required: ``pip install 'zerosum[chess]'`` adds it. Probing takes
Python's time, which is right for the root of a search and for tests, not for its inside.
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
"""Seconds after which a table must be damaged: probing takes milliseconds."""

# Distances behind which the fifty-move rule makes a draw of a win.
FIFTY_MOVES = 100

Answer = TypeVar("Answer")


class RootMove(NamedTuple):
    """A move of the root as the tables see it, for the player who makes it.

    ``wdl`` is 2 for a win, 1 for one that the fifty-move rule takes away, 0, -1, -2; ``dtz`` is the plies to the
    next capture or pawn move, or to mate, counted from the position before the move, with ``wdl``'s sign.
    """

    move: int
    wdl: int
    dtz: int


class Tables:
    """The tables in a folder, or in several split as in PATH; ``with Tables(path) as tables`` closes them."""

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
                raise TableError(f"there is no folder {folder!r} with Syzygy tables")
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
        """2 for a win of the player to move, 1 for one that the fifty-move rule takes away, 0 for a draw,
        -1 and -2 for losses; None where the tables do not hold the position."""
        return self._in_time(lambda: self._probe(self._tables.probe_wdl, self._board(s)), s)

    def probe_dtz(self, s: Any) -> int | None:
        """Plies to the next capture or pawn move on the way to the win, negative in a loss, 0 in a draw; or None.

        It may be one too small where the tables store whole moves.
        """
        return self._in_time(lambda: self._probe(self._tables.probe_dtz, self._board(s)), s)

    def best_move(self, s: Any) -> int | None:
        """A move that keeps the value of the position, the fifty-move rule counted from its clock; or None."""
        ranked = self.rank_moves(s)
        return ranked[0].move if ranked else None

    def outcome(self, s: Any) -> int | None:
        """1 for a win of the player to move, -1 for a loss, 0 for a draw, also by the fifty-move rule; or None."""
        wdl = self.probe_wdl(s)
        return None if wdl is None else (wdl == 2) - (wdl == -2)

    def verdict(self, s: Any) -> int | None:
        """``outcome`` where it is certain: no moves towards the fifty have been made, as after a capture."""
        return None if s.clock else self.outcome(s)

    def rank_moves(self, s: Any) -> list[RootMove]:
        """All legal moves, best first; empty if the tables do not hold them all.

        A win that the clock still allows comes first, by distance; then wins that come too late, draws, and losses,
        the longest first.
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
        """The value of having just moved to ``board``, and its distance."""
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
            # A capture or pawn move: that was the distance, whatever comes next.
            late = FIFTY_MOVES if abs(wdl) == 1 else 0
            return -wdl, (1 + late) * (1 if wdl < 0 else -1)
        dtz = self._probe(self._tables.probe_dtz, board)
        if dtz is None:
            return None
        return -wdl, 1 - dtz if dtz < 0 else -1 - dtz

    def _in_time(self, work: Callable[[], Answer], s: Any) -> Answer:
        """What ``work`` finds, from a thread of its own: a damaged table can send python-chess into an endless loop."""
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
            self._broken = f"the Syzygy tables in {self.path!r} are damaged: no answer about {to_fen(s)!r}"
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
    """TableError unless the file can be a table, as far as its beginning and its length tell."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as problem:
        raise TableError(f"the table {str(path)!r} cannot be read: {problem.strerror or problem}") from problem
    # Whole blocks of 64 bytes, and a checksum of 16.
    if magic != MAGIC[path.suffix] or size % 64 != 16:
        raise TableError(f"{str(path)!r} is not a Syzygy table, or only a part of one")


def _interrupt(thread: Thread) -> None:
    """Make a thread end that runs in Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))
    thread.join(PATIENCE)


def _rank(root: RootMove, clock: int) -> tuple[int, int]:
    """What to sort by: a class, and within it the distance."""
    if root.wdl > 0:
        in_time = root.wdl == 2 and clock + root.dtz <= FIFTY_MOVES
        return (3 if in_time else 2), -root.dtz
    if root.wdl < 0:
        saved = root.wdl == -1 or clock - root.dtz > FIFTY_MOVES
        return (0 if saved else -1), -root.dtz
    return 1, 0


def _pieces(name: str) -> int:
    """How many pieces a table such as KQvK is for."""
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
