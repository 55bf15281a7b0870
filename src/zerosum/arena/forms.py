"""The forms of a games file: lines of JSON for any game, PGN for chess, PDN for checkers, .mat for backgammon.

Each begins with a line that says which match it is, in a way that other programs skip; then come the games, each of
which can be told from one that is half written.

>>> from pathlib import Path
>>> form_of(Path("games.pgn")).game, form_of(Path("games.mat")).game, form_of(Path("games.jsonl")).game
('chess', 'backgammon', '')
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from zerosum.arena.records import POINTS, RESULTS, GameRecord, from_json, to_json
from zerosum.errors import ArenaError
from zerosum.game import MAX, MIN, Line

TERMINATIONS = {
    "time": "time forfeit",
    "illegal move": "rules infraction",
    "crash": "abandoned",
    "hang": "abandoned",
    "adjudication": "adjudication",
}
"""PGN's words for the reasons; all others are "normal"."""

PGN_TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)


class Form:
    """Lines of JSON; the other forms differ from it.

    Attributes:
        game: the name of the only game that can be written so; '' for all.
        title: what people call it.
        mark: what stands before the first line's JSON.
        heading: what follows the first line, before the games.
    """

    game = ""
    title = "JSON"
    mark = ""
    heading = ""

    def first(self, header: Mapping[str, Any]) -> str:
        """What a new file begins with: which match it is of."""
        text = json.dumps({"zerosum match": 1, **header}, ensure_ascii=False, separators=(",", ":"))
        return f"{self.mark}{text}\n{self.heading}"

    def header(self, line: bytes) -> dict[str, Any]:
        """What the first line says; ValueError and the like if it is of something else."""
        found: dict[str, Any] = json.loads(line.removeprefix(self.mark.encode()))
        if found.pop("zerosum match") != 1:
            raise ValueError
        return found

    def check(self, header: Mapping[str, Any], path: Path) -> None:
        """ArenaError if the games of this match cannot be written so."""
        if self.game and header["game"] != self.game:
            raise ArenaError(
                f"the games file {str(path)!r}: {self.title} is for {self.game}; for {header['game']} use .jsonl"
            )

    def text(self, record: GameRecord, line: Line, control: str, before: Mapping[int, GameRecord]) -> str:
        """A game as it is written behind those that are in the file ``before``."""
        return to_json(record)

    def record(self, text: str) -> GameRecord:
        """What a piece of the file says about its game; in all forms but JSON the moves are left out."""
        return from_json(text)

    def pieces(self, content: bytes) -> tuple[list[bytes], int]:
        """The whole games of what comes behind the heading, and where they end."""
        good = content.rfind(b"\n") + 1
        return [piece for piece in content[:good].split(b"\n") if piece.strip()], good


class TreeForm(Form):
    """PGN, and PDN, which differs in its moves and in who is White."""

    mark = "%"

    def __init__(self, game: str, title: str, module: str, white: int) -> None:
        self.game, self.title, self.module, self.white = game, title, module, white

    def text(self, record: GameRecord, line: Line, control: str, before: Mapping[int, GameRecord]) -> str:
        """With scores, depths and times as comments."""
        from zerosum.games.pgn.tree import AnnotatedGame, PgnMove, Variation

        sign = 1 if self.white == MAX else -1
        result = RESULTS[sign * record.result]
        white, black = (record.max_player, record.min_player)[::sign]
        tags = {
            "Event": "zerosum match",
            "Date": record.date[:10].replace("-", "."),
            "Round": str(record.number),
            "White": white,
            "Black": black,
            "Result": result,
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
            comment = _comment(record, place - record.opening, sign)
            nodes.append(PgnMove(move, comments=[comment] if comment else []))
        main = Variation(moves=nodes, result=result)
        game = AnnotatedGame(tags={k: v for k, v in tags.items() if v}, start=line.start, main=main)
        return str(import_module(self.module).format_game(game))

    def record(self, text: str) -> GameRecord:
        """What the tags of a game say: enough for tables, and quick."""
        tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in PGN_TAG.findall(text)}
        sign = 1 if self.white == MAX else -1
        try:
            max_player, min_player = (tags["White"], tags["Black"])[::sign]
            return GameRecord(
                number=int(tags["Round"]),
                max_player=max_player,
                min_player=min_player,
                result=sign * POINTS[tags["Result"]],
                reason=tags["Reason"],
                detail=tags.get("Detail", ""),
                start=tags.get("FEN", ""),
                moves=(),
                fault=tags.get("Fault", ""),
                date=tags.get("Date", "").replace(".", "-"),
            )
        except (KeyError, ValueError):
            raise ArenaError(f"{text.strip()[:60]!r} is no game of a match") from None

    def pieces(self, content: bytes) -> tuple[list[bytes], int]:
        """Tags, an empty line, moves up to a result, an empty line."""
        pieces: list[bytes] = []
        good = 0
        while True:
            tags = content.find(b"\n\n", good)
            moves = content.find(b"\n\n", tags + 2) if tags >= 0 else -1
            if moves < 0:
                return pieces, good
            piece = content[good : moves + 2]
            if piece.split()[-1].decode("ascii", "replace") not in RESULTS.values():
                return pieces, good
            pieces.append(piece)
            good = moves + 2


def _comment(record: GameRecord, place: int, sign: int) -> str:
    """What a move's player thought: score for White in pawns, depth and seconds."""
    if not 0 <= place < len(record.seconds):
        return ""
    score, depth, seconds = record.scores[place], record.depths[place], record.seconds[place]
    parts = []
    if score is not None:
        parts.append(f"{sign * score / 100:+.2f}" + (f"/{depth}" if depth is not None else ""))
    if seconds is not None:
        parts.append(f"{seconds:.3f}s")
    return " ".join(parts)


class MatForm(Form):
    """.mat: a session of backgammon between two players, who change sides without changing columns.

    What the text has no place for (why a game ended, and which side was MAX) stands in a comment before each game.
    """

    game = "backgammon"
    title = ".mat"
    mark = "; "
    heading = " 0 point match\n\n"

    def check(self, header: Mapping[str, Any], path: Path) -> None:
        super().check(header, path)
        if len(header["players"]) != 2:
            raise ArenaError(
                f"the games file {str(path)!r}: .mat has room for two players, not {len(header['players'])}; use .jsonl"
            )

    def text(self, record: GameRecord, line: Line, control: str, before: Mapping[int, GameRecord]) -> str:
        from zerosum.games.backgammon.match_file import MatchGame, format_game, game_of

        if line.start != line.game.start():
            raise ArenaError(
                f"game {record.number} begins with a position of its own, which .mat has no place for; use .jsonl"
            )
        left = next(iter(before.values()), record).max_player  # whoever was MAX in the first game of the file
        points = [_points(other, left) for other in before.values()]
        score = sum(won for won in points if won > 0), -sum(lost for lost in points if lost < 0)
        turns = game_of(line).turns
        if record.max_player != left:
            turns = tuple(replace(turn, player=MAX + MIN - turn.player) for turn in turns)
        played = MatchGame(score, turns, _points(record, left))
        names = (left, record.min_player if record.max_player == left else record.max_player)
        known = replace(record, moves=(), seconds=(), scores=(), depths=())
        # A colon ends a name there.
        players = (names[0].replace(":", " "), names[1].replace(":", " "))
        return f"; {to_json(known)}{format_game(played, record.number, players)}\n"

    def record(self, text: str) -> GameRecord:
        return from_json(text.partition("\n")[0].removeprefix("; "))

    def pieces(self, content: bytes) -> tuple[list[bytes], int]:
        """A comment, the game, an empty line."""
        good = content.rfind(b"\n\n") + 2 if b"\n\n" in content else 0
        return [piece for piece in content[:good].split(b"\n\n") if piece.strip()], good


def _points(record: GameRecord, player: str) -> int:
    """What a game has brought a player: as many points as the rules say, else one."""
    points = record.result if record.margin is None else round(record.margin)
    return points if record.max_player == player else -points


FORMS = {
    ".pgn": TreeForm("chess", "PGN", "zerosum.games.chess.pgn", MAX),
    ".pdn": TreeForm("checkers", "PDN", "zerosum.games.checkers.pdn", MIN),  # Black begins
    ".mat": MatForm(),
}
TREES = {suffix: form for suffix, form in FORMS.items() if isinstance(form, TreeForm)}
JSON = Form()


def form_of(path: Path) -> Form:
    """The form that a file's name asks for: JSON, unless it ends as another one does."""
    return FORMS.get(path.suffix.lower(), JSON)
