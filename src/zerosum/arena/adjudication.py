"""Adjudication of games before their end: by scores on which both players agree, or by a database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from zerosum.errors import ArenaError, OutsideDatabase
from zerosum.game import MAX, MIN, Game


class Verdict(NamedTuple):
    """The result of a game and the reason: 1 if MAX wins, 0 for a draw, -1 if MIN wins."""

    result: int
    why: str


Judge = Callable[[Any], Verdict | None]


@dataclass(frozen=True)
class Adjudication:
    """When to end a game. Scores are in hundredths of the game's unit.

    A win: for the last ``win_moves`` moves of each side, both players gave at least ``win_score`` to the same side. A
    draw: after at least ``draw_after`` moves, both gave at most ``draw_score`` to either side for ``draw_moves`` moves.
    """

    win_moves: int = 0
    win_score: float = 0.0
    draw_after: int = 0
    draw_moves: int = 0
    draw_score: float = 0.0

    @classmethod
    def parse(cls, win: str = "", draw: str = "") -> Adjudication:
        """Parse ``MOVES:SCORE`` for wins and ``AFTER:MOVES:SCORE`` for draws; '' means never.

        >>> Adjudication.parse("4:600", "40:8:10")
        Adjudication(win_moves=4, win_score=600.0, draw_after=40, draw_moves=8, draw_score=10.0)
        """
        win_moves, win_score = _numbers(win, "--win", "MOVES:SCORE, as in 4:600", 2) if win else (0, 0.0)
        form = "AFTER:MOVES:SCORE, as in 40:8:10"
        after, draw_moves, draw_score = _numbers(draw, "--draw", form, 3) if draw else (0, 0, 0.0)
        return cls(int(win_moves), win_score, int(after), int(draw_moves), draw_score)

    def judge(self, scores: Mapping[int, Sequence[float | None]]) -> Verdict | None:
        """The verdict from each side's scores so far, all for MAX, if any; a score of None is a move without one.

        >>> Adjudication.parse("1:600").judge({MAX: [0.0, 650.0], MIN: [10.0, 700.0]})
        Verdict(result=1, why='both players agree on the score')
        """
        last = self._last(scores, self.win_moves)
        for winner in (1, -1):
            if last and all(winner * score >= self.win_score for score in last):
                return Verdict(winner, "both players agree on the score")
        last = self._last(scores, self.draw_moves)
        enough = min(len(scores[MAX]), len(scores[MIN])) >= self.draw_after
        if last and enough and all(abs(score) <= self.draw_score for score in last):
            return Verdict(0, "both players agree on a draw")
        return None

    def _last(self, scores: Mapping[int, Sequence[float | None]], moves: int) -> list[float]:
        """The scores of the last ``moves`` moves of both sides; empty if there are fewer."""
        last = [score for side in (MAX, MIN) for score in scores[side][-moves:] if score is not None] if moves else []
        return last if len(last) == 2 * moves else []


def _numbers(text: str, option: str, form: str, count: int) -> list[float]:
    try:
        numbers = [float(word) for word in text.split(":")]
    except ValueError:
        numbers = []
    whole = numbers[:-1]
    if len(numbers) != count or any(n < 0 or n % 1 for n in whole) or not whole[-1] > 0 or not 0 <= numbers[-1] < 1e9:
        raise ArenaError(f"{option} {text!r} is not {form}")
    return numbers


class KnownEndings:
    """Looks up positions in the game's endgame tables, and then in a zerosum database.

    It is sent to workers as the names of the folders, which must exist there too.
    """

    def __init__(self, game: Game, tables: str = "", folder: str = "") -> None:
        self.game, self.tables, self.folder = game, _whole(tables), _whole(folder)
        self._judges: list[Judge] = []
        if tables:
            self._judges.append(database(game, tables))
        if folder:
            self._judges.append(solved_endings(game, folder))

    def __call__(self, s: Any) -> Verdict | None:
        return next((verdict for judge in self._judges if (verdict := judge(s)) is not None), None)

    def __reduce__(self) -> Any:
        return KnownEndings, (self.game, self.tables, self.folder)


def _whole(path: str) -> str:
    """The absolute path, for workers that run in another folder."""
    return str(Path(path).resolve()) if path else ""


def known_endings(game: Game, tables: str = "", folder: str = "") -> KnownEndings | None:
    """A lookup in these tables and this database; None without either."""
    return KnownEndings(game, tables, folder) if tables or folder else None


def solved_endings(game: Game, folder: str) -> Judge:
    """A function that looks up a position in the endgame database in this folder; it returns None if it is not there.

    A game enters a database by an irreversible move, so no draw clock is running yet.
    """
    from zerosum.endgame.serving import open_shared

    solved, lock = open_shared(folder, game), Lock()

    def judge(s: Any) -> Verdict | None:
        with lock:
            try:
                return Verdict(solved.probe(s).outcome, "known from the endgame database")
            except OutsideDatabase:
                return None

    return judge


def database(game: Game, path: str) -> Judge:
    """A function that looks up a position in the game's endgame tables; it returns None if it is not there."""
    if not game.has("tablebase"):
        raise ArenaError(f"--tables {path!r}: {game.name} has no endgame tables (it does not define tablebase)")
    tables, lock = game.tablebase(path), Lock()

    def judge(s: Any) -> Verdict | None:
        with lock:
            won = tables.verdict(s)
        if won is None:
            return None
        return Verdict(won if game.to_move(s) == MAX else -won, "known from the endgame tables")

    return judge
