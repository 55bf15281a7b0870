"""What is kept of a game, and the two forms of it: a line of JSON for any game, PGN for chess."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zerosum.errors import ArenaError
from zerosum.game import Game, Line

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
POINTS = {text: result for result, text in RESULTS.items()}

TERMINATIONS = {
    "time": "time forfeit",
    "illegal move": "rules infraction",
    "crash": "abandoned",
    "hang": "abandoned",
    "adjudication": "adjudication",
}
"""PGN's words for the reasons; all others are "normal"."""

PGN_TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    Attributes:
        number: its place in the match, from 1.
        max_player, min_player: the names of the two sides; in chess, White and Black.
        result: 1 if MAX has won, 0 for a draw, -1 if MIN has.
        reason: ``rules``, ``repetition``, ``length``, ``resignation``, ``adjudication``, or a Fault's kind.
        detail: the same for people, with what a player at fault has said.
        fault: the name of the player who lost by its own fault, or ''.
        margin: the utility at the end, where the rules have ended it.
        start: the position before the first move.
        opening: how many of the moves were given.
        moves: all moves and outcomes of chance, as people write them.
        seconds, scores, depths: for each move after the opening: time taken, and what the player thought, for MAX;
            None where there is nothing to say.
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
    seconds: tuple[float | None, ...] = ()
    scores: tuple[float | None, ...] = ()
    depths: tuple[int | None, ...] = ()
    date: str = ""

    @property
    def loser(self) -> str:
        return {1: self.min_player, 0: "", -1: self.max_player}[self.result]

    def in_words(self) -> str:
        """One line for people.

        >>> GameRecord(3, "engine", "random", 1, "rules", "", "", ()).in_words()
        'game 3: engine - random 1-0 (rules)'
        """
        why = f"{self.fault}: {self.reason}: {self.detail}" if self.fault else self.detail or self.reason
        return f"game {self.number}: {self.max_player} - {self.min_player} {RESULTS[self.result]} ({why})"


def to_json(record: GameRecord) -> str:
    """The record as one line of JSON, which ends with a line break."""
    content = asdict(record)
    content["result"] = RESULTS[record.result]
    return json.dumps({"game": content.pop("number"), **content}, ensure_ascii=False, separators=(",", ":")) + "\n"


def from_json(text: str) -> GameRecord:
    """The record in a line; ArenaError, quoting it, if it is none.

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
        raise ArenaError(f"{shown[:60] + '…' if len(shown) > 60 else shown!r} is no record of a game") from None


def to_pgn(record: GameRecord, line: Line, control: str) -> str:
    """The record of a game of chess as PGN, with scores, depths and times as comments."""
    from zerosum.games.chess.pgn import PgnGame, PgnMove, Variation, format_game

    tags = {
        "Event": "zerosum match",
        "Date": record.date[:10].replace("-", "."),
        "Round": str(record.number),
        "White": record.max_player,
        "Black": record.min_player,
        "Result": RESULTS[record.result],
        "PlyCount": str(len(line.moves)),
        "TimeControl": control,
        "Termination": TERMINATIONS.get(record.reason, "normal"),
        "Reason": record.reason,
        "Detail": record.detail,
        "Fault": record.fault,
        "Opening": f"{record.opening} plies",
    }
    nodes = []
    for place, move in enumerate(line.moves):
        comment = _comment(record, place - record.opening)
        nodes.append(PgnMove(move, comments=[comment] if comment else []))
    main = Variation(moves=nodes, result=RESULTS[record.result])
    return format_game(PgnGame(tags={k: v for k, v in tags.items() if v}, start=line.start, main=main))


def _comment(record: GameRecord, place: int) -> str:
    """What a move's player thought: score for White in pawns, depth and seconds."""
    if not 0 <= place < len(record.seconds):
        return ""
    score, depth, seconds = record.scores[place], record.depths[place], record.seconds[place]
    parts = []
    if score is not None:
        parts.append(f"{score / 100:+.2f}" + (f"/{depth}" if depth is not None else ""))
    if seconds is not None:
        parts.append(f"{seconds:.3f}s")
    return " ".join(parts)


def from_pgn(text: str) -> GameRecord:
    """What the tags of a game say, its moves left out: enough for tables, and quick."""
    tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in PGN_TAG.findall(text)}
    try:
        return GameRecord(
            number=int(tags["Round"]),
            max_player=tags["White"],
            min_player=tags["Black"],
            result=POINTS[tags["Result"]],
            reason=tags["Reason"],
            detail=tags.get("Detail", ""),
            start=tags.get("FEN", ""),
            moves=(),
            fault=tags.get("Fault", ""),
            date=tags.get("Date", "").replace(".", "-"),
        )
    except (KeyError, ValueError):
        raise ArenaError(f"{text.strip()[:60]!r} is no game of a match") from None


def replay(game: Game, record: GameRecord) -> Line:
    """The line of a record of any game but chess: its moves read again."""
    return Line.parse(game, record.moves, game.parse_state(record.start) if record.start else None)


def texts(line: Line) -> Sequence[str]:
    """A line's moves as people write them."""
    return tuple(line.texts())


def header_text(header: dict[str, Any], is_pgn: bool) -> str:
    """The first line of a games file: what match it is of. In PGN it is a line that readers skip."""
    text = json.dumps({"zerosum match": 1, **header}, ensure_ascii=False, separators=(",", ":"))
    return f"%{text}\n" if is_pgn else f"{text}\n"
