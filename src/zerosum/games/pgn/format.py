"""PGN and PDN as formats that a game declares; PDN differs in its moves, and there Black moves first."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from zerosum.errors import FormatError, PgnError
from zerosum.formats.format import Format, Piece
from zerosum.formats.played import POINTS, RESULTS, Branch, Played
from zerosum.game import MAX, Game, Line

if TYPE_CHECKING:
    from pathlib import Path

    from zerosum.formats.record import GameRecord
    from zerosum.games.pgn.tree import AnnotatedGame, PgnMove, Variation

TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)
NEXT_GAME = re.compile(r'(?<=\n)[ \t]*\r?\n(?=\s*\[\s*\w+\s*")')


class TreeFormat(Format):
    """Games with tags, comments and variations. The reader and the writer are imported on demand."""

    def __init__(self, suffix: str, title: str, module: str, white: int, usual: bool = False) -> None:
        """``module`` has ``read_games`` and ``format_game``; ``white`` is MAX, or MIN if Black moves first."""
        super().__init__(suffix, title, usual=usual)
        self.mark, self.module = "%", module
        self.sign = 1 if white == MAX else -1

    # Reading

    def games(self, game: Game, path: Path) -> Iterator[Played]:
        return self._all(game, path)

    def parse(self, game: Game, text: str) -> Iterator[Played]:
        return self._all(game, io.StringIO(text, newline=None))

    def _all(self, game: Game, source: Any) -> Iterator[Played]:
        """All games, including invalid ones: using the line of an invalid game raises its error."""
        wrong: list[PgnError] = []
        number = 0
        for found in import_module(self.module).read_games(source, on_error=wrong.append):
            for problem in wrong:
                yield Played(_raising(problem))
            number += len(wrong) + 1
            wrong.clear()
            yield self._played(game, found, number)
        for problem in wrong:
            yield Played(_raising(problem))

    def _played(self, game: Game, found: AnnotatedGame, number: int) -> Played:
        def line() -> Line:
            if any(move < 0 for move in found.moves):
                raise PgnError(f"a player passes in game {number}, which the rules do not allow")
            return Line(game, found.start, found.moves)

        names = [found.tags.get(side, "") for side in ("White", "Black")[:: self.sign]]
        points = POINTS.get(found.result)
        main = _branch(found.main)
        return Played(
            line,
            ("" if names[0] == "?" else names[0], "" if names[1] == "?" else names[1]),
            None if points is None else self.sign * points,
            notes=found.tags,
            comments=main.comments,
            branches=main.branches,
        )

    def looks_like(self, text: str) -> bool:
        return "[" in text or re.search(r"\b1\s*\.", text) is not None

    def pieces(self, game: Game, text: str) -> list[Piece]:
        """Split the text into games, at the first tag after moves; each game is parsed only when it is used."""

        def read(piece: str, plies: int | None) -> Line:
            games = list(import_module(self.module).read_games(io.StringIO(piece), plies=plies))
            if len(games) != 1:
                raise FormatError(f"found {len(games)} games instead of one")
            return Line(game, games[0].start, games[0].moves[:plies])

        found, at = [], 1
        begins = [0, *(gap.end() for gap in NEXT_GAME.finditer(text)), len(text)]
        for begin, end in pairwise(begins):
            piece = text[begin:end]
            if piece.strip():
                found.append(Piece(f"line {at}", piece, read))
            at += piece.count("\n")
        return found

    # Writing

    def write(self, played: Played) -> str:
        from zerosum.games.pgn.tree import AnnotatedGame, Variation

        result = "*" if played.result is None else RESULTS[self.sign * played.result]
        white, black = played.players[:: self.sign]
        tags = {**played.notes, "White": white or "?", "Black": black or "?", "Result": result}
        moves = _nodes(played.line.moves, played.comments, played.branches)
        game = AnnotatedGame(tags, played.line.start, Variation(moves=moves, result=result))
        return str(import_module(self.module).format_game(game))

    def entry(self, record: GameRecord, line: Line, control: str, before: Mapping[int, GameRecord]) -> str:
        """The game with scores (for White), depths and times as comments."""
        from zerosum.formats.record import as_played

        return self.write(as_played(record, line, control, self.sign))

    def entries(self, content: bytes) -> tuple[list[bytes], int]:
        """The complete entries: tags, an empty line, moves up to a result, an empty line."""
        entries: list[bytes] = []
        good = 0
        while True:
            tags = content.find(b"\n\n", good)
            moves = content.find(b"\n\n", tags + 2) if tags >= 0 else -1
            if moves < 0:
                return entries, good
            entry = content[good : moves + 2]
            if entry.split()[-1].decode("ascii", "replace") not in POINTS:
                return entries, good
            entries.append(entry)
            good = moves + 2

    def record(self, entry: str) -> GameRecord:
        """The record from the tags of a game: fast, and enough for tables of results."""
        from zerosum.formats.record import GameRecord

        tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in TAG.findall(entry)}
        try:
            max_player, min_player = (tags["White"], tags["Black"])[:: self.sign]
            return GameRecord(
                number=int(tags["Round"]),
                max_player=max_player,
                min_player=min_player,
                result=self.sign * POINTS[tags["Result"]],
                reason=tags["Reason"],
                detail=tags.get("Detail", ""),
                start=tags.get("FEN", ""),
                moves=(),
                fault=tags.get("Fault", ""),
                date=tags.get("Date", "").replace(".", "-"),
            )
        except (KeyError, ValueError):
            raise FormatError(f"{entry.strip()[:60]!r} is not a game of a match") from None


def _raising(problem: PgnError) -> Callable[[], Line]:
    def line() -> Line:
        raise problem

    return line


def _branch(variation: Variation) -> Branch:
    """The moves up to a pass, because the moves after it cannot be played."""
    count = next((place for place, node in enumerate(variation.moves) if node.move < 0), len(variation.moves))
    nodes = dict(enumerate(variation.moves[:count]))
    return Branch(
        tuple(int(node.move) for node in nodes.values()),
        {place: " ".join(node.comments) for place, node in nodes.items() if node.comments},
        {
            place: tuple(_branch(other) for other in node.variations if other.moves)
            for place, node in nodes.items()
            if node.variations
        },
    )


def _nodes(
    moves: tuple[int, ...], comments: Mapping[int, str], branches: Mapping[int, tuple[Branch, ...]]
) -> list[PgnMove]:
    from zerosum.games.pgn.tree import PgnMove, Variation

    return [
        PgnMove(
            move,
            comments=[comments[place]] if place in comments else [],
            variations=[
                Variation(moves=_nodes(one.moves, one.comments, one.branches)) for one in branches.get(place, ())
            ],
        )
        for place, move in enumerate(moves)
    ]
