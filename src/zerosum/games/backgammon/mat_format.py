"""The .mat format, as backgammon declares it; ``match_file`` reads and writes the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from zerosum.errors import FormatError
from zerosum.formats.format import Format
from zerosum.formats.played import Played
from zerosum.game import MAX, MIN, Game, Line

if TYPE_CHECKING:
    from pathlib import Path

    from zerosum.formats.record import GameRecord
    from zerosum.games.backgammon.match_file import Match


class MatFormat(Format):
    """A session between two players, who keep their columns when they swap sides.

    A comment before each game stores what the format cannot: why the game ended, and which player was MAX.
    """

    heading = " 0 point match\n\n"

    def games(self, game: Game, path: Path) -> Iterator[Played]:
        from zerosum.games.backgammon.match_file import read_match

        return _games(game, read_match(path))

    def parse(self, game: Game, text: str) -> Iterator[Played]:
        from zerosum.games.backgammon.match_file import parse_match

        return _games(game, parse_match(text))

    def looks_like(self, text: str) -> bool:
        return re.search(r"^\s*1\)", text, re.MULTILINE) is not None

    def write(self, played: Played) -> str:
        from zerosum.games.backgammon.match_file import Match, format_match, game_of

        return format_match(Match(played.players, (game_of(played.line),)))

    # The games file of a match

    def check(self, header: Mapping[str, Any], path: Path) -> None:
        if len(header["players"]) != 2:
            raise FormatError(
                f"the games file {str(path)!r}: .mat has room for two players, not {len(header['players'])}; use .jsonl"
            )

    def entry(self, record: GameRecord, line: Line, control: str, before: Mapping[int, GameRecord]) -> str:
        from zerosum.formats.record import to_json, without_moves
        from zerosum.games.backgammon.match_file import MatchGame, format_game, game_of

        if line.start != line.game.start():
            raise FormatError(
                f"game {record.number} does not begin with the start position, which .mat cannot store; use .jsonl"
            )
        left = next(iter(before.values()), record).max_player  # the player who was MAX in the first game of the file
        points = [_points(other, left) for other in before.values()]
        score = sum(won for won in points if won > 0), -sum(lost for lost in points if lost < 0)
        turns = game_of(line).turns
        if record.max_player != left:
            turns = tuple(replace(turn, player=MAX + MIN - turn.player) for turn in turns)
        played = MatchGame(score, turns, _points(record, left))
        names = (left, record.min_player if record.max_player == left else record.max_player)
        # A colon would end the name.
        players = (names[0].replace(":", " "), names[1].replace(":", " "))
        return f"{self.mark}{to_json(without_moves(record))}{format_game(played, record.number, players)}\n"

    def entries(self, content: bytes) -> tuple[list[bytes], int]:
        """The complete entries: a comment, the game, an empty line."""
        good = content.rfind(b"\n\n") + 2 if b"\n\n" in content else 0
        return [entry for entry in content[:good].split(b"\n\n") if entry.strip()], good

    def record(self, entry: str) -> GameRecord:
        from zerosum.formats.record import from_json

        return from_json(entry.partition("\n")[0].removeprefix(self.mark))


MAT = MatFormat(".mat", ".mat", comment=";")


def _games(game: Game, match: Match) -> Iterator[Played]:
    for one in match.games:
        result = (one.points > 0) - (one.points < 0)
        yield Played(partial(one.line, game), match.players, result or None)  # backgammon has no draws


def _points(record: GameRecord, player: str) -> int:
    """The points that a player won or lost in a game: by the rules if it was finished, otherwise one."""
    points = record.result if record.margin is None else round(record.margin)
    return points if record.max_player == player else -points
