"""The record of a game in a match, and how it is written: as a line of JSON, or in a game format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from zerosum.errors import FormatError
from zerosum.formats.played import POINTS, RESULTS, Played
from zerosum.line import Line

if TYPE_CHECKING:
    from zerosum.game import Game

TERMINATIONS = {
    "time": "time forfeit",
    "illegal move": "rules infraction",
    "crash": "abandoned",
    "hang": "abandoned",
    "adjudication": "adjudication",
}
"""PGN's terms for the reasons; all others are "normal"."""


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    Attributes:
        number: its place in the match, from 1.
        max_player, min_player: the names of the two sides.
        result: 1 if MAX won, 0 for a draw, -1 if MIN won.
        reason: ``rules``, ``repetition``, ``length``, ``resignation``, ``adjudication``, or a Fault's kind.
        detail: the same in words, with the message of a player at fault.
        fault: the name of the player who lost by a fault of its own, or ''.
        margin: the utility at the end, if the rules ended the game and it is scored.
        luck: what MAX gained from the dice, if the rules ended the game and luck was requested.
        start: the position before the first move.
        opening: number of moves that belong to the given opening.
        moves: all moves and outcomes of chance, in the game's notation.
        seconds, scores, depths: for each move after the opening: the time taken, and the player's score for MAX and
            depth; None if unknown.
        date: when it ended, as YYYY-MM-DD HH:MM:SS.
    """

    number: int
    max_player: str
    min_player: str
    result: int
    reason: str
    detail: str
    start: str
    moves: tuple[str, ...]
    opening: int = 0
    fault: str = ""
    margin: float | None = None
    luck: float | None = None
    seconds: tuple[float | None, ...] = ()
    scores: tuple[float | None, ...] = ()
    depths: tuple[int | None, ...] = ()
    date: str = ""

    @property
    def loser(self) -> str:
        return {1: self.min_player, 0: "", -1: self.max_player}[self.result]

    @property
    def points(self) -> float | None:
        """MAX's points, if they can be averaged: the margin, or with luck but no margin the result; otherwise None."""
        return float(self.result) if self.margin is None and self.luck is not None else self.margin

    def in_words(self) -> str:
        """The record in one line of text.

        >>> GameRecord(3, "engine", "random", 1, "rules", "", "", ()).in_words()
        'game 3: engine - random 1-0 (rules)'
        """
        why = f"{self.fault}: {self.reason}: {self.detail}" if self.fault else self.detail or self.reason
        return f"game {self.number}: {self.max_player} - {self.min_player} {RESULTS[self.result]} ({why})"


def to_json(record: GameRecord) -> str:
    """The record as one line of JSON, including the newline."""
    content = dict(vars(record))  # not asdict, which copies every move
    content["result"] = RESULTS[record.result]
    return json.dumps({"game": content.pop("number"), **content}, ensure_ascii=False, separators=(",", ":")) + "\n"


def from_json(text: str) -> GameRecord:
    """Parse the record in a line; raises FormatError, quoting it, if it is not one.

    >>> record = GameRecord(3, "engine", "random", 1, "rules", "", "", ("5", "1"))
    >>> from_json(to_json(record)) == record
    True
    """
    try:
        content = json.loads(text)
        content["number"] = int(content.pop("game"))
        content["result"] = POINTS[content["result"]]
        for name in ("moves", "seconds", "scores", "depths"):
            content[name] = tuple(content.get(name, ()))
        return GameRecord(**content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        shown = text.strip()
        raise FormatError(f"{shown[:60] + '…' if len(shown) > 60 else shown!r} is not a record of a game") from None


def replay(game: Game, record: GameRecord) -> Line:
    """The line of a record, replayed from its moves."""
    return Line.parse(game, record.moves, game.parse_state(record.start) if record.start else None)


def texts(line: Line) -> Sequence[str]:
    """A line's moves in the game's notation."""
    return tuple(line.texts())


def without_moves(record: GameRecord) -> GameRecord:
    """The record without moves, for a comment next to them."""
    return replace(record, moves=(), seconds=(), scores=(), depths=())


def as_played(record: GameRecord, line: Line, control: str, white: int = 1) -> Played:
    """The record as a Played; scores in comments are for MAX, or for MIN if ``white`` is -1."""
    notes = {
        "Event": "zerosum match",
        "Date": record.date[:10].replace("-", "."),
        "Round": str(record.number),
        "PlyCount": str(len(line.moves)),
        "TimeControl": control,
        "Termination": TERMINATIONS.get(record.reason, "normal"),
        "Reason": record.reason,
        "Detail": record.detail,
        "Fault": record.fault,
        "Opening": f"{record.opening} plies",
    }
    found = ((place, _thought(record, place - record.opening, white)) for place in range(len(line.moves)))
    return Played(
        line,
        (record.max_player, record.min_player),
        record.result,
        notes={name: text for name, text in notes.items() if text},
        comments={place: text for place, text in found if text},
    )


def _thought(record: GameRecord, place: int, sign: int) -> str:
    """The comment on a move: the player's score in units, depth and seconds."""
    if not 0 <= place < len(record.seconds):
        return ""
    score, depth, seconds = record.scores[place], record.depths[place], record.seconds[place]
    parts = []
    if score is not None:
        parts.append(f"{sign * score / 100:+.2f}" + (f"/{depth}" if depth is not None else ""))
    if seconds is not None:
        parts.append(f"{seconds:.3f}s")
    return " ".join(parts)
